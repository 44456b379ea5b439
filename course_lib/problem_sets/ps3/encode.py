"""ps3.encode: a padded source read by the encoder, forwards or from its end (Sutskever et al. 2014; Thadani; Zhao)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import case, padded, sentences
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.problem_sets.ps2 import layers, units
from course_lib.problem_sets.ps2.bidirectional import turned_row, unturned
from course_lib.problem_sets.ps2.layers import Read
from course_lib.problem_sets.ps2.units import read
from course_lib.problem_sets.ps3 import wrong_encode as wrong
from course_lib.problem_sets.ps3.models import FORBIDDEN, Few, Weights, encoder_weights, network

VALUES = "states summary"
ARGUMENTS = "words lengths weights reverse"


def reference(words: Tensor, lengths: Tensor, weights: Weights, reverse: bool) -> Read:
    """h_j at each word x_j (batch, time, hidden), 0 at padding, and the state after the last word that was read."""
    states, (h,) = read(network(weights, reverse), weights["E"][words], lengths)
    return states, h[0]


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


def draw(length: tuple[int, int], pads: tuple[int, int] = (0, 0), **options: bool) -> Callable:
    return units.one_sentence(partial(batch, **options), length, pads)


def draw_batch(rng: Random, size: int) -> Case:
    return batch(rng, *padded(rng, 6), reverse=not size % 2, bias=True)


everything = seeing(VALUES, VALUES)

TASK = Task(
    name="ps3.encode",
    title="The encoder, forwards or from the end",
    reference=reference,
    trains=True,
    criteria=(
        Few("one", 0.5, "A sentence of one word.", draw((1, 1), bias=True), probe=everything),
        Few("forward", 1, "h_j has read x_1 … x_j.", draw((2, 6)), probe=seeing(VALUES, "states")),
        Few(
            "summary",
            1,
            "The summary is the state after the last real word.",
            draw((2, 4), (1, 3), recurrent=False),
            probe=seeing(VALUES, "summary"),
        ),
        Few("padding", 0.5, "At padding the states are 0.", draw((1, 1), (1, 3)), probe=seeing(VALUES, "states")),
        Few(
            "reversed",
            1,
            "Read from its end: h_j has read x_n … x_j, and the summary has read x_1 last.",
            draw((2, 6), reverse=True),
            probe=everything,
        ),
        Few(
            "reversed_padding",
            0.5,
            "It is read from its own end, not from the padding behind it.",
            draw((1, 1), (1, 3), reverse=True),
            probe=everything,
        ),
        Few("together", 0.5, "Sentences of several lengths, read either way.", draw_batch, probe=everything),
        *fit_for_training(
            ARGUMENTS,
            VALUES,
            wrong.defined,
            gradient=(
                "Gradients reach every weight, the embeddings of all words read among them; a call changes no "
                "argument.",
                draw_batch,
            ),
            dtype=(
                "The states have the dtype of the weights, float64 or float32, and its precision.",
                draw((3, 6), bias=True),
            ),
            kind=Few,
            looks=partial(precisely, defined=wrong.defined),
        ),
    ),
    misconceptions=(
        Misconception(
            "tanh for the softsign",
            wrong.reading(layers.always_tanh),
            "one",
            "Your unit uses tanh. In this set it is `unit`, with the softsign.",
        ),
        Misconception(
            "bias left out",
            wrong.without_bias,
            "one",
            "You leave out b_h, which `unit` adds to the two products.",
        ),
        Misconception(
            "state set to 0 at padding",
            wrong.reading(layers.cleared_at_padding),
            "summary",
            "You set the state to 0 at padding, by a product with the mask, say: of a short sentence nothing is left "
            "in the summary. At padding the state stays as it was; `states` is 0 there.",
        ),
        Misconception(
            "one place behind the end read",
            wrong.reading(layers.one_too_far),
            "summary",
            "You read one place behind the last word: with places counted from 0, those below `lengths` are real.",
        ),
        Misconception(
            "state not carried",
            wrong.reading(layers.not_carried),
            "forward",
            "No state of yours depends on the one before it. The new state is handed on to the next step, and `unit` "
            "multiplies it by W_hh.",
        ),
        Misconception(
            "only the first word",
            wrong.reading(layers.first_step_only),
            "forward",
            "You return after the first word: does your `return` stand within the loop?",
        ),
        Misconception(
            "always read from the end",
            wrong.always_reversed,
            "forward",
            "You read from the end even where reverse is False.",
        ),
        Misconception(
            "summary of the last column",
            wrong.reading(layers.last_column),
            "summary",
            "Your summary is the state of the last column, where a shorter sentence has padding. Keep the state it had "
            "after its last real word.",
        ),
        Misconception(
            "summary from the last column of the states",
            wrong.last_of_states,
            "summary",
            "Your summary is states[:, -1]. For a shorter sentence that is 0, and for one that is read from its end it "
            "is the state after the first word that was read.",
        ),
        Misconception(
            "mean of the states",
            wrong.mean_of_states,
            "summary",
            "Your summary is the mean of the states. It is the state after the last word that was read.",
        ),
        Misconception(
            "summary of the first word",
            wrong.first_of_states,
            "summary",
            "Your summary is states[:, 0], the state at x_1. It is the state after the last word that was read.",
        ),
        Misconception(
            "states at padding kept",
            wrong.reading(layers.unmasked_outputs),
            "padding",
            "Your states at padding are what the unit makes of it. Nothing was read there: they are 0.",
        ),
        Misconception(
            "padding read, the state before kept",
            partial(wrong.at_padding, seen=layers.softsign_unit),
            "padding",
            "Your states at padding are what the unit makes of it. Nothing was read there: they are 0.",
        ),
        Misconception(
            "the state before repeated at padding",
            partial(wrong.at_padding, seen=lambda x, h, weights: h),
            "padding",
            "Your states at padding repeat the last one before it. Nothing was read there: they are 0.",
        ),
        Misconception(
            "no mask",
            partial(wrong.defined, layer=layers.padding_read, turn=turned_row, back=turned_row),
            "padding",
            "You read padding like words, also first, where you read from the end. At padding the state stays as it "
            "was, and `states` is 0.",
        ),
        Misconception(
            "padding read like words",
            wrong.reading(layers.padding_read),
            "padding",
            "You read padding like words. Behind the last word the state stays as it was, and `states` is 0.",
        ),
        Misconception(
            "never read from the end", wrong.never_reversed, "reversed", "You read forwards even where reverse is True."
        ),
        Misconception(
            "states not turned back",
            partial(wrong.defined, back=unturned),
            "reversed",
            "Your states stand in the order of reading. h_j stands where x_j does: turn them back.",
        ),
        Misconception(
            "summary at the last word",
            wrong.summary_at_the_end,
            "reversed",
            "Your summary is the state at x_n. Read from the end, that word was the first: at x_1 all has been read.",
        ),
        Misconception(
            "padding read first",
            partial(wrong.defined, turn=turned_row, back=turned_row),
            "reversed_padding",
            "You turn the whole row round: its padding comes first and is read as the sentence. Turn the n real words "
            "only.",
        ),
        Misconception(
            "gradient cut between steps",
            wrong.reading(layers.detached),
            "gradient",
            "Your values are right, but no gradient passes from a step to the one before: is there a detach, an item() "
            "or a new tensor made of numbers on the way of the state?",
        ),
        Misconception(
            "constant embeddings",
            wrong.constant_embeddings,
            "gradient",
            "The gradient does not reach the embeddings E: something on the way makes constants of them, as detach, "
            ".data and Embedding.from_pretrained do.",
        ),
        Misconception(
            "words turned in place",
            wrong.words_turned_in_place,
            "gradient",
            "You turn the words themselves, which belong to the caller. Make a new tensor.",
        ),
        Misconception(
            "state that starts in float32",
            wrong.reading(layers.starts_in_single_precision),
            "dtype",
            "You were given float64, and a tensor that you made is float32: they do not go together. Make it in the "
            "dtype of the weights: E.new_zeros(…), say.",
        ),
        *unfit.mistakes(wrong.defined, weights_from=2, returned=VALUES),
    ),
    forbidden=FORBIDDEN,
)
