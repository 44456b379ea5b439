"""chrF and chrF++: an F-score over character n-grams (Popović 2015, 2017), as sacreBLEU computes it.

    P = mean_n matches_n / hypothesis_n,   R = mean_n matches_n / reference_n
    chrF_β = 100 · (1 + β²) P R / (β² P + R)

n runs over the orders of which both sides have n-grams ("effective order"). Characters are counted without whitespace.
chrF++ adds words and word pairs as two more orders. No tokenizer, so no language needs its own.
"""

import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from course_lib.metrics.bleu import ngrams
from course_lib.metrics.segments import checked

CHARACTER_ORDER = 6
BETA = 2.0  # recall weighs β times as much as precision


def chrf_score(statistics: np.ndarray, beta: float = BETA) -> np.ndarray:
    """chrF_β in 0..100 of statistics (…, 3N) as `ChrF.statistics` gives them: hypothesis, reference, matches."""
    precision, recall = mean_precision_and_recall(statistics)
    weighted = beta**2 * precision + recall
    return 100 * (1 + beta**2) * precision * recall / np.where(weighted > 0, weighted, 1.0)


def mean_precision_and_recall(statistics: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """P and R in 0..1: means over the orders of which hypothesis and reference both have n-grams, 0 if none."""
    hypothesis, reference, matches = np.split(np.asarray(statistics, float), 3, axis=-1)
    both = (hypothesis > 0) & (reference > 0)
    orders = np.maximum(both.sum(-1), 1)
    precision = np.where(both, matches / np.maximum(hypothesis, 1), 0).sum(-1) / orders
    recall = np.where(both, matches / np.maximum(reference, 1), 0).sum(-1) / orders
    return precision, recall


@dataclass(frozen=True)
class ChrF:
    """What chrF is made of, for one segment or a corpus: `a + b` and `sum(segments)` are those of both together.

    At [n − 1] the characters' orders, the words' after them.
    """

    hypothesis: tuple[int, ...]  # n-grams of the hypothesis; 0 where the reference has none of that order
    reference: tuple[int, ...]
    matches: tuple[int, ...]
    beta: float = BETA
    word_order: int = 0

    @property
    def precision(self) -> float:
        """P in 0..1."""
        return float(mean_precision_and_recall(self.statistics)[0])

    @property
    def recall(self) -> float:
        """R in 0..1."""
        return float(mean_precision_and_recall(self.statistics)[1])

    @property
    def score(self) -> float:
        """chrF_β in 0..100."""
        return float(chrf_score(self.statistics, self.beta))

    @property
    def statistics(self) -> np.ndarray:
        """(hypothesis_1 …, reference_1 …, matches_1 …): what adds over segments."""
        return np.array([*self.hypothesis, *self.reference, *self.matches], float)

    def __add__(self, other: "ChrF") -> "ChrF":
        if not isinstance(other, ChrF):
            return NotImplemented
        if (self.beta, self.word_order, len(self.matches)) != (other.beta, other.word_order, len(other.matches)):
            raise ValueError(f"only what is counted and weighted alike adds up, got {self} and {other}")
        names = ("hypothesis", "reference", "matches")
        pairs = {name: zip(getattr(self, name), getattr(other, name), strict=True) for name in names}
        return replace(self, **{name: tuple(a + b for a, b in both) for name, both in pairs.items()})

    def __radd__(self, other: int) -> "ChrF":
        return self if other == 0 else NotImplemented  # sum() begins with 0


def segment_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    beta: float = BETA,
    character_order: int = CHARACTER_ORDER,
    word_order: int = 0,
    lowercase: bool = False,
) -> list[ChrF]:
    """The parts of each segment: of several references those of the one with the best chrF (the first of equals).

    `word_order` 2 is chrF++. Raises TypeError and ValueError as `segments.checked` does, and ValueError for β, the
    characters' order and the words' order that are below or at 0, below 1, and below 0.
    """
    if not (beta > 0 and character_order >= 1 and word_order >= 0):
        raise ValueError(
            "beta must be above 0, character_order at least 1 and word_order at least 0, got "
            f"{beta}, {character_order} and {word_order}"
        )
    hypotheses, references = checked(hypotheses, references)

    def counts(text: str) -> list[Counter]:
        text = text.lower() if lowercase else text
        characters, words = "".join(text.split()), chrf_words(text)
        return [ngrams(characters, n) for n in range(1, character_order + 1)] + [
            ngrams(words, n) for n in range(1, word_order + 1)
        ]

    def parts(hypothesis: list[Counter], reference: list[Counter]) -> ChrF:
        return ChrF(
            hypothesis=tuple(h.total() if r else 0 for h, r in zip(hypothesis, reference, strict=True)),
            reference=tuple(r.total() for r in reference),
            matches=tuple((h & r).total() for h, r in zip(hypothesis, reference, strict=True)),
            beta=beta,
            word_order=word_order,
        )

    found = []
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        own = counts(hypothesis)
        found.append(max((parts(own, counts(text)) for text in texts), key=lambda each: each.score))
    return found


def corpus_chrf(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **options) -> ChrF:
    """chrF of a corpus: the counts of its segments added up. Options and errors are those of `segment_chrf`."""
    return sum(segment_chrf(hypotheses, references, **options))


def sentence_chrf(hypothesis: str, references: Sequence[str], **options) -> ChrF:
    """chrF of one sentence. Options and errors are those of `segment_chrf`."""
    if isinstance(references, str):
        raise TypeError(f"references must be a list of references, got one string: {references!r:.40}")
    return segment_chrf([hypothesis], [references], **options)[0]


def chrf_words(text: str) -> list[str]:
    """Words for chrF++: a punctuation mark is cut off a word's end, or else off its beginning: "(so)" → "(so", ")"."""
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words
