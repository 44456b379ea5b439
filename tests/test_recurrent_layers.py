"""Layers and networks over padded batches: against torch, alone against in a batch, equations against kernel."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.recurrent import GRU, LSTM, RNN, GRUCell, Layer, LSTMCell, from_torch, mask_from_lengths

TORCH = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}
OURS = {
    "rnn": lambda *sizes, **options: RNN(*sizes, **options),
    "lstm": lambda *sizes, **options: LSTM(*sizes, **options),
    "gru before": lambda *sizes, **options: GRU(*sizes, **options),
    "gru after": lambda *sizes, **options: GRU(*sizes, reset="after", **options),
}
FUSED = ["rnn", "lstm", "gru after"]


def biased(network):
    """The network with random biases: at zero, a misplaced one would go unseen."""
    for name, p in network.named_parameters():
        if name.endswith((".b", ".b_hh")):
            nn.init.normal_(p)
    return network


def gradients(loss, *inputs):
    return torch.autograd.grad(loss, inputs)


@pytest.mark.parametrize("kind", TORCH)
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("fused", [False, True])
def test_a_deep_network_over_padded_sentences_is_torchs_over_packed_ones(kind, bidirectional, bias, fused):
    torch.manual_seed(0)
    theirs = TORCH[kind](3, 4, 2, bidirectional=bidirectional, bias=bias, batch_first=True).double()
    ours = from_torch(theirs)
    ours.fused = fused
    x = torch.randn(4, 6, 3, dtype=torch.float64, requires_grad=True)
    lengths = torch.tensor([2, 6, 1, 4])
    start = tuple(torch.randn(2 * ours.directions, 4, 4, dtype=torch.float64) for _ in range(1 + (kind == "lstm")))

    packed, last = theirs(
        pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False), start if kind == "lstm" else start[0]
    )
    expected, _ = pad_packed_sequence(packed, batch_first=True)
    outputs, state = ours(x, mask_from_lengths(lengths, 6), start)
    torch.testing.assert_close(outputs, expected)
    torch.testing.assert_close(state, last if kind == "lstm" else (last,))

    weigh = torch.randn_like(expected)
    weights = [p for name, p in ours.named_parameters() if name.endswith(("W_x", "W_h"))]
    their_weights = [p for name, p in theirs.named_parameters() if name.startswith("weight")]
    expected = gradients((expected * weigh).sum(), x, *their_weights)
    torch.testing.assert_close(gradients((outputs * weigh).sum(), x, *weights), expected)


@pytest.mark.parametrize("kind", FUSED)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_equations_and_kernel_are_equal_forward_and_backward(kind, reverse, padded, dtype):
    torch.manual_seed(0)
    layer = Layer(biased(OURS[kind](5, 7)).layers[0][0].cell, reverse).to(dtype)
    x = torch.randn(4, 9, 5, dtype=dtype, requires_grad=True)
    mask = mask_from_lengths(torch.tensor([9, 3, 1, 6]), 9) if padded else None
    start = tuple(torch.randn(4, 7, dtype=dtype, requires_grad=True) for _ in range(layer.cell.states))
    weigh = torch.randn(4, 9, 7, dtype=dtype)
    results = []
    for fused in (False, True):
        outputs, state = layer(x, mask, start, fused)
        loss = (outputs * weigh).sum() + sum(s.square().sum() for s in state)
        results.append((outputs, state, gradients(loss, x, *start, *layer.parameters())))
    tolerance = {} if dtype == torch.float64 else {"rtol": 1e-4, "atol": 1e-5}
    torch.testing.assert_close(*results, **tolerance)


@pytest.mark.parametrize(
    ("kind", "kernel"), [("rnn", "aten::rnn_tanh"), ("lstm", "aten::lstm"), ("gru after", "aten::gru")]
)
@pytest.mark.parametrize("padded", [False, True])
def test_fused_runs_the_kernel_and_the_equations_do_not(kind, kernel, padded):
    network = OURS[kind](3, 4)
    x, mask = torch.randn(2, 5, 3), mask_from_lengths(torch.tensor([5, 3]), 5) if padded else None
    for network.fused in (True, False):
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
            network(x, mask)
        assert (kernel in {event.key for event in profile.key_averages()}) == network.fused


@pytest.mark.skipif(not torch.cuda.is_available(), reason="cuDNN runs on CUDA alone")
@pytest.mark.parametrize("kind", FUSED)
@pytest.mark.parametrize("padded", [False, True])
def test_on_a_gpu_fused_runs_cudnn_and_equals_the_equations(kind, padded, monkeypatch):
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", False)  # products as exact as ours
    torch.manual_seed(0)
    network = biased(OURS[kind](16, 32, 2, bidirectional=True)).cuda()
    x = torch.randn(4, 9, 16, device="cuda", requires_grad=True)
    mask = mask_from_lengths(torch.tensor([9, 3, 1, 6], device="cuda"), 9) if padded else None
    results = []
    for network.fused in (False, True):
        with torch.profiler.profile() as profile:
            outputs, state = network(x, mask)
        assert ("aten::_cudnn_rnn" in {event.key for event in profile.key_averages()}) == network.fused
        results.append((outputs, state, gradients(outputs.square().sum(), x, *network.parameters())))
    torch.testing.assert_close(*results, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", OURS)
@settings(max_examples=15)
@given(data=st.data())
def test_a_sentence_gives_the_same_alone_and_padded_in_a_batch(kind, data):
    lengths = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4), label="lengths")
    time = max(lengths) + data.draw(st.integers(0, 3), label="extra padding")
    options = data.draw(st.fixed_dictionaries({"bidirectional": st.booleans(), "residual": st.booleans()}))
    fused = kind in FUSED and data.draw(st.booleans(), label="fused")
    torch.manual_seed(0)
    network = biased(OURS[kind](3, 4, 2, fused=fused, **options)).double()
    x = torch.randn(len(lengths), time, 3, dtype=torch.float64)
    outputs, state = network(x, mask_from_lengths(torch.tensor(lengths), time))
    for row, length in enumerate(lengths):
        alone, last = network(x[row : row + 1, :length])
        torch.testing.assert_close(outputs[row : row + 1, :length], alone)
        assert not outputs[row, length:].any()
        torch.testing.assert_close(tuple(s[:, row : row + 1] for s in state), last)


@pytest.mark.parametrize("kind", OURS)
def test_the_equations_skip_padding_wherever_it_stands(kind):
    torch.manual_seed(0)
    network = biased(OURS[kind](3, 4, 2, bidirectional=True)).double()
    sentence = torch.randn(1, 3, 3, dtype=torch.float64)
    places = torch.tensor([[False, True, False, True, True, False]])
    x = torch.full((1, 6, 3), 9.0, dtype=torch.float64)
    x[places] = sentence[0]
    outputs, state = network(x, places)
    alone, last = network(sentence)
    torch.testing.assert_close(outputs[places], alone[0])
    torch.testing.assert_close(state, last)


def test_reading_goes_on_from_a_state():
    torch.manual_seed(0)
    network, x = LSTM(3, 4, 2), torch.randn(2, 7, 3)
    whole, last = network(x)
    head, state = network(x[:, :3])
    tail, end = network(x[:, 3:], state=state)
    torch.testing.assert_close(torch.cat([head, tail], 1), whole)
    torch.testing.assert_close(end, last)


@pytest.mark.parametrize("bidirectional", [False, True])
def test_a_residual_network_adds_each_layers_input_but_the_bottoms(bidirectional):
    torch.manual_seed(0)
    network = LSTM(4, 4, 3, residual=True, bidirectional=bidirectional)
    x = torch.randn(2, 5, 4)

    def read(depth, x):
        return torch.cat([layer(x)[0] for layer in network.layers[depth]], dim=2)

    first = read(0, x)
    second = first + read(1, first)
    torch.testing.assert_close(network(x)[0], second + read(2, second))


def test_dropout_falls_between_layers_in_training_only_and_spares_the_residual_path():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 3)
    for residual in (False, True):
        network = GRU(3, 4, 2, dropout=1.0, residual=residual)
        (bottom,), (top,) = network.layers
        below = bottom(x)[0]
        expected = top(torch.zeros_like(below))[0] + (below if residual else 0)
        torch.testing.assert_close(network(x)[0], expected)
        assert not torch.allclose(network.eval()(x)[0], expected)
    half = GRU(3, 4, 1, dropout=0.5)
    torch.testing.assert_close(half(x), half.eval()(x))


def test_a_sentence_as_one_vector_is_the_top_layers_last_state_of_both_directions():
    network, x = LSTM(3, 4, 2, bidirectional=True), torch.randn(2, 5, 3)
    outputs, state = network(x)
    summary = network.summary(state)
    torch.testing.assert_close(summary, torch.cat([outputs[:, -1, :4], outputs[:, 0, 4:]], 1))


@pytest.mark.parametrize("kind", OURS)
def test_networks_run_in_bfloat16_autocast(kind):
    torch.manual_seed(0)
    network, x = OURS[kind](8, 16, 2, fused=kind == "lstm"), torch.randn(2, 5, 8)
    with torch.autocast("cpu", torch.bfloat16):
        rounded, _ = network(x, mask_from_lengths(torch.tensor([5, 2]), 5))
    exact, _ = network(x, mask_from_lengths(torch.tensor([5, 2]), 5))
    torch.testing.assert_close(rounded.float(), exact, rtol=0.05, atol=0.02)
    assert not torch.equal(rounded.float(), exact)


HOLE = torch.tensor([[True, False, True], [True, True, True]])
EMPTY = torch.tensor([[False, False, False], [True, True, True]])


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (lambda: LSTM(3, 4)(torch.zeros(2, 0, 3)), "at least one time step"),
        (lambda: LSTM(3, 4, 2)(torch.zeros(2, 3, 3), state=(torch.zeros(1, 2, 4),) * 2), "must hold 2 layers"),
        (lambda: LSTM(3, 4, fused=True)(torch.zeros(2, 3, 3), HOLE), "padding only at its end"),
        (lambda: LSTM(3, 4, fused=True)(torch.zeros(2, 3, 3), EMPTY), "at least one token"),
        (lambda: Layer(GRUCell(3, 4))(torch.zeros(2, 3, 3), fused=True), "no kernel computes GRUCell"),
        (lambda: mask_from_lengths(torch.tensor([1, 5]), 4), r"lengths must lie in 0..4 \(time\), got \[1, 5\]"),
        (lambda: from_torch(nn.RNN(3, 4, nonlinearity="relu")), "module must be an nn.RNN of tanh"),
        (lambda: from_torch(nn.LSTM(3, 4, proj_size=2)), "without projections"),
    ],
)
def test_what_cannot_be_is_refused(run, message):
    with pytest.raises(ValueError, match=message):
        run()


def test_the_equations_read_an_empty_sentence_as_nothing():
    outputs, state = Layer(LSTMCell(3, 4))(torch.randn(2, 3, 3), EMPTY)
    assert not outputs[0].any() and not any(s[0].any() for s in state)
    assert outputs[1].all()
