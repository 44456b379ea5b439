"""Lecture 03: what it keeps of Thadani's recurrent networks, each thing shown by a cell, in the order of the slides."""

from .lecture import sources

SEEDS = {  # slide of "Neural Machine Translation"
    "Notation: Basic recurrent unit": (
        "unit",
        "torch.allclose(h, __import__('functools').reduce(lambda h, x_t: cell(x_t, (h,))[0], x.split(1), 0 * h))",
    ),
    "Notation: Softmax": ("softmax", "torch.allclose((5 * z).exp() / (5 * z).exp().sum(), softmax(5 * z, 0))"),
    "RNN classifier, deep, bidirectional": ("uses", "classifier(tokens).shape == (2, 3)"),
    "RNN encoder": ("uses", "torch.equal(states[:, -1], r)"),
    "RNN language model": ("uses", "following.shape == (2, 6, 20)"),
    "RNN decoder": ("uses", "'decoder' in output"),
    "LSTM: vanishing gradients": (
        "vanishing",
        "'[picture]' in output and norms['tanh'][50] < norms['tanh'][0] / 1e6",
    ),
    "LSTM: long-range dependencies": ("recall", "recalled['RNN']['20'] < recalled['LSTM']['20']"),
    "LSTM 0: the normal RNN": ("lstm-0", "'h ' in output"),
    "LSTM 1: a memory cell": ("lstm-1", "torch.equal(c, c_before + candidate)"),
    "LSTM 2: forget gate": ("lstm-2", "torch.equal(c, f * c_before + candidate)"),
    "LSTM 3: input gate": ("lstm-3", "torch.equal(c, f * c_before + i * candidate)"),
    "LSTM 4: output gate": ("lstm-4", "torch.equal(h, o * tanh(c)) and torch.allclose(h, h_cell)"),
    "GRU 0: the normal RNN": ("gru-example", "'step 0' in output"),
    "GRU 1: reset gate": ("gru-1", "torch.equal(candidate, tanh(x_t @ gru.W_xh + (r_t * h_before) @ gru.W_hh))"),
    "GRU 2: update gate": ("gru-2", "'step 2' in output and abs((z_t * candidate)[0, 0]) < 0.05"),
    "GRU 3: the balance": ("gru-2", "torch.equal(h, (1 - z_t) * h_before + z_t * candidate)"),
    "Scaling up: Residual connections": (
        "residual",
        "sum(deep['8 layers, residual'][-20:]) < sum(deep['8 layers'][-20:])",
    ),
}

PROSE = {
    "what stands at the padding does not count": ("padding", "torch.allclose(last[0, 1], alone[0, 0])"),
    "the gates of the trained network can be held": ("explorer", "'[widget]' in output"),
}


def test_the_slides_come_in_their_order():
    places = [list(sources("03_recurrent")).index(cell) for cell, _ in SEEDS.values()]
    assert places == sorted(places)
