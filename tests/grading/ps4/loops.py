"""Problem set 4 as most students write it: loops and lists (unwritten: a solution of every task)."""


def running_sums(numbers):
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums
