"""Problem set 9: scaling up."""

from course_lib.grading.task import ProblemSet
from course_lib.problem_sets.ps9 import (
    diagnose,
    layer_combination,
    minimum_risk,
    pos_unk,
    pre_norm,
    residual_stack,
    score_function,
    top_k_gating,
)

MODULES = (
    residual_stack,
    pre_norm,
    layer_combination,
    top_k_gating,
    score_function,
    minimum_risk,
    pos_unk,
    diagnose,
)
PROBLEM_SET = ProblemSet("ps9", "Problem set 9 · Scaling up", release=1, tasks=tuple(module.TASK for module in MODULES))
