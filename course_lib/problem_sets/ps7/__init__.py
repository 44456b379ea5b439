"""Problem set 7: training a Transformer."""

from course_lib.grading.task import ProblemSet
from course_lib.problem_sets.ps7 import adam_step, average, diagnose, learning_rate, plan_batches, smoothed_loss, train

MODULES = (smoothed_loss, learning_rate, adam_step, plan_batches, average, train, diagnose)
PROBLEM_SET = ProblemSet(
    "ps7", "Problem set 7 · Training a Transformer", release=1, tasks=tuple(module.TASK for module in MODULES)
)
