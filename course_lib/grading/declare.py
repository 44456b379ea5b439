"""How a task is written: the equation in parts, mistakes as slips of it, criteria as rows; what follows is derived.

    def defined(x, axis=-1, hide=filled(-inf)): ...      the equation, with parts that can be exchanged

    wrong = versions(defined)
    over_the_queries = wrong("weights", axis=-2)("Your columns add to 1. …")     a slip: criterion, part, hint

    @mistake("mask")
    def one_mask_for_all_queries(x): "All your queries have the first one's mask. …"    a longer one: its docstring

    @changing("arguments", defined)
    def mask_inverted_in_place(x): "You write into the mask …"    the same values, and another argument after the call

    TASK = task(__name__, "Attention", returns="contexts weights", criteria=(
        criterion("weights", 1, draw(), "weights")("The weights: softmax over the keys."),
        gradient(draw())("It is fit for training: …"), …))

A mistake is named by its variable. A docstring of a wrong version is what a student is told who wrote it.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from inspect import signature
from random import Random
from typing import Any

from course_lib.grading.cases import unfit
from course_lib.grading.cases.arguments import ArgumentsProbe
from course_lib.grading.cases.numbers import in_both_dtypes
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import values_probe
from course_lib.grading.cases.training import GradientProbe, of_form, with_cotangents
from course_lib.grading.task import Case, Criterion, Misconception, Task

Draw = Callable[[Random, int], Case]
SUBSCRIPTS = frozenset({"hh", "ih", "xh", "hy", "ff", "model"})  # W_hh, d_model: those with several letters


def mistake(caught_by: str, hint: str | None = None, constant: bool = False) -> Callable[[Callable], Misconception]:
    """The decorator that makes a mistake of a wrong version; its hint is the function's docstring if not given.

    Raises ValueError if there is neither.
    """

    def made(function: Callable) -> Misconception:
        words = ((function.__doc__ if hint is None else hint) or "").split()
        if not words:
            raise ValueError(f"a mistake must have a hint, as its docstring or an argument; {function} has none")
        return Misconception("", function, caught_by, " ".join(words), constant)

    return made


def changing(caught_by: str, defined: Callable, hint: str | None = None) -> Callable[[Callable], Misconception]:
    """The decorator that makes a mistake of what changes the caller's arguments, after `defined` has done the work."""

    def made(change: Callable) -> Misconception:
        @wraps(change)
        def changed(*arguments: Any) -> Any:
            found = defined(*arguments)
            change(*arguments)
            return found

        return mistake(caught_by, hint)(changed)

    return made


def versions(defined: Callable) -> Callable[..., Callable[[str], Misconception]]:
    """`wrong(caught_by, part=…)(hint)`: the mistake of a function that is `defined` with these parts exchanged.

    `wrong` raises TypeError for a part that `defined` does not have.
    """
    known = signature(defined).parameters
    takes_any = any(each.kind is each.VAR_KEYWORD for each in known.values())

    def wrong(caught_by: str, constant: bool = False, **parts: Any) -> Callable[[str], Misconception]:
        unknown = [] if takes_any else [part for part in parts if part not in known]
        if unknown:
            raise TypeError(f"a part must be one of {', '.join(known)}, which `defined` has; got {unknown[0]!r}")
        return lambda hint: mistake(caught_by, hint, constant)(partial(defined, **parts))

    return wrong


def name_of(variable: str) -> str:
    """The name of a mistake, from its variable: "W_hh_in_place_of_d_k" is "W_hh in place of d_k".

    One letter but "a" is a symbol; one character behind it, or one of SUBSCRIPTS, is its subscript.
    """
    words: list[str] = []
    for word in variable.split("_"):
        symbol = words and len(words[-1]) == 1 and words[-1] != "a"
        if symbol and (len(word) == 1 or word in SUBSCRIPTS):
            words[-1] += f"_{word}"
        else:
            words.append(word)
    return " ".join(words)


@dataclass(frozen=True)
class Row:
    """A criterion before the task is known that gives it what follows: `criterion(task)` makes it."""

    name: str
    criterion: Callable[["Whole"], Criterion]
    mistakes: Callable[["Whole"], tuple[Misconception, ...]] = lambda whole: ()


@dataclass(frozen=True)
class Whole:
    """What rows need of their task."""

    names: str  # of the arguments
    returns: str  # the names of the values
    defined: Callable
    kind: Callable[..., Criterion]


Said = Callable[[str], Row]  # what a criterion says comes last


