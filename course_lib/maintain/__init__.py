"""What maintainers run: the students' zip, and skeletons of lectures and problem sets."""
