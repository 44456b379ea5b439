"""Best-first search: the most probable output, proven to be so, by following the most probable beginning."""

import heapq
import math
from itertools import count

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from course_lib.search.hypothesis import Hypothesis
from course_lib.seq2seq.protocol import Model


@torch.no_grad()
def best_first(
    model: Model,
    source: Int64[Tensor, "batch source_time"],
    source_mask: Bool[Tensor, "batch source_time"],
    max_length: int,
    *,
    n_best: int = 1,
    most: int = 10_000,
    at_least: float = -math.inf,
) -> list[Hypothesis] | None:
    """The `n_best` outputs of one sentence with the largest log p(y | x), or None if `most` steps do not decide it.

    The beginning with the largest log p is followed by every word, again and again. No word makes log p larger, so the
    first output that comes up as the largest of all is the most probable one: uniform-cost search (Dijkstra 1959).
    Outputs that do not end within `max_length` words do not count, nor do those with log p below `at_least`: fewer than
    n_best may come back. The log p of an output that a beam has found, as `at_least`, saves most of the work (Stahlberg
    and Byrne 2019). Raises ValueError for more than one sentence and for sizes below 1.
    """
    if len(source) != 1:
        raise ValueError(f"source must hold one sentence, got {len(source)}")
    for name, size in (("max_length", max_length), ("n_best", n_best), ("most", most)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    order = count()  # of equals the one that was reached first
    queue = [(0.0, next(order), (), model.start(model.encode(source, source_mask)))]  # (−log p, …, words, state)
    found: list[Hypothesis] = []
    steps = 0
    while queue and len(found) < n_best:
        cost, _, words, state = heapq.heappop(queue)
        if state is None:  # it ended
            found.append(Hypothesis(words, -cost, -cost, finished=True))
            continue
        if len(words) == max_length:
            continue
        if steps == most:
            return None
        steps += 1
        previous = torch.tensor([words[-1] if words else model.bos_id], device=source.device)
        step = model.step(previous, state)
        totals = step.log_probs[0].double() - cost
        for word in ((totals >= at_least) & totals.isfinite()).nonzero().flatten().tolist():
            state = None if word == model.eos_id else step.state
            y = words if word == model.eos_id else (*words, word)
            heapq.heappush(queue, (-totals[word].item(), next(order), y, state))
    return found
