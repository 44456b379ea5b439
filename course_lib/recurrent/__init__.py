"""Recurrent networks (lecture 03): the basic unit, LSTM and GRU, over padded batches, both ways, deep, residual.

Batch first: x (batch, time, input); mask (batch, time), True for a real token.

cell.py     what the units share: rnn.py, lstm.py, gru.py
layer.py    a unit along a batch; network.py: layers over layers, both ways; stepper.py: a step at a time
models.py   classifier, encoder, language model
kernel.py   the same by torch's kernel, and fast; interop.py: torch's networks as ours
trace.py    what happens in a unit; gradients.py: how far back a gradient reaches; cost.py: what a long sentence costs
"""

from course_lib.recurrent.cell import Cell
from course_lib.recurrent.cost import sequential_products, stored_bytes
from course_lib.recurrent.gradients import gradient_norms
from course_lib.recurrent.gru import GRUCell
from course_lib.recurrent.interop import from_torch
from course_lib.recurrent.kernel import mask_from_lengths
from course_lib.recurrent.layer import Layer
from course_lib.recurrent.lstm import LSTMCell
from course_lib.recurrent.models import RNNClassifier, RNNEncoder, RNNLanguageModel
from course_lib.recurrent.network import GRU, LSTM, RNN, Network
from course_lib.recurrent.rnn import RNNCell
from course_lib.recurrent.stepper import Stepper
from course_lib.recurrent.trace import Clamp, GateTrace, holding, trace

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "Cell",
    "Clamp",
    "GRUCell",
    "GateTrace",
    "LSTMCell",
    "Layer",
    "Network",
    "RNNCell",
    "RNNClassifier",
    "RNNEncoder",
    "RNNLanguageModel",
    "Stepper",
    "from_torch",
    "gradient_norms",
    "holding",
    "mask_from_lengths",
    "sequential_products",
    "stored_bytes",
    "trace",
]
