"""`python -m tests.grading.measure.hints ps2`: wrong solutions of every kind, and whether what is said of them is true.

A hint is true of a solution that gives what the named mistake gives on cases never drawn before, under other secrets;
where two are named, of one of them. "Unfinished" is true of a function that gives the same for every case.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from course_lib.grading import seeds
from course_lib.grading.boundary.proxy import local
from course_lib.grading.cases.unfit import in_single_precision
from course_lib.grading.diagnosis import ALWAYS_THE_SAME, NOTHING, OTHER_KIND, diagnose, explanations
from course_lib.grading.task import Task
from course_lib.grading.trial import Trial, attempt, draw

from .chosen import arguments, tasks
from .honest import styles
from .mutants import twice
from .mutation import SECONDS, of
from .secrets import secret

FRESH = range(100, 105)  # secrets under which a hint is put to the test


@dataclass(frozen=True)
class Variant:
    """A wrong solution, and of what kind."""

    kind: str
    name: str
    function: Callable


def variants(task: Task, most: int | None = None, pairs: int = 40) -> Iterator[Variant]:
    """Every known mistake, stubs, all mutants or `most` of them, evenly spread, and functions with two faults."""
    for mistake in task.misconceptions:
        yield Variant("mistake", mistake.name, mistake.function)
    for name, function in stubs(task):
        yield Variant("stub", name, function)
    made = of(task)
    for mutant in made[:: max(1, len(made) // (most or len(made)))]:
        yield Variant("mutant", " ".join(mutant.place), mutant.function)
    for name, function in pairs_of_mutants(task, min(pairs, most or pairs)):
        yield Variant("pair", name, function)
    for name, function in pairs_of_mistakes(task, min(pairs, most or pairs)):
        yield Variant("two mistakes", name, function)


def stubs(task: Task) -> Iterator[tuple[str, Callable]]:
    """Functions that are not written yet."""
    for value in None, 0, 0.0, "", [], set(), {}, answer(task):
        yield f"always {value!r:.40}", lambda *_, value=value: value
    yield "gives back what it gets", lambda first, *_: first
    yield "raises", lambda *_: 1 / 0


def pairs_of_mutants(task: Task, count: int) -> Iterator[tuple[str, Callable]]:
    """Functions with two changes each, drawn from all there are."""
    problem, _, name = task.name.partition(".")
    modules = styles(problem)
    rng = Random(task.name)
    for style in [*modules] * (count // len(modules)):
        change, function = twice(modules[style], name, rng)
        yield f"{style}: {change}", function


def pairs_of_mistakes(task: Task, count: int) -> Iterator[tuple[str, Callable]]:
    """Functions that make two known mistakes each, drawn from all there are, where two can be put together.

    The one is in the first value that they return, the other in the rest; or what one gives is in float32.
    """
    several = isinstance(answer(task), tuple)
    rng = Random(task.name)
    for _ in range(count if several or task.trains else 0):
        one, other = rng.sample(task.misconceptions, 2)
        if several:
            yield f"{one.name} + {other.name}", first_and_rest(one.function, other.function)
        else:
            yield f"{one.name} + single precision", in_single_precision(one.function)


def first_and_rest(one: Callable, other: Callable) -> Callable:
    """The first value that `one` gives, and the rest of what `other` gives."""
    return lambda *arguments: (one(*arguments)[0], *other(*arguments)[1:])


def answer(task: Task) -> object:
    """What the reference gives for the smallest visible case."""
    return task.reference(*draw(task, task.criteria[0], seeds.PUBLIC, visible=True)[0].arguments)


def judge(task: Task, variant: Variant, fresh: Sequence[int] = FRESH) -> str:
    """What is said of a wrong solution on visible and on hidden cases: "right", "rightly", "unnamed", "wrongly: …"."""
    said = [verdict(task, variant, *where, fresh) for where in ((seeds.PUBLIC, True), (secret(0), False))]
    return max(said, key=lambda each: (each.startswith("wrongly"), each == "rightly", each == "unnamed"))


def verdict(task: Task, variant: Variant, key: bytes, visible: bool, fresh: Sequence[int]) -> str:
    trials = everything(task, variant, key, visible)
    if not any(trial.failed for trial in trials):
        return "right"
    if any(trial.silence for trial in trials):
        return "unnamed"
    if (hint := diagnose(task, trials, key, visible)[1]) is None:
        return "unnamed"
    named = explanations(task, trials, key, visible)
    for number in fresh:
        again = everything(task, variant, secret(number), False)
        if any(trial.silence for trial in again):  # a busy machine: it says nothing about the hint
            continue
        if hint == ALWAYS_THE_SAME and variant.name.startswith("always "):
            continue  # true of what it is, also where a secret lets it pass a criterion
        if hint in (ALWAYS_THE_SAME, NOTHING, OTHER_KIND):
            if diagnose(task, again, secret(number), False)[1] != hint:
                return f"wrongly: {hint}"
            continue
        named = [mistake for mistake in named if mistake in explanations(task, again, secret(number), False)]
        if not named:
            return f"wrongly: {hint}"
    return "rightly"


@lru_cache(maxsize=16)
def everything(task: Task, variant: Variant, key: bytes, visible: bool) -> list[Trial]:
    """The trials of all criteria; once for the hints of visible and of hidden cases, both put to the same test."""
    student = local(variant.function, SECONDS)
    return [attempt(task, criterion, student, key, visible) for criterion in task.criteria]


def table(task: Task, tried: Iterable[Variant], fresh: Sequence[int] = FRESH) -> tuple[dict[str, Counter], list[str]]:
    """How many of each kind get which judgement, and the hints that are false."""
    counts: dict[str, Counter] = {}
    false = []
    for variant in tried:
        judged, _, hint = judge(task, variant, fresh).partition(": ")
        counts.setdefault(variant.kind, Counter())[judged] += 1
        if judged == "wrongly":
            false.append(f"{variant.name}: {hint}")
    return counts, false


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--mutants", type=int, help="how many of each task, evenly spread; all if not given")
    chosen = parser.parse_args()
    print("| task | kind | wrong versions | named rightly | unnamed | named wrongly |\n|-|-|-|-|-|-|")
    for task in tasks(chosen.names):
        counts, false = table(task, variants(task, chosen.mutants))
        for kind, count in counts.items():
            wrong = sum(count.values()) - count["right"]
            print(
                f"| {task.name} | {kind} | {wrong} | {count['rightly']} | {count['unnamed']} | {count['wrongly']} |",
                flush=True,
            )
        for each in false:
            print(f"    false: {each}", flush=True)


if __name__ == "__main__":
    main()
