"""What every translation model answers to: all that search, training and plots know of one.

    memory = model.encode(source, source_mask)             the source, read once
    state = model.start(memory)                            nothing written yet; one row for each sentence
    step = model.step(previous, state)                     log p(y_t | x, y_1 … y_{t−1}) in each row
    state = step.state.select(rows)                        the rows to go on with
    logits = model(source, source_mask, target_in)         all steps at once: teacher forcing

A row of a state is a hypothesis with all that the model needs to go on with it: its sentence's memory (or where to find
it), recurrent states, keys and values of the words so far. Beam search over n sentences and k hypotheses each is one
state of n·k rows, and `select` is all it does with it: repeat each sentence k times, reorder, drop what has ended. An
ensemble is one more model: its memory, state and step hold those of its members.

Every model keeps to this (`tests/protocol.py` asks it of each):
- Arguments stay what they were: `start`, `step` and `select` give new values, and an older state can be used again.
- Steps and `forward` are one model: `step`, given bos, y_1, y_2 …, has the log softmax of the logits of `forward`.
- A row depends on nothing but its own sentence and words: not on other rows, their order, or padding.
- Gradients flow through steps as through `forward`; search switches them off. Dropout follows `train()` and `eval()`.
- All tensors lie where `source` lies. A model may compute in bfloat16; `log_probs` are float32.
"""

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from jaxtyping import Bool, Float, Float32, Int64
from torch import Tensor

Memory: TypeAlias = Any  # what `encode` gives to `start`: each model's own


@runtime_checkable
class State(Protocol):
    """Hypotheses as a model goes on from them, one a row."""

    def select(self, rows: Int64[Tensor, " chosen"]) -> "State":
        """The hypotheses in these rows, in this order; a row may come several times, or not at all."""


@dataclass(frozen=True)
class Step:
    """What a model gives for each row after one more word.

    Attention is over the words of the source, Σ = 1, 0 at padding: where a model has several heads or layers, the model
    says which these are. None where it has none, or where a fused kernel does not return it.
    """

    log_probs: Float32[Tensor, "row vocabulary"]  # of the next word, natural logarithm, Σ exp = 1; −inf: impossible
    state: State  # after the word that was read
    attention: Float[Tensor, "row source_time"] | None = None


@runtime_checkable
class Model(Protocol):
    """A translation model. Sources end in eos and `target_in` begins with bos, as `Batches` makes them."""

    pad_id: int
    bos_id: int
    eos_id: int

    def encode(self, source: Int64[Tensor, "batch source_time"], source_mask: Bool[Tensor, "batch source_time"]):
        """The memory of a batch of sentences; the mask is True where a token is real."""

    def start(self, memory: Memory) -> State:
        """The state before the first word, a row for each sentence of the memory."""

    def step(self, previous: Int64[Tensor, " row"], state: State) -> Step:
        """Read the word `previous` in each row, bos_id first of all, and say what may come next."""

    def forward(
        self,
        source: Int64[Tensor, "batch source_time"],
        source_mask: Bool[Tensor, "batch source_time"],
        target_in: Int64[Tensor, "batch target_time"],
    ) -> Float[Tensor, "batch target_time vocabulary"]:
        """At [:, t] the logits of the word that follows target_in[:, : t + 1]."""
