"""Diagnoses asked fault by fault: a wrong test costs the criterion of its fault, whatever else is reported.

there, absent = ways(defined, case, draw)           cases with a fault, and without it, that show wrong tests of it

asked("words", "the loss is not …", "Compare …")(   the row of a fault; with it come the tests "never" and "always"
    there(mean_of_means), absent(compared_exactly), …)
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import Draw, alternate, isolating
from course_lib.grading.compare import kind
from course_lib.grading.declare import Row, criterion, name_of, versions
from course_lib.grading.task import Case, Misconception, Parts

Way = Callable[[str], Draw]  # cases of one kind, for the fault that is asked for
ONE_FAULT_ONLY = "You stop at the first fault that you find. There can be several: return them all."


def about(*faults: str, containers: tuple[type, ...] = (set,)) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at nothing but whether each of these faults is in the result, one of the `containers`."""

    def probe(function: Callable, case: Case) -> Parts:
        said = function(*case.arguments)
        if not isinstance(said, containers):
            raise StudentError(f"it returned {kind(said)}, not a set")
        return Parts((f'"{fault!r} is in the result"', fault in said) for fault in faults)

    return probe


said = partial(about, containers=(set, list, tuple))  # where another criterion asks that it is a set


def ways(defined: Callable, case: Callable[..., Case], draw: Callable[..., tuple]) -> tuple[Callable[..., Way], ...]:
    """`there(*shown)` and `absent(*shown)`: cases with a fault and without it, which show these wrong tests of it.

    They have the faults `others`, too, and hide the tests `hides`; `when` is what else must hold. The rest goes to
    `draw(rng, fault, faults, …)`, which draws arguments with `faults` where `fault` is asked for.
    """

    def showing(
        is_there: bool,
        *shown: Callable,
        others: tuple[str, ...] = (),
        hides: tuple[Callable, ...] = (),
        when: Callable[..., bool] | None = None,
        **how: Any,
    ) -> Way:
        def drawing(fault: str) -> Draw:
            decorate = isolating(defined, hides, case)(*shown, apart=False, probe=about(fault), when=when)
            faults = {*others, fault} if is_there else {*others}
            return decorate(lambda rng, size: draw(rng, fault, faults, **how))

        return drawing

    return partial(showing, True), partial(showing, False)


def asked(fault: str, where: str, advice: str, times: tuple[int, int] = (1, 2)) -> Callable[..., Row]:
    """The row of one fault, whatever else is reported: each of the ways in which it shows, so many `times`.

    That is so often in a visible check, and when it is graded. With the row come the mistakes to report the fault
    never, and always; `advice` is for the second.
    """

    def row(*shown: Way) -> Row:
        name, (visible, graded) = fault.replace("-", "_"), (count * len(shown) for count in times)
        draws = alternate(*(way(fault) for way in shown))
        asks = criterion(name, 0.5, draws, said(fault), visible=visible, graded=graded)(f"{fault!r}, where {where}")
        return replace(asks, mistakes=lambda whole: never_and_always(whole.defined, name, fault, advice))

    return row


def never_and_always(defined: Callable, name: str, fault: str, advice: str) -> tuple[Misconception, ...]:
    """The mistakes to report a fault in no case, and in every case."""
    never = f"You report {fault!r} in none of the cases tried."
    always = f"You report {fault!r} in every case, though it is not there in all. {advice}"
    return (
        Misconception(name_of(f"{name}_not_reported"), lambda *seen: defined(*seen) - {fault}, name, never),
        Misconception(name_of(f"{name}_always_reported"), lambda *seen: defined(*seen) | {fault}, name, always),
    )


def the_first_alone(defined: Callable, faults: tuple[str, ...]) -> Callable[..., set[str]]:
    """The diagnosis of who stops at the first of these faults that is there."""
    return lambda *seen: set(sorted(defined(*seen), key=faults.index)[:1])


def slips(defined: Callable) -> Callable[[str, Callable], Callable[[str], Misconception]]:
    """`slip("words", test)(hint)`: the mistake of another test of a fault, which is the part `words` of `defined`."""
    wrong = versions(defined)
    return lambda name, test: wrong(name, **{name: test})
