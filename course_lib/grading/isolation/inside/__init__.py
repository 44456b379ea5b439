"""What lies in the sandbox in place of the course: copied there by `library.py`, and imported nowhere else."""
