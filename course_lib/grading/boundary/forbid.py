"""What may not do a task's work in its place: entry points that raise while the student's function runs."""

import contextlib
import importlib
from collections.abc import Iterator
from functools import lru_cache


class Delegated(Exception):
    """The student's function called something that does its task's work."""


def refusal(name: str) -> str:
    """What is said of something of that name, in `check` and while grading."""
    return f"{name} may not do this task's work: write it yourself"


@contextlib.contextmanager
def forbid(names: tuple[str, ...]) -> Iterator[None]:
    """Replace each dotted name ("torch.nn.LSTM.forward") by one that raises Delegated, until the block ends.

    A name whose module is not installed is passed over; one whose module lacks it raises AttributeError, for then the
    task's list is out of date. Best effort in one process: the sandbox removes the names for good.
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
        yield


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
