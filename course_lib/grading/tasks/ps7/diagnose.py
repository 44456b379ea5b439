"""ps7.diagnose: what is wrong with a training, told from its rates, its first step and its losses."""

from functools import partial

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.task import Criterion, Task
from course_lib.grading.tasks.ps7 import cases_diagnose as cases
from course_lib.grading.tasks.ps7 import wrong_diagnose as wrong
from course_lib.grading.tasks.ps7.mistakes_diagnose import MISTAKES
from course_lib.grading.tasks.ps7.runs import SEVERAL, draw_several
from course_lib.grading.tasks.ps7.wrong_diagnose import Run


def reference(run: Run) -> set[str]:
    """The faults, named in TESTS, of the training that left `run` behind."""
    return found(run)


def found(run: Run) -> set[str]:
    """What may not do the student's work."""
    return wrong.defined(run)


Few = partial(Criterion, visible=8, graded=8)

TASK = Task(
    name="ps7.diagnose",
    title="What is wrong with this training?",
    reference=reference,
    criteria=(
        Few(
            "warm_up",
            0.5,
            "'warm-up', where no rate is larger than the first.",
            cases.draw_warm_up,
        ),
        Few(
            "correction",
            0.5,
            "'correction', where m or v or both were not corrected in step 1.",
            cases.draw_correction,
            visible=16,
            graded=16,
        ),
        Few(
            "smoothing",
            0.5,
            "'smoothing', where a training loss is lower than a smoothed loss can be.",
            cases.draw_smoothing,
            visible=18,
            graded=18,
        ),
        Few(
            "words",
            0.5,
            "'words', where the last training loss is not the mean over all words of its batches.",
            cases.draw_words,
            visible=10,
            graded=10,
        ),
        Few(
            "overfitting",
            0.5,
            "'overfitting', where the held-out loss grows while the training loss falls.",
            cases.draw_overfitting,
            visible=18,
            graded=18,
        ),
        Few("several", 1, "Several faults at once.", draw_several, visible=len(SEVERAL), graded=len(SEVERAL)),
        Few(
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
