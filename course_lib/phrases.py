"""Phrase-based translation in small: phrases from word alignments, a phrase table, a monotone decoder.

The noisy channel (Thadani, "Neural Machine Translation"): ŷ = argmax_y p(y | x) = argmax_y p(x | y) p(y), x being the
source sentence and y the target. The phrase table gives p(x | y), an n-gram model p(y), and the decoder searches.
Phrases as in Koehn, Och and Marcu 2003; x̄ and ȳ are a source and a target phrase.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from course_lib.alignment import Links
from course_lib.ngrams import BOS, EOS, NgramModel

Span = tuple[int, int]  # from, to (exclusive)
Phrase = tuple[str, ...]


def extract_phrases(source_length: int, target_length: int, links: Links, max_length: int) -> set[tuple[Span, Span]]:
    """All pairs of spans of at most `max_length` words a side that are consistent with the alignment `links`.

    Consistent: at least one link lies within the pair, and no link leads from a word inside to a word outside. Words
    without a link may stand at the edges. Raises ValueError for a link outside the sentences.
    """
    if any(not (0 <= i < source_length and 0 <= j < target_length) for i, j in links):
        raise ValueError(f"links must lie within {source_length} source and {target_length} target words, got {links}")
    by_source = [[j for i, j in links if i == word] for word in range(source_length)]
    by_target = [[i for i, j in links if j == word] for word in range(target_length)]
    leftmost = [min(found, default=source_length) for found in by_target]
    rightmost = [max(found, default=-1) for found in by_target]
    phrases = set()
    for start in range(source_length):
        low, high = target_length, 0  # the smallest target span that holds all links of the source span
        for end in range(start + 1, min(start + max_length, source_length) + 1):
            low, high = min([low, *by_source[end - 1]]), max([high, *(j + 1 for j in by_source[end - 1])])
            if low >= high or min(leftmost[low:high]) < start or max(rightmost[low:high]) >= end:
                continue
            first = low
            while first >= 0 and (first == low or not by_target[first]):  # and with unlinked words at either edge
                last = high
                while last <= target_length and (last == high or not by_target[last - 1]):
                    if last - first <= max_length:
                        phrases.add(((start, end), (first, last)))
                    last += 1
                first -= 1
    return phrases


class PhraseTable:
    """Relative frequencies of the phrase pairs of an aligned corpus: φ(x̄ | ȳ) = count(x̄, ȳ) / Σ_x̄' count(x̄', ȳ).

    `options[x̄]` lists translations of the source phrase x̄ as (ȳ, log φ(x̄ | ȳ)), natural logarithm: the `limit` that
    were seen most often, the most frequent first (ties: in the order of their words). `max_length` is the longest
    phrase, in words. Raises ValueError where `pairs` and `alignments` differ in number.
    """

    def __init__(
        self,
        pairs: Iterable[tuple[Sequence[str], Sequence[str]]],
        alignments: Iterable[Links],
        max_length: int = 4,
        limit: int = 10,
    ):
        self.max_length = max_length
        counts: dict[Phrase, Counter[Phrase]] = defaultdict(Counter)
        targets: Counter[Phrase] = Counter()
        for (source, target), links in zip(pairs, alignments, strict=True):
            for (start, end), (first, last) in extract_phrases(len(source), len(target), links, max_length):
                phrase = tuple(target[first:last])
                counts[tuple(source[start:end])][phrase] += 1
                targets[phrase] += 1
        self.options: dict[Phrase, list[tuple[Phrase, float]]] = {
            source: [
                (target, math.log(count / targets[target]))
                for target, count in sorted(found.items(), key=lambda item: (-item[1], item[0]))[:limit]
            ]
            for source, found in counts.items()
        }

    def __len__(self) -> int:
        return sum(map(len, self.options.values()))


@dataclass(frozen=True)
class Translation:
    """`steps` are the phrase pairs used, (source span, target phrase), from left to right; `score` is their sum."""

    target: list[str]
    score: float
    steps: list[tuple[Span, Phrase]]


def decode(
    source: Sequence[str],
    table: PhraseTable,
    model: NgramModel,
    language_weight: float = 1.0,
    beam_size: int | None = 10,
) -> Translation:
    """argmax over y of log p(x | y) + language_weight · log p(y), phrases taken in the order of the source x.

    log p(x | y) is the sum of its phrases' log φ(x̄ | ȳ): one segmentation stands for all. Viterbi over (source
    words translated, last n-1 target words): of hypotheses that agree in both only the best is kept, and of those that
    translated equally many words the `beam_size` best; None keeps all, and the result is exact. Ties: the one found
    first. A source word that has no entry of its own may translate as itself, with log φ = 0.
    """
    history = (BOS,) * (model.order - 1)
    chart: list[dict[Phrase, tuple]] = [{} for _ in range(len(source) + 1)]  # [words translated][history]
    chart[0][history] = (0.0, None, None, None)  # score, and where it came from: words translated, history, phrase
    for start in range(len(source)):
        alive = sorted(chart[start].items(), key=lambda item: -item[1][0])[:beam_size]
        for end in range(start + 1, min(start + table.max_length, len(source)) + 1):
            phrase = tuple(source[start:end])
            options = table.options.get(phrase) or ([(phrase, 0.0)] if len(phrase) == 1 else [])
            for target, channel in options:
                for history, (score, *_) in alive:
                    language, after = model.extend(history, target)
                    total = score + channel + language_weight * language
                    if after not in chart[end] or total > chart[end][after][0]:
                        chart[end][after] = (total, start, history, target)
    finished = {
        history: score + language_weight * model.extend(history, (EOS,))[0]
        for history, (score, *_) in chart[-1].items()
    }
    history = max(finished, key=finished.__getitem__)
    score, end, steps = finished[history], len(source), []
    while end:
        _, start, history, target = chart[end][history]
        steps.append(((start, end), target))
        end = start
    steps.reverse()
    return Translation([word for _, target in steps for word in target], score, steps)
