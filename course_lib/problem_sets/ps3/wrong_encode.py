"""The encoder of ps3.encode: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from course_lib.problem_sets.ps2 import layers
from course_lib.problem_sets.ps2.bidirectional import turned
from course_lib.problem_sets.ps2.layers import Read, last
from course_lib.problem_sets.ps3.models import Weights


def defined(
    words: Tensor,
    lengths: Tensor,
    weights: Weights,
    reverse: bool,
    layer: Callable = layers.defined,
    turn: Callable = turned,
    back: Callable = turned,
) -> Read:
    x = weights["E"][words]
    states, summary = layer(turn(x, lengths) if reverse else x, lengths, weights)
    return back(states, lengths) if reverse else states, summary


def reading(layer: Callable) -> Callable:
    """The encoder whose layer is that one."""
    return partial(defined, layer=layer)


def without_bias(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    return defined(words, lengths, weights | {"b_h": torch.zeros_like(weights["b_h"])}, reverse)


def never_reversed(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    return defined(words, lengths, weights, False)


def always_reversed(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    return defined(words, lengths, weights, True)


def summary_at_the_end(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    states, _ = defined(words, lengths, weights, reverse)
    return states, last(states, lengths)


def last_of_states(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    states, _ = defined(words, lengths, weights, reverse)
    return states, states[:, -1]


def at_padding(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool, seen: Callable) -> Read:
    """The states with what `seen` makes of padding and of the state that was kept there."""
    states, summary = defined(words, lengths, weights, reverse)
    kept = (torch.zeros_like(summary) if reverse else summary).unsqueeze(1).expand_as(states)
    real = torch.arange(words.shape[1]) < lengths.unsqueeze(1)
    return torch.where(real.unsqueeze(2), states, seen(weights["E"][words], kept, weights)), summary


def mean_of_states(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    states, _ = defined(words, lengths, weights, reverse)
    return states, states.sum(1) / lengths[:, None]


def first_of_states(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    states, _ = defined(words, lengths, weights, reverse)
    return states, states[:, 0]


def constant_embeddings(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    return defined(words, lengths, weights | {"E": weights["E"].detach()}, reverse)


def words_turned_in_place(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    if not reverse:
        return defined(words, lengths, weights, False)
    words.copy_(turned(words, lengths))
    states, summary = defined(words, lengths, weights, False)
    return turned(states, lengths), summary
