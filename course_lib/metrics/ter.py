"""Edits: word error rate with its alignment, written out, and TER, as sacreBLEU computes it.

    WER = edits / words of the reference;  edits: the fewest insertions, deletions and substitutions (Levenshtein 1966)
    TER = (edits + shifts) / mean words of the references    (Snover et al. 2006)

A shift moves a block of words at the price of one edit. Which shifts are best is found greedily, with limits on their
size and distance; here sacreBLEU does that, we only call it. For both, less is better, and more than 100 is possible.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sacrebleu.metrics import TER

from course_lib.metrics.segments import checked

MATCH, SUBSTITUTE, INSERT, DELETE = "match", "substitute", "insert", "delete"


@dataclass(frozen=True)
class Edit:
    """One step from the hypothesis to the reference, with the position of its word in each; None where it has none.

    "insert": the hypothesis lacks a word of the reference; "delete": it has one too many.
    """

    operation: str
    hypothesis: int | None
    reference: int | None


@dataclass(frozen=True)
class EditRate:
    """Edits and the length of the reference, for one segment or a corpus: `a + b` and `sum(segments)` are of both."""

    edits: int
    reference_length: float  # words; of several references the mean

    @property
    def score(self) -> float:
        """100 · edits / reference length; of an empty reference 100, or 0 without edits."""
        return 100 * (self.edits / self.reference_length if self.reference_length else float(self.edits > 0))

    @property
    def statistics(self) -> np.ndarray:
        """(100 · edits, reference length): what adds over segments; `significance.ratio` makes the score of it."""
        return np.array([100 * self.edits, self.reference_length], float)

    def __add__(self, other: "EditRate") -> "EditRate":
        if not isinstance(other, EditRate):
            return NotImplemented
        return EditRate(self.edits + other.edits, self.reference_length + other.reference_length)

    def __radd__(self, other: int) -> "EditRate":
        return self if other == 0 else NotImplemented  # sum() begins with 0


def edit_distances(hypothesis: Sequence[str], reference: Sequence[str]) -> np.ndarray:
    """d (len(hypothesis) + 1, len(reference) + 1): d_ij edits make the first i words into the first j.

    d_i0 = i, d_0j = j, d_ij = min(d_{i−1,j−1} + [h_i ≠ r_j], d_{i−1,j} + 1, d_{i,j−1} + 1)
    """
    d = np.zeros((len(hypothesis) + 1, len(reference) + 1), dtype=np.int64)
    d[:, 0], d[0, :] = range(len(hypothesis) + 1), range(len(reference) + 1)
    for i, h in enumerate(hypothesis, 1):
        for j, r in enumerate(reference, 1):
            d[i, j] = min(d[i - 1, j - 1] + (h != r), d[i - 1, j] + 1, d[i, j - 1] + 1)
    return d


def edit_path(hypothesis: Sequence[str], reference: Sequence[str]) -> list[Edit]:
    """The fewest edits that make the hypothesis into the reference, both tokens, from left to right.

    Of equally short paths, seen from the end: a match or a substitution before a deletion before an insertion.
    """
    d = edit_distances(hypothesis, reference)
    i, j, path = len(hypothesis), len(reference), []
    while i or j:
        equal = i and j and hypothesis[i - 1] == reference[j - 1]
        if i and j and d[i, j] == d[i - 1, j - 1] + (not equal):
            i, j = i - 1, j - 1
            path.append(Edit(MATCH if equal else SUBSTITUTE, i, j))
        elif i and d[i, j] == d[i - 1, j] + 1:
            i -= 1
            path.append(Edit(DELETE, i, None))
        else:
            j -= 1
            path.append(Edit(INSERT, None, j))
    return path[::-1]


def shifted(words: Sequence[str], block: tuple[int, int], to: int) -> list[str]:
    """The words after a shift: those of `block`, (first, end), stand before word `to` of the rest.

    Raises ValueError for an empty block, and for one or a place that is not there.
    """
    first, end = block
    rest = [*words[:first], *words[end:]]
    if not (0 <= first < end <= len(words) and 0 <= to <= len(rest)):
        raise ValueError(f"block and to must lie within {len(words)} words, got {block} and {to}")
    return [*rest[:to], *words[first:end], *rest[to:]]


def word_edits(hypothesis: Sequence[str], reference: Sequence[str]) -> EditRate:
    """WER's parts of one hypothesis and one reference, both tokens. Raises TypeError for text that is not cut."""
    for name, words in (("hypothesis", hypothesis), ("reference", reference)):
        if isinstance(words, str):
            raise TypeError(f"{name} must be a list of tokens, got one string: {words!r:.40}")
    return EditRate(int(edit_distances(hypothesis, reference)[-1, -1]), len(reference))


def segment_ter(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, case_sensitive: bool = False
) -> list[EditRate]:
    """TER's parts of each segment, by sacreBLEU: words between whitespace, in lower case unless `case_sensitive`.

    Of several references the fewest edits count, over their mean length. Raises TypeError and ValueError as
    `segments.checked` does.
    """
    hypotheses, references = checked(hypotheses, references)
    ter = TER(case_sensitive=case_sensitive)
    found = [ter.sentence_score(hypothesis, texts) for hypothesis, texts in zip(hypotheses, references, strict=True)]
    return [EditRate(each.num_edits, each.ref_length) for each in found]


def corpus_ter(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, case_sensitive: bool = False
) -> EditRate:
    """TER of a corpus: the edits of its segments over the words of their references. Errors as `segment_ter`."""
    return sum(segment_ter(hypotheses, references, case_sensitive=case_sensitive))
