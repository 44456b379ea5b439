"""The student's side of the boundary: what a student defined, asked for by data and answered by data.

The same code answers in one process and inside the sandbox. It trusts the requests; the asker trusts no answer.
"""

import contextlib
import io
import linecache
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from course_lib.grading.boundary.codec import NotData, decode, encode
from course_lib.grading.boundary.forbid import forbid, resolve_owner

LIBRARIES = (*(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")), str(Path(__file__).parents[2]))
ACTIONS = ("name", "call", "attribute", "load", "pull", "leaves", "forbid", "lend")


class NoGradient(Exception):
    """Nothing that was written raised it: automatic differentiation finds no way back through the result."""


class Objects:
    """Names and objects of a student's; an object that is no plain data is held here and crosses as its number."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names
        self.held: list[Any] = []
        self.forbidden: tuple[str, ...] = ()
        self.lent: dict[str, Any] = {}
        self.refused: dict[str, Any] = {}  # what is absent while graded, where this is not the sandbox

    def hold(self, value: Any) -> int:
        """The number under which `value` can be asked for from now on."""
        self.held.append(value)
        return len(self.held) - 1

    def answer(self, request: dict) -> dict:
        """{"value": data} or {"error": [type, first line of its text, line number, line of the student's code]}.

        Prints and warnings on the way go nowhere.
        """
        try:
            with contextlib.redirect_stdout(Nowhere()), contextlib.redirect_stderr(Nowhere()):
                action = {name: getattr(self, name) for name in ACTIONS}
                fields = {key: decode(data, self.held.__getitem__) for key, data in request["fields"].items()}
                with forbid(self.forbidden), standing_in(self.refused | self.lent, fields.get("target")):
                    value = action[request["do"]](**fields)
                return {"value": encode(value, self.hold)}
        except (Exception, SystemExit) as error:
            text = (str(error).splitlines() or [""])[0][:300]
            return {"error": [type(error).__name__, text, *own_line(error.__traceback__)]}

    def name(self, name: str) -> Any:
        """What the student calls `name`; raises NameError."""
        if name not in self.names:
            raise NameError(f"{name} is not defined")
        return self.names[name]

    def call(self, target: Any, arguments: tuple, keywords: dict) -> Any:
        if not callable(target):
            raise NotData(f"a {type(target).__name__}, not a function")
        return target(*arguments, **keywords)

    def forbid(self, names: tuple) -> None:
        """From now on these names (dotted) raise Delegated while anything of the student's runs.

        Their modules are imported now, not in the time of the student's first call.
        """
        for name in names:
            resolve_owner(name)
        self.forbidden = tuple(names)

    def lend(self, sources: dict, names: tuple) -> None:
        """From now on the functions of these `names` stand in for the student's while theirs run.

        They are made of the sources, which may use one another, and of nothing else.
        """
        namespace: dict[str, Any] = {}
        for source in sources.values():
            exec(source, namespace)
        self.lent = {name: namespace[name] for name in names}

    def attribute(self, target: Any, name: str) -> Any:
        return getattr(target, name)

    def load(self, target: Any, parameters: dict) -> None:
        """Set the parameters of a module, all of them and no others."""
        target.load_state_dict(parameters, strict=True)

    def pull(self, target: Any, arguments: tuple, cotangents: Any, names: list) -> list:
        """The vector-Jacobian product: gradients of Σ output·cotangent for every floating tensor of the arguments.

        `target` returns a tensor, or a tuple of them, one for each cotangent, named as in `names`; raises NoGradient
        where none can be taken.
        """
        import torch

        with torch.enable_grad():
            inputs = [each.requires_grad_() for each in tensors(arguments) if each.is_floating_point()]
            values = target(*arguments)
            if not all(each.requires_grad for each in inputs):
                raise NoGradient("it switches off requires_grad of a tensor that it was given, as detach_() does, too")
            values = (values,) if isinstance(values, torch.Tensor) else values
            if others := {type(each).__name__ for each in values if not isinstance(each, torch.Tensor)}:
                raise NoGradient(f"it returned {', '.join(sorted(others))} in place of a tensor")
            if without := [name for name, value in zip(names, values, strict=False) if not value.requires_grad]:
                raise NoGradient(f"that of {' and of '.join(without)} is cut off")
            try:
                given = [cotangent.to(value) for cotangent, value in zip(cotangents, values, strict=True)]
                gradients = torch.autograd.grad(tuple(values), inputs, given, allow_unused=True)
            except RuntimeError as error:
                raise NoGradient(str(error)) from error
        return [torch.zeros_like(i) if g is None else g for i, g in zip(inputs, gradients, strict=True)]

    def leaves(self, target: Any, arguments: tuple, asking: bool = False) -> tuple[tuple, list[bool], list[bool]]:
        """The arguments after a call, and of each whether a tensor in it asks for a gradient, and holds one.

        If `asking`, all floating tensors ask for it before the call.
        """
        for each in tensors(arguments) if asking else ():
            each.requires_grad_(each.is_floating_point())
        target(*arguments)
        found = ["torch" in sys.modules and asked(each) for each in arguments for asked in (asks, holds)]
        return arguments, found[::2], found[1::2]


def get_ready() -> None:
    """Let torch, if it is there, import what its first gradient needs: hundreds of modules, in nobody's time."""
    if "torch" in sys.modules:
        import torch

        with contextlib.suppress(Exception):  # what a student has made of torch shows later
            one = torch.ones(1, requires_grad=True)
            torch.autograd.grad(one + 1, one, torch.ones(1))  # with a cotangent: that is what needs them


def tensors(value: Any) -> Iterator[Any]:
    """Every tensor within nested lists, tuples and dicts, in order."""
    if "torch" in sys.modules and isinstance(value, sys.modules["torch"].Tensor):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from tensors(part)


def asks(value: Any) -> bool:
    """Whether a tensor within `value` has requires_grad set, or is the result of one that has."""
    return any(each.requires_grad for each in tensors(value))


def holds(value: Any) -> bool:
    """Whether a tensor within `value` has a .grad."""
    return any(each.is_leaf and each.grad is not None for each in tensors(value))


@contextlib.contextmanager
def standing_in(lent: dict[str, Any], target: Any) -> Iterator[None]:
    """The names of `lent` mean its functions where the function `target` was written, until the block ends."""
    names = getattr(target, "__globals__", None) or getattr(type(target).__call__, "__globals__", {}) if lent else {}
    before = {name: names[name] for name in lent if name in names}
    try:
        names.update(lent)
        yield
    finally:
        for name in lent:
            names.pop(name, None)
        names.update(before)


def own_line(traceback: TracebackType | None) -> tuple[int, str]:
    """The last line of the student's own code that a traceback passes: its number in its cell, and its text.

    (0, "") if there is none: library code, and ours, is passed over.
    """
    found = 0, ""
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not file.startswith((*LIBRARIES, "<frozen")):
            found = traceback.tb_lineno, linecache.getline(file, traceback.tb_lineno).strip()[:120]
        traceback = traceback.tb_next
    return found


class Nowhere(io.TextIOBase):
    """A stream that keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)
