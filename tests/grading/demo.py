"""`make grade`: a small class goes through nbgrader's real command line, in a temporary course of its own."""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from course_lib.grading.registry import names, problem_set

from . import sample_class
from .course import Course, Grade


def pipeline(
    course: Course,
    name: str,
    hand_in: dict[str, sample_class.Sources],
    say: Callable[[str], None] = lambda step: None,
) -> None:
    """Release, collect what students `hand_in`, grade, give feedback; `say` hears of each step."""
    say(f"nbgrader generate_assignment {name}")
    course.nbgrader("generate_assignment", name)
    say("the class hands in")
    sample_class.build(course.folder, name, hand_in)
    for step in ("autograde", "generate_feedback"):
        say(f"nbgrader {step} {name}")
        course.nbgrader(step, name)


def task_of(cell: str) -> str:
    """The task of a grade cell: "learn_merges" of "ps1_learn_merges__counts"."""
    return cell.partition("_")[2].partition("__")[0]


def gradebook_table(grades: dict[str, dict[str, Grade]]) -> str:
    """A row a student: points for each task, in total, and how many a person has still to give."""
    tasks = list(dict.fromkeys(map(task_of, next(iter(grades.values())))))
    rows = [["student", *tasks, "total", "waiting for a person"]]
    for student, cells in grades.items():
        each = [
            f"{sum(g.score for g in mine):g}/{sum(g.of for g in mine):g}"
            for task in tasks
            for mine in [[g for g in cells.values() if task_of(g.name) == task]]
        ]
        total = f"{sum(g.score for g in cells.values()):g}/{sum(g.of for g in cells.values()):g}"
        waiting = sum(g.of for g in cells.values() if g.waiting)
        rows.append([student, *each, total, f"{waiting:g} points" if waiting else "-"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


class Progress:
    """Prints each step when it begins, and how long it took when the next one does."""

    def __init__(self) -> None:
        self.began: float | None = None

    def __call__(self, step: str) -> None:
        self.done()
        print(f"{step:<40}", end="", flush=True)
        self.began = time.monotonic()

    def done(self) -> None:
        """The last step has ended."""
        if self.began is not None:
            print(f"{time.monotonic() - self.began:6.1f} s")
        self.began = None


def main(chosen: list[str]) -> None:
    """Grade a class for each problem set named, or for all."""
    folder = Path(tempfile.mkdtemp(prefix="course-"))
    course = Course.create(folder / "course")
    print(f"A course of its own in {course.folder}; yours is not touched.\n")
    for name in chosen or names():
        progress = Progress()
        pipeline(course, name, sample_class.students(problem_set(name)), progress)
        progress("nbgrader export")
        course.nbgrader("export")
        progress.done()
        print(f"\n{gradebook_table(course.grades(name))}\n")
        print(f"Feedback:  {course.feedback('wrong', name)}  (and beside it, a folder a student)")
    print(f"Gradebook: {course.folder / 'gradebook.db'}, exported to {course.folder / 'grades.csv'}")
    print(f"In Formgrader: cd {course.folder} && jupyter lab, then Nbgrader > Formgrader")


if __name__ == "__main__":
    main(sys.argv[1:])
