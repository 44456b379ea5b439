"""Problem set 2: recurrent networks."""

from course_lib.grading.task import ProblemSet
from course_lib.problem_sets.ps2 import bidirectional, diagnose, gru_cell, lstm_cell, residual_stack, run_layer

MODULES = (lstm_cell, gru_cell, run_layer, bidirectional, residual_stack, diagnose)
PROBLEM_SET = ProblemSet(
    "ps2", "Problem set 2 · Recurrent networks", release=2, tasks=tuple(module.TASK for module in MODULES)
)
