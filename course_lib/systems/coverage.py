"""The score of Google's search: log p, made comparable over lengths, and how well the source is covered."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_lib.search.hypothesis import Hypothesis, gnmt, ranked
from course_lib.seq2seq.protocol import Model


def coverage_penalty(attention: Float[Tensor, "time source_time"], beta: float = 0.2) -> float:
    """cp(x, y) = β Σ_j log min(Σ_i a_ij, 1), a_ij the attention of step i to source word j.

    0 where each source word got 1 or more in all, else below 0: the less a word got, the lower (Wu et al.
    2016, equation 14). Raises ValueError for a negative β.
    """
    if beta < 0:
        raise ValueError(f"beta must be at least 0, got {beta}")
    return beta * float(attention.sum(0).clamp(max=1).log().sum()) if beta else 0.0


@torch.no_grad()
def attention_of(
    model: Model,
    source: Int64[Tensor, "1 source_time"],
    source_mask: Bool[Tensor, "1 source_time"],
    outputs: Sequence[Hypothesis],
) -> list[Float[Tensor, "_ source_time"]]:
    """The weights on the source in each step that writes an output of this sentence, eos included if it has one.

    Raises ValueError for a model that shows no attention.
    """
    written = [torch.tensor((model.bos_id, *y.words)[: y.length], device=source.device) for y in outputs]
    same = torch.zeros(len(outputs), dtype=torch.long, device=source.device)  # the rows are of one sentence
    state, weights = model.start(model.encode(source, source_mask)).select(same), []
    for previous in pad_sequence(written, batch_first=True, padding_value=model.pad_id).unbind(1):
        step = model.step(previous, state)
        if step.attention is None:
            raise ValueError(f"model must show its attention, {type(model).__name__} does not")
        state, _ = step.state, weights.append(step.attention)
    return [of_one[: y.length] for of_one, y in zip(torch.stack(weights, 1), outputs, strict=True)]


def rescored(
    outputs: Sequence[Hypothesis], attentions: Sequence[Float[Tensor, "_ _"]], alpha: float, beta: float
) -> list[Hypothesis]:
    """The outputs with the score log p / lp(y) + cp(x, y), the best first: lp of `hypothesis.gnmt`, cp as above.

    Wu et al. (2016, section 7) also prune finished outputs by it while the search goes on.
    """
    normalise = gnmt(alpha)
    return ranked(
        [
            replace(y, score=normalise(y.log_probability, y.length) + coverage_penalty(attention, beta))
            for y, attention in zip(outputs, attentions, strict=True)
        ]
    )
