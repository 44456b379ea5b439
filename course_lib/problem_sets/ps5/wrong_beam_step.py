"""One step of beam search as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from math import inf

from course_lib.problem_sets.ps5.tables import Hypothesis, Model, best_first, ended

Live = list[Hypothesis]
Split = tuple[Live, Live]  # the live ones, those that finished


def candidates(model: Model, live: Live) -> Live:
    """Each hypothesis followed by each word that is possible, in order."""
    return [
        ((*words, word), score + log_p)
        for words, score in live
        for word, log_p in enumerate(model[words])
        if log_p > -inf
    ]


def split(ranked: Live, k: int) -> Split:
    """The first k that go on, and those of the first k that do not."""
    return [each for each in ranked if not ended(each)][:k], [each for each in ranked[:k] if ended(each)]


def defined(
    model: Model,
    live: Live,
    k: int,
    weigh: Callable[[Model, Live], Live] = candidates,
    rank: Callable[[Live], Live] = best_first,
    split: Callable[[Live, int], Split] = split,
) -> Split:
    return split(rank(weigh(model, live)), k)


def k_of_each(model: Model, live: Live, k: int) -> Split:
    """The best k words of every parent."""
    parts = [defined(model, [each], k) for each in live]
    return tuple(best_first(sum(each, [])) for each in zip(*parts, strict=True))


def best_of_each(model: Model, live: Live, k: int) -> Split:
    """As many words of every parent as there is room for."""
    parts = [defined(model, [each], k // len(live)) for each in live]
    return tuple(best_first(sum(each, [])) for each in zip(*parts, strict=True))


def best_parent_only(model: Model, live: Live, k: int) -> Split:
    return defined(model, live[:1], k)


def parents_in_turn(model: Model, live: Live, k: int) -> Split:
    """Sorted after each parent, and not all together."""
    return defined(model, live, k, rank=lambda each: each, weigh=lambda *_: sum(of_each(model, live), []))


def of_each(model: Model, live: Live) -> list[Live]:
    return [best_first(candidates(model, [parent])) for parent in live]


def last_parent_only(model: Model, live: Live, k: int) -> Split:
    return defined(model, live[-1:], k)


def parents_score_lost(model: Model, live: Live, k: int) -> Split:
    return defined(model, [(words, 0.0) for words, _ in live], k)


def word_alone(model: Model, live: Live, k: int) -> Split:
    return tuple([(words[-1:], score) for words, score in each] for each in defined(model, live, k))


def smallest_first(model: Model, live: Live, k: int) -> Split:
    return defined(model, live, k, rank=lambda each: sorted(each, key=lambda h: h[1]))


def to_three_digits(model: Model, live: Live, k: int) -> Split:
    return defined(model, live, k, rank=lambda each: sorted(each, key=lambda h: -round(h[1], 3)))


def not_refilled(model: Model, live: Live, k: int) -> Split:
    return defined(model, live, k, split=lambda ranked, k: split(ranked[:k], k))


def in_beam(model: Model, live: Live, k: int) -> Split:
    return defined(model, live, k, split=lambda ranked, k: (ranked[:k], split(ranked, k)[1]))


def eos_ignored(model: Model, live: Live, k: int) -> Split:
    return defined(model, live, k, split=lambda ranked, k: (split(ranked, k)[0], []))


def of_twice_k(model: Model, live: Live, k: int) -> Split:
    """Every EOS among the best 2k finishes."""
    return defined(model, live, k, split=lambda ranked, k: (split(ranked, k)[0], split(ranked, 2 * k)[1]))


def any_eos(model: Model, live: Live, k: int) -> Split:
    return defined(model, live, k, split=lambda ranked, k: (split(ranked, k)[0], split(ranked, len(ranked))[1]))


def before_the_last(model: Model, live: Live, k: int) -> Split:
    """Every EOS that is better than the worst of those that go on finishes."""

    def between(ranked: Live, k: int) -> Split:
        kept = split(ranked, k)[0]
        return kept, [each for each in ranked if ended(each) and (not kept or each[1] >= kept[-1][1])]

    return defined(model, live, k, split=between)


def until_k_go_on(model: Model, live: Live, k: int) -> Split:
    """Every EOS finishes that is met before k that go on are found, or the end."""

    def met(ranked: Live, k: int) -> Split:
        kept = split(ranked, k)[0]
        seen = ranked[: ranked.index(kept[-1])] if len(kept) == k else ranked
        return kept, [each for each in seen if ended(each)]

    return defined(model, live, k, split=met)


def of_live(model: Model, live: Live, k: int) -> Split:
    """EOS finishes among as many as there are live hypotheses, though k may be more."""
    return defined(model, live, k, split=lambda ranked, k: (split(ranked, k)[0], split(ranked, len(live))[1]))


def best_words_of_each(model: Model, live: Live, k: int) -> Split:
    """Of the best k words of every parent, EOS among them, the best k: what ends leaves too few."""
    return defined(
        model, live, k, weigh=lambda *_: [each for h in live for each in best_first(candidates(model, [h]))[:k]]
    )


def eos_last_of_equals(model: Model, live: Live, k: int) -> Split:
    return defined(model, live, k, rank=lambda each: sorted(each, key=lambda h: (-h[1], ended(h))))


def eos_as_good(model: Model, live: Live, k: int) -> Split:
    """EOS finishes if it is as good as the k-th, though it stands behind it."""

    def as_good(ranked: Live, k: int) -> Split:
        return split(ranked, k)[0], [each for each in ranked if ended(each) and each[1] >= ranked[:k][-1][1]]

    return defined(model, live, k, split=as_good)


def improbable_dropped(model: Model, live: Live, k: int) -> Split:
    """Only what is more probable than e^−12 kept."""
    return defined(model, live, k, weigh=lambda *_: [each for each in candidates(model, live) if each[1] > -12])


def later_parent_first(model: Model, live: Live, k: int) -> Split:
    return defined(model, live[::-1], k)


def higher_word_first(model: Model, live: Live, k: int) -> Split:
    def backwards(model: Model, live: Live) -> Live:
        each = [candidates(model, [parent])[::-1] for parent in live]
        return sum(each, [])

    return defined(model, live, k, weigh=backwards)


def reversed_order(model: Model, live: Live, k: int) -> Split:
    """sorted(…, reverse=True) of (score, words)."""
    return defined(model, live, k, rank=lambda each: sorted(each, key=lambda h: (h[1], h[0]), reverse=True))


def by_words(model: Model, live: Live, k: int) -> Split:
    """Of equals the one whose words come first in order, whatever the order of the parents."""
    return defined(model, live, k, rank=lambda each: sorted(each, key=lambda h: (-h[1], h[0])))


def word_before_parent(model: Model, live: Live, k: int) -> Split:
    def turned(model: Model, live: Live) -> Live:
        return sorted(candidates(model, live), key=lambda h: h[0][-1])

    return defined(model, live, k, weigh=turned)


def last_of_all(model: Model, live: Live, k: int) -> Split:
    """The very last continuation before its equals."""
    return defined(model, live, k, rank=lambda each: sorted(each, key=lambda h: (-h[1], h is not each[-1])))


def impossible_kept(model: Model, live: Live, k: int) -> Split:
    def everything(model: Model, live: Live) -> Live:
        return [((*words, word), score + log_p) for words, score in live for word, log_p in enumerate(model[words])]

    return defined(model, live, k, weigh=everything)


def swapped(model: Model, live: Live, k: int) -> Split:
    return defined(model, live, k)[::-1]


def used_up(model: Model, live: Live, k: int) -> Split:
    found = defined(model, live, k)
    live[:] = found[0]
    return found


def of_one_more(model: Model, live: Live, k: int) -> Split:
    """EOS among the best k + 1 finishes."""
    return defined(model, live, k, split=lambda ranked, k: (split(ranked, k)[0], split(ranked, k + 1)[1]))


def best_finished_only(model: Model, live: Live, k: int) -> Split:
    going, finished = defined(model, live, k)
    return going, finished[:1]


def finished_worst_first(model: Model, live: Live, k: int) -> Split:
    going, finished = defined(model, live, k)
    return going, finished[::-1]


def finished_by_words(model: Model, live: Live, k: int) -> Split:
    going, finished = defined(model, live, k)
    return going, sorted(finished)
