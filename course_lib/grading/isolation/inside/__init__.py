"""What lies in the sandbox in place of the course: copied there by `visible_course.py`, and imported nowhere else."""
