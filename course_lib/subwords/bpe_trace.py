"""What byte pair encoding did, step by step: the record that the merge stepper draws."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from course_lib.subwords.bpe import BPE, Marker, Tie, Training
from course_lib.subwords.pairs import Pair, count_pairs


@dataclass(frozen=True)
class BPEStep:
    """One merge: what stood to choose from, what was chosen, and what the dictionary looks like afterwards."""

    step: int  # 0 for the first merge
    counts: list[tuple[Pair, int]]  # the most frequent pairs before the merge, the tie rule's winner first
    before: list[int]  # how often they occurred one merge ago (of the first step: the same)
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
    next_before: list[int]
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

    def candidates() -> tuple[list[tuple[Pair, int]], list[int], list[Pair]]:
        nonlocal before
        now = count_pairs(index.dictionary())
        ranked = ranking(now, tie)
        shown, past = ranked[:limit_pairs], now if before is None else before
        before = now
        return shown, [past.get(pair, 0) for pair, _ in shown], [pair for pair, n in ranked if n == ranked[0][1]]

    before: Mapping[Pair, int] | None = None
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


@dataclass(frozen=True)
class Join:
    """A piece that a merge makes of two in a word: the merge's `step`, and which symbols it holds, `start` to `end`."""

    step: int
    start: int
    end: int


def trace_segment(tokenizer: BPE, word: str) -> list[Join]:
    """How `tokenizer.segment(word)` comes about: each piece that is made, in the order of the merges.

    With the joins of the first k merges alone the word is cut as it is after k merges of training.
    Raises ValueError as `BPE.segment` does.
    """
    tokenizer.segment(word)  # which checks the word
    spans = [(symbol, i, i + 1) for i, symbol in enumerate(tokenizer.symbols(word))]
    joins = []
    for step, pair in enumerate(tokenizer.merges):
        i = 0
        while i + 1 < len(spans):
            (a, start, _), (b, _, end) = spans[i : i + 2]
            if (a, b) == pair:
                spans[i : i + 2] = [(a + b, start, end)]
                joins.append(Join(step, start, end))
            i += 1
    return joins


def ranking(counts: Mapping[Pair, int], tie: Tie) -> list[tuple[Pair, int]]:
    """Pairs by falling count; ties as `tie` orders them ("first": in the order of `counts`; "largest": falling)."""
    if tie == "largest":
        return sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return sorted(counts.items(), key=lambda item: -item[1])
