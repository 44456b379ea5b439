"""Sampling: outputs drawn by their probability, with temperature and top-k."""

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from course_lib.search.beam import most_probable
from course_lib.search.hypothesis import Hypothesis
from course_lib.seq2seq.protocol import Model


def sharpened(
    log_probs: Float[Tensor, "row vocabulary"], temperature: float = 1.0, top_k: int | None = None
) -> Float[Tensor, "row vocabulary"]:
    """p(y) ∝ p(y)^(1/T) over the `top_k` most probable words, as probabilities: T → 0 is greedy, T → ∞ all are equal.

    (Temperature: Ackley et al. 1985; top-k: Fan et al. 2018.) Raises ValueError for T ≤ 0 and top_k below 1.
    """
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, got {temperature}")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k must be at least 1, got {top_k}")
    z = (log_probs - log_probs.max(1, keepdim=True).values) / temperature  # the most probable word has 0: none is NaN
    if top_k is not None and top_k < z.shape[1]:
        _, places = most_probable(z, top_k)
        z = torch.full_like(z, -torch.inf).scatter(1, places, z.gather(1, places))
    return z.softmax(1)


@torch.inference_mode()
def sample(
    model: Model,
    source: Int64[Tensor, "batch source_time"],
    source_mask: Bool[Tensor, "batch source_time"],
    max_length: int,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    generator: torch.Generator | None = None,
) -> list[Hypothesis]:
    """ŷ_t drawn from `sharpened` p(y | x, ŷ_1 … ŷ_{t−1}), for each sentence, until eos or `max_length` words.

    The log-probability of an output is the model's own, before sharpening. Raises ValueError for a max_length below 1,
    and as `sharpened` does.
    """
    if max_length < 1:
        raise ValueError(f"max_length must be at least 1, got {max_length}")
    if not len(source):
        return []
    state = model.start(model.encode(source, source_mask))
    words = torch.full((len(source), 1), model.bos_id, device=source.device)
    scores = torch.zeros(len(source), dtype=torch.float64, device=source.device)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for _ in range(max_length):
        step = model.step(words[:, -1], state)
        drawn = sharpened(step.log_probs, temperature, top_k).multinomial(1, generator=generator)
        scores += step.log_probs.gather(1, drawn)[:, 0].double().masked_fill(ended, 0.0)
        words = torch.cat([words, drawn.masked_fill(ended[:, None], model.eos_id)], dim=1)
        state, ended = step.state, words[:, -1] == model.eos_id
        if ended.all():
            break
    outputs = []
    for row, total, finished in zip(words[:, 1:].tolist(), scores.tolist(), ended.tolist(), strict=True):
        y = row[: row.index(model.eos_id)] if finished else row
        outputs.append(Hypothesis(tuple(y), total, total, finished))
    return outputs
