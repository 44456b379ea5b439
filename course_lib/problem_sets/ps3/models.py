"""The encoder and the decoder of problem set 3 with weights that are given as data, and what may not do the work."""

from functools import partial
from random import Random

import torch
from torch import Tensor, nn

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import Numbers, tensor, time_and_lengths
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps2.units import SoftsignRNN, load
from course_lib.seq2seq.encoder_decoder import RNNDecoder
from course_lib.subwords.vocabulary import Vocabulary

Pairs = list[tuple[list[int], list[int]]]  # the ids of a source and of its target
Weights = dict[str, Tensor]  # E (vocabulary, embedding), W_xh, W_hh, b_h; of a decoder also W_t (hidden, embedding), b
Model = dict[str, Weights]  # "encoder" and "decoder"


def network(weights: Weights, reverse: bool = False) -> SoftsignRNN:
    """A layer of softsign units with these weights; gradients flow back to them."""
    made = SoftsignRNN(*weights["W_xh"].shape, reverse=reverse)
    load(made.layers[0][0].cell, {name: weights[name] for name in ("W_xh", "W_hh", "b_h")})
    return made


def decoder(weights: Weights) -> RNNDecoder:
    """A decoder that reads [E y; c] and whose output matrix is E."""
    (vocabulary, embedding), (inputs, hidden) = weights["E"].shape, weights["W_xh"].shape
    made = RNNDecoder(
        vocabulary,
        network(weights),
        at_each_step=True,
        context_size=inputs - embedding,
        bridge=inputs - embedding != hidden,
        width=embedding,
        tied=True,
    )
    put(made.embedding, weight=weights["E"])
    put(made.readout, U=weights["E"], b=weights["b"])
    put(made.readout.W, weight=weights["W_t"].T)
    return made


def without(weights: Weights, *names: str) -> Weights:
    """The weights, those with these names all 0."""
    return weights | {name: torch.zeros_like(weights[name]) for name in names}


def product(x: Tensor, h: Tensor, weights: Weights) -> Tensor:
    """W_xh^⊤ x + W_hh^⊤ h + b_h of each row."""
    return x @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"]


def special(pad: int, bos: int, eos: int) -> Vocabulary:
    """A vocabulary of nothing but the numbers of its special pieces."""
    made = Vocabulary([])
    made.pad_id, made.bos_id, made.eos_id = pad, bos, eos
    return made


def put(module: nn.Module, **values: Tensor) -> None:
    """These tensors in place of the module's parameters."""
    for name, value in values.items():
        delattr(module, name)
        setattr(module, name, value)


Few = partial(Numbers, graded=2)  # each case of random weights shows what is wrong
FORBIDDEN = (
    "course_lib.recurrent.network.Network.forward",
    "course_lib.recurrent.layer.Layer.forward",
)  # torch has no such unit


def in_no_order(rng: Random) -> tuple[int, list[int]]:
    """A time and the lengths of three sentences of it: the longest stands between the others, for who sorts them."""
    return until(lambda: time_and_lengths(rng, 6), lambda time, lengths: lengths[1] == time)


def encoder_weights(rng: Random, vocabulary: int, embedding: int, hidden: int) -> Weights:
    """Weights of an encoder of so many words."""
    return {"E": tensor(rng, vocabulary, embedding), **units.weights(rng, embedding, hidden)}


def decoder_weights(rng: Random, vocabulary: int, embedding: int, hidden: int, context: int) -> Weights:
    """Weights of a decoder of so many words."""
    return {
        "E": tensor(rng, vocabulary, embedding),
        **units.weights(rng, embedding + context, hidden),
        "W_t": tensor(rng, hidden, embedding),
        "b": tensor(rng, vocabulary),
    }


def model_weights(rng: Random, vocabulary: int) -> Model:
    """An encoder and a decoder whose states are equally wide, so that one can start from the other's last."""
    embedding, hidden = rng.sample(range(2, 5), 2)
    return {
        "encoder": encoder_weights(rng, vocabulary, embedding, hidden),
        "decoder": decoder_weights(rng, vocabulary, embedding, hidden, hidden),
    }
