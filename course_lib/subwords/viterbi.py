"""The most probable segmentation of a text under a unigram model of pieces, found without trying them all.

Kudo (2018), "Subword Regularization", section 3.2; Viterbi (1967), "Error Bounds for Convolutional Codes".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf


@dataclass(frozen=True)
class Viterbi:
    """The table that the search fills: entry j is about the first j characters of `text`."""

    text: str
    best: tuple[float, ...]  # the log-probability of the best segmentation; -inf where there is none
    start: tuple[int, ...]  # where the last piece of that segmentation begins

    @property
    def pieces(self) -> tuple[str, ...]:
        """The best segmentation of the whole text, read from its end backwards through `start`."""
        pieces, end = [], len(self.text)
        while end:
            pieces.append(self.text[self.start[end] : end])
            end = self.start[end]
        return tuple(reversed(pieces))


def viterbi(text: str, log_p: Mapping[str, float]) -> Viterbi:
    """best_0 = 0, best_j = max_{i<j} best_i + log p(text[i:j]), start_j = the i that attains it.

    `log_p` gives the log-probability of each piece; of equal segmentations the one with the longest last piece is
    taken. Raises ValueError if the pieces cannot cover `text`.
    """
    best, start = [0.0], [0]
    for j in range(1, len(text) + 1):
        scores = [best[i] + log_p.get(text[i:j], -inf) for i in range(j)]
        start.append(max(range(j), key=scores.__getitem__))
        best.append(scores[start[-1]])
    if best[-1] == -inf:
        raise ValueError(f"text cannot be cut: expected pieces in log_p that cover {text!r:.80}")
    return Viterbi(text, tuple(best), tuple(start))
