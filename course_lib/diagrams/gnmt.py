"""Google's system of 2016 as a picture: both stacks with three of their eight layers (Wu et al. 2016, figure 1)."""

from course_lib.diagrams.diagram import Diagram, dot, layer, op, state, step

ENCODER, SHARED, DECODER = 1.6, 5.5, 6.6  # columns; that of the context's way to the layers in the middle


def gnmt() -> Diagram:
    """The encoder at source word j, the attention, the decoder at target word i; residual from the third layer on."""
    return Diagram(
        "GNMT, with three of its eight layers on each side",
        (8, 6.6),
        step(
            "x^1_j = [h^→_j; h^←_j]",
            "The bottom layer of the encoder reads both ways; its two states stand beside each other.",
        ),
        state("x", "x_j", ENCODER, 6.1, "source word", shape="hidden"),
        layer("f", "LSTM^→", 0.85, 4.95, "layer 1, from left to right", size=(1.1, 1)),
        layer("b", "LSTM^←", 2.35, 4.95, "layer 1, from right to left", size=(1.1, 1)),
        "x -| f; x -| b",
        step(
            "x^2_j = LSTM_2(x^1_j)",
            "Layer 2 reads both directions. Its input is twice as wide as its output, so nothing is added.",
            ("x^2_j = LSTM_2(x^1_j) + x^1_j", "The input has 2048 numbers and the output 1024: they cannot be added."),
        ),
        layer("l2", "LSTM_2", ENCODER, 3.75, "layer 2"),
        "f |- l2; b |- l2",
        step(
            "x^l_j = LSTM_l(x^{l−1}_j) + x^{l−1}_j",
            "From layer 3 to layer 8 the input is added to the output. The last state is h_j.",
        ),
        *(dot("fork", ENCODER, 3.1), layer("l3", "LSTM_l", ENCODER, 2.45, "layers 3 to 8")),
        *(op("sum", "+", ENCODER, 1.5, "sum"), state("h", "h_j", ENCODER, 0.6, "last state", shape="hidden")),
        f"l2 -- fork -- l3 -- sum -- h; fork -|-@{ENCODER + 0.8} sum",
        step(
            "c_i = Σ_j α_{ij} h_j",
            "The bottom layer of the decoder asks: its state after the word before is the query.",
            ("c_i = Σ_j α_{ij} x^1_j", "The attention reads the last layer of the encoder, not the first."),
        ),
        state("q", "s^1_{i−1}", 3.5, 4.95, "state of the bottom layer before", shape="hidden"),
        layer("a", "attention", 4.1, 0.6, size=(2, 1)),
        state("c", "c_i", 4.6, 2.0, "context", shape="hidden"),
        "h -- a -- c; q -- a",
        step(
            "s^1_i = LSTM_1([y_{i−1}; c_i]),  s^2_i = LSTM_2([s^1_i; c_i])",
            "The context goes to the bottom layer and to layer 2, beside what comes from below.",
        ),
        state("y", "y_{i−1}", DECODER, 6.1, "word before", shape="hidden"),
        *(layer("d1", "LSTM_1", DECODER, 4.95, "bottom layer"), layer("d2", "LSTM_2", DECODER, 3.75, "layer 2 above")),
        f"y -- d1 -- d2; c -|-@{SHARED} d1; c -|-@{SHARED} d2",
        step(
            "s^l_i = LSTM_l([s^{l−1}_i; c_i]) + s^{l−1}_i",
            "The context also goes to layers 3 to 8. Of a layer's input only the part from below is added.",
            (
                "s^l_i = LSTM_l([s^{l−1}_i; c_i]) + [s^{l−1}_i; c_i]",
                "The input is twice as wide as the output: only one half of it can be added.",
            ),
            ("s^l_i = LSTM_l(s^{l−1}_i) + s^{l−1}_i", "All layers of the decoder read the context."),
        ),
        *(dot("fork2", DECODER, 3.1), layer("d3", "LSTM_l", DECODER, 2.45, "layers 3 to 8 above")),
        *(op("sum2", "+", DECODER, 1.5, "sum above"), state("s", "s^8_i", DECODER, 0.6, "last state", shape="hidden")),
        f"d2 -- fork2 -- d3 -- sum2 -- s; fork2 -|-@{DECODER + 0.8} sum2; c -|-@{SHARED} d3",
    )
