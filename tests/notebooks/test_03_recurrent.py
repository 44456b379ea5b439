"""Lecture 03: what it takes from the seeds, Thadani's slides in their order, and what its text says in numbers."""

from .lecture import sources
from .prose_03_recurrent import PROSE

__all__ = ["PROSE", "SEEDS"]

SEEDS = {
    "Thadani: Notation: Basic recurrent unit, the figure": (
        "unrolled",
        "Out[max(Out)].name == diagrams.unrolled(sentence).title",
    ),
    "Thadani: Notation: Basic recurrent unit": (
        "unit",
        "torch.allclose(h, network(x[None])[1][0][0])",
    ),
    "Thadani: Notation: Softmax": ("softmax", "torch.allclose((5 * z).exp() / (5 * z).exp().sum(), softmax(5 * z, 0))"),
    "Thadani: RNN classifier": ("classifier-picture", "'A classifier' in Out[max(Out)]"),
    "Thadani: RNN encoder": ("encoder-picture", "'An encoder' in Out[max(Out)]"),
    "Thadani: RNN language model": ("language-model-picture", "Out[max(Out)].name == 'A language model'"),
    "Thadani: RNN decoder, initialise with context": (
        "decoder-picture",
        "Out[max(Out)].name == 'A decoder' and Out[max(Out)].steps[0]['spoken'][0].replace(' ', '') == 's1=c'",
    ),
    "Thadani: Deep RNN classifier, bidirectional RNN classifier": (
        "uses",
        "classifier(tokens).shape == (2, 3) and len(classifier.encoder.network.layers) == 2"
        " and classifier.encoder.network.directions == 2",
    ),
    "Zhao: RNNs need O(n) steps to process a sentence; Li: not possible to parallelize": (
        "cost",
        "[row[2] for row in costs] == [51, 101, 201, 401, 1, 1, 1, 1]",
    ),
    "Thadani: LSTM: repeated non-linear transformations lead to vanishing gradients; Li: limitation of RNN": (
        "vanishing",
        "'[picture]' in output and norms['tanh'][50] < norms['tanh'][0] / 1e6",
    ),
    "Thadani: LSTM: RNNs cannot easily model long-range dependencies": (
        "recall",
        "min(recalled['RNN']['20'], recalled['GRU']['20']) < 0.5 < 0.9 < recalled['RNN']['5']",
    ),
    "Thadani: LSTM, the figure that grows": (
        "lstm-example",
        "Out[max(Out)].name == LSTM_CELL.title and torch.allclose(torch.tensor(values['h'][-1]),"
        " lstm(four_words[None])[0][0, -1], atol=1e-3)",
    ),
    "Thadani: LSTM 0: the normal RNN": ("lstm-0", "'h  0.85   0.64' in output"),
    "Thadani: LSTM 1: a memory cell": ("lstm-1", "torch.equal(c, c_before + candidate)"),
    "Thadani: LSTM 2: forget gate": ("lstm-2", "torch.equal(c, f * c_before + candidate)"),
    "Thadani: LSTM 3: input gate": ("lstm-3", "torch.equal(c, f * c_before + i * candidate)"),
    "Thadani: LSTM 4: output gate": (
        "lstm-4",
        "torch.allclose(h, o * tanh(c)) and torch.allclose(h, h_cell) and torch.allclose(c, c_cell)",
    ),
    "Thadani: GRU, the figure that grows": (
        "gru-example",
        "Out[max(Out)].name == GRU_CELL.title and torch.allclose(torch.tensor(values['h'][-1]),"
        " gru_network(four_words[None])[0][0, -1], atol=1e-3)",
    ),
    "Thadani: GRU 0: the normal RNN": ("gru-1", "'step 0: h = candidate  0.96   0.00' in output"),
    "Thadani: GRU 1: reset gate": (
        "gru-1",
        "torch.equal(candidate, tanh(x_t @ gru.W_xh + (r_t * h_before) @ gru.W_hh))",
    ),
    "Thadani: GRU 2: update gate": ("gru-2", "'step 2' in output and abs((z_t * candidate)[0, 0]) < 0.05"),
    "Thadani: GRU 3: the balance": (
        "gru-2",
        "torch.equal(h, (1 - z_t) * h_before + z_t * candidate) and torch.allclose(h, h_cell)",
    ),
    "Thadani: GRU: requires fewer parameters but performs similarly": (
        "gru-recall",
        "parameters['GRU'] < parameters['LSTM'] and abs(started['GRU, b_z = +2'] - started['LSTM, b_f = +2']) < 0.1",
    ),
    "Thadani: Bidirectional RNN, the figure": (
        "bidirectional-picture",
        "Out[max(Out)].name == diagrams.bidirectional(['a', 'b']).title",
    ),
    "Thadani: Scaling up: residual connections, the figure": (
        "residual-picture",
        "Out[max(Out)].name == diagrams.residual(['a', 'b']).title",
    ),
    "Thadani: Scaling up: residual connections": (
        "residual",
        "sum(deep['8 layers, residual'][-20:]) < sum(deep['8 layers'][-20:])",
    ),
    "Zhao: Gulordava et al.: a language model captures agreement, 'the girl … thinks'": (
        "agreement",
        "choices['nouns differ'][-1] > 0.7",
    ),
    "Zhao: RNN language models provide contextual representations (Peters et al. 2017, 2018)": (
        "contextual",
        "rows[0][1] > rows[0][3] + 0.1 and rows[2][3] > rows[2][1]",
    ),
    "Zhao: generating text; initialise with a prompt": (
        "lm-after",
        "output.count('--- temperature') == 3 and write('A fish').startswith('A fish')",
    ),
}


def test_thadanis_slides_come_in_their_order():
    places = [
        list(sources("03_recurrent")).index(cell) for row, (cell, _) in SEEDS.items() if row.startswith("Thadani")
    ]
    assert places == sorted(places)
