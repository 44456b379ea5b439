"""The gain of a merge as defined, and wrong in the ways that people get it wrong."""

from collections import Counter
from collections.abc import Callable
from math import log

from course_lib.subwords import likelihood

Counts = dict[str, int]
Candidate = tuple[str, str, int]  # a, b, n_ab


def updated(counts: Counts, a: str, b: str, n_ab: int) -> Counts:
    after = Counter(counts)
    after[a] -= n_ab
    after[b] -= n_ab
    after[likelihood.join((a, b))] += n_ab
    return dict(after)


def terms(counts: Counts, total: int) -> float:
    return sum(n * log(n / total) for n in counts.values() if n)


def change(counts: Counts, after: Counts) -> float:
    return terms(after, sum(after.values())) - terms(counts, sum(counts.values()))


def defined(counts: Counts, a: str, b: str, n_ab: int) -> float:
    return change(counts, updated(counts, a, b, n_ab))


def total_kept(counts: Counts, a: str, b: str, n_ab: int) -> float:
    total = sum(counts.values())
    return terms(updated(counts, a, b, n_ab), total) - terms(counts, total)


def averaged(counts: Counts, a: str, b: str, n_ab: int) -> float:
    before, after = sum(counts.values()), sum(counts.values()) - n_ab
    return terms(updated(counts, a, b, n_ab), after) / after - terms(counts, before) / before


def changed_terms_only(counts: Counts, a: str, b: str, n_ab: int) -> float:
    others = {w: n for w, n in counts.items() if w not in (a, b, likelihood.join((a, b)))}
    before, after = sum(counts.values()), sum(counts.values()) - n_ab
    return defined(counts, a, b, n_ab) - (terms(others, after) - terms(others, before))


def vanished_skipped(counts: Counts, a: str, b: str, n_ab: int) -> float:
    after = updated(counts, a, b, n_ab)
    left = {w: n for w, n in counts.items() if after[w]}
    return terms(after, sum(after.values())) - terms(left, sum(counts.values()))


def taken_once(counts: Counts, a: str, b: str, n_ab: int) -> float:
    after = counts | {a: counts[a] - n_ab, b: counts[b] - n_ab}
    after[likelihood.join((a, b))] = after.get(likelihood.join((a, b)), 0) + n_ab
    return change(counts, after)


def overwritten(counts: Counts, a: str, b: str, n_ab: int) -> float:
    return change(counts, updated(counts, a, b, n_ab) | {likelihood.join((a, b)): n_ab})


def written_as(joined: Callable[[str, str], str]) -> Callable[[Counts, str, str, int], float]:
    """The gain if the merged piece is written so."""

    def gain(counts: Counts, a: str, b: str, n_ab: int) -> float:
        after = Counter(counts)
        after.subtract({a: 2 * n_ab} if a == b else {a: n_ab, b: n_ab})
        after[joined(a, b)] += n_ab
        return change(counts, after)

    return gain


mark_lost = written_as(lambda a, b: a.removeprefix(likelihood.CONTINUES) + b.removeprefix(likelihood.CONTINUES))
mark_inside = written_as(lambda a, b: a + b)


def binary(counts: Counts, a: str, b: str, n_ab: int) -> float:
    return defined(counts, a, b, n_ab) / log(2)


def lost(counts: Counts, a: str, b: str, n_ab: int) -> float:
    return -defined(counts, a, b, n_ab)


def in_place(counts: Counts, a: str, b: str, n_ab: int) -> float:
    gain, after = defined(counts, a, b, n_ab), updated(counts, a, b, n_ab)
    counts.update(after)
    return gain


def ratio(counts: Counts, a: str, b: str, n_ab: int) -> float:
    return n_ab / (counts[a] * counts[b])


def count(counts: Counts, a: str, b: str, n_ab: int) -> float:
    return float(n_ab)


def always_zero(*_) -> float:
    return 0.0
