"""Networks as pictures: described once as data, drawn as SVG, growing step by step with their equations.

A lecture shows one as a picture, `still(LSTM_CELL)`, or lets the reader step through it, with values from a trace:
`course_lib.widgets.DiagramStepper`. A new picture is one description (see diagram.py).

diagram.py      how a picture is written down; sentence.py: the same at every word; markup.py: formulas in text
layout.py       where things lie; draw.py: as SVG
values.py       what a trace puts in; decoding.py, transformer_values.py: what models put in
cells.py, recurrent.py, uses.py    lecture 03; dependence.py: 01; encoder_decoder.py: 04; attention.py: 05
self_attention.py, transformer.py, transformer_layers.py    lecture 07; gnmt.py, timetable.py: 10
summaries.py    each lecture in one picture
"""

from course_lib.diagrams.attention import attention_step, attention_values
from course_lib.diagrams.cells import GRU_CELL, LSTM_CELL
from course_lib.diagrams.decoding import decoding_values
from course_lib.diagrams.dependence import dependence
from course_lib.diagrams.diagram import Diagram
from course_lib.diagrams.draw import Drawing, still
from course_lib.diagrams.encoder_decoder import decoder_step, encoder_decoder
from course_lib.diagrams.gnmt import gnmt
from course_lib.diagrams.recurrent import bidirectional, deep, residual, unrolled
from course_lib.diagrams.self_attention import multi_head, self_attention
from course_lib.diagrams.timetable import timetable
from course_lib.diagrams.transformer import transformer
from course_lib.diagrams.transformer_layers import decoder_layer, encoder_layer
from course_lib.diagrams.transformer_values import (
    decoder_layer_values,
    encoder_layer_values,
    multi_head_values,
    self_attention_values,
    transformer_values,
)
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
    "decoder_layer",
    "decoder_layer_values",
    "decoder_step",
    "decoding_values",
    "deep",
    "dependence",
    "encoder",
    "encoder_layer",
    "encoder_layer_values",
    "encoder_decoder",
    "gnmt",
    "language_model",
    "multi_head",
    "multi_head_values",
    "residual",
    "self_attention",
    "self_attention_values",
    "state_values",
    "still",
    "timetable",
    "transformer",
    "transformer_values",
    "unrolled",
]
