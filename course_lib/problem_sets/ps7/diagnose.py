"""ps7.diagnose: what is wrong with a training, told from its rates, its first step and its losses."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.faults import about
from course_lib.grading.task import Case, Criterion, Task
from course_lib.problem_sets.ps7 import cases_diagnose as cases
from course_lib.problem_sets.ps7 import wrong_diagnose as wrong
from course_lib.problem_sets.ps7.mistakes_diagnose import MISTAKES
from course_lib.problem_sets.ps7.runs import SEVERAL, draw_several
from course_lib.problem_sets.ps7.wrong_diagnose import Run


def reference(run: Run) -> set[str]:
    """The faults, named in TESTS, of the training that left `run` behind."""
    return found(run)


def found(run: Run) -> set[str]:
    """What may not do the student's work."""
    return wrong.defined(run)


def one(name: str, fault: str, says: str, draw: Callable[[Random, int], Case], count: int) -> Criterion:
    """The criterion that asks for one fault, whatever else is reported, in so many cases."""
    return Criterion(name, 0.5, f"{fault!r}, {says}", draw, count, count, probe=about(fault))


TASK = Task(
    name="ps7.diagnose",
    title="What is wrong with this training?",
    reference=reference,
    criteria=(
        one(
            "warm_up",
            "warm-up",
            "where no rate is larger than the first.",
            cases.draw_warm_up,
            len(cases.WARM_UP),
        ),
        one(
            "correction",
            "correction",
            "where m or v or both were not corrected in step 1.",
            cases.draw_correction,
            len(cases.CORRECTION),
        ),
        one(
            "smoothing",
            "smoothing",
            "where a training loss is lower than a smoothed loss can be.",
            cases.draw_smoothing,
            2 * len(cases.SMOOTHING),
        ),
        one(
            "words",
            "words",
            "where the last training loss is not the mean over all words of its batches.",
            cases.draw_words,
            2 * len(cases.WORDS),
        ),
        one(
            "overfitting",
            "overfitting",
            "where the held-out loss grows while the training loss falls.",
            cases.draw_overfitting,
            len(cases.OVERFITTING),
        ),
        Criterion("several", 1, "Several faults at once.", draw_several, len(SEVERAL), len(SEVERAL)),
        Criterion(
            "arguments",
            0.5,
            "The run is afterwards as it was.",
            cases.draw_arguments,
            visible=2,
            graded=2,
            probe=leaving("run"),
        ),
    ),
    misconceptions=MISTAKES,
    forbidden=(f"{__name__}.found",),
)
