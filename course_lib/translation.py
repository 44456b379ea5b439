"""One sentence and its translation, with all that a model did on the way: what heatmaps and alignments are made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch.nn.functional import one_hot

from course_lib.alignment import symmetrise
from course_lib.subwords.vocabulary import EOS


@dataclass(frozen=True)
class Translation:
    """One sentence and its greedy translation, step by step; `dataclasses.asdict` makes plain lists of it.

    Step t writes `target[t]`, a piece; the last of source and target is `</s>` (of the target, if it came to an end).
    `log_probs[t]` is log p(target[t] | x, target[: t]) and `best[t]` holds the likeliest pieces there with theirs.
    `attention[t][j]` is the weight of source piece j, each row with the sum 1; None where the model has no attention.
    """

    text: str
    source: list[str]
    target: list[str]
    log_probs: list[float]
    best: list[list[tuple[str, float]]]
    attention: list[list[float]] | None
    source_words: list[str]
    target_words: list[str]
    source_word_of: list[int]  # of each source piece, the number of its word
    target_word_of: list[int]

    @property
    def word_attention(self) -> list[list[float]] | None:
        """Attention between words, at [target word][source word]: Σ over the pieces of the source word, mean over those
        of the target word. `</s>` is a word on both sides, so each row has the sum 1."""
        if self.attention is None:
            return None
        if not self.target:
            return []
        weights = torch.tensor(self.attention, dtype=torch.float64).reshape(len(self.target), len(self.source))
        columns = one_hot(torch.tensor(self.source_word_of)).to(weights)
        rows = one_hot(torch.tensor(self.target_word_of)).to(weights)
        return ((rows / rows.sum(0)).mT @ weights @ columns).tolist()

    @property
    def links(self) -> set[tuple[int, int]]:
        """The alignment that attention induces: each target word with the source word it looks at most, (source,
        target), as `alignment_error_rate` takes it. No link where that is `</s>`. Raises ValueError without attention.
        """
        if self.attention is None:
            raise ValueError("links come from attention, and this model has none")
        last = len(self.source_words) - 1  # </s>
        best = [max(range(last + 1), key=row.__getitem__) for row in self._word_rows]
        return {(i, j) for j, i in enumerate(best) if i != last}

    def symmetrised(self, method: str = "grow-diag-final-and") -> set[tuple[int, int]]:
        """`links`, and each source word with the target word that looks at it most, as one alignment: what
        `alignment.symmetrise` makes of the two. Raises ValueError without attention, and for a method it does not have.
        """
        columns = list(zip(*self._word_rows, strict=True))[:-1]
        backward = {(i, max(range(len(column)), key=column.__getitem__)) for i, column in enumerate(columns)}
        return symmetrise(self.links, backward, method)

    @property
    def _word_rows(self) -> list[list[float]]:
        """The weights behind each target word, without those behind `</s>`."""
        return self.word_attention[: len(self.target_words) - (self.target_words[-1:] == [EOS])]


def words_of(
    pieces: Sequence[str], decode: Callable[[Sequence[str]], str], *, ended: bool
) -> tuple[list[str], list[int]]:
    """The words that `decode` makes of the pieces, and the number of each piece's word; `</s>` is one where the
    sentence has `ended`."""
    words = decode(pieces).split()
    of = [max(0, len(decode(pieces[: k + 1]).split()) - 1) for k in range(len(pieces))]
    return words + [EOS] * ended, of + [len(words)] * ended
