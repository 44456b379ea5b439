"""The units: against torch's cells, against the slides' sums done by hand, and their gradients."""

import math

import pytest
import torch
from torch import nn

from course_lib.recurrent import GRU, LSTM, RNN, GRUCell, Layer, LSTMCell, RNNCell

CELLS = {
    "rnn": (RNNCell, {}),
    "rnn sigmoid": (RNNCell, {"activation": "sigmoid"}),
    "lstm": (LSTMCell, {}),
    "gru before": (GRUCell, {"reset": "before"}),
    "gru after": (GRUCell, {"reset": "after"}),
}
every_cell = pytest.mark.parametrize("name", CELLS)
with_and_without_bias = pytest.mark.parametrize("bias", [True, False])


def make(name: str, input_size: int = 3, hidden_size: int = 4, bias: bool = True):
    """A cell in float64 whose parameters are all random, biases too."""
    torch.manual_seed(0)
    kind, unit = CELLS[name]
    cell = kind(input_size, hidden_size, bias, **unit).double()
    for p in cell.parameters():
        nn.init.normal_(p)
    return cell


def random_state(cell, batch: int = 5):
    return tuple(torch.randn(batch, cell.hidden_size, dtype=torch.float64) for _ in range(cell.states))


def fill(cell, **views: float):
    """Set named weights of a cell of one unit; all others are 0."""
    with torch.no_grad():
        for p in cell.parameters():
            p.zero_()
        for name, value in views.items():
            getattr(cell, name).fill_(value)
    return cell


def σ(x: float) -> float:
    return 1 / (1 + math.exp(-x))


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("rnn", nn.RNNCell), ("lstm", nn.LSTMCell), ("gru after", nn.GRUCell)],
)
@with_and_without_bias
def test_a_cell_is_torchs(name, theirs, bias):
    cell = make(name, bias=bias)
    oracle = theirs(3, 4, bias).double()
    with torch.no_grad():
        for p, q in zip((oracle.weight_ih, oracle.weight_hh), (cell.W_x, cell.W_h), strict=True):
            p.copy_(q)
        if bias:
            oracle.bias_ih.copy_(cell.b)
            oracle.bias_hh.zero_()
            if name == "gru after":
                oracle.bias_hh[8:] = cell.b_hh
    x, state = torch.randn(5, 3, dtype=torch.float64), random_state(cell)
    expected = oracle(x, state if name == "lstm" else state[0])
    torch.testing.assert_close(cell(x, state), expected if name == "lstm" else (expected,))


def test_the_sigmoid_unit_by_hand():
    cell = fill(RNNCell(1, 1, activation="sigmoid"), W_xh=2.0, W_hh=-1.0, b_h=0.5)
    (h,) = cell(torch.tensor([[3.0]]), (torch.tensor([[0.25]]),))
    assert h.item() == pytest.approx(σ(2 * 3 - 0.25 + 0.5))


def test_the_lstm_by_hand_names_its_gates_as_the_slide():
    weights = dict(W_fx=0.1, W_fh=0.2, b_f=0.3, W_ix=-0.4, W_ih=0.5, b_i=-0.6, W_ox=0.7, W_oh=-0.8, b_o=0.9)
    cell = fill(LSTMCell(1, 1), **weights, W_xh=1.1, W_hh=-1.2, b_h=0.13)
    x, h, c = 2.0, 0.5, -1.5
    f, i, o = σ(0.1 * x + 0.2 * h + 0.3), σ(-0.4 * x + 0.5 * h - 0.6), σ(0.7 * x - 0.8 * h + 0.9)
    memory = f * c + i * math.tanh(1.1 * x - 1.2 * h + 0.13)
    new_h, new_c = cell(torch.tensor([[x]]), (torch.tensor([[h]]), torch.tensor([[c]])))
    assert new_c.item() == pytest.approx(memory)
    assert new_h.item() == pytest.approx(o * math.tanh(memory))


