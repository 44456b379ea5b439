"""What passes between a student's function and its tests, and the two sides that send it.

proxy.py         a student's function as a test calls it
grader_side.py   runs in the grader's kernel: gives a test cell its proxies
student_side.py  runs beside the student's code: answers from what the student defined
codec.py         values as plain data; messages.py: the data as bytes on a socket
timelimit.py     which seconds of a call count
forbid.py        what may not do a task's work in its place
absent.py        what is not there while graded; stand_in.py: what is there in its place
visible_packages.py  which installed packages are there
"""
