"""The mixture of experts: against a dense one, numbers by hand, and what its noise and its losses do."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from course_lib.corpora.batches import collate
from course_lib.subwords import Vocabulary
from course_lib.systems.mixture import (
    MixtureOfExperts,
    NoisyTopK,
    Routing,
    routings,
    squared_variation,
    with_experts,
    words_of_experts,
)
from course_lib.transformer import Config, FeedForward, Transformer
from tests.protocol import CHECKS


def mixture(experts=4, k=2, dtype=torch.float64):
    torch.manual_seed(0)
    made = MixtureOfExperts(6, 8, experts, k).to(dtype)
    with torch.no_grad():
        for W in (made.gate.W_g, made.gate.W_n):
            W.normal_()
    return made.eval()


def words(*shape, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1), dtype=dtype)


def test_with_all_experts_it_is_the_dense_mixture():
    made, x = mixture(k=4), words(2, 5, 6)
    g = (x @ made.gate.W_g).softmax(-1)
    dense = sum(g[..., e : e + 1] * expert(x) for e, expert in enumerate(made.experts))
    torch.testing.assert_close(made(x), dense)


@given(st.integers(1, 4))
def test_a_word_asks_k_experts_and_its_gates_are_the_softmax_of_the_k_largest(k):
    made, x = mixture(k=k), words(7, 6)
    for word, H, g, y in zip(
        *(each.detach() for each in (x, x @ made.gate.W_g, made.gate(x).gates, made(x))), strict=True
    ):
        best = H.argsort(descending=True)[:k].tolist()
        total = sum(math.exp(H[e]) for e in best)
        expected = [math.exp(H[e]) / total if e in best else 0.0 for e in range(4)]
        torch.testing.assert_close(g, torch.tensor(expected, dtype=torch.float64))
        torch.testing.assert_close(y, sum(expected[e] * made.experts[e](word) for e in best))


def test_gradients_are_right():
    made, x = mixture(), words(3, 6).requires_grad_()
    parameters = dict(made.named_parameters())
    parameters.pop("gate.W_n")  # of the noise, which there is in training only

    def y(x, *values):
        return torch.func.functional_call(made, dict(zip(parameters, values, strict=True)), (x,))

    assert torch.autograd.gradcheck(y, (x, *parameters.values()), fast_mode=True)


def test_at_first_the_noise_alone_chooses_and_outside_training_there_is_none():
    torch.manual_seed(0)
    gate, x = NoisyTopK(6, 4, 1), words(4000, 6, dtype=torch.float32)
    shares = gate(x).chosen.float().mean(0)
    torch.testing.assert_close(shares, torch.full((4,), 0.25), rtol=0, atol=0.03)
    assert torch.equal(gate.eval()(x).gates, gate(x).gates)
    assert len(gate(x).chosen.unique(dim=0)) == 1


@pytest.mark.parametrize("k", [1, 2])
def test_chances_are_how_often_a_word_would_ask_an_expert_if_its_noise_were_drawn_again(k):
    """One expert's noise is drawn many times, that of the others stays: how often is it among the k?"""
    gate = mixture(k=k).gate.train()
    x = words(6)
    torch.manual_seed(5)
    ε = torch.randn(4, dtype=torch.float64)
    σ = torch.nn.functional.softplus(x @ gate.W_n) + 0.01
    torch.manual_seed(5)
    chances = gate(x).chances.detach()
    for e in range(4):
        H = (x @ gate.W_g + ε * σ).repeat(40_000, 1)
        H[:, e] = x @ gate.W_g[:, e] + torch.randn(40_000, dtype=torch.float64) * σ[e]
        often = (H.argsort(1, descending=True)[:, :k] == e).any(1).double().mean()
        assert float(chances[e]) == pytest.approx(float(often), abs=0.01)


def test_the_load_pulls_the_noise_and_the_gate():
    made = mixture().train()
    made.gate(words(20, 6)).balance_loss().backward()
    assert made.gate.W_g.grad.any() and made.gate.W_n.grad.any()


def test_balance_by_hand():
    gates = torch.tensor([[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]])
    found = Routing(gates, (gates > 0).float())
    assert found.importance().tolist() == [1.75, 1.25] and found.load().tolist() == [2, 2]
    assert float(found.balance_loss(0.5)) == pytest.approx(0.5 * (0.25 / 1.5) ** 2)
    mask = torch.tensor([True, True, False])
    assert found.importance(mask).tolist() == [1.75, 0.25] and found.load(mask).tolist() == [2, 1]
    assert float(squared_variation(torch.tensor([1.0, 3.0]))) == 0.25
    assert float(squared_variation(torch.full((5,), 2.0))) == 0


