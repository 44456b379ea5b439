"""Lecture 09: what a figure, table or example of a seed shows, behind the cell that shows it here."""

from .rows import behind


@behind("example")
def running_sums_of_an_example(sums):
    """unwritten: name the author and the figure, table or example, and assert what it shows."""
    assert sums == [1, 3, 6]
