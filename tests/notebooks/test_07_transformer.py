"""Lecture 07: what it takes from the seeds, and what its prose says."""

SEEDS = {
    "unwritten: author, and the figure, table or example": ("example", "sums == [1, 3, 6]"),
}

PROSE = {
    "unwritten: what the text says": ("solution-medium", "'[1, 4, 10]' in output"),
}
