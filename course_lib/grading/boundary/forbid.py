"""What may not do a task's work in its place: entry points that raise while the student's function runs."""

import contextlib
import importlib
import re
import sys
import warnings
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

OPERATOR = re.compile(r"torch\.(?:_VF\.|ops\.aten\.)?(\w+)")
OPERATORS = "torch.ops.aten."  # one of these names is refused in torch's dispatcher alone
COMPOSITE = "CompositeImplicitAutograd"
COPIES = ("torch._decomp.decompositions", "torch.ao.nn.quantizable.modules.rnn")  # where torch has operators in Python
STAND_INS = "course_lib.grading.boundary.stand_in"  # in the sandbox, in place of what is absent there
TEMPLATE = "def refused(*_, **__): raise 'error'"


class Delegated(Exception):
    """The student's function called something that does its task's work."""


def refusal(name: str) -> str:
    """What is said of something of that name, in `check` and while grading."""
    return f"{name} may not do this task's work: write it yourself"


@contextlib.contextmanager
def forbid(names: tuple[str, ...]) -> Iterator[None]:
    """Replace each dotted name ("torch.nn.LSTM.forward") by one that raises Delegated, until the block ends.

    A name whose module is not installed is passed over; one whose module lacks it raises AttributeError, for then the
    task's list is out of date. Of a compiled function of torch's ("torch.lstm") the operator itself is refused, by
    whatever name, thread or script it is called. Best effort in one process: another process is not reached.
    """
    with contextlib.ExitStack() as stack:
        for name in names:
            owner = resolve_owner(name)
            if owner is None:
                continue
            attribute = name.rpartition(".")[2]
            if attribute in vars(owner):
                stack.callback(setattr, owner, attribute, vars(owner)[attribute])
            else:
                getattr(owner, attribute)  # inherited: the block leaves nothing of its own behind
                stack.callback(delattr, owner, attribute)
            setattr(owner, attribute, _refuse(name))
        _refuse_operators(names, stack)
        yield


def _refuse_operators(names: tuple[str, ...], stack: contextlib.ExitStack) -> None:
    """Refuse the operators with these names, and their copies in Python, until `stack` is closed."""
    operators = {found[1]: name for name in names if (found := OPERATOR.fullmatch(name))}
    if not operators or "torch" not in sys.modules:
        return
    stack.callback(refuse_in_dispatcher(operators).reset)
    for module in filter(None, map(sys.modules.get, COPIES)):
        for function, operator in copies(module, tuple(operators)):
            stack.callback(setattr, function, "__code__", function.__code__)
            function.__code__ = _refused_code(operators[operator])


@lru_cache(maxsize=256)
def copies(module: ModuleType, operators: tuple[str, ...]) -> list[tuple[FunctionType, str]]:
    """The functions of a module that are copies of these operators, each with the one that it is a copy of."""
    found = []
    for function in functions(module):
        whole = function.__qualname__.lower()  # "lstm_impl", "lstmcell.forward"
        operator = next((each for each in operators if stem(each) in whole), None)
        if operator is not None and not function.__code__.co_freevars:
            found.append((function, operator))
    return found


def stem(operator: str) -> str:
    """What names of copies have in common: "lstm" of "lstm_cell"; of an inner operator, "_softmax", all but the "_"."""
    return operator[1:] if operator.startswith("_") else operator.partition("_")[0]


def refuse_in_dispatcher(operators: dict[str, str]) -> Any:
    """Put refusals in place of torch's operators {operator: name}, until `reset` of what this gives is called."""
    import torch

    library = torch._C._dispatch_library("IMPL", "aten", "", __file__, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch says that a kernel is replaced
        for operator, name in operators.items():
            if (packet := getattr(torch.ops.aten, operator, None)) is None:
                continue  # of the same name, but no operator
            for overload in packet.overloads():
                full = operator if overload == "default" else f"{operator}.{overload}"
                keys = ["CPU", "AutogradCPU"]
                if torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{full}", COMPOSITE):
                    keys.append(COMPOSITE)  # the kernel from which those for other devices are made
                for key in keys:
                    library.impl(full, key, _refuse(name))
    return library


def functions(module: ModuleType) -> Iterator[FunctionType]:
    """The functions that a module defines, and the methods of its classes."""
    for value in list(vars(module).values()):
        if getattr(value, "__module__", None) == module.__name__:
            found = vars(value).values() if isinstance(value, type) else (value,)
            yield from (each for each in found if isinstance(each, FunctionType))


@lru_cache(maxsize=256)
def _refused_code(name: str) -> CodeType:
    """The code of a function that refuses: put in place of another's, it reaches every name of that function."""
    (code,) = (each for each in compile(TEMPLATE, name, "exec").co_consts if isinstance(each, CodeType))
    return code.replace(
        co_consts=tuple(Delegated(refusal(name)) if each == "error" else each for each in code.co_consts)
    )


@lru_cache(maxsize=256)
def resolve_owner(name: str) -> object | None:
    """The module or class that holds the last part of `name`; None if there is none: not installed, or an operator."""
    if name.startswith(OPERATORS):
        return None
    parts = name.split(".")[:-1]
    for cut in range(len(parts), 0, -1):
        try:
            owner = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        except ImportError:
            return None  # the sandbox keeps it away
        for part in parts[cut:]:
            owner = getattr(owner, part)
        return None if type(owner).__module__ == STAND_INS else owner  # a stand-in refuses by itself
    return None


def _refuse(name: str):
    def refused(*_, **__):
        raise Delegated(refusal(name))

    return refused
