"""Greedy search: the likeliest word at every step."""

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from course_lib.seq2seq.protocol import Model


@torch.inference_mode()
def greedy(
    model: Model,
    source: Int64[Tensor, "batch source_time"],
    source_mask: Bool[Tensor, "batch source_time"],
    max_length: int,
) -> list[list[int]]:
    """ŷ_t = argmax_y p(y | x, ŷ_1 … ŷ_{t−1}), the first if tied, for each sentence.

    A sentence ends before its first eos, which is left out, or after `max_length` words. Raises ValueError for a
    negative max_length.
    """
    if max_length < 0:
        raise ValueError(f"max_length must be at least 0, got {max_length}")
    if not len(source):
        return []
    state = model.start(model.encode(source, source_mask))
    previous = torch.full((len(source),), model.bos_id, device=source.device)
    words = source[:, :0]
    while words.shape[1] < max_length and not (words == model.eos_id).any(1).all():
        step = model.step(previous, state)
        state, previous = step.state, step.log_probs.argmax(1)
        words = torch.cat([words, previous[:, None]], dim=1)
    return [row[: row.index(model.eos_id)] if model.eos_id in row else row for row in words.tolist()]
