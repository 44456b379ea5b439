"""`python -m tests.grading.measure.mutation ps2`: right solutions with one change, and where each loses points.

What passes the visible cases must pass the hidden ones, and what passes both must be right. A mutant that survives is
listed in `tests/problem_sets/ps2/equivalent.toml` with the reason why it is right, or the task is to be mended.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path

from course_lib.grading import seeds
from course_lib.grading.boundary.proxy import local
from course_lib.grading.task import Task
from course_lib.grading.trial import attempt, draw

from .chosen import arguments, tasks
from .honest import styles
from .mutants import Mutant, mutants
from .secrets import secret

SECONDS = 2.0  # for one call: a mutant that never ends is a dead one
SECRETS = 5
PROBLEM_SETS = Path(__file__).parents[2] / "problem_sets"


def passes(task: Task, mutant: Mutant, key: bytes, visible: bool) -> bool:
    """Whether it earns everything; the first criterion that fails ends it."""
    student = local(mutant.function, SECONDS)
    return all(attempt(task, criterion, student, key, visible).failed is None for criterion in task.criteria)


def fate(task: Task, mutant: Mutant) -> str:
    """ "visible", "hidden only" or "survives": which cases notice it."""
    if not passes(task, mutant, seeds.PUBLIC, visible=True):
        return "visible"
    hidden = (passes(task, mutant, secret(number), visible=False) for number in range(SECRETS))
    return "survives" if all(hidden) else "hidden only"


@lru_cache(maxsize=4)
def of(task: Task) -> list[Mutant]:
    """The mutants of every honest solution of `task`."""
    problem, _, name = task.name.partition(".")
    lent = tuple(function.__name__ for function in task.lent)
    example = draw(task, task.criteria[0], seeds.PUBLIC, visible=True)[0].arguments
    made = (mutants(style, module, name, example, task.trains, lent) for style, module in styles(problem).items())
    return list(chain.from_iterable(made))


def argued(problem: str) -> dict[tuple[str, str, str, str], str]:
    """Why a mutant that survives is right: (task, style, line, change) → the reason."""
    path = PROBLEM_SETS / problem / "equivalent.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"] if path.exists() else []
    return {
        (task, style, each["line"], change): each["why"]
        for each in listed
        for task in each["task"].split()
        for style in each["styles"]
        for change in each["changes"]
    }


def open_cases(task: Task, tried: Iterable[Mutant]) -> Iterator[tuple[str, Mutant]]:
    """The mutants that no visible case notices and no reason excuses, with their fate."""
    reasons = argued(task.name.partition(".")[0])
    for mutant in tried:
        if (task.name, *mutant.place) not in reasons and (found := fate(task, mutant)) != "visible":
            yield found, mutant


def main() -> None:
    chosen = arguments(__doc__).parse_args()
    print("| task | mutants | noticed visibly | hidden only | equivalent | survive |\n|-|-|-|-|-|-|")
    for task in tasks(chosen.names):
        tried, reasons = of(task), argued(task.name.partition(".")[0])
        known = [mutant for mutant in tried if (task.name, *mutant.place) in reasons]
        rest = list(open_cases(task, tried))
        count = Counter(found for found, _ in rest)
        seen = len(tried) - len(known) - len(rest)
        print(f"| {task.name} | {len(tried)} | {seen} | {count['hidden only']} | {len(known)} | {count['survives']} |")
        for found, mutant in rest:
            print(f"    {found}: {mutant.style}: {mutant.line}: {mutant.change}", flush=True)


if __name__ == "__main__":
    main()
