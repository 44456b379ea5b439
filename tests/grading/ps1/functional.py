"""Problem set 1 solved with counters, comprehensions and recursion."""

from collections import Counter
from functools import reduce
from itertools import pairwise


def _merge(pieces, pair):
    if len(pieces) < 2:
        return pieces
    if pieces[:2] == pair:
        return ("".join(pair), *_merge(pieces[2:], pair))
    return (pieces[0], *_merge(pieces[1:], pair))


def _learn(words, merges):
    counts = Counter()
    for pieces, n in words.items():
        counts.update({pair: times * n for pair, times in Counter(pairwise(pieces)).items()})
    if merges == 0 or not counts:
        return []
    (best, _), *_ = counts.most_common(1)  # the first met, where several are equal
    return [best, *_learn({_merge(pieces, best): n for pieces, n in words.items()}, merges - 1)]


def learn_merges(dictionary, merges):
    return _learn({(*word[:-1], f"{word[-1]}</w>"): n for word, n in dictionary.items()}, merges)


def apply_merges(word, merges):
    return list(reduce(_merge, merges, (*word[:-1], f"{word[-1]}</w>")))


def decode(pieces):
    return " ".join(filter(None, "".join(pieces).split("</w>")))
