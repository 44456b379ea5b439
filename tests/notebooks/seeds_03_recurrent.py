"""Lecture 03: what a figure, table or example of a seed shows, behind the cell that shows it here."""

import torch

from .rows import behind


@behind("unrolled")
def thadani_notation_basic_recurrent_unit_the_figure(Out, diagrams, sentence):
    """Thadani: Notation: Basic recurrent unit, the figure"""
    assert Out[max(Out)].name == diagrams.unrolled(sentence).title


@behind("unit")
def thadani_notation_basic_recurrent_unit(h, network, x):
    """Thadani: Notation: Basic recurrent unit"""
    assert torch.allclose(h, network(x[None])[1][0][0])


@behind("softmax")
def thadani_notation_softmax(z, softmax):
    """Thadani: Notation: Softmax"""
    assert torch.allclose((5 * z).exp() / (5 * z).exp().sum(), softmax(5 * z, 0))


@behind("classifier-picture")
def thadani_rnn_classifier(Out):
    """Thadani: RNN classifier"""
    assert "A classifier" in Out[max(Out)]


@behind("encoder-picture")
def thadani_rnn_encoder(Out):
    """Thadani: RNN encoder"""
    assert "An encoder" in Out[max(Out)]


@behind("language-model-picture")
def thadani_rnn_language_model(Out):
    """Thadani: RNN language model"""
    assert Out[max(Out)].name == "A language model"


@behind("decoder-picture")
def thadani_rnn_decoder_initialise_with_context(Out):
    """Thadani: RNN decoder, initialise with context"""
    assert Out[max(Out)].name == "A decoder"
    assert Out[max(Out)].steps[0]["spoken"][0].replace(" ", "") == "s1=c"


@behind("uses")
def thadani_deep_rnn_classifier_bidirectional_rnn_classifier(classifier, tokens):
    """Thadani: Deep RNN classifier, bidirectional RNN classifier"""
    assert classifier(tokens).shape == (2, 3)
    assert len(classifier.encoder.network.layers) == 2
    assert classifier.encoder.network.directions == 2


@behind("cost")
def zhao_rnns_need_o_n_steps_to_process_a_sentence_li(costs):
    """Zhao: RNNs need O(n) steps to process a sentence; Li: not possible to parallelize"""
    assert [row[2] for row in costs] == [51, 101, 201, 401, 1, 1, 1, 1]


@behind("vanishing")
def thadani_lstm_repeated_non_linear_transformations_lead(output, norms):
    """Thadani: LSTM: repeated non-linear transformations lead to vanishing gradients; Li: limitation of RNN"""
    assert "[picture]" in output
    assert norms["tanh"][50] < norms["tanh"][0] / 1e6


@behind("recall")
def thadani_lstm_rnns_cannot_easily_model_long_range(recalled):
    """Thadani: LSTM: RNNs cannot easily model long-range dependencies"""
    assert min(recalled["RNN"]["20"], recalled["GRU"]["20"]) < 0.5 < 0.9 < recalled["RNN"]["5"]


@behind("lstm-example")
def thadani_lstm_the_figure_that_grows(Out, LSTM_CELL, values, lstm, four_words):
    """Thadani: LSTM, the figure that grows"""
    assert Out[max(Out)].name == LSTM_CELL.title
    assert torch.allclose(torch.tensor(values["h"][-1]), lstm(four_words[None])[0][0, -1], atol=1e-3)


@behind("lstm-0")
def thadani_lstm_0_the_normal_rnn(output):
    """Thadani: LSTM 0: the normal RNN"""
    assert "h  0.85   0.64" in output


@behind("lstm-1")
def thadani_lstm_1_a_memory_cell(c, c_before, candidate):
    """Thadani: LSTM 1: a memory cell"""
    assert torch.equal(c, c_before + candidate)


