"""Problem set 3: the encoder–decoder."""

from course_lib.grading.task import ProblemSet
from course_lib.problem_sets.ps3 import (
    decoder_step,
    diagnose,
    encode,
    forced_scores,
    sequence_loss,
    shift,
    training_step,
)

MODULES = (shift, sequence_loss, encode, decoder_step, forced_scores, training_step, diagnose)
PROBLEM_SET = ProblemSet(
    "ps3", "Problem set 3 · Encoder–decoder", release=1, tasks=tuple(module.TASK for module in MODULES)
)
