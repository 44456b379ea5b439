"""GNMT against a composition of torch.nn.LSTM, and the protocol of all models."""

import pytest
import torch
from torch import nn

from course_lib.recurrent import Cell, gradient_norms
from course_lib.systems.gnmt import GNMT, GNMTConfig
from tests.protocol import CHECKS, drawn, walk

V = 9
OPTIONS = [{}, {"fused": False, "residual": False}, {"layers": 2, "embedding": 4, "tied": True}]


def model(layers=4, dtype=torch.float32, **options):
    torch.manual_seed(0)
    made = GNMT(GNMTConfig(V, **{"embedding": 3, "hidden": 4, "layers": layers, **options})).to(dtype)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return made


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_to_the_protocol(check, options):
    check(model(**options))


@torch.no_grad()
def theirs(*cells: Cell) -> nn.LSTM:
    """torch's layer of one or two directions with our weights; its second bias is 0."""
    first = cells[0]
    lstm = nn.LSTM(first.input_size, first.hidden_size, batch_first=True, bidirectional=len(cells) == 2)
    for cell, suffix in zip(cells, ("", "_reverse"), strict=False):
        values = {"weight_ih": cell.W_x, "weight_hh": cell.W_h, "bias_ih": cell.b, "bias_hh": torch.zeros_like(cell.b)}
        for name, value in values.items():
            getattr(lstm, f"{name}_l0{suffix}").copy_(value)
    return lstm.double()


@torch.no_grad()
def by_hand(gnmt: GNMT, source, target_in, residual: bool):
    """Logits and weights of one sentence: layer over layer, word after word, on torch's LSTM."""
    encoder, decoder = gnmt.encoder, gnmt.decoder
    bottom = theirs(*(layer.cell for layer in encoder.bottom.layers[0]))
    x, (h, c) = bottom(encoder.embedding(source)[None])
    states = [(h[1:], c[1:])]  # the way back
    for number, (layer,) in enumerate(encoder.upper.layers):
        y, state = theirs(layer.cell)(x)
        x = x + y if residual and number else y
        states.append(state)
    cells = [decoder.bottom.layers[0][0].cell, *(layer.cell for layer in decoder.upper)]
    stack, score, logits, weights = [theirs(cell) for cell in cells], decoder.score, [], []
    for word in target_in:
        s = states[0][0][0, 0]
        e = torch.stack([score.v @ torch.tanh(score.W_1.weight @ h_j + score.W_2.weight @ s) for h_j in x[0]])
        weights.append(e.softmax(0))
        context = sum(α * h_j for α, h_j in zip(weights[-1], x[0], strict=True))
        below = decoder.embedding.weight[word]
        for depth, lstm in enumerate(stack):
            y, states[depth] = lstm(torch.cat([below, context])[None, None], states[depth])
            below = y[0, 0] + below if residual and depth >= 2 else y[0, 0]
        logits.append(decoder.readout.U @ below + decoder.readout.b)
    return torch.stack(logits), torch.stack(weights)


@pytest.mark.parametrize("layers", [2, 3, 5])
@pytest.mark.parametrize("residual", [True, False])
def test_it_is_the_composition_of_torchs_layers(layers, residual):
    gnmt = model(layers, torch.float64, residual=residual)
    source, mask, target_in = drawn(gnmt)
    together, steps = gnmt(source, mask, target_in), walk(gnmt, source, mask, target_in)
    for row, words in enumerate(target_in):
        n = int(mask[row].sum())
        logits, weights = by_hand(gnmt, source[row, :n], words, residual)
        torch.testing.assert_close(together[row], logits, rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(
            torch.stack([step.attention[row, :n] for step in steps]), weights, rtol=1e-5, atol=1e-6
        )


def test_residual_connections_begin_at_the_third_layer():
    for layers, same in ((2, True), (3, False)):
        one, other = (model(layers, residual=residual) for residual in (True, False))
        inputs = drawn(one)
        assert torch.equal(one(*inputs), other(*inputs)) == same


def test_gradients_are_right():
    gnmt = model(3, torch.float64, fused=False)
    source, mask, target_in = drawn(gnmt, (2, 1))
    parameters = dict(gnmt.named_parameters())

    def logits(*values):
        given = dict(zip(parameters, values, strict=True))
        return torch.func.functional_call(gnmt, given, (source, mask, target_in[:, :2]))

    assert torch.autograd.gradcheck(logits, tuple(parameters.values()), fast_mode=True)


def test_the_kernel_computes_the_equations():
    equations, fused = model(fused=False), model(fused=True)
    inputs = drawn(fused)
    torch.testing.assert_close(equations(*inputs), fused(*inputs))


def test_dropout_falls_in_training_only():
    gnmt = model(dropout=0.5)
    inputs = drawn(gnmt)
    assert not torch.equal(gnmt.train()(*inputs), gnmt(*inputs))
    assert torch.equal(gnmt.eval()(*inputs), gnmt(*inputs))


def test_more_gradient_reaches_the_second_layer_of_a_deep_stack_with_residual_connections():
    """∂h_T/∂x² of the encoder's stack above its bottom, at the last word: through ten layers."""
    left = {}
    for residual in (True, False):
        torch.manual_seed(0)
        upper = GNMT(GNMTConfig(V, embedding=8, hidden=8, layers=12, residual=residual)).encoder.upper
        left[residual] = float(gradient_norms(upper, torch.randn(4, 6, 16))[0])
    assert left[True] > 10 * left[False]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"layers": 1}, "layers must be at least 2, got 1"),
        ({"hidden": 0}, "hidden must be at least 1, got 0"),
        ({"dropout": 1.5}, r"dropout must lie in \[0, 1\], got 1.5"),
        ({"tied": True}, "embedding must be 4 wide, as hidden, to be tied, got 3"),
    ],
)
def test_what_cannot_be_built_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        model(**options)
