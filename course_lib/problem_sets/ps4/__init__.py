"""Problem set 4: attention."""

from course_lib.grading.task import ProblemSet
from course_lib.problem_sets.ps4 import (
    additive_score,
    alignment_error,
    attentive_decoder,
    diagnose,
    hard_alignment,
    masked_softmax,
    multiplicative_score,
)

MODULES = (
    multiplicative_score,
    additive_score,
    masked_softmax,
    attentive_decoder,
    hard_alignment,
    alignment_error,
    diagnose,
)
PROBLEM_SET = ProblemSet("ps4", "Problem set 4 · Attention", release=1, tasks=tuple(module.TASK for module in MODULES))
