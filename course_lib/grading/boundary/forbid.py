"""What may not do a task's work in its place: entry points that raise while the student's function runs."""

import contextlib
import importlib
import re
import sys
import warnings
from collections.abc import Iterator
from functools import lru_cache

OPERATOR = re.compile(r"torch\.(?:_VF\.)?(\w+)")
COMPOSITE = "CompositeImplicitAutograd"


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
    """Put refusals in torch's dispatcher in place of the operators with these names, until `stack` is closed."""
    wanted = [name for name in names if OPERATOR.fullmatch(name)]
    if not wanted or "torch" not in sys.modules:
        return
    import torch

    library = torch.library.Library("aten", "IMPL")
    stack.callback(library._destroy)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch says that a kernel is replaced
        for operator, name in {OPERATOR.fullmatch(name)[1]: name for name in wanted}.items():
            if (packet := getattr(torch.ops.aten, operator, None)) is None:
                continue  # of the same name, but no operator
            for overload in packet.overloads():
                full = operator if overload == "default" else f"{operator}.{overload}"
                keys = ["CPU", "AutogradCPU"]
                if torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{full}", COMPOSITE):
                    keys.append(COMPOSITE)  # the kernel from which those for other devices are made
                for key in keys:
                    library.impl(full, _refuse(name), key)


@lru_cache(maxsize=256)
def resolve_owner(name: str) -> object | None:
    """The module or class that holds the last part of `name`; None if its package is not to be had."""
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
        return None if getattr(owner, "absent", None) is True else owner  # a stand-in, which refuses by itself
    return None


def _refuse(name: str):
    def refused(*_, **__):
        raise Delegated(refusal(name))

    return refused
