"""What the attention heatmap draws of one sentence, as plain data: weights, probabilities, error rates, differences."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Protocol

from course_lib.alignment import Links, alignment_error_rate
from course_lib.corpora.grammar import Example
from course_lib.subwords.bpe import MARKERS
from course_lib.subwords.vocabulary import BOS, EOS, PAD, UNK

LEVELS = ("words", "pieces")
NEXT = 4  # of the likeliest pieces at a step, those that are shown
Matrix = list[list[float]]  # [target][source]


class Trace(Protocol):
    """How one sentence was translated: pieces, the words they belong to, attention between both (None: it has none).

    `links` is the hard alignment, (source word, target word). `course_lib.translation.Translation` is one.
    """

    source: list[str]
    target: list[str]
    log_probs: list[float]
    best: list[list[tuple[str, float]]] | None  # at each step the likeliest pieces with log p; None: not kept
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

    def align(self, sentence: str, words: Sequence[str], best: int = 1) -> Trace:
        """How it writes these words as the translation; with so many of the likeliest pieces at each step."""


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
    """One translation as the front end draws it; `rate` is None unless it has the words of the gold translation.

    `likeliest` has for each piece what was `written`, its probability `p`, and the `best` that could have been, in
    thousandths; None where the trace has none.
    """
    fits = gold is not None and trace.attention is not None and written(trace.target_words) == list(gold.target)
    p = [0.0] * len(trace.target_words)
    for word, log_p in zip(trace.target_word_of, trace.log_probs, strict=True):
        p[word] += log_p
    return {
        "translation": written(trace.target_words),
        "rate": rate(trace.links, gold) if fits else None,
        "likeliest": likeliest(trace),
        "levels": trace.attention
        and {
            "words": level(trace.source_words, trace.target_words, p, trace.word_attention, trace.target_word_of),
            "pieces": level(trace.source, trace.target, trace.log_probs, trace.attention, range(len(trace.target))),
        },
    }


def likeliest(trace: Trace) -> list[dict] | None:
    """What each step might have written, the likeliest first; a piece is written as it is read, "…" where its word
    goes on."""
    end = MARKERS["attached"]
    attached = any(piece.endswith(end) for piece in trace.source)

    def named(piece: str) -> str:
        if not attached or piece in (PAD, UNK, BOS, EOS):
            return piece
        return piece.removesuffix(end) if piece.endswith(end) else f"{piece}…"

    return trace.best and [
        {
            "written": named(piece),
            "p": thousandths(log_p),
            "best": [[named(other), thousandths(value)] for other, value in best[:NEXT]],
        }
        for piece, log_p, best in zip(trace.target, trace.log_probs, trace.best, strict=True)
    ]


def thousandths(log_p: float) -> int:
    """p, in thousandths."""
    return round(1000 * math.exp(log_p))


def level(
    source: Sequence[str], target: Sequence[str], log_p: Sequence[float], weights: Matrix, of: Sequence[int]
) -> dict:
    """One heatmap: `weights` and probabilities in thousandths, of each row `best`, the first largest weight, and the
    `steps` that wrote it: those that `of` maps to it."""
    return {
        "source": list(source),
        "target": list(target),
        "p": [thousandths(value) for value in log_p],
        "weights": [[round(1000 * weight) for weight in row] for row in weights],
        "best": [max(range(len(row)), key=row.__getitem__) for row in weights],
        "steps": [[t for t, unit in enumerate(of) if unit == row] for row in range(len(target))],
    }


def differences(before: list[str], after: list[str]) -> dict:
    """Both translations word by word, each word with whether it stands in the other one too, in the same order."""
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    kept = [{start + n for start, n in _places(blocks, side)} for side in (0, 1)]
    sides = zip(("before", "after"), (before, after), kept, strict=True)
    return {name: [[word, n in same] for n, word in enumerate(words)] for name, words, same in sides}


def _places(blocks, side: int):
    return ((block[side], n) for block in blocks for n in range(block.size))