@pytest.mark.parametrize("balanced", [False, True])
def test_descent_on_the_balance_loss_makes_the_load_even_and_without_it_nothing_does(balanced):
    torch.manual_seed(0)
    made, x = mixture(8, 2).train(), words(400, 6)
    before = float(squared_variation(made.gate(x).chosen.double().sum(0)))
    adam = torch.optim.Adam(made.gate.parameters(), 0.05)
    for _ in range(60 if balanced else 0):
        adam.zero_grad()
        made.gate(x).balance_loss(1.0).backward()
        adam.step()
    after = float(squared_variation(made.gate(x).chosen.double().sum(0)))
    assert (after < before / 4) == balanced


@pytest.mark.parametrize("k", [1, 3])
def test_more_experts_are_more_parameters_and_no_more_products(k):
    dense, made = FeedForward(6, 8), mixture(5, k, torch.float32)
    own, theirs = (sum(θ.numel() for θ in module.parameters()) for module in (made.experts, dense))
    assert own == 5 * theirs
    x = words(7, 6, dtype=torch.float32)
    counted = []
    for module in (made, dense):
        with FlopCounterMode(display=False) as counter:
            module(x)
        counted.append(counter.get_total_flops())
    assert counted[0] == k * counted[1] + 2 * 7 * 6 * 5  # and x W_g


def transformer(k=2):
    torch.manual_seed(0)
    model = with_experts(Transformer(Config(9, 8, 6, 2, 2, dropout=0.0, fused=False)), 3, k)
    with torch.no_grad():
        for name, W in model.named_parameters():
            if name.endswith(("W_g", "W_n")):
                W.normal_()
            elif name.endswith("W_1.bias"):
                W.fill_(0.5)  # else an expert of few words may have a unit that is always off
    return model


@pytest.mark.parametrize(
    "check", [check for check in CHECKS if check.__name__ != "gradients"], ids=lambda c: c.__name__
)
def test_a_transformer_with_experts_keeps_to_the_protocol(check):
    """But for the gradients: without noise W_n has none."""
    check(transformer())


def test_each_layer_tells_who_gets_which_words():
    model, vocabulary = transformer().eval(), Vocabulary("abcde")
    batch = collate([([4, 5, 4], [6]), ([5], [7, 8])], vocabulary)
    with routings(model) as found:
        model(batch.source, batch.source_mask, batch.target_in)
    assert len(found) == 4 and [each.gates.shape[1] for each in found] == [4, 4, 3, 3]
    model(batch.source, batch.source_mask, batch.target_in)
    assert len(found) == 4
    counts = words_of_experts(found[0], batch.source, batch.source_mask)
    assert len(counts) == 3 and sum(sum(each.values()) for each in counts) == 2 * int(batch.source_mask.sum())
    assert vocabulary.pad_id not in {word for each in counts for word in each}
    with pytest.raises(ValueError, match=r"words must have the shape \(2, 4\), got \(2, 3\)"):
        words_of_experts(found[0], batch.target_in)


def test_counts_by_hand_the_most_frequent_first():
    gates = torch.tensor([[1.0, 0], [1.0, 0], [0.5, 0.5], [0, 1.0]])
    asked = torch.tensor([7, 5, 7, 6])
    assert [list(each.items()) for each in words_of_experts(Routing(gates, gates), asked)] == [
        [(7, 2), (5, 1)],
        [(6, 1), (7, 1)],
    ]


def test_mixtures_take_the_place_of_every_feed_forward_network_once():
    model = with_experts(transformer(), 2, 1)
    mixtures = [module for module in model.modules() if isinstance(module, MixtureOfExperts)]
    assert len(mixtures) == 4 and {expert.W_1.out_features for each in mixtures for expert in each.experts} == {6}
    narrow = with_experts(Transformer(Config(9, 8, 6, 2, 1)), 2, 1, width=3)
    assert narrow.encoder.layers[0].feed_forward.experts[1].W_1.out_features == 3


def test_sizes_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="k must be at most 3, the number of experts, got 4"):
        NoisyTopK(6, 3, 4)
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        MixtureOfExperts(6, 8, 3, 0)
