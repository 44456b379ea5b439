"""Values as data: what crosses between a student's code and its grader, as JSON with tensor bytes, never pickle.

A value is None, bool, int, float, str, bytes, list, tuple, set, dict or a dense tensor of them; NumPy arrays and
scalars become tensors and numbers. The same code runs in one process and across two kernels, so a grade does not depend
on which: `decode(encode(value))` is a deep copy that shares nothing with `value`.
"""

import base64
import math
import sys
from collections.abc import Callable
from typing import Any

MAX_BYTES = 16 << 20
MAX_NODES = 200_000
MAX_KEYS = 2_000  # members of sets and keys of dicts that are no text: numbers of equal hash cost the square of this
MAX_DEPTH = 40
MAX_BITS = 1000  # of a whole number: it still fits a float, and can be printed

SIZES = {  # bytes per element of the dtypes that may cross
    **{"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2},
    **{"int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint8": 1, "bool": 1},
}


class NotData(TypeError):
    """A value that is not plain data, or data that is malformed or too large."""


def encode(value: Any, handle: Callable[[Any], int] | None = None) -> Any:
    """`value` as JSON-able data; an object that is none becomes {"handle": handle(object)}, or raises NotData."""
    return _encode(value, handle, _Budget(), 0)


def decode(data: Any, handle: Callable[[int], Any] | None = None) -> Any:
    """The value of `data`, built only from exact, checked parts; raises NotData for anything malformed or too large."""
    try:
        return _decode(data, handle, _Budget(), 0)
    except NotData:
        raise
    except Exception as error:
        raise NotData(f"malformed data ({type(error).__name__})") from None


class _Budget:
    def __init__(self) -> None:
        self.nodes = self.bytes = self.keys = 0

    def spend(self, depth: int, size: int = 0) -> None:
        self.nodes += 1
        self.bytes += size
        if depth > MAX_DEPTH:
            raise NotData(f"a value nested more than {MAX_DEPTH} deep")
        if self.nodes > MAX_NODES or self.bytes > MAX_BYTES:
            raise NotData(f"a value of more than {MAX_NODES:,} parts or {MAX_BYTES >> 20} MB")

    def key(self, value: Any) -> Any:
        """`value`, a member or key: numbers of equal hash can be found, hashes of text are random in each Python."""
        self.keys += not _text(value)
        if self.keys > MAX_KEYS:
            raise NotData(f"a set or dict of more than {MAX_KEYS:,} members that are no text")
        return value


def _text(value: Any) -> bool:
    return all(map(_text, value)) and bool(value) if type(value) is tuple else isinstance(value, (str, bytes))


def _bounded(number: bool | int) -> bool | int:
    if number.bit_length() > MAX_BITS:
        raise NotData(f"a whole number of more than {MAX_BITS:,} bits")
    return number


def _encode(value: Any, handle: Callable | None, budget: _Budget, depth: int) -> Any:
    budget.spend(depth)
    kind = type(value)
    if kind is int or kind is bool:
        return _bounded(value)
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if value is None:
        return None

    def items(values: Any) -> list:
        return [_encode(item, handle, budget, depth + 1) for item in list(values)]

    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")  # imported already if `value` is theirs
    if numpy and isinstance(value, numpy.generic):
        value = value.item()
        if not isinstance(value, numpy.generic):  # a long double stays one
            return _encode(value, handle, budget, depth)
    elif numpy and isinstance(value, numpy.ndarray) and value.dtype.kind in "fiub":
        import torch

        value = torch.from_numpy(numpy.array(value))
    if isinstance(value, str):
        text = str.__str__(value)  # the letters themselves, whatever a subclass says of them
        budget.spend(depth, len(text))
        return text
    if torch and isinstance(value, torch.Tensor):
        return {"tensor": _tensor(value, budget, depth)}
    if isinstance(value, (bytes, bytearray)):
        budget.spend(depth, len(value))
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {"dict": [items((budget.key(k), v)) for k, v in list(value.items())]}
    for kind, name in (list, "list"), (tuple, "tuple"), ((set, frozenset), "set"):
        if isinstance(value, kind):
            return {name: items(map(budget.key, value) if name == "set" else value)}
    if handle is not None:
        return {"handle": handle(value)}
    raise NotData(f"a value of type {type(value).__name__}, which is not plain data")


def _tensor(value: Any, budget: _Budget, depth: int) -> list:
    import torch

    value = torch.Tensor.detach(value)
    name = str(value.dtype).removeprefix("torch.")
    if value.layout is not torch.strided or value.device.type == "meta" or name not in SIZES:
        raise NotData(f"a tensor of dtype {name}, layout {value.layout} on {value.device.type}")
    budget.spend(depth, value.numel() * value.element_size())
    numbers = value.view(torch.int16) if value.dtype is torch.bfloat16 else value  # numpy has no bfloat16
    raw = numbers.cpu().resolve_neg().numpy().tobytes()
    return [name, list(value.shape), base64.b64encode(raw).decode()]


def _decode(data: Any, handle: Callable | None, budget: _Budget, depth: int) -> Any:
    budget.spend(depth)
    if data is None or type(data) is float:
        return data
    if type(data) in (bool, int):
        return _bounded(data)
    if type(data) is str:
        budget.spend(depth, len(data))
        return data
    ((kind, content),) = data.items()

    def items(values: list) -> list:
        return [_decode(item, handle, budget, depth + 1) for item in values]

    if kind == "float" and content in ("nan", "inf", "-inf"):
        return float(content)
    if kind == "bytes":
        budget.spend(depth, len(content))
        return base64.b64decode(content, validate=True)
    if kind == "tensor":
        name, shape, text = content
        if any(type(n) is not int or n < 0 for n in shape):
            raise NotData("a tensor with a shape that is none")
        budget.spend(depth, math.prod(shape) * SIZES[name])
        raw = base64.b64decode(text, validate=True)
        if math.prod(shape) * SIZES[name] != len(raw):
            raise NotData("a tensor whose bytes do not fit its shape")
        if name == "bool" and max(raw, default=0) > 1:
            raise NotData("a tensor of truth values that are neither")
        import torch

        dtype = getattr(torch, name)
        return torch.frombuffer(bytearray(raw), dtype=dtype).reshape(shape) if raw else torch.empty(shape, dtype=dtype)
    if kind == "dict":
        return {
            budget.key(_decode(k, handle, budget, depth + 1)): _decode(v, handle, budget, depth + 1) for k, v in content
        }
    if kind == "list":
        return items(content)
    if kind == "tuple":
        return tuple(items(content))
    if kind == "set":
        return set(map(budget.key, items(content)))
    if kind == "handle" and handle is not None and type(content) is int:
        return handle(content)
    raise NotData(f"a value of unknown kind {str(kind)[:40]!r}")
