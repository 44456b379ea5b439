"""What byte pair encoding did, step by step: the record that the merge stepper draws."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from course_lib.subwords.bpe import Marker, Tie, Training
from course_lib.subwords.pairs import Pair, count_pairs


@dataclass(frozen=True)
class BPEStep:
    """One merge: what stood to choose from, what was chosen, and what the dictionary looks like afterwards."""

    step: int  # 0 for the first merge
    counts: list[tuple[Pair, int]]  # the most frequent pairs before the merge, the tie rule's winner first
    maxima: list[Pair]  # all pairs that share the highest count, the tie rule's winner first
    chosen: Pair
    symbol: str  # what the chosen pair is written as
    pieces: list[list[str]]  # each of the trace's words after the merge
    vocabulary_size: int  # after the merge: one more than before, no symbol is ever made in two ways


@dataclass(frozen=True)
class BPETrace:
    """A whole run; counts, ties and the vocabulary are those of the whole corpus, also where words are left out."""

    words: list[tuple[str, int]]
    start: list[list[str]]  # each word's pieces before the first merge
    vocabulary: list[str]  # before the first merge
    steps: list[BPEStep]
    next_counts: list[tuple[Pair, int]]  # after the last merge: what would come next
    next_maxima: list[Pair]
    stopped: str  # "merges": all were made; "no pair left"; "min_count": the best pair is too rare


def trace_bpe(
    corpus: Mapping[str, int] | str | Iterable[str],
    merges: int,
    *,
    tie: Tie = "largest",
    marker: Marker = "attached",
    min_count: int = 1,
    choices: Mapping[int, Pair] | None = None,
    limit_words: int = 100,
    limit_pairs: int = 20,
) -> BPETrace:
    """What `BPE.learn` does with the same arguments; all pairs are counted anew at each step, to rank them.

    Kept are the `limit_words` most frequent words (in the dictionary's order) and the `limit_pairs` first pairs of
    each ranking. Raises ValueError as `BPE.learn` does.
    """
    training = Training(corpus, merges, tie, marker, min_count, choices)
    index, words = training.index, list(training.counts.items())
    kept = sorted(sorted(range(len(words)), key=lambda i: -words[i][1])[:limit_words])

    def pieces() -> list[list[str]]:
        return [list(index.words[i]) for i in kept]

    def candidates() -> tuple[list[tuple[Pair, int]], list[Pair]]:
        ranked = ranking(count_pairs(index.dictionary()), tie)
        return ranked[:limit_pairs], [pair for pair, count in ranked if count == ranked[0][1]]

    chosen, segmented, rankings = [], [], []
    for pair in training:  # which is merged after this
        chosen.append(pair)
        segmented.append(pieces())
        rankings.append(candidates())
    segmented.append(pieces())
    size = len(training.characters)
    steps = [
        BPEStep(step, *ranked, pair, "".join(pair), after, size + step + 1)
        for step, (ranked, pair, after) in enumerate(zip(rankings, chosen, segmented[1:], strict=True))
    ]
    return BPETrace([words[i] for i in kept], segmented[0], training.characters, steps, *candidates(), training.stopped)


def ranking(counts: Mapping[Pair, int], tie: Tie) -> list[tuple[Pair, int]]:
    """Pairs by falling count; ties as `tie` orders them ("first": in the order of `counts`; "largest": falling)."""
    if tie == "largest":
        return sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return sorted(counts.items(), key=lambda item: -item[1])
