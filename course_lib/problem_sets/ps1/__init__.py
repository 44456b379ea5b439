"""Problem set 1: subwords."""

from course_lib.grading.task import ProblemSet
from course_lib.problem_sets.ps1 import (
    apply_merges,
    decode,
    diagnose,
    learn_merges,
    learn_wordpieces,
    longest_match,
    wordpiece_gain,
)

MODULES = (learn_merges, apply_merges, decode, wordpiece_gain, longest_match, learn_wordpieces, diagnose)
PROBLEM_SET = ProblemSet("ps1", "Problem set 1 · Subwords", release=2, tasks=tuple(module.TASK for module in MODULES))
