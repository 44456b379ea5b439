"""Problem set 1: subwords."""

from ...task import ProblemSet
from . import apply_merges, decode, learn_merges, wordpiece_gain

TASKS = (learn_merges.TASK, apply_merges.TASK, decode.TASK, wordpiece_gain.TASK)
PROBLEM_SET = ProblemSet("ps1", "Problem set 1 · Subwords", release=1, tasks=TASKS)
