"""What the attention heatmap draws of one sentence, as plain data: weights, probabilities, error rates, differences."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Protocol

from course_lib.alignment import Links, alignment_error_rate
from course_lib.corpora.grammar import Example
from course_lib.subwords.vocabulary import EOS

LEVELS = ("words", "pieces")
Matrix = list[list[float]]  # [target][source]


class Trace(Protocol):
    """How one sentence was translated: pieces, the words they belong to, attention between both (None: it has none).

    `links` is the hard alignment, (source word, target word). `course_lib.translation.Translation` is one.
    """

    source: list[str]
    target: list[str]
    log_probs: list[float]
    attention: Matrix | None
    source_words: list[str]
    target_words: list[str]
    source_word_of: list[int]
    target_word_of: list[int]
    word_attention: Matrix | None
    links: set[tuple[int, int]]


class Translator(Protocol):
    """A model that translates text and says how: `course_lib.translator.Translator`, or what answers like it."""

    def trace(self, sentence: str, *, force: Mapping[int, Sequence[float]] | None = None) -> Trace:
        """Translate a sentence; `force` maps a step to weights that stand there instead of the model's.

        Raises ValueError for a sentence that it cannot read.
        """

    def align(self, sentence: str, words: Sequence[str]) -> Trace:
        """How it writes these words as the translation."""


@dataclass(frozen=True)
class GoldPair:
    """A sentence and its translation as words, with gold links (source, target); `others` are found by others.

    `possible` holds the sure links too; None: only the sure links are possible.
    """

    source: Sequence[str]
    target: Sequence[str]
    sure: Links
    possible: Links | None = None
    others: Mapping[str, Links] = field(default_factory=dict)


def gold_pair(example: Example, source: str, target: str, others: Mapping[str, Links] | None = None) -> GoldPair:
    """An example of the grammar corpus in two of its languages; raises ValueError for another one."""
    sentences = (example.sentences[side] for side in (source, target))
    return GoldPair(*sentences, example.alignment(source, target), example.possible(source, target), others or {})


def written(words: Sequence[str]) -> list[str]:
    """The words without `</s>`."""
    return [word for word in words if word != EOS]


def rate(links: Links, gold: GoldPair) -> dict:
    """AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) of one sentence, with the numbers that it comes from."""
    possible = gold.sure if gold.possible is None else gold.possible
    return {
        "aer": alignment_error_rate([links], [gold.sure], [possible]),
        "found": [len(links & gold.sure), len(links & possible)],
        "links": [len(links), len(gold.sure)],
    }


def units(trace: Trace, level: str) -> tuple[tuple[list[str], Sequence[int]], tuple[list[str], Sequence[int]]]:
    """Of both sides: the words (or pieces) that a level shows, and the number of the one that each piece belongs to."""
    if level == "words":
        return (trace.source_words, trace.source_word_of), (trace.target_words, trace.target_word_of)
    return (trace.source, range(len(trace.source))), (trace.target, range(len(trace.target)))


def reading(trace: Trace, gold: GoldPair | None = None) -> dict:
    """One translation as the front end draws it; `rate` is None unless it has the words of the gold translation."""
    fits = gold is not None and trace.attention is not None and written(trace.target_words) == list(gold.target)
    p = [0.0] * len(trace.target_words)
    for word, log_p in zip(trace.target_word_of, trace.log_probs, strict=True):
        p[word] += log_p
    return {
        "translation": written(trace.target_words),
        "rate": rate(trace.links, gold) if fits else None,
        "levels": trace.attention
        and {
            "words": level(trace.source_words, trace.target_words, p, trace.word_attention),
            "pieces": level(trace.source, trace.target, trace.log_probs, trace.attention),
        },
    }


def level(source: Sequence[str], target: Sequence[str], log_p: Sequence[float], weights: Matrix) -> dict:
    """One heatmap: `weights` and probabilities in thousandths, and of each row `best`, the first largest weight."""
    return {
        "source": list(source),
        "target": list(target),
        "p": [round(1000 * math.exp(value)) for value in log_p],
        "weights": [[round(1000 * weight) for weight in row] for row in weights],
        "best": [max(range(len(row)), key=row.__getitem__) for row in weights],
    }


def differences(before: list[str], after: list[str]) -> dict:
    """Both translations word by word, each word with whether it stands in the other one too, in the same order."""
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    kept = [{start + n for start, n in _places(blocks, side)} for side in (0, 1)]
    sides = zip(("before", "after"), (before, after), kept, strict=True)
    return {name: [[word, n in same] for n, word in enumerate(words)] for name, words, same in sides}


def _places(blocks, side: int):
    return ((block[side], n) for block in blocks for n in range(block.size))
