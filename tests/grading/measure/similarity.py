"""What the comparison of students' code finds: `python -m tests.grading.measure.similarity`.

Every right style of every problem set, and the solution, is a student. Two of one set are independent work; a copy is
one of them in a disguise of disguise.py. The styles have one author: strangers are less alike than these.
"""

import sys
from itertools import combinations
from statistics import median

from course_lib.grading.cells import grade_id
from course_lib.grading.registry import names, problem_set
from course_lib.grading.similarity import compare

from ..sample_class import STYLES, instructor, solved
from .disguise import DISGUISES


def works(name: str) -> dict[str, dict[str, str]]:
    """{style: {task: code}} of a problem set."""
    problem = problem_set(name)
    cells = {style: solved(problem, f"{name}.{style}") for style in STYLES} | {"solution": instructor(name)}
    tasks = {grade_id(task): task.name for task in problem.tasks}
    return {style: {tasks[cell]: code for cell, code in of.items() if cell in tasks} for style, of in cells.items()}


def share(one: dict[str, str], other: dict[str, str]) -> tuple[float, bool]:
    """How much of one is in the other, and whether the pair is listed."""
    listed = bool(compare.pairs({"a": one, "b": other}))
    with lowered():
        found = compare.pairs({"a": one, "b": other})
    return found[0].share if found else 0.0, listed


class lowered:
    """Within it, every pair is listed."""

    def __enter__(self) -> None:
        self.before = compare.WHOLE, compare.LEAST
        compare.WHOLE, compare.LEAST = 0.0, 0

    def __exit__(self, *_) -> None:
        compare.WHOLE, compare.LEAST = self.before


def rows(chosen: list[str]) -> dict[str, list[tuple[float, bool]]]:
    """{kind of pair: (share, listed?) of each}."""
    found: dict[str, list[tuple[float, bool]]] = {"independent": []}
    for name in chosen:
        styles = works(name)
        found["independent"] += [share(styles[one], styles[other]) for one, other in combinations(styles, 2)]
        for words, disguise in DISGUISES.items():
            for of in styles.values():
                found.setdefault(words, []).append(share(of, {task: disguise(code) for task, code in of.items()}))
    return found


def main(chosen: list[str]) -> None:
    """Print the table."""
    print(f"| {'pair':<18} | pairs | least | median | most | listed |\n|:--|--:|--:|--:|--:|--:|")
    for words, each in rows(chosen or names()).items():
        shares = [value for value, _ in each]
        numbers = f"{min(shares):.2f} | {median(shares):.2f} | {max(shares):.2f}"
        print(f"| {words:<18} | {len(each)} | {numbers} | {sum(listed for _, listed in each)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
