"""Rewards: how good an output is beside its reference, as one number between 0 and 1 that training can go after.

A reward gets two lists of words. None of them has a gradient: a word more or less changes it by a jump.
"""

from collections.abc import Callable, Sequence

from course_lib.metrics.bleu import clipped, count, ngrams
from course_lib.metrics.chrf import sentence_chrf

Reward = Callable[[Sequence[str], Sequence[str]], float]  # (words of the output, of the reference) → 0 … 1
ORDER = 4


def smoothed_bleu(output: Sequence[str], reference: Sequence[str]) -> float:
    """BLEU of one sentence, one match and one n-gram added to each order from 2 on (Lin and Och 2004).

    Without this an output that shares no four words in a row with the reference would get 0, as most short ones do.
    """
    return count(output, [reference], ORDER, smoothing="add-k").score / 100


def gleu(output: Sequence[str], reference: Sequence[str]) -> float:
    """min(precision, recall) of all n-grams of 1 to 4 words (Wu et al. 2016, section 5.2):

        GLEU = matches / max(n-grams of the output, n-grams of the reference)

    An output that is too short loses by its recall, so there is no brevity penalty. 0 where one side is empty.
    """
    orders = range(1, ORDER + 1)
    matches = sum(clipped(output, [reference], n).total() for n in orders)
    most = max(sum(ngrams(words, n).total() for n in orders) for words in (output, reference))
    return matches / most if most else 0.0


def chrf(output: Sequence[str], reference: Sequence[str]) -> float:
    """chrF of one sentence (Popović 2015): n-grams of characters, so a wrong ending costs little."""
    return sentence_chrf(" ".join(output), [" ".join(reference)]).score / 100


def constant(output: Sequence[str], reference: Sequence[str]) -> float:
    """1, whatever the output: a control. What training reaches with it does not come from the reward (Choshen et al.
    2020)."""
    return 1.0


REWARDS: dict[str, Reward] = {"bleu": smoothed_bleu, "gleu": gleu, "chrf": chrf, "constant": constant}
