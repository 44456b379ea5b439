"""Problem set 4 with the standard library, without assignments (unwritten: a solution of every task)."""

from itertools import accumulate


def running_sums(numbers):
    return list(accumulate(numbers))
