"""What a Transformer keeps while it writes: the source's keys and values, and those of the words so far."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from course_lib.transformer.cache import Cache, KeysValues


@dataclass(frozen=True)
class TransformerMemory:
    """The keys and values of the source for each decoder layer, a row for each sentence, and where words are real."""

    layers: tuple[KeysValues, ...]
    mask: Bool[Tensor, "sentence source_time"]
    padded: bool  # a mask that is True everywhere need not be asked

    def select(self, rows: Int64[Tensor, " chosen"]) -> "TransformerMemory":
        """The memory of these sentences, in this order."""
        layers = tuple((K.index_select(0, rows), V.index_select(0, rows)) for K, V in self.layers)
        return TransformerMemory(layers, self.mask[rows], self.padded)


@dataclass(frozen=True)
class TransformerState:
    """A row for each hypothesis: every layer's keys and values of its words so far (None before the first).

    Equally many rows follow one another for each sentence of the memory, so that the k hypotheses of a beam share one
    copy of it: row r reads sentence ⌊r / (rows / sentences)⌋.
    """

    memory: TransformerMemory
    rows: int
    layers: tuple[Cache, ...] | None = None

    @property
    def time(self) -> int:
        """How many words were read."""
        return 0 if self.layers is None else self.layers[0].time

    def select(self, rows: Int64[Tensor, " chosen"]) -> "TransformerState":
        """The hypotheses in these rows, in this order."""
        layers = None if self.layers is None else tuple(cache.select(rows) for cache in self.layers)
        sentences = torch.arange(len(self.memory.mask), device=rows.device)
        sentence_of = rows // (self.rows // len(sentences))
        if len(rows) % len(sentences) == 0 and (sentence_of.view(len(sentences), -1) == sentences[:, None]).all():
            return TransformerState(self.memory, len(rows), layers)  # the same sentences: their memory as it is
        sentences, counts = sentence_of.unique_consecutive(return_counts=True)
        if (counts != counts[:1]).any():  # not equally many: then each row has a copy of its own
            sentences = sentence_of
        return TransformerState(self.memory.select(sentences), len(rows), layers)
