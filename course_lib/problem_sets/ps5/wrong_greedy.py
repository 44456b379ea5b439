"""Greedy search as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from math import exp, inf

from course_lib.problem_sets.ps5.tables import EOS, Hypothesis, Model, Words


def first_best(log_probs: list[float]) -> int:
    return max(range(len(log_probs)), key=log_probs.__getitem__)


def defined(
    model: Model,
    max_length: int,
    choose: Callable[[list[float]], int] = first_best,
    look: Callable[[Words], Words] = lambda words: words,
    add: Callable[[float, float], float] = lambda score, log_p: score + log_p,
) -> Hypothesis:
    words, score = (), 0.0
    while len(words) < max_length and words[-1:] != (EOS,):
        log_probs = model[look(words)]
        word = choose(log_probs)
        words, score = (*words, word), add(score, log_probs[word])
    return words, score


def last_word_only(model: Model, max_length: int) -> Hypothesis:
    return defined(model, max_length, look=lambda words: words[-1:])


def first_row_only(model: Model, max_length: int) -> Hypothesis:
    return defined(model, max_length, look=lambda words: ())


def rounded(model: Model, max_length: int) -> Hypothesis:
    """Probabilities compared to one digit."""
    return defined(model, max_length, choose=lambda row: first_best([round(exp(log_p), 1) for log_p in row]))


def to_three_digits(model: Model, max_length: int) -> Hypothesis:
    """Log-probabilities compared to three digits."""
    return defined(model, max_length, choose=lambda row: first_best([round(log_p, 3) for log_p in row]))


def near_the_best(model: Model, max_length: int) -> Hypothesis:
    """The first word within 0.01 of the best."""
    return defined(model, max_length, choose=lambda row: [log_p > max(row) - 0.01 for log_p in row].index(True))


def least_probable(model: Model, max_length: int) -> Hypothesis:
    return defined(model, max_length, choose=lambda row: min(range(len(row)), key=row.__getitem__))


def first_words_only(model: Model, max_length: int) -> Hypothesis:
    """EOS, word 1 or word 2, however many words there are."""
    return defined(model, max_length, choose=lambda row: first_best(row[:3]))


def going_on(model: Model, max_length: int) -> Hypothesis:
    """EOS like any other word: the model is asked what follows it."""
    words, score = (), 0.0
    while len(words) < max_length:
        word = first_best(model[words])
        words, score = (*words, word), score + model[words][word]
    return words, score


def without_eos(model: Model, max_length: int) -> Hypothesis:
    words, score = defined(model, max_length)
    return tuple(word for word in words if word != EOS), score


def never_ending(model: Model, max_length: int) -> Hypothesis:
    return defined(model, max_length, choose=lambda row: first_best([-float("inf"), *row[1:]]))


def one_more(model: Model, max_length: int) -> Hypothesis:
    return defined(model, max_length + 1)


def two_at_least(model: Model, max_length: int) -> Hypothesis:
    return defined(model, max(max_length, 2))


def one_less(model: Model, max_length: int) -> Hypothesis:
    return defined(model, max_length - 1)


def eos_not_counted(model: Model, max_length: int) -> Hypothesis:
    """EOS may follow `max_length` other words."""
    words, score = defined(model, max_length)
    if words[-1:] == (EOS,) or first_best(model.get(words, [-inf, 0.0])) != EOS:
        return words, score
    return (*words, EOS), score + model[words][EOS]


def closed(model: Model, max_length: int) -> Hypothesis:
    """EOS put behind an output that did not end."""
    words, score = defined(model, max_length)
    return words if words[-1:] == (EOS,) else (*words, EOS), score


def last_tie(model: Model, max_length: int) -> Hypothesis:
    return defined(model, max_length, choose=lambda row: max(range(len(row)), key=lambda word: (row[word], word)))


def eos_last_of_equals(model: Model, max_length: int) -> Hypothesis:
    """EOS behind its equals, the others by their number."""
    return defined(model, max_length, choose=lambda row: max([*range(1, len(row)), EOS], key=row.__getitem__))


def eos_unscored(model: Model, max_length: int) -> Hypothesis:
    words, score = defined(model, max_length)
    return words, score - model[words[:-1]][EOS] if words[-1:] == (EOS,) else score


def probability(model: Model, max_length: int) -> Hypothesis:
    words, score = defined(model, max_length)
    return words, exp(score)


def mean(model: Model, max_length: int) -> Hypothesis:
    words, score = defined(model, max_length)
    return words, score / len(words)


def product(model: Model, max_length: int) -> Hypothesis:
    words, _ = defined(model, max_length)
    score = 1.0
    for i, word in enumerate(words):
        score *= model[words[:i]][word]
    return words, score


def last_score(model: Model, max_length: int) -> Hypothesis:
    return defined(model, max_length, add=lambda score, log_p: log_p)


def unfinished_impossible(model: Model, max_length: int) -> Hypothesis:
    """−∞ as the score of what did not end."""
    words, score = defined(model, max_length)
    return words, score if words[-1:] == (EOS,) else -inf


def model_emptied(model: Model, *arguments) -> Hypothesis:
    found = defined(model, *arguments)
    model.clear()
    return found
