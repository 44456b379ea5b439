"""Exhaustive search: every output there is. It tells what the best one is, and costs |V|^T."""

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from course_lib.search.hypothesis import Hypothesis, Normalise, plain, ranked
from course_lib.seq2seq.protocol import Model


@torch.no_grad()
def exhaustive(
    model: Model,
    source: Int64[Tensor, "batch source_time"],
    source_mask: Bool[Tensor, "batch source_time"],
    max_length: int,
    *,
    n_best: int = 1,
    normalise: Normalise = plain,
    most: int = 1_000_000,
) -> list[Hypothesis]:
    """argmax_y score(y) over all y that end in eos within `max_length` words: the `n_best` best, of one sentence.

    Breadth first: all beginnings of t words, then all of t + 1. What is impossible (log p = −∞) is left out. Raises
    ValueError for more than one sentence, for sizes below 1, and where there are more than `most` beginnings at once.
    """
    if len(source) != 1:
        raise ValueError(f"source must hold one sentence, got {len(source)}")
    for name, size in (("max_length", max_length), ("n_best", n_best)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    state = model.start(model.encode(source, source_mask))
    words = torch.full((1, 1), model.bos_id, device=source.device)  # (beginnings, bos and t words)
    scores = torch.zeros(1, dtype=torch.float64, device=source.device)
    found: list[Hypothesis] = []
    for _ in range(max_length):
        step = model.step(words[:, -1], state)
        totals = scores[:, None] + step.log_probs
        for row in totals[:, model.eos_id].isfinite().nonzero().flatten().tolist():
            y, total = words[row, 1:].tolist(), totals[row, model.eos_id].item()
            found.append(Hypothesis(tuple(y), total, normalise(total, len(y) + 1), finished=True))
        found = ranked(found)[:n_best]
        totals[:, model.eos_id] = -torch.inf
        rows, following = totals.isfinite().nonzero(as_tuple=True)
        if len(rows) > most:
            raise ValueError(f"there are {len(rows)} outputs to follow at once, more than most ({most}): too many")
        if not len(rows):
            break
        state, scores = step.state.select(rows), totals[rows, following]
        words = torch.cat([words[rows], following[:, None]], dim=1)
    return found
