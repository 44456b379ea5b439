"""A table of log-probabilities as a model of the course's: what the references search."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf

import torch
from torch import Tensor

from course_lib.problem_sets.ps5.tables import EOS, Hypothesis, Model, Words, log_p
from course_lib.search.hypothesis import Hypothesis as Found
from course_lib.seq2seq.protocol import Step


@dataclass(frozen=True)
class Beginnings:
    """The words so far, a row each."""

    words: list[Words]

    def select(self, rows: Tensor) -> "Beginnings":
        return Beginnings([self.words[row] for row in rows.tolist()])


class TableModel:
    """A table as the course's search asks a model; what is not in it is impossible, and bos has a number of its own."""

    eos_id = EOS

    def __init__(self, model: Model) -> None:
        self.model, self.size = model, len(model[()])
        self.bos_id = self.pad_id = self.size

    def encode(self, source: Tensor, source_mask: Tensor) -> None:
        """No source is read."""

    def start(self, memory: None) -> Beginnings:
        return Beginnings([()])

    def step(self, previous: Tensor, state: Beginnings) -> Step:
        words = [
            (*before, word) if word != self.bos_id else before
            for before, word in zip(state.words, previous.tolist(), strict=True)
        ]
        return Step(self.rows(words), Beginnings(words))

    def forward(self, source: Tensor, source_mask: Tensor, target_in: Tensor) -> Tensor:
        written = [row[1:] for row in target_in.tolist()]
        return torch.stack([self.rows([tuple(row[:t]) for t in range(len(row) + 1)]) for row in written])

    def rows(self, beginnings: list[Words]) -> Tensor:
        """log p after each of these, in float32."""
        impossible = [-inf] * self.size
        return torch.tensor([self.model.get(each, impossible) for each in beginnings])


def searched(search: Callable, model: Model, max_length: int, *arguments: object, **options: object) -> list:
    """What a search of the course's finds for its one sentence."""
    source = torch.zeros(1, 1, dtype=torch.long)
    return search(TableModel(model), source, source == 0, max_length, *arguments, **options)


def as_pairs(model: Model, found: Iterable[Found]) -> list[Hypothesis]:
    """The course's hypotheses as the problem set writes them, their scores in the table's precision."""
    return [(words, log_p(model, words)) for each in found for words in [each.words + (EOS,) * each.finished]]
