"""Learning word pieces as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from math import log

from course_lib.problem_sets.ps1.wrong_learn_merges import merge_from_right
from course_lib.subwords.likelihood import join, piece_counts
from course_lib.subwords.pairs import Pair, count_pairs, merge
from course_lib.subwords.wordpiece import symbols

Words = dict[tuple[str, ...], int]
Scores = Mapping[Pair, float]


def gains(words: Words, written: Callable[[Words, Pair, int], int] | None = None) -> Scores:
    """L(after) − L(before) of merging each pair: with f(n) = n log n, L = Σ f(n_w) − f(N)."""
    counts, scores = piece_counts(words.items()), {}
    total = sum(counts.values())
    for pair, n in count_pairs(words).items():
        (a, b), n_ab = pair, (written or times_written)(words, pair, n)
        change = {a: -2 * n_ab} if a == b else {a: -n_ab, b: -n_ab}
        change[join(pair)] = n_ab
        won = sum(f(counts.get(piece, 0) + more) - f(counts.get(piece, 0)) for piece, more in change.items())
        scores[pair] = won - f(total - n_ab) + f(total)
    return scores


@lru_cache(maxsize=4096)
def f(n: int) -> float:
    return n * log(n) if n > 0 else 0.0


def times_written(words: Words, pair: Pair, n: int) -> int:
    """How often merging writes the new piece: as often as the pair occurs, except in 'a a a'."""
    return n if pair[0] != pair[1] else sum(k * (len(word) - len(merge(word, pair))) for word, k in words.items())


def once_a_word(words: Words, pair: Pair, n: int) -> int:
    return sum(k for word, k in words.items() if pair in pairwise(word))


def merge_first(pieces: tuple[str, ...], pair: Pair, symbol: str) -> tuple[str, ...]:
    place = next((i for i, each in enumerate(pairwise(pieces)) if each == pair), None)
    return pieces if place is None else (*pieces[:place], symbol, *pieces[place + 2 :])


def merge_in_text(pieces: tuple[str, ...], pair: Pair, symbol: str) -> tuple[str, ...]:
    return tuple(" ".join(pieces).replace(" ".join(pair), symbol).split(" "))


@lru_cache(maxsize=256)
def scored(score: Callable, words: tuple[tuple[tuple[str, ...], int], ...]) -> Scores:
    """`score` of the words: most versions of learning ask for the same scores of the same words."""
    return score(dict(words))


def steps(
    entries: dict[str, int], score: Callable = gains, join: Callable = join, merge: Callable = merge
) -> Iterator[tuple[Pair, Scores]]:
    """The best pair and all scores at each step of learning, until no pair is left."""
    words = {symbols(word): n for word, n in entries.items()}
    while scores := scored(score, tuple(words.items())):
        best = max(scores, key=scores.__getitem__)
        yield best, scores
        words = {merge(pieces, best, join(best)): n for pieces, n in words.items()}


def learner(score: Callable = gains, join: Callable = join, least: float = 0.0, merge: Callable = merge) -> Callable:
    """Learning as defined, with some part exchanged."""

    def learn(entries: dict[str, int], merges: int) -> list[Pair]:
        learned: list[Pair] = []
        for best, scores in steps(entries, score, join, merge):
            if len(learned) == merges or scores[best] <= least:
                break
            learned.append(best)
        return learned

    return learn


def ratios(words: Words) -> Scores:
    counts = piece_counts(words.items())
    return {(a, b): n / (counts[a] * counts[b]) for (a, b), n in count_pairs(words).items()}


def not_refreshed(entries: dict[str, int], merges: int) -> list[Pair]:
    scores = gains({symbols(word): n for word, n in entries.items()})
    return [pair for pair in sorted(scores, key=scores.__getitem__, reverse=True) if scores[pair] > 0][:merges]


defined = learner()
most_frequent = learner(score=count_pairs)
by_ratio = learner(score=ratios)
unstopped = learner(least=float("-inf"))
unweighted = learner(score=lambda words: gains(dict.fromkeys(words, 1)))
joined_whole = learner(join="".join)
mark_lost = learner(join=lambda pair: "".join(pair).replace("##", ""))
in_text = learner(merge=merge_in_text)
from_right = learner(merge=merge_from_right)
overlapping = learner(score=lambda words: gains(words, lambda words, pair, n: n))
counted_once_a_word = learner(score=lambda words: gains(words, once_a_word))
first_place_only = learner(merge=merge_first)
stops_early = learner(least=1.0)
stops_late = learner(least=-1.0)


def first_alone(entries: dict[str, int], merges: int) -> list[Pair] | None:
    return defined(entries, 1) or None if merges else None


def emptied(entries: dict[str, int], merges: int) -> list[Pair]:
    learned = defined(entries, merges)
    entries.clear()
    return learned
