"""A translation model in a few lines whose probabilities are its data: `ToyModel([{(): {4: 1.0}, (4,): {3: 1.0}}])`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Int64
from torch import Tensor, nn

from course_lib.seq2seq.protocol import Step
from course_lib.subwords import Vocabulary

Table = Mapping[tuple[int, ...], Mapping[int, float]]  # words so far -> the next word -> its probability


@dataclass(frozen=True)
class ToyState:
    """Which table each row reads, its words so far (bos among them), and the mask of its source."""

    tables: list[int]
    words: list[tuple[int, ...]]
    source_mask: Tensor

    def select(self, rows: Int64[Tensor, " chosen"]) -> "ToyState":
        tables, words = ([values[i] for i in rows] for values in (self.tables, self.words))
        return replace(self, tables=tables, words=words, source_mask=self.source_mask[rows])


class ToyModel(nn.Module):
    """p(y_t | x, y_1 … y_{t−1}) from `tables[n % len(tables)]`, n being the number of words of x, without eos.

    After words that a table does not list, eos follows. Attention is equal on all real words. The logarithms are a
    parameter, one row for each entry of a table.
    """

    pad_id, bos_id, eos_id = Vocabulary.pad_id, Vocabulary.bos_id, Vocabulary.eos_id

    def __init__(self, tables: Sequence[Table], vocabulary_size: int):
        super().__init__()
        entries = [(k, words, following) for k, table in enumerate(tables) for words, following in table.items()]
        assert all(abs(sum(following.values()) - 1) < 1e-9 for _, _, following in entries)
        entries.append((0, None, {self.eos_id: 1.0}))  # the last row: what is not listed
        rows = [[following.get(word, 0.0) for word in range(vocabulary_size)] for _, _, following in entries]
        self.logs = nn.Parameter(torch.tensor(rows).log())
        self.places = {(k, words): row for row, (k, words, _) in enumerate(entries)}
        self.tables = len(tables)

    def logits(self, table: int, words: tuple[int, ...]) -> Tensor:
        return self.logs[self.places.get((table, words[1:]), -1)]

    def encode(self, source, source_mask):
        return source_mask

    def start(self, memory):
        return ToyState([(n - 1) % self.tables for n in memory.sum(1).tolist()], [()] * len(memory), memory)

    def step(self, previous, state):
        words = [(*before, word) for before, word in zip(state.words, previous.tolist(), strict=True)]
        logits = torch.stack([self.logits(*row) for row in zip(state.tables, words, strict=True)])
        attention = state.source_mask / state.source_mask.sum(1, keepdim=True)
        return Step(logits.float().log_softmax(1), replace(state, words=words), attention)

    def forward(self, source, source_mask, target_in):
        rows = zip(self.start(source_mask).tables, target_in.tolist(), strict=True)
        return torch.stack(
            [
                torch.stack([self.logits(table, tuple(words[: t + 1])) for t in range(len(words))])
                for table, words in rows
            ]
        )
