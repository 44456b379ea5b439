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

PLAIN = {list, tuple, dict, set, frozenset, bytes}  # of these very types, nothing else has to be asked
SIZES = {  # bytes per element of the dtypes that may cross
    **{"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2},
    **{"int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint8": 1, "bool": 1},
}


class NotData(TypeError):
    """A value that is not plain data, or data that is malformed or too large."""


def encode(value: Any, handle: Callable[[Any], int] | None = None) -> Any:
    """`value` as JSON-able data; an object that is none becomes {"handle": handle(object)}, or raises NotData."""
    budget = _Budget()
    budget.spend(0)
    return _encode(value, handle, budget, 0)


def decode(data: Any, handle: Callable[[int], Any] | None = None) -> Any:
    """The value of `data`, built only from exact, checked parts; raises NotData for anything malformed or too large."""
    budget = _Budget()
    budget.spend(0)
    try:
        return _decode(data, handle, budget, 0)
    except NotData:
        raise
    except Exception as error:
        raise NotData(f"malformed data ({type(error).__name__})") from None


class _Budget:
    """What may still be spent. Whoever goes on to the parts of a value spends them, all at once, before."""

    def __init__(self) -> None:
        self.nodes = self.bytes = self.keys = 0

    def spend(self, depth: int, size: int = 0, nodes: int = 1) -> None:
        self.nodes += nodes
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
    kind = type(value)
    if kind is int or kind is bool:
        return _bounded(value)
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if value is None:
        return None
    if kind is str:
        budget.spend(depth, len(value))
        return value

    def items(values: Any) -> list:
        if values := list(values):
            budget.spend(depth + 1, nodes=len(values))
        return [_encode(item, handle, budget, depth + 1) for item in values]

    if kind not in PLAIN:
        numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")  # imported already if `value` is theirs
        if torch and kind is torch.Tensor:
            return {"tensor": _tensor(value, budget, depth)}
        if numpy and isinstance(value, numpy.generic):
            value = value.item()
            if not isinstance(value, numpy.generic):  # a long double stays one
                return _encode(value, handle, budget, depth)
        elif numpy and isinstance(value, numpy.ndarray) and value.dtype.kind in "fiub":
            torch = _torch()
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


def _torch() -> Any:
    """torch, imported by the statement only where it is not there yet: for a call, all imports are watched."""
    if "torch" not in sys.modules:
        import torch  # noqa: F401
    return sys.modules["torch"]


def _tensor(value: Any, budget: _Budget, depth: int) -> list:
    torch = _torch()
    value = torch.Tensor.detach(value)
    name = str(value.dtype).removeprefix("torch.")
    if value.layout is not torch.strided or value.device.type == "meta" or name not in SIZES:
        raise NotData(f"a tensor of dtype {name}, layout {value.layout} on {value.device.type}")
    budget.spend(depth, value.numel() * value.element_size())
    numbers = value.view(torch.int16) if value.dtype is torch.bfloat16 else value  # numpy has no bfloat16
    raw = numbers.cpu().resolve_neg().numpy().tobytes()
    return [name, list(value.shape), base64.b64encode(raw).decode()]


def _decode(data: Any, handle: Callable | None, budget: _Budget, depth: int) -> Any:
    kind = type(data)
    if data is None or kind is float:
        return data
    if kind is int or kind is bool:
        return _bounded(data)
    if kind is str:
        budget.spend(depth, len(data))
        return data
    ((kind, content),) = data.items()

    def items(values: list) -> list:
        if values:
            budget.spend(depth + 1, nodes=len(values))
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
        size = math.prod(shape) * SIZES[name]
        budget.spend(depth, size)
        raw = base64.b64decode(text, validate=True)
        if size != len(raw):
            raise NotData("a tensor whose bytes do not fit its shape")
        if name == "bool" and max(raw, default=0) > 1:
            raise NotData("a tensor of truth values that are neither")
        torch = _torch()
        dtype = getattr(torch, name)
        if not raw:
            return torch.empty(shape, dtype=dtype)
        return (
            torch.frombuffer(bytearray(raw), dtype=dtype).reshape(shape).detach()
        )  # no view, which takes no detach_()
    if kind == "dict":
        if content:
            budget.spend(depth + 1, nodes=2 * len(content))
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
