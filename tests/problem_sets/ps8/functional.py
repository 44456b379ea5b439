"""Problem set 8 with expressions and the standard library, without assignments."""


def modified_precision(numbers):  # unwritten: solve modified_precision without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def brevity_penalty(numbers):  # unwritten: solve brevity_penalty without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def corpus_bleu(numbers):  # unwritten: solve corpus_bleu without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def chrf(numbers):  # unwritten: solve chrf without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def greedy_matching(numbers):  # unwritten: solve greedy_matching without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def bootstrap(numbers):  # unwritten: solve bootstrap without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def agreement(numbers):  # unwritten: solve agreement without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def diagnose(numbers):  # unwritten: solve diagnose without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]
