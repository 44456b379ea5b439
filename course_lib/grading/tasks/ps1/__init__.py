"""Problem set 1: subwords."""

from ...task import ProblemSet
from . import apply_merges, learn_merges

PROBLEM_SET = ProblemSet("ps1", "Problem set 1 · Subwords", release=1, tasks=(learn_merges.TASK, apply_merges.TASK))
