"""Problem set 5: search."""

from course_lib.grading.task import ProblemSet
from course_lib.problem_sets.ps5 import beam_search, beam_step, contenders, diagnose, ensemble, greedy, rank

MODULES = (greedy, beam_step, rank, beam_search, contenders, ensemble, diagnose)
PROBLEM_SET = ProblemSet("ps5", "Problem set 5 · Search", release=1, tasks=tuple(module.TASK for module in MODULES))
