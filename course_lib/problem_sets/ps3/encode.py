"""ps3.encode: a padded source read by the encoder, forwards or from its end (Sutskever et al. 2014; Thadani; Zhao)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor
from torch.nn.functional import softsign

from course_lib.grading.cases.numbers import case, sentences
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps3.models import (
    FORBIDDEN,
    Few,
    Weights,
    encoder_weights,
    in_no_order,
    network,
    product,
    without,
)

VALUES = "states summary"


def reference(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> tuple[Tensor, Tensor]:
    """h_j at each word x_j (batch, time, hidden), 0 at padding, and the state after the last word that was read."""
    states, (h,) = units.read(network(weights, reverse), weights["E"][words], lengths)
    return states, h[0]


# Mistakes


def turned(x, lengths):
    """Each sentence back to front, its padding left where it is."""
    return torch.stack([torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths.tolist(), strict=True)])


def turned_row(x, lengths):
    return x.flip(1)


def everywhere(t, lengths):
    return lengths > 0


def last(states, lengths):
    return states[torch.arange(len(states)), lengths - 1]


def defined(
    words,
    lengths,
    weights,
    reverse,
    use=lambda weights: weights,
    turns=lambda reverse: reverse,
    turn=turned,
    back=turned,
    steps=lambda words: words.shape[1],
    start=Tensor.new_zeros,
    reads=lambda t, lengths: t < lengths,
    carry=lambda h: h,
    unit=softsign,
    summary=lambda h, read, states, lengths: h,
):
    weights, reverse, read = use(weights), turns(reverse), []
    x = turn(weights["E"][words], lengths) if reverse else weights["E"][words]
    h = start(x, (len(words), len(weights["b_h"])))
    for t in range(steps(words)):
        real = reads(t, lengths)[:, None]
        h = torch.where(real, unit(product(x[:, t], carry(h), weights)), h)
        read.append(torch.where(real, h, 0))
    read = torch.stack(read, 1)
    states = back(read, lengths) if reverse else read
    return states, summary(h, read, states, lengths)


wrong = versions(defined)
tanh_for_the_softsign = wrong("one", unit=torch.tanh)(
    "Your unit uses tanh. In this set it is `unit`, with the softsign."
)
bias_left_out = wrong("one", use=lambda weights: without(weights, "b_h"))(
    "You leave out b_h, which `unit` adds to the two products."
)
state_set_to_0_at_padding = wrong(
    "summary", summary=lambda h, read, states, lengths: torch.where((lengths == read.shape[1])[:, None], h, 0)
)(
    "You set the state to 0 at padding, by a product with the mask, say: of a short sentence nothing is left in the "
    "summary. At padding the state stays as it was; `states` is 0 there."
)
one_place_behind_the_end_read = wrong("summary", reads=lambda t, lengths: t <= lengths)(
    "You read one place behind the last word: with places counted from 0, those below `lengths` are real."
)
state_not_carried = wrong("forward", carry=torch.zeros_like)(
    "No state of yours depends on the one before it. The new state is handed on to the next step, and `unit` "
    "multiplies it by W_hh."
)
only_the_first_word = wrong("forward", steps=lambda words: 1)(
    "You return after the first word: does your `return` stand within the loop?"
)
always_read_from_the_end = wrong("forward", turns=lambda reverse: True)(
    "You read from the end even where reverse is False."
)


@mistake("summary")
def summary_of_the_last_column(*given):
    """Your summary is the state of the last column, where a shorter sentence has padding. Keep the state it had after
    its last real word."""
    return defined(*given)[0], padding_read_like_words(*given)[1]


summary_from_the_last_column_of_the_states = wrong("summary", summary=lambda h, read, states, lengths: states[:, -1])(
    "Your summary is states[:, -1]. For a shorter sentence that is 0, and for one that is read from its end it is the "
    "state after the first word that was read."
)
mean_of_the_states = wrong("summary", summary=lambda h, read, states, lengths: states.sum(1) / lengths[:, None])(
    "Your summary is the mean of the states. It is the state after the last word that was read."
)
summary_of_the_first_word = wrong("summary", summary=lambda h, read, states, lengths: states[:, 0])(
    "Your summary is states[:, 0], the state at x_1. It is the state after the last word that was read."
)
NOT_0 = "Your states at padding are what the unit makes of it. Nothing was read there: they are 0."
states_at_padding_kept = wrong(
    "padding", reads=everywhere, summary=lambda h, read, states, lengths: last(read, lengths)
)(NOT_0)


def at_padding(given, seen):
    """The states with what is `seen` of padding and of the state that was kept there."""
    words, lengths, weights, reverse = given
    states, summary = defined(*given)
    kept = (torch.zeros_like(summary) if reverse else summary).unsqueeze(1).expand_as(states)
    real = torch.arange(words.shape[1]) < lengths[:, None]
    return torch.where(real[..., None], states, seen(weights["E"][words], kept, weights)), summary


@mistake("padding", NOT_0)
def padding_read_and_the_state_before_kept(*given):
    return at_padding(given, lambda x, h, weights: softsign(product(x, h, weights)))


@mistake("padding")
def the_state_before_repeated_at_padding(*given):
    """Your states at padding repeat the last one before it. Nothing was read there: they are 0."""
    return at_padding(given, lambda x, h, weights: h)


no_mask = wrong("padding", reads=everywhere, turn=turned_row, back=turned_row)(
    "You read padding like words, also first, where you read from the end. At padding the state stays as it was, and "
    "`states` is 0."
)
padding_read_like_words = wrong("padding", reads=everywhere)(
    "You read padding like words. Behind the last word the state stays as it was, and `states` is 0."
)
never_read_from_the_end = wrong("reversed", turns=lambda reverse: False)(
    "You read forwards even where reverse is True."
)
states_not_turned_back = wrong("reversed", back=lambda states, lengths: states)(
    "Your states stand in the order of reading. h_j stands where x_j does: turn them back."
)
summary_at_the_last_word = wrong("reversed", summary=lambda h, read, states, lengths: last(states, lengths))(
    "Your summary is the state at x_n. Read from the end, that word was the first: at x_1 all has been read."
)
padding_read_first = wrong("reversed_padding", turn=turned_row, back=turned_row)(
    "You turn the whole row round: its padding comes first and is read as the sentence. Turn the n real words only."
)
gradient_cut_between_steps = wrong("gradient", carry=Tensor.detach)(
    "Your values are right, but no gradient passes from a step to the one before: is there a detach, an item() or a "
    "new tensor made of numbers on the way of the state?"
)
constant_embeddings = wrong("gradient", use=lambda weights: weights | {"E": weights["E"].detach()})(
    "The gradient does not reach the embeddings E: something on the way makes constants of them, as detach, .data and "
    "Embedding.from_pretrained do."
)


@mistake("gradient")
def words_turned_in_place(words, lengths, weights, reverse):
    """You turn the words themselves, which belong to the caller. Make a new tensor."""
    if reverse:
        words.copy_(turned(words, lengths))
    states, summary = defined(words, lengths, weights, False)
    return turned(states, lengths) if reverse else states, summary


state_that_starts_in_float32 = wrong("dtype", start=lambda x, shape: torch.zeros(shape))(
    "You were given float64, and a tensor that you made is float32: they do not go together. Make it in the dtype of "
    "the weights: E.new_zeros(…), say."
)

# Cases


def batch(
    rng: Random, time: int, lengths: list[int], reverse: bool = False, recurrent: bool = True, bias: bool = False
) -> Case:
    """Sentences of these lengths; at padding any word. Where it is not `recurrent`, W_hh is 0; without `bias`, b_h."""
    vocabulary = 7
    embedding, hidden = rng.sample(range(2, 6), 2)
    words = torch.tensor([rng.sample(range(vocabulary), time) for _ in lengths])
    text = sentences(lengths, time) + ", read from the end" * reverse
    weights = encoder_weights(rng, vocabulary, embedding, hidden)
    weights["W_hh"] *= recurrent
    weights["b_h"] *= bias
    return case(text, (embedding + hidden + 1) * time, words, torch.tensor(lengths), weights, reverse)


def draw(length: tuple[int, int], pads: tuple[int, int] = (0, 0), **options: bool) -> Callable[[Random, int], Case]:
    """One sentence of so many words, and so much padding behind it."""
    return units.one_sentence(partial(batch, **options), length, pads)


def draw_batch(rng: Random, size: int) -> Case:
    return batch(rng, *in_no_order(rng), reverse=not size % 2, bias=True)


TASK = task(
    __name__,
    "The encoder, forwards or from the end",
    returns=VALUES,
    kind=Few,
    criteria=(
        criterion("one", 0.5, draw((1, 1), bias=True), VALUES)("A sentence of one word."),
        criterion("forward", 1, draw((2, 6)), "states")("h_j has read x_1 … x_j."),
        criterion("summary", 1, draw((2, 4), (1, 3), recurrent=False), "summary")(
            "The summary is the state after the last real word."
        ),
        criterion("padding", 0.5, draw((1, 1), (1, 3)), "states")("At padding the states are 0."),
        criterion("reversed", 1, draw((2, 6), reverse=True), VALUES)(
            "Read from its end: h_j has read x_n … x_j, and the summary has read x_1 last."
        ),
        criterion("reversed_padding", 0.5, draw((1, 1), (1, 3), reverse=True), VALUES)(
            "It is read from its own end, not from the padding behind it."
        ),
        criterion("together", 0.5, draw_batch, VALUES)("Sentences of several lengths, read either way."),
        gradient(draw_batch, weights_from=2, each=True)(
            "Gradients reach every weight, the embeddings of all words read among them; a call changes no argument."
        ),
        dtype(draw((3, 6), bias=True))(
            "The states have the dtype of the weights, float64 or float32, and its precision."
        ),
    ),
    forbidden=FORBIDDEN,
)