@behind("lstm-2")
def thadani_lstm_2_forget_gate(c, f, c_before, candidate):
    """Thadani: LSTM 2: forget gate"""
    assert torch.equal(c, f * c_before + candidate)


@behind("lstm-3")
def thadani_lstm_3_input_gate(c, f, c_before, i, candidate):
    """Thadani: LSTM 3: input gate"""
    assert torch.equal(c, f * c_before + i * candidate)


@behind("lstm-4")
def thadani_lstm_4_output_gate(h, o, tanh, c, h_cell, c_cell):
    """Thadani: LSTM 4: output gate"""
    assert torch.allclose(h, o * tanh(c))
    assert torch.allclose(h, h_cell)
    assert torch.allclose(c, c_cell)


@behind("gru-example")
def thadani_gru_the_figure_that_grows(Out, GRU_CELL, values, gru_network, four_words):
    """Thadani: GRU, the figure that grows"""
    assert Out[max(Out)].name == GRU_CELL.title
    assert torch.allclose(torch.tensor(values["h"][-1]), gru_network(four_words[None])[0][0, -1], atol=1e-3)


@behind("gru-1")
def thadani_gru_0_the_normal_rnn(output):
    """Thadani: GRU 0: the normal RNN"""
    assert "step 0: h = candidate  0.96   0.00" in output


@behind("gru-1")
def thadani_gru_1_reset_gate(candidate, tanh, x_t, gru, r_t, h_before):
    """Thadani: GRU 1: reset gate"""
    assert torch.equal(candidate, tanh(x_t @ gru.W_xh + (r_t * h_before) @ gru.W_hh))


@behind("gru-2")
def thadani_gru_2_update_gate(output, z_t, candidate):
    """Thadani: GRU 2: update gate"""
    assert "step 2" in output
    assert abs((z_t * candidate)[0, 0]) < 0.05


@behind("gru-2")
def thadani_gru_3_the_balance(h, z_t, h_before, candidate, h_cell):
    """Thadani: GRU 3: the balance"""
    assert torch.equal(h, (1 - z_t) * h_before + z_t * candidate)
    assert torch.allclose(h, h_cell)


@behind("gru-recall")
def thadani_gru_requires_fewer_parameters_but_performs(parameters, started):
    """Thadani: GRU: requires fewer parameters but performs similarly"""
    assert parameters["GRU"] < parameters["LSTM"]
    assert abs(started["GRU, b_z = +2"] - started["LSTM, b_f = +2"]) < 0.1


@behind("bidirectional-picture")
def thadani_bidirectional_rnn_the_figure(Out, diagrams):
    """Thadani: Bidirectional RNN, the figure"""
    assert Out[max(Out)].name == diagrams.bidirectional(["a", "b"]).title


@behind("residual-picture")
def thadani_scaling_up_residual_connections_the_figure(Out, diagrams):
    """Thadani: Scaling up: residual connections, the figure"""
    assert Out[max(Out)].name == diagrams.residual(["a", "b"]).title


@behind("residual")
def thadani_scaling_up_residual_connections(deep):
    """Thadani: Scaling up: residual connections"""
    assert sum(deep["8 layers, residual"][-20:]) < sum(deep["8 layers"][-20:])


@behind("agreement")
def zhao_gulordava_et_al_a_language_model_captures_agreement(choices):
    """Zhao: Gulordava et al.: a language model captures agreement, 'the girl … thinks'"""
    assert choices["nouns differ"][-1] > 0.7


@behind("contextual")
def zhao_rnn_language_models_provide_contextual(rows):
    """Zhao: RNN language models provide contextual representations (Peters et al. 2017, 2018)"""
    assert rows[0][1] > rows[0][3] + 0.1
    assert rows[2][3] > rows[2][1]


@behind("lm-after")
def zhao_generating_text_initialise_with_a_prompt(output, write):
    """Zhao: generating text; initialise with a prompt"""
    assert output.count("--- temperature") == 3
    assert write("A fish").startswith("A fish")
