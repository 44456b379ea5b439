"""Problem set 8: evaluation."""

from course_lib.grading.task import ProblemSet
from course_lib.problem_sets.ps8 import (
    agreement,
    bootstrap,
    brevity_penalty,
    chrf,
    corpus_bleu,
    diagnose,
    greedy_matching,
    modified_precision,
)

MODULES = (modified_precision, brevity_penalty, corpus_bleu, chrf, greedy_matching, bootstrap, agreement, diagnose)
PROBLEM_SET = ProblemSet("ps8", "Problem set 8 · Evaluation", release=1, tasks=tuple(module.TASK for module in MODULES))
