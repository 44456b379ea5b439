"""Two kernels for one submission: the student's in a sandbox, the grader's outside; only data passes between them.

student_kernel.py  the student's kernel, its limits and its restarts
grader_kernel.py   the grader's kernel
kernel.py          what both are: a Jupyter kernel, its messages and its end
reading.py         its messages, counted before they are parsed
warm.py            a process with the libraries imported, of which students' kernels are copies
sandbox.py         the walls (bubblewrap); seccomp.py: system calls that it refuses
sandbox_check.py   whether it works here
limits.py          what a submission may use; enforce.py: how that is held
visible_course.py  what of the course can be imported inside
inside/            the files that stand there in place of the course
leftovers.py       what a killed run left behind, removed by the next
"""
