"""Lecture 03 keeps what Thadani's lecture shows of recurrent networks, each thing in a cell that can be run."""

from pathlib import Path

import nbformat
import pytest

NOTEBOOK = nbformat.read(Path(__file__).parents[2] / "lectures" / "03_recurrent.ipynb", 4)
CELLS = {cell.id: cell for cell in NOTEBOOK.cells}

SHOWN = {  # slide of "Neural Machine Translation" -> the cell that shows it, and what must stand there
    "Notation: Basic recurrent unit": ("unit", "tanh(x_t @ cell.W_xh + h @ cell.W_hh + cell.b_h)"),
    "Notation: Softmax": ("softmax", "scores.exp() / scores.exp().sum()"),
    "RNN classifier, deep, bidirectional": ("uses", "num_layers=2, bidirectional=True"),
    "RNN encoder": ("uses", "RNNEncoder"),
    "RNN language model": ("uses", "RNNLanguageModel"),
    "RNN decoder": ("uses", "RNNDecoder"),
    "LSTM: vanishing gradients": ("vanishing", "gradient_norms"),
    "LSTM: long-range dependencies": ("recall", "DISTANCES"),
    "LSTM 0: the normal RNN": ("lstm-0", "tanh(x_t @ cell.W_xh + h_before @ cell.W_hh)"),
    "LSTM 1: a memory cell": ("lstm-1", "c_before + candidate"),
    "LSTM 2: forget gate": ("lstm-2", "f * c_before + candidate"),
    "LSTM 3: input gate": ("lstm-3", "f * c_before + i * candidate"),
    "LSTM 4: output gate": ("lstm-4", "o * tanh(c)"),
    "GRU 0: the normal RNN": ("gru-example", "tanh(x_t @ gru.W_xh + h_before @ gru.W_hh)"),
    "GRU 1: reset gate": ("gru-1", "tanh(x_t @ gru.W_xh + (r_t * h_before) @ gru.W_hh)"),
    "GRU 2: update gate": ("gru-2", "z_t * candidate"),
    "GRU 3: the balance": ("gru-2", "(1 - z_t) * h_before + z_t * candidate"),
    "Scaling up: Residual connections": ("residual", "residual=residual"),
}


@pytest.mark.parametrize("slide", SHOWN)
def test_each_slide_has_its_cell(slide):
    name, code = SHOWN[slide]
    assert CELLS[name].cell_type == "code" and code in CELLS[name].source


def test_the_slides_come_in_their_order():
    places = [list(CELLS).index(name) for name, _ in SHOWN.values()]
    assert places == sorted(places)


def test_every_prediction_is_asked_before_its_answer():
    """After a cell that asks to predict comes one that can be run."""
    for this, following in zip(NOTEBOOK.cells, NOTEBOOK.cells[1:], strict=False):
        if "**Predict" in this.source and this.id != "title":
            assert following.cell_type == "code", this.id
