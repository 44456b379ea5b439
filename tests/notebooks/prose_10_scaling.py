"""Lecture 10: what its text says in numbers, behind the cell that it speaks of."""

from .rows import behind


@behind("ticks")
def ticks_13_18_and_48(rows):
    """with none 13 ticks, with the bottom layer 18, with all 48"""
    assert [row[2] for row in rows] == [13, 18, 48]
