"""`python -m tests.grading.measure.faults` prints what becomes of a class whose grading is disturbed, and the cost.

    OMP_NUM_THREADS=1 python -m tests.grading.measure.faults --students 20 [--only killed,locked] [--seed 0] [--whole]

The same class is graded one at a time by `nbgrader autograde` that nothing disturbs, and then, in a course of its own,
under each fault; the fault ends, and the same command runs again. "told": autograde said what was wrong; one that is to
be killed was killed. "whole": whose grade was finished under the fault had the right one, and nobody else had a graded
notebook, but those whom autograde listed as not graded, and the one whom it wrote when it was killed. "same": after the
second run grades, comments and graded notebooks are those of the undisturbed run. The class does two exercises of ps1,
or with --whole all of it.

The undisturbed run also gives a rate: seconds of a processor for a submission, and how long a class of 1,000 would take
if all processors worked all the time.
"""

import argparse
import random
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from shutil import rmtree

from ..at_work import Grader, processor_seconds
from ..attacks.attack import filled, save
from ..attacks.run import FEW, copied, filled_in, honest, prepare
from ..course import Course
from ..disturb import FAULTS, ONE, TWO, finished, small_disk

LIMITS = {"call_seconds": 2, "cell_seconds": 6, "notebook_seconds": 40}
HOSTILE = "import os\ndef {function}(*_): os._exit(1)"
SLOW = "def {function}(*_):\n    while True: pass"
KINDS = ("honest", "wrong", "hostile", "broken", "honest", "honest", "slow", "honest", "wrong", "honest")
LISTED = "could be graded; the next run tries again"
CLASS = 1000
MACHINES = {"two processors": 2, "eight workers of two processors each": 16}


def hand_in(course: Course, kinds: Sequence[str], function: str) -> None:
    """A class of these kinds of students; some write a `function` that does harm."""
    for number, kind in enumerate(kinds):
        folder = course.folder / "submitted" / f"{number:03}-{kind}" / "ps1"
        if kind == "broken":
            folder.mkdir(parents=True)
            (folder / "ps1.ipynb").write_text("{")
            continue
        notebook = filled_in(course, "ps1.mistakes") if kind == "wrong" else honest(course)
        source = {"hostile": HOSTILE, "slow": SLOW}.get(kind)
        save(folder, filled(notebook, source.format(function=function), f"ps1_{function}") if source else notebook)


def state(course: Course) -> dict[str, tuple]:
    """All that a student's grade is, by student: grades, comments, the graded notebook; None for what is not there."""
    found = [course.grades("ps1"), course.comments("ps1"), course.outputs("ps1")]
    return {student: tuple(each.get(student) for each in found) for student in set().union(*found)}


@dataclass(frozen=True)
class Row:
    """What became of the class under a fault: `done` students had their grade before the second run."""

    fault: str
    told: bool  # autograde said what was wrong
    whole: bool  # whose grade was finished had the right one, and nobody had part of one
    done: int
    same: bool | None = None  # after the second run; None: there was none yet


def disturbed(course: Course, name: str, undisturbed: dict[str, tuple], rng: random.Random) -> Row:
    """The class under a fault."""
    make, says = FAULTS[name]
    said = make(course, rng)
    done, there = finished(course), state(course)
    written = {path.name for path in course.folder.glob("autograded/*")}
    halves = len(written - set(done)) - said.count(LISTED) - (name == "stopped")
    return Row(name, says in said, halves <= 0 and all(there[each] == undisturbed[each] for each in done), len(done))


def tried(prepared: Course, folder: Path, name: str, undisturbed: dict[str, tuple], rng: random.Random) -> Row:
    """The class under a fault, and once more without; raises OSError where the fault cannot be made here."""
    with small_disk(folder) if name == "full" else nullcontext():
        course = copied(prepared, folder / "course", LIMITS)
        row = disturbed(course, name, undisturbed, rng)
        Grader(course, TWO).end()
        return Row(row.fault, row.told, row.whole, row.done, state(course) == undisturbed)


def handed_in(kinds: Sequence[str], folder: Path, tasks: tuple[str, ...]) -> Course:
    """A course where a class of these kinds of students has handed in."""
    course = prepare(folder / "prepared" / "course", tasks)
    rmtree(course.folder / "submitted")
    hand_in(course, kinds, tasks[0] if tasks else FEW[0])
    return course


def calm(course: Course, folder: Path) -> dict[str, tuple]:
    """What becomes of the class where nothing disturbs."""
    course = copied(course, folder / "calm" / "course", LIMITS)
    Grader(course, ONE).end()
    return state(course)


def rate(seconds: float | None, students: int) -> str:
    """What a submission costs, and a class, in words."""
    if seconds is None:
        return "What a submission costs was not counted: it needs a control group (cpuacct)."
    each = seconds / students
    times = (f"{each * CLASS / count / 3600:.2f} h on {name}" for name, count in MACHINES.items())
    return f"{each:.1f} s of a processor for each of {students} submissions; {CLASS} would take {', '.join(times)}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--students", type=int, default=10)
    parser.add_argument("--only", default=",".join(FAULTS), help="faults; none, if it is empty")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--whole", action="store_true")
    chosen = parser.parse_args()
    words = {True: "yes", False: "NO"}
    with tempfile.TemporaryDirectory(prefix="course-", dir="/var/tmp") as folder:
        kinds = list(islice(cycle(KINDS), chosen.students))
        course = handed_in(kinds, Path(folder), () if chosen.whole else FEW)
        with processor_seconds() as seconds:
            undisturbed = calm(course, Path(folder))
            print(rate(seconds(), len(undisturbed)), flush=True)
        names = [name for name in chosen.only.split(",") if name]
        if names:
            print("\n| fault | told | whole | done before | same after |\n|-|-|-|-|-|", flush=True)
        for name in names:
            row = tried(course, Path(folder, name), name, undisturbed, random.Random(chosen.seed))
            shown = words[row.told], words[row.whole], f"{row.done} of {chosen.students}", words[row.same]
            print("|", " | ".join((FAULTS[name][0].__doc__, *shown)), "|", flush=True)


if __name__ == "__main__":
    main()
