"""The models that stand keep to the protocol; and each check of it fails for a model that breaks it."""

from dataclasses import replace

import pytest
import torch
from torch.nn.functional import one_hot

from course_lib.attention import Additive, Dot, Multiplicative, ScaledDot
from course_lib.recurrent import GRU, LSTM, RNN, RNNEncoder
from course_lib.search.ensemble import Ensemble
from course_lib.seq2seq.attentive import BahdanauDecoder, LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.seq2seq.protocol import Step
from course_lib.transformer import Config, Transformer
from tests import protocol
from tests.toy import ToyModel, ToyState

STEP = {4: 0.25, 5: 0.5, 3: 0.25}
TABLES = [
    {(): {4: 0.5, 5: 0.25, 8: 0.25}, (4,): STEP, (5,): {6: 1.0}, (4, 5): {7: 0.75, 3: 0.25}, (5, 5): STEP},
    {(): {6: 1.0}, (6,): STEP, (6, 5): {6: 0.5, 3: 0.5}, (7, 5): {8: 0.125, 3: 0.875}},
    {(): STEP, (7,): {4: 0.5, 3: 0.5}, (4, 5): {3: 1.0}, (6, 5): STEP},
]


def toy(cls=ToyModel):
    return cls(TABLES, 9)


def recurrent(network):
    torch.manual_seed(0)
    encoder = RNNEncoder(9, network(5, 6, 2, bidirectional=True, dropout=0.5))
    return EncoderDecoder(encoder, RNNDecoder(9, network(4, 12, 2, dropout=0.5)))


def translator(decoder, encoder):
    torch.manual_seed(0)
    return EncoderDecoder(RNNEncoder(9, encoder), decoder())


def one_way(network, **options):
    return network(5, 6, 2, dropout=0.5, **options)


def both_ways(network):
    return network(5, 3, 2, dropout=0.5, bidirectional=True)


def transformer(**options):
    torch.manual_seed(0)
    sizes = {"vocabulary_size": 9, "d_model": 8, "d_ff": 12, "heads": 2, "layers": 2, "dropout": 0.5}
    return Transformer(Config(**sizes | options))


MODELS = {
    "toy": toy,
    "RNN": lambda: recurrent(RNN),
    "LSTM": lambda: recurrent(LSTM),
    "GRU": lambda: recurrent(GRU),
    "LSTM, fused": lambda: recurrent(lambda *sizes, **options: LSTM(*sizes, **options, fused=True)),
    "source reversed": lambda: translator(lambda: RNNDecoder(9, LSTM(4, 6)), one_way(LSTM, reverse=True)),
    "summary at each step": lambda: translator(
        lambda: RNNDecoder(9, GRU(10, 6, 2), at_each_step=True, bridge=True), both_ways(GRU)
    ),
    "tied, narrowed": lambda: translator(lambda: RNNDecoder(9, LSTM(4, 6), width=4, tied=True), one_way(LSTM)),
    "Bahdanau": lambda: translator(lambda: BahdanauDecoder(9, GRU(10, 6), Additive(6, 6, 5, True), 6), both_ways(GRU)),
    "Bahdanau, deep, tied": lambda: translator(
        lambda: BahdanauDecoder(
            9, LSTM(9, 7, 3, residual=True), Multiplicative(7, 6), 6, bridge=True, width=3, tied=True
        ),
        both_ways(LSTM),
    ),
    "Luong": lambda: translator(lambda: LuongDecoder(9, LSTM(4, 6, 2), Dot(), 6), both_ways(LSTM)),
    "Luong, tied": lambda: translator(
        lambda: LuongDecoder(9, GRU(4, 7), Additive(7, 6, 5), 6, bridge=True, width=4, tied=True), one_way(GRU)
    ),
    "Luong, feeding": lambda: translator(
        lambda: LuongDecoder(9, LSTM(10, 6, 2, residual=True), ScaledDot(), 6, feeding=True), both_ways(LSTM)
    ),
    "Luong, feeding, tied": lambda: translator(
        lambda: LuongDecoder(9, RNN(8, 6), Dot(), 6, feeding=True, width=4, tied=True), one_way(RNN)
    ),
    "Transformer": lambda: transformer(fused=False),
    "Transformer, fused": transformer,
    "Transformer, pre-norm, untied, other widths": lambda: transformer(norm="pre", tied=False, d_k=3, d_v=5, heads=3),
    "Transformer, learned positions": lambda: transformer(positions="learned", max_length=12, decoder_layers=1),
    "ensemble": lambda: Ensemble([MODELS["Bahdanau"](), MODELS["Luong"]()]),
    "ensemble of unlike models": lambda: Ensemble([MODELS["Transformer"](), MODELS["Luong"]()], "logarithms"),
}


