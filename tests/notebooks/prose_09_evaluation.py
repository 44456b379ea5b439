"""Lecture 09: what its text says in numbers, behind the cell that it speaks of."""

from .rows import behind


@behind("solution-medium")
def running_sums_of_the_solution(output):
    """unwritten: say what the text says in numbers, and assert it."""
    assert "[1, 4, 10]" in output
