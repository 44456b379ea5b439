"""A decoder with attention and coverage over given words: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from course_lib.problem_sets.ps4.additive_score import defined as additive
from course_lib.problem_sets.ps4.masked_softmax import defined as softmax
from course_lib.problem_sets.ps4.states import Weights

Run = tuple[Tensor, Tensor]  # states (batch, i, query size), weights (batch, i, j)


def unit(y: Tensor, c: Tensor, s: Tensor, given: Weights) -> Tensor:
    return torch.tanh(y @ given["W_y"].T + c @ given["W_c"].T + s @ given["W_s"].T + given["b"])


def cleaned(h: Tensor, mask: Tensor) -> Tensor:
    return torch.where(mask.unsqueeze(2), h, 0)


def average(α: Tensor, h: Tensor) -> Tensor:
    return (α.unsqueeze(1) @ h).squeeze(1)


def attend(s: Tensor, h: Tensor, mask: Tensor, coverage: Tensor, given: Weights) -> Tensor:
    return softmax(additive(s, h, coverage, given).unsqueeze(1), mask).squeeze(1)


def defined(
    y: Tensor,
    s: Tensor,
    h: Tensor,
    mask: Tensor,
    weights: Weights,
    asks: Callable[..., Tensor] = lambda s, start, y: s,
    weigh: Callable[..., Tensor] = attend,
    look: Callable[[Tensor, Tensor], Tensor] = average,
    step: Callable[..., Tensor] = unit,
    cover: Callable[[list[Tensor], Tensor], Tensor] = lambda past, none: sum(past, none),
    clean: Callable[[Tensor, Tensor], Tensor] = cleaned,
    word: Callable[[Tensor, int], Tensor] = lambda y, i: y[:, i],
) -> Run:
    h, start, states, past = clean(h, mask), s, [], []
    for i in range(y.shape[1]):
        coverage = cover(past, h.new_zeros(h.shape[:2]))
        α = weigh(asks(s, start, word(y, i)), h, mask, coverage, weights)
        s = step(word(y, i), look(α, h), s, weights)
        states.append(s)
        past.append(α)
    return torch.stack(states, 1), torch.stack(past, 1)


def new_state_asks(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> Run:
    def asks(s: Tensor, start: Tensor, y: Tensor) -> Tensor:
        return unit(y, torch.zeros_like(h[:, 0]), s, weights)

    return defined(y, s, h, mask, weights, asks=asks)


def luongs_order(
    y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights, feed: Callable[[Tensor], Tensor] = lambda c: c
) -> Run:
    """The unit first, with the context of the step before, then the attention of the new state."""
    h, states, past = cleaned(h, mask), [], []
    c = torch.zeros_like(h[:, 0])
    for word in y.unbind(1):
        s = unit(word, feed(c), s, weights)
        α = attend(s, h, mask, sum(past, torch.zeros_like(h[..., 0])), weights)
        c = average(α, h)
        states.append(s)
        past.append(α)
    return torch.stack(states, 1), torch.stack(past, 1)


def luongs_order_without_context(*arguments) -> Run:
    return luongs_order(*arguments, feed=torch.zeros_like)


def first_state_asks(*arguments) -> Run:
    return defined(*arguments, asks=lambda s, start, y: start)


def not_carried(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> Run:
    return defined(y, s, h, mask, weights, step=lambda y, c, _, given: unit(y, c, s, given))


def plain_average(*arguments) -> Run:
    mask = arguments[3].unsqueeze(2)
    return defined(*arguments, look=lambda α, h: h.sum(1) / mask.sum(1))


def added_up(*arguments) -> Run:
    return defined(*arguments, look=lambda α, h: torch.einsum("bj,cjk->bk", α, h))


def best_word(*arguments) -> Run:
    return defined(*arguments, look=lambda α, h: h[torch.arange(len(h)), α.argmax(1)])


def without_context(*arguments) -> Run:
    return defined(*arguments, look=lambda α, h: torch.zeros_like(h[:, 0]))


def unsquashed(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> Run:
    return defined(
        y, s, h, mask, weights, step=lambda y, c, s, W: y @ W["W_y"].T + c @ W["W_c"].T + s @ W["W_s"].T + W["b"]
    )


def without_bias(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> Run:
    return defined(y, s, h, mask, weights | {"b": torch.zeros_like(weights["b"])})


def without_state(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> Run:
    return defined(y, s, h, mask, weights | {"W_s": torch.zeros_like(weights["W_s"])})


def without_word(*arguments) -> Run:
    return defined(*arguments, word=lambda y, i: torch.zeros_like(y[:, i]))


def words_late(*arguments) -> Run:
    return defined(*arguments, word=lambda y, i: y[:, i - 1] if i else torch.zeros_like(y[:, 0]))


def context_late(*arguments) -> Run:
    past: list[Tensor] = []

    def look(α: Tensor, h: Tensor) -> Tensor:
        past.append(α)
        return average(past[-2:][0], h)

    return defined(*arguments, look=look)


def first_word_only(*arguments) -> Run:
    return defined(*arguments, word=lambda y, i: y[:, 0])


def no_coverage(*arguments) -> Run:
    return defined(*arguments, cover=lambda past, none: none)


def last_coverage(*arguments) -> Run:
    return defined(*arguments, cover=lambda past, none: past[-1] if past else none)


def mean_coverage(*arguments) -> Run:
    return defined(*arguments, cover=lambda past, none: sum(past, none) / max(1, len(past)))


def coverage_cut(*arguments) -> Run:
    return defined(*arguments, cover=lambda past, none: sum(past, none).detach())


def coverage_in_place(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> Run:
    coverage = torch.zeros_like(h[:, :, 0])

    def weigh(s: Tensor, h: Tensor, mask: Tensor, _: Tensor, given: Weights) -> Tensor:
        α = attend(s, h, mask, coverage, given)
        coverage.add_(α)
        return α

    return defined(y, s, h, mask, weights, weigh=weigh)


def state_cut(*arguments) -> Run:
    return defined(*arguments, asks=lambda s, start, y: s.detach())


def with_padding(*arguments) -> Run:
    return defined(*arguments, clean=lambda h, mask: h)


def everything_real(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> Run:
    return defined(y, s, h, torch.ones_like(mask), weights)


def first_mask(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> Run:
    return defined(y, s, h, mask[:1].expand_as(mask), weights, clean=lambda h, _: cleaned(h, mask))


def coverage_returned(*arguments) -> Run:
    states, α = defined(*arguments)
    return states, α.cumsum(1)


def weights_first(*arguments) -> Run:
    return defined(*arguments)[::-1]


def last_step_only(*arguments) -> Run:
    states, α = defined(*arguments)
    return states[:, -1], α[:, -1]


def with_the_start(y: Tensor, s: Tensor, *arguments) -> Run:
    states, α = defined(y, s, *arguments)
    return torch.cat([s.unsqueeze(1), states], 1), α
