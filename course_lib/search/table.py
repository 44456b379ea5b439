"""A model whose probabilities are a table: small enough to search by hand, and a model like any other to the search."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from course_lib.seq2seq.protocol import Step
from course_lib.subwords.vocabulary import Vocabulary

Table = Mapping[str, Mapping[str, float]]  # beginning, words with a space between them → next word → probability


@dataclass(frozen=True)
class TableState:
    """The words so far of each row, `<s>` among them."""

    beginnings: list[tuple[int, ...]]

    def select(self, rows: Int64[Tensor, " chosen"]) -> "TableState":
        """The same rows."""
        return TableState([self.beginnings[row] for row in rows.tolist()])


class TableModel:
    """p(y_t | y_1 … y_{t−1}) as the table says, whatever the source.

    >>> TableModel({"": {"he": 0.6, "I": 0.4}, "he": {"slept": 0.9, "</s>": 0.1}})

    After a beginning that is not in the table follows `</s>`. Where a row sums to less than 1, what is left is shared
    equally by `others` words, "other 1", "other 2" …. `vocabulary` numbers the words in the order of the table. Raises
    ValueError for a row with a probability below 0, a sum above 1, or a sum below 1 without `others`, and for a
    beginning with a word that no row has.
    """

    pad_id, bos_id, eos_id = Vocabulary.pad_id, Vocabulary.bos_id, Vocabulary.eos_id

    def __init__(self, table: Table, others: int = 0):
        rest = [f"other {n + 1}" for n in range(others)]
        named = dict.fromkeys(word for row in table.values() for word in row if word != "</s>")
        self.vocabulary = Vocabulary([*named, *rest])
        self.rows: dict[tuple[int, ...], Float[Tensor, " vocabulary"]] = {}
        for beginning, row in table.items():
            left = 1 - sum(row.values())
            if strange := [word for word in beginning.split() if word not in self.vocabulary.piece_to_id]:
                raise ValueError(f"the beginning {beginning!r} must have words of the rows, got {strange[0]!r}")
            if min(row.values(), default=0.0) < 0 or left < -1e-6 or (left > 1e-6 and not others):
                raise ValueError(f"the row {beginning!r} must hold probabilities with the sum 1, got {dict(row)}")
            shared = dict.fromkeys(rest, max(left, 0) / max(others, 1))
            self.rows[tuple(self.vocabulary.ids(beginning.split()))] = self._row({**shared, **row})
        self.ended = self._row({"</s>": 1.0})

    def _row(self, following: Mapping[str, float]) -> Float[Tensor, " vocabulary"]:
        probabilities = torch.zeros(len(self.vocabulary), dtype=torch.float64)
        for word, p in following.items():
            probabilities[self.vocabulary.piece_to_id[word]] = p
        return probabilities.log().float()

    def encode(self, source: Int64[Tensor, "batch source_time"], source_mask: Bool[Tensor, "batch source_time"]) -> int:
        """How many sentences there are: all that is remembered of them."""
        return len(source)

    def start(self, memory: int) -> TableState:
        """Nothing written yet."""
        return TableState([()] * memory)

    def step(self, previous: Int64[Tensor, " row"], state: TableState) -> Step:
        """The row of the table behind each beginning."""
        beginnings = [(*words, word) for words, word in zip(state.beginnings, previous.tolist(), strict=True)]
        log_probs = torch.stack([self.rows.get(words[1:], self.ended) for words in beginnings])
        return Step(log_probs.to(previous.device), TableState(beginnings), None)

    def forward(
        self,
        source: Int64[Tensor, "batch source_time"],
        source_mask: Bool[Tensor, "batch source_time"],
        target_in: Int64[Tensor, "batch target_time"],
    ) -> Float[Tensor, "batch target_time vocabulary"]:
        """All steps at once: log p, which are logits too."""
        state, steps = self.start(len(source)), []
        for previous in target_in.unbind(1):
            steps.append(self.step(previous, state))
            state = steps[-1].state
        return torch.stack([step.log_probs for step in steps], dim=1)

    __call__ = forward
