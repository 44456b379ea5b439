"""What stands in for something that is absent while graded: naming it costs nothing, using it is refused."""

import types

from course_lib.grading.boundary.forbid import Delegated, refusal


class Refused(type):
    """The class of everything in an absent module: it can be named, imported and inherited from, and nothing more."""

    def __getattr__(cls, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return named(f"{cls.path}.{name}")

    def __call__(cls, *_, **__):
        raise Delegated(refusal(cls.path))


def named(path: str) -> Refused:
    """Something of that dotted name."""
    return Refused(path.rpartition(".")[2], (), {"path": path})


class StandIn(types.ModuleType):
    """A module that is not here."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return named(f"{self.__name__}.{name}")