def criterion(
    name: str, points: float, draw: Draw, sees: str | Callable | None = None, /, **counts: int
) -> Callable[[str], Row]:
    """The row of a criterion. It `sees` the values of these names, or what a probe sees, or the result as it is.

    `counts`: how many cases are `visible` and `graded`, if not as many as the task's kind of criterion has.
    """

    def made(whole: Whole, says: str) -> Criterion:
        seen = {} if sees is None else {"probe": values_probe(whole.returns, sees) if isinstance(sees, str) else sees}
        return whole.kind(name, points, says, draw, **seen, **counts)

    return lambda says: Row(name, partial(made, says=says))


def arguments(points: float, draw: Draw, sees: Callable[[Any], Any] = lambda result: result, **counts: int) -> Said:
    """The row of "arguments": a call leaves them as they were.

    `sees` makes of a result what hints compare: the same of all forms of it that are right.
    """
    return lambda says: Row(
        "arguments",
        lambda whole: whole.kind("arguments", points, says, draw, probe=ArgumentsProbe(whole.names, sees), **counts),
    )


def gradient(
    draw: Draw,
    points: float = 0.5,
    probe: Callable[..., Callable] = GradientProbe,
    weights_from: int | None = None,
    each: bool = False,
    least: float = 0.0,
    **counts: int,
) -> Said:
    """The row of "gradient": right for every argument, which a call does not change; and the mistakes that cut it off.

    `weights_from`: the place of the first argument that holds weights. `each`: one of several values may be cut off.
    `least`: the least size of the numbers by which the values are multiplied.
    """

    def made(whole: Whole, says: str) -> Criterion:
        drawn = with_cotangents(draw, whole.defined, least)
        looks = probe(whole.names, whole.returns, whole.defined)
        return whole.kind("gradient", points, says, drawn, probe=looks, **counts)

    def mistakes(whole: Whole) -> tuple[Misconception, ...]:
        return unfit.without_gradient(whole.defined, weights_from, whole.returns if each else "")

    return lambda says: Row("gradient", partial(made, says=says), mistakes)


def dtype(
    draw: Draw,
    points: float = 0.5,
    looks: Callable[[str], Callable] | None = None,
    also: str = "",
    inexact: str | None = None,
    **counts: int,
) -> Said:
    """The row of "dtype": float64 gives float64, as precise as that, and float32 float32; and the mistakes against it.

    `looks` at the names of the values, if not at their precision; `also` is that of `precisely`. `inexact`: it may be
    computed in float32 and cast back, or the value of this name, the first of several, may be float32.
    """

    def made(whole: Whole, says: str) -> Criterion:
        seen = precisely(whole.returns, whole.defined, also) if looks is None else looks(whole.returns)
        return whole.kind("dtype", points, says, in_both_dtypes(draw), probe=of_form(seen), **counts)

    def mistakes(whole: Whole) -> tuple[Misconception, ...]:
        found = unfit.in_another_dtype(whole.defined)
        return found if inexact is None else (*found, *unfit.inexact(whole.defined, inexact))

    return lambda says: Row("dtype", partial(made, says=says), mistakes)


def task(
    module: str,
    title: str,
    *,
    criteria: tuple[Row, ...],
    returns: str = "",
    kind: Callable = Criterion,
    mistakes: Sequence[Misconception] = (),
    **own: Any,
) -> Task:
    """The task that a module writes: its name, its `reference`, its `defined`, and all mistakes that are in it.

    `module` is the module's __name__; `returns` names the values; `kind` makes its criteria: Numbers, say. `mistakes`
    are those that it shares with other tasks; `own` is what else a Task has. A row "gradient" makes it a task that
    trains. Raises KeyError for a mistake whose criterion there is not, TypeError for a row that says nothing.
    """
    for place, row in enumerate(criteria):
        if not isinstance(row, Row):
            raise TypeError(
                f'criteria[{place}] must be criterion(…)("what it says"), got {row!r}: is the text missing?'
            )
    written = vars(sys.modules[module])
    reference, names = written["reference"], [row.name for row in criteria]
    whole = Whole(" ".join(signature(reference).parameters), returns, written.get("defined", reference), kind)
    every = [*mistakes_of(written), *mistakes, *(each for row in criteria for each in row.mistakes(whole))]
    for each in every:
        if each.caught_by not in names:
            raise KeyError(f"{each.name!r} is caught by {each.caught_by!r}, which is none of {', '.join(names)}")
    return Task(
        name=".".join(module.split(".")[-2:]),
        title=title,
        reference=reference,
        criteria=tuple(row.criterion(whole) for row in criteria),
        misconceptions=tuple(every),
        trains="gradient" in names,
        **own,
    )


def mistakes_of(written: dict[str, Any]) -> Iterator[Misconception]:
    """The mistakes of a module in the order in which they are written, each named by its variable."""
    for variable, value in written.items():
        if isinstance(value, Misconception):
            yield replace(value, name=name_of(variable))
