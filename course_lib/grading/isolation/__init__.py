"""Grades that can be trusted: students' code runs in a sandboxed kernel, tests in the grader's, and data alone crosses.

autograde.py       nbgrader's command, over received submissions
intake.py          what is accepted of a submission
rebuild.py         the notebook that is graded: the released one with the student's sources
execute.py         which cell runs where
student_kernel.py  the student's kernel, its limits and its restarts; sandbox.py, cgroup.py, watchdog.py: the wall
grader_kernel.py   the grader's kernel; line.py runs in it, and calls inside/serve.py in the student's
outputs.py         what is kept of outputs; feedback.py: what students see
"""
