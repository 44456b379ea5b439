"""Two kernels for one submission: the student's in a sandbox, the grader's outside; only data passes between them.

student_kernel.py  the student's kernel, its limits and its restarts
grader_kernel.py   the grader's kernel
kernel.py          what both are: a Jupyter kernel, its messages and its end
sandbox.py         the walls (bubblewrap); cgroup.py and watchdog.py its limits; sandbox_check.py whether it works here
visible_course.py  what of the course can be imported inside; inside/ the files that stand there in its place
"""