def test_the_slides_gru_by_hand_resets_before_the_product_and_z_weighs_the_candidate():
    cell = GRUCell(1, 2)
    with torch.no_grad():
        for p in cell.parameters():
            p.zero_()
        cell.b_r.copy_(torch.tensor([2.0, -1.0]))
        cell.W_zx.copy_(torch.tensor([[0.3, 0.4]]))
        cell.W_hh.copy_(torch.tensor([[0.5, -0.7], [1.5, 0.2]]))  # row: from which unit, column: to which
    h = [0.6, -0.9]
    r = [σ(2.0), σ(-1.0)]
    z = [σ(0.3 * 2), σ(0.4 * 2)]
    candidate = [
        math.tanh(0.5 * r[0] * h[0] + 1.5 * r[1] * h[1]),  # r ⊙ h first; r after the product would give r[0]·(…)
        math.tanh(-0.7 * r[0] * h[0] + 0.2 * r[1] * h[1]),
    ]
    (new,) = cell(torch.tensor([[2.0]]), (torch.tensor([h]),))
    assert new[0].tolist() == pytest.approx([(1 - z[k]) * h[k] + z[k] * candidate[k] for k in range(2)])


def test_with_the_reset_gate_open_the_two_grus_differ_by_the_sign_of_z_alone():
    before, after = make("gru before"), make("gru after")
    with torch.no_grad():
        after.W_x.copy_(before.W_x), after.W_h.copy_(before.W_h), after.b.copy_(before.b), after.b_hh.zero_()
        for theirs in (after.W_zx, after.W_zh, after.b_z):
            theirs.neg_()
        for cell in (before, after):
            cell.b_r.fill_(1e3)  # r = 1
    x, state = torch.randn(5, 3, dtype=torch.float64), random_state(before)
    torch.testing.assert_close(before(x, state), after(x, state))


@every_cell
@with_and_without_bias
def test_the_step_arranged_for_speed_is_the_slides(name, bias):
    cell = make(name, bias=bias)
    x, state = torch.randn(5, 3, dtype=torch.float64), random_state(cell)
    torch.testing.assert_close(cell.step(cell.project(x), state, *cell.recurrent_weights()), cell(x, state))


@every_cell
def test_gradients_of_the_layer(name):
    layer = Layer(make(name, 2, 3), reverse=True)
    x = torch.randn(2, 4, 2, dtype=torch.float64, requires_grad=True)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    parameters = dict(layer.named_parameters())

    def run(x, *values):
        outputs, state = torch.func.functional_call(
            layer, dict(zip(parameters, values, strict=True)), (x, mask, None, False, None)
        )
        return outputs, *state

    assert torch.autograd.gradcheck(run, (x, *parameters.values()))


def test_a_named_weight_is_a_view_gradients_and_writes_reach_the_parameter():
    cell = LSTMCell(3, 4)
    assert cell.W_fx.shape == (3, 4)
    cell.W_oh.sum().backward()
    assert cell.W_h.grad.sum(1).tolist() == [0.0] * 12 + [4.0] * 4
    with torch.no_grad():
        cell.W_ix[2, 1] = 7.0
    assert cell.W_x[1, 2] == 7.0


def test_initialisation_is_as_stated():
    torch.manual_seed(0)
    for cell in (RNNCell(20, 30), LSTMCell(20, 30), GRUCell(20, 30, reset="after")):
        for W_x, W_h in zip(cell.W_x.chunk(cell.gates), cell.W_h.chunk(cell.gates), strict=True):
            torch.testing.assert_close(W_h @ W_h.T, torch.eye(30))
            limit = math.sqrt(6 / (20 + 30))
            assert 0.95 * limit < W_x.abs().max() <= limit
    lstm = LSTMCell(2, 3)
    assert lstm.b_f.tolist() == [1.0] * 3
    assert lstm.b.sum() == 3 and not GRUCell(2, 3, reset="after").b_hh.any()
    again = GRUCell(2, 3, reset="after")
    nn.init.ones_(again.b_hh)
    again.reset_parameters()
    assert not again.b_hh.any()


@pytest.mark.parametrize(
    ("make_it", "message"),
    [
        (lambda: LSTMCell(0, 3), "input_size must be at least 1, got 0"),
        (lambda: LSTMCell(3, -1), "hidden_size must be at least 1, got -1"),
        (lambda: RNNCell(3, 3, activation="relu"), "activation must be"),
        (lambda: GRUCell(3, 3, reset="never"), 'reset must be "before" or "after"'),
        (lambda: LSTM(3, 3, 0), "num_layers must be at least 1, got 0"),
        (lambda: LSTM(3, 3, dropout=1.5), r"dropout must lie in \[0, 1\], got 1.5"),
        (lambda: GRU(3, 3, fused=True), "no kernel computes GRUCell"),
        (lambda: RNN(3, 3, activation="sigmoid", fused=True), "no kernel computes RNNCell"),
    ],
)
def test_what_cannot_be_is_refused(make_it, message):
    with pytest.raises(ValueError, match=message):
        make_it()