@pytest.mark.parametrize("check", protocol.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", MODELS)
def test_a_model_keeps_to_the_protocol(name, check):
    check(MODELS[name]())


@pytest.mark.parametrize(
    "check", [each for each in protocol.CHECKS if each is not protocol.gradients], ids=lambda check: check.__name__
)
@pytest.mark.parametrize("name", [name for name in MODELS if "Transformer" in name or "unlike" in name])
def test_a_transformer_keeps_to_it_in_inference_mode_too(name, check):
    """There its states share what they keep of the words so far."""
    model = MODELS[name]()
    with torch.inference_mode():
        check(model)


class DoesNotSumToOne(ToyModel):
    def step(self, previous, state):
        step = super().step(previous, state)
        return replace(step, log_probs=(step.log_probs - 0.01).float())


class AttendsToPadding(ToyModel):
    def step(self, previous, state):
        return replace(super().step(previous, state), attention=torch.full(state.source_mask.shape, 0.1))


class OtherForward(ToyModel):
    def forward(self, source, source_mask, target_in):
        return 2 * super().forward(source, source_mask, target_in)


class SeesWhatFollows(ToyModel):
    def forward(self, source, source_mask, target_in):
        following = one_hot(target_in.roll(-1, dims=1), 9)
        return super().forward(source, source_mask, target_in) + following


class ReadsPadding(ToyModel):
    def encode(self, source, source_mask):
        return torch.ones_like(source_mask)

    def forward(self, source, source_mask, target_in):
        return super().forward(source, torch.ones_like(source_mask), target_in)


class Deaf(ToyModel):
    def start(self, memory):
        return replace(super().start(memory), tables=[0] * len(memory))


class MixesWords(ToyModel):
    def start(self, memory):
        return StateThatMixesWords(**vars(super().start(memory)))


class StateThatMixesWords(ToyState):
    """`select` moves the sentences, and leaves the words written so far where they were."""

    def select(self, rows):
        return replace(super().select(rows), words=(self.words * len(rows))[: len(rows)])


class InPlace(ToyModel):
    def step(self, previous, state):
        step = super().step(previous, state)
        state.words[:] = step.state.words
        return step


class SpoilsItsMemory(ToyModel):
    def start(self, memory):
        state = super().start(memory.clone())
        memory.logical_not_()
        return state


class Detached(ToyModel):
    def step(self, previous, state):
        step = super().step(previous, state)
        return Step(step.log_probs.detach().requires_grad_(), step.state, step.attention)


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (DoesNotSumToOne, protocol.ids_and_types),
        (AttendsToPadding, protocol.ids_and_types),
        (OtherForward, protocol.steps_are_forward),
        (SeesWhatFollows, protocol.forward_does_not_see_what_follows),
        (ReadsPadding, protocol.batch_invariance),
        (ReadsPadding, protocol.padding_does_not_matter),
        (Deaf, protocol.the_source_matters),
        (MixesWords, protocol.select),
        (InPlace, protocol.arguments_stay),
        (SpoilsItsMemory, protocol.arguments_stay),
        (Detached, protocol.gradients),
    ],
    ids=lambda value: value.__name__,
)
def test_each_check_fails_for_a_model_that_breaks_it(broken, check):
    with pytest.raises(AssertionError):
        check(toy(broken))


def test_every_check_is_seen_to_fail():
    (mark,) = test_each_check_fails_for_a_model_that_breaks_it.pytestmark
    assert {check for _, check in mark.args[1]} == set(protocol.CHECKS)
