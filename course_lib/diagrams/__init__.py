"""Networks as pictures: described once as data, drawn as SVG, growing step by step with their equations.

A lecture shows one as a picture, `still(LSTM_CELL)`, or lets the reader step through it, with values from a trace:
`course_lib.widgets.DiagramStepper`. A new picture is one description (see diagram.py).
"""

from course_lib.diagrams.attention import attention_step, attention_values
from course_lib.diagrams.cells import GRU_CELL, LSTM_CELL
from course_lib.diagrams.decoding import decoding_values
from course_lib.diagrams.dependence import dependence
from course_lib.diagrams.diagram import Diagram
from course_lib.diagrams.draw import Drawing, still
from course_lib.diagrams.encoder_decoder import decoder_step, encoder_decoder
from course_lib.diagrams.recurrent import bidirectional, deep, residual, unrolled
from course_lib.diagrams.uses import classifier, decoder, encoder, language_model
from course_lib.diagrams.values import cell_values, state_values

__all__ = [
    "GRU_CELL",
    "LSTM_CELL",
    "Diagram",
    "Drawing",
    "attention_step",
    "attention_values",
    "bidirectional",
    "cell_values",
    "classifier",
    "decoder",
    "decoder_step",
    "decoding_values",
    "deep",
    "dependence",
    "encoder",
    "encoder_decoder",
    "language_model",
    "residual",
    "state_values",
    "still",
    "unrolled",
]
