"""Problem set 6: the Transformer's parts."""

from course_lib.grading.task import ProblemSet
from course_lib.problem_sets.ps6 import attention, decoder_layer, diagnose, embed, encoder_layer, masks, multi_head

MODULES = (attention, masks, multi_head, embed, encoder_layer, decoder_layer, diagnose)
PROBLEM_SET = ProblemSet(
    "ps6", "Problem set 6 · The Transformer's parts", release=1, tasks=tuple(module.TASK for module in MODULES)
)
