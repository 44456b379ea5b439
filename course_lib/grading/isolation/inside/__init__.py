"""What lies in the sandbox in place of the course: copied there by `visible_course.py`, and imported nowhere else.

warm.py      the process of which students' kernels are copies, and how a copy steps into its sandbox
serve.py     answers the grader's requests in the student's kernel
grading.py   stands in for `course_lib.grading`: a `check` that was left in a cell does nothing
stand_in.py  finds a stand-in for every module that is not there
"""
