"""An ensemble: several models as one more model, by the mean of what they say."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from course_lib.seq2seq.protocol import Memory, Model, State, Step


@dataclass(frozen=True)
class EnsembleState:
    """One state of each member."""

    states: tuple[State, ...]

    def select(self, rows: Int64[Tensor, " chosen"]) -> "EnsembleState":
        """The same rows of each."""
        return EnsembleState(tuple(state.select(rows) for state in self.states))


class Ensemble(nn.Module):
    """M models over the same vocabulary; at each word the mean of what they say:

        mean "probabilities":  p(y_i | …) = 1/M Σ_m p_m(y_i | …)
        mean "logarithms":     p(y_i | …) ∝ Π_m p_m(y_i | …)^(1/M),  normalised to Σ = 1

    The first lets one sure model through, the second lets each of them object. Attention is the mean of the members' if
    all have one. (Sutskever et al. 2014 decode with an ensemble of five.) Raises ValueError for no models, models with
    different special ids, and another mean.
    """

    def __init__(self, models: Sequence[Model], mean: str = "probabilities"):
        super().__init__()
        if not models:
            raise ValueError("models must hold at least one model, got none")
        if mean not in ("probabilities", "logarithms"):
            raise ValueError(f'mean must be "probabilities" or "logarithms", got {mean!r}')
        ids = {(model.pad_id, model.bos_id, model.eos_id) for model in models}
        if len(ids) > 1:
            raise ValueError(f"models must agree in their ids of pad, bos and eos, got {sorted(ids)}")
        ((self.pad_id, self.bos_id, self.eos_id),) = ids
        self.models, self.mean = nn.ModuleList(models), mean

    def join(self, log_probs: Sequence[Float[Tensor, "*rows vocabulary"]]) -> Float[Tensor, "*rows vocabulary"]:
        """The logarithm of the mean."""
        together = torch.stack(list(log_probs))
        if self.mean == "probabilities":
            return together.logsumexp(0) - math.log(len(together))
        return together.mean(0).log_softmax(-1)

    def encode(
        self, source: Int64[Tensor, "batch source_time"], source_mask: Bool[Tensor, "batch source_time"]
    ) -> tuple[Memory, ...]:
        """Each member's memory."""
        return tuple(model.encode(source, source_mask) for model in self.models)

    def start(self, memory: tuple[Memory, ...]) -> EnsembleState:
        """Each member's first state."""
        return EnsembleState(tuple(model.start(m) for model, m in zip(self.models, memory, strict=True)))

    def step(self, previous: Int64[Tensor, " row"], state: EnsembleState) -> Step:
        """One word further in every member."""
        steps = [model.step(previous, s) for model, s in zip(self.models, state.states, strict=True)]
        attention = [step.attention for step in steps]
        return Step(
            self.join([step.log_probs for step in steps]),
            EnsembleState(tuple(step.state for step in steps)),
            None if any(α is None for α in attention) else torch.stack(attention).mean(0),
        )

    def forward(
        self,
        source: Int64[Tensor, "batch source_time"],
        source_mask: Bool[Tensor, "batch source_time"],
        target_in: Int64[Tensor, "batch target_time"],
    ) -> Float[Tensor, "batch target_time vocabulary"]:
        """log p of the mean, which is its own log softmax: logits as good as any."""
        return self.join([model(source, source_mask, target_in).float().log_softmax(-1) for model in self.models])
