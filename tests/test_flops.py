"""Operations from shapes, against those that torch's counter sees while the models run."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from course_lib.systems.flops import (
    Operations,
    gnmt_operations,
    training_operations,
    transformer_operations,
)
from course_lib.systems.gnmt import GNMT, GNMTConfig
from course_lib.systems.mixture import with_experts
from course_lib.training.losses import cross_entropy
from course_lib.transformer import Config, Transformer

LENGTHS = st.integers(1, 6)
V = 11


def batch(n, m):
    words = [torch.randint(4, V, (1, length)) for length in (n, m)]
    return words[0], torch.ones(1, n, dtype=torch.bool), words[1]


def counted(compute):
    with FlopCounterMode(display=False) as counter:
        compute()
    return counter.get_total_flops()


def transformer(**options):
    sizes = {"d_model": 8, "d_ff": 12, "heads": 2, "layers": 3, "decoder_layers": 2, "fused": False}
    return Transformer(Config(V, **{**sizes, **options}))


@settings(max_examples=20)
@given(LENGTHS, LENGTHS, st.sampled_from([{}, {"d_k": 3, "d_v": 5}, {"decoder_layers": None}]))
def test_a_transformer_reads_a_pair(n, m, options):
    model, inputs = transformer(**options), batch(n, m)
    expected = transformer_operations(model.config, n, m)
    assert counted(lambda: model(*inputs)) == expected.total
    assert counted(lambda: model.encoder(torch.randn(1, n, 8))) == expected.encoder
    assert counted(lambda: model.readout(torch.randn(1, m, 8))) == expected.readout


@settings(max_examples=20)
@given(LENGTHS, LENGTHS)
def test_a_transformer_writes_with_a_cache(n, m):
    model, (source, mask, target_in) = transformer(), batch(n, m)

    @torch.inference_mode()
    def write():
        state = model.start(model.encode(source, mask))
        for word in target_in.unbind(1):
            state = model.step(word, state).state

    assert counted(write) == transformer_operations(model.config, n, m, writing=True).total


@pytest.mark.parametrize("asked", [1, 2])
def test_a_transformer_with_experts_reads_and_writes(asked):
    made = with_experts(transformer(), 5, asked, 12 // asked)
    (source, mask, target_in), options = batch(5, 4), {"experts": 5}
    made.train()
    assert counted(lambda: made(source, mask, target_in)) == transformer_operations(made.config, 5, 4, **options).total
    made.eval()

    @torch.inference_mode()
    def write():
        state = made.start(made.encode(source, mask))
        for word in target_in.unbind(1):
            state = made.step(word, state).state

    assert counted(write) == transformer_operations(made.config, 5, 4, writing=True, **options).total


def additive(config, n, m):
    """The scores' product with the vector v: torch's counter does not see a matrix times a vector."""
    return 2 * config.hidden * n * m


@settings(max_examples=20)
@given(LENGTHS, LENGTHS, st.integers(2, 4))
def test_gnmt_reads_a_pair(n, m, layers):
    model, inputs = GNMT(GNMTConfig(V, embedding=5, hidden=4, layers=layers, fused=False)), batch(n, m)
    expected = gnmt_operations(model.config, n, m)
    assert counted(lambda: model(*inputs)) + additive(model.config, n, m) == expected.total
    assert counted(lambda: model.encoder(*inputs[:2])) == expected.encoder


def test_a_training_step_costs_three_times_as_much():
    model, (source, mask, target) = transformer(), batch(5, 4)

    def step():
        cross_entropy(model(source, mask, target), target, torch.ones(1, 4, dtype=torch.bool)).backward()

    pair = transformer_operations(model.config, 5, 4)
    assert counted(step) == training_operations([pair]) == 3 * pair.total
    assert training_operations([pair, Operations(1, 2, 3)], epochs=2) == 6 * (pair.total + 6)


def test_the_papers_base_model_costs_about_what_its_parameters_say():
    """Two operations a parameter and word where sentences are short, so training takes 6ND (Kaplan et al. 2020)."""
    config = Config(37_000)
    with torch.device("meta"):
        parameters = sum(θ.numel() for θ in Transformer(config).parameters())
    words = 25
    assert transformer_operations(config, words, words).total / (2 * words * parameters) == pytest.approx(1, abs=0.35)
