"""Problem set 8 with a real mistake in every function: what one student hands in."""


def modified_precision(numbers):  # unwritten: make a real mistake in modified_precision.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def brevity_penalty(numbers):  # unwritten: make a real mistake in brevity_penalty.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def corpus_bleu(numbers):  # unwritten: make a real mistake in corpus_bleu.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def chrf(numbers):  # unwritten: make a real mistake in chrf.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def greedy_matching(numbers):  # unwritten: make a real mistake in greedy_matching.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def bootstrap(numbers):  # unwritten: make a real mistake in bootstrap.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def agreement(numbers):  # unwritten: make a real mistake in agreement.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def diagnose(numbers):  # unwritten: make a real mistake in diagnose.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums
