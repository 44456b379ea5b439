"""Problem set 4 with a real mistake in every function: what one student hands in (unwritten: every task)."""


def running_sums(numbers):
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums
