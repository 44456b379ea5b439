"""Problem set 1 solved with counters, comprehensions and recursion."""

from collections import Counter
from functools import reduce
from itertools import pairwise
from math import log


def _merge(pieces, pair, join="".join):
    if len(pieces) < 2:
        return pieces
    if pieces[:2] == pair:
        return (join(pair), *_merge(pieces[2:], pair, join))
    return (pieces[0], *_merge(pieces[1:], pair, join))


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


def _f(n):
    return n * log(n) if n else 0.0


def wordpiece_gain(counts, a, b, n_ab):
    """L = Σ f(n) - f(N) with f(n) = n log n: only four terms change."""
    change = Counter({a + b.removeprefix("##"): n_ab})
    change.subtract([a] * n_ab + [b] * n_ab)
    total = sum(counts.values())
    won = sum(_f(counts.get(piece, 0) + more) - _f(counts.get(piece, 0)) for piece, more in change.items())
    return won - _f(total - n_ab) + _f(total)


def _match(rest, vocabulary, prefix=""):
    if not rest:
        return []
    cuts = (i for i in range(len(rest), 0, -1) if prefix + rest[:i] in vocabulary)
    cut = next(cuts, None)
    tail = cut and _match(rest[cut:], vocabulary, "##")
    return None if tail is None else [prefix + rest[:cut], *tail]


def longest_match(word, vocabulary):
    return _match(word, frozenset(vocabulary)) or ["<unk>"]


def _join(pair):
    return pair[0] + pair[1].removeprefix("##")


def _counts(words):
    return Counter(piece for pieces, n in words.items() for piece in pieces * n)


def _learn_wordpieces(words, merges):
    counts = _counts(words)

    def gain(pair):
        n_ab = _counts({_merge(pieces, pair, _join): n for pieces, n in words.items()})[_join(pair)]
        return wordpiece_gain(counts, *pair, n_ab - counts[_join(pair)])

    pairs = dict.fromkeys(pair for pieces in words for pair in pairwise(pieces))
    best = max(pairs, key=gain, default=None)
    if merges == 0 or best is None or gain(best) <= 0:
        return []
    return [best, *_learn_wordpieces({_merge(pieces, best, _join): n for pieces, n in words.items()}, merges - 1)]


def learn_wordpieces(dictionary, merges):
    words = {(word[0], *(f"##{letter}" for letter in word[1:])): n for word, n in dictionary.items()}
    return _learn_wordpieces(words, merges)


def _at(pieces, i):
    return (*pieces[:i], pieces[i] + pieces[i + 1], *pieces[i + 2 :])


def _places(pieces, pairs):
    return (i for i, pair in enumerate(pairwise(pieces)) if pair in pairs)


def _leftmost(pieces, merges):
    i = next(_places(pieces, merges), None)
    return pieces if i is None else _leftmost(_at(pieces, i), merges)


def _once(pieces, pair):
    i = next(_places(pieces, [pair]), None)
    return pieces if i is None else _at(pieces, i)


def _longest(pieces, made):
    if not pieces:
        return ()
    cut = max(i for i in range(1, len(pieces) + 1) if i == 1 or "".join(pieces[:i]) in made)
    return ("".join(pieces[:cut]), *_longest(pieces[cut:], made))


def _marked(pieces):
    return (*pieces[:-1], f"{pieces[-1]}</w>")


def diagnose(merges, observed):
    encoders = {
        "none": lambda word: reduce(_merge, merges, _marked(word)),
        "longest match": lambda word: _longest(_marked(word), set(map("".join, merges))),
        "left to right": lambda word: _leftmost(_marked(word), merges),
        "late marker": lambda word: _marked(reduce(_merge, merges, tuple(word))),
        "first only": lambda word: reduce(_once, merges, _marked(word)),
    }
    return next(
        name for name, encode in encoders.items() if all([*encode(word)] == pieces for word, pieces in observed)
    )
