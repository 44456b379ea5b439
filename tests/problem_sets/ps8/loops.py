"""Problem set 8 as most students write it: loops and lists."""


def modified_precision(numbers):  # unwritten: solve modified_precision with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def brevity_penalty(numbers):  # unwritten: solve brevity_penalty with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def corpus_bleu(numbers):  # unwritten: solve corpus_bleu with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def chrf(numbers):  # unwritten: solve chrf with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def greedy_matching(numbers):  # unwritten: solve greedy_matching with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def bootstrap(numbers):  # unwritten: solve bootstrap with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def agreement(numbers):  # unwritten: solve agreement with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def diagnose(numbers):  # unwritten: solve diagnose with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums
