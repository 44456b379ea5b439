"""Lecture 04: what a figure, table or example of a seed shows, behind the cell that shows it here."""

import math

import torch

from .recorded import by_length
from .rows import behind


@behind("conditional")
def zhao_language_models_p_y_p_y_t_y_t_conditional_language(rows):
    """Zhao: language models: P(y) = ∏ p(y_t | y_<t); conditional language models; Li: P(Y | X) = ∏ P(y_t |
    y_<t, x)"""
    assert [row[2] for row in rows].index(min(row[2] for row in rows)) == 0


@behind("conditional")
def zhao_from_language_modelling_to_sequence_generation(rows):
    """Zhao: from language modelling to sequence generation: the decoder starts from a thought vector"""
    assert len({row[1] for row in rows}) == 3


@behind("diagram")
def zhao_encoder_decoder_with_rnns_thadani_sequence(Out, values, s):
    """Zhao: encoder–decoder with RNNs; Thadani: sequence-to-sequence learning; Straka, Li: Sutskever's figure 1"""
    assert Out[max(Out)].name == "An encoder–decoder"
    assert torch.allclose(torch.tensor(values["s4"]), s[0, 3])


@behind("diagram")
def thadani_rnn_decoder_initialise_with_context_encode_take(r, h, first):
    """Thadani: RNN decoder, initialise with context; encode, take the final state, decode until the end"""
    assert torch.equal(r, h[:, -1])
    assert torch.equal(first[0][0], r)


@behind("steps")
def zhao_quick_note_on_rnn_representations_the_last_state(r, h):
    """Zhao: quick note on RNN representations: the last state represents the entire sentence"""
    assert r.shape == (1, 8)
    assert h.shape == (1, 4, 8)


@behind("forcing-picture")
def straka_training_by_teacher_forcing_the_figure_li_teacher(Out):
    """Straka: training by teacher forcing, the figure; Li: teacher forcing, the prefix is the true one"""
    assert Out[max(Out)].steps[-1]["spoken"][-1].startswith("loss")
    assert Out[max(Out)].name == "An encoder–decoder in training"


@behind("loss-words")
def zhao_training_with_cross_entropy_loss_log_p_correct_li(rows):
    """Zhao: training with cross-entropy: loss = −log p(correct); Li: the sum over words"""
    assert rows[-1][2] == sum(row[2] for row in rows[:-1])
    for row in rows[:-1]:
        assert row[2] == -math.log(row[1]) or abs(row[2] + math.log(row[1])) < 1e-6


@behind("end-to-end")
def zhao_backpropagation_operates_end_to_end(norms, one):
    """Zhao: backpropagation operates end to end"""
    assert (norms > 0).all()
    assert len(norms) == one.source.shape[1]


@behind("greedy-table")
def straka_autoregressive_decoding_zhao_sequence_generation(plain, rows, said):
    """Straka: autoregressive decoding; Zhao: sequence generation, decoder: generating tokens"""
    for row, best in zip(rows, said.best, strict=False):
        assert row[3] == plain(best[0][0])
    assert rows[-1][3] == "</s>"


@behind("greedy-steps")
def zhao_decoder_generating_tokens_the_probabilities_of_each(output, values):
    """Zhao: decoder: generating tokens, the probabilities of each step"""
    assert "[widget]" in output
    for p, one in zip(values["p"], values["written"], strict=False):
        assert max(p) == p[one.index(1.0)]


@behind("search-errors")
def zhao_greedy_decoding_the_problem_not_the_best_sequence(more, true_log_p, greedy_log_p):
    """Zhao: greedy decoding, the problem: not the best sequence; Li: not necessarily the best"""
    assert more > 0
    assert ((true_log_p > greedy_log_p + 1e-3).sum() == more).item()


@behind("search-errors")
def li_two_types_of_error_the_model_s_and_the_search_s(more, found, same):
    """Li: two types of error: the model's and the search's"""
    assert more < len(found) - same


@behind("lags")
def thadani_need_to_reverse_the_input_26_17_and_30_59(rows):
    """Thadani: need to reverse the input, 26.17 and 30.59 against 33.30"""
    assert rows[1][2] < 3 < rows[0][2]
    assert abs(rows[0][1] - rows[1][1]) < 1.5


@behind("reversal-claim")
def thadani_reversed_and_forward_lstm_measured(output):
    """Thadani: reversed and forward LSTM, measured"""
    (line,) = [line for line in output.splitlines() if line.startswith("a reversed source helps without attention")]
    assert line.endswith(("shown", "contradicted", "not decided", "too few runs"))


@behind("length")
def zhao_the_problem_quality_drops_with_the_length_thadani(output, directions):
    """Zhao: the problem: quality drops with the length; Thadani: performance degrades for longer sentences"""
    assert "[picture]" in output
    for name in directions.values():
        for run in by_length(name):
            scores = [each["all"] for each in run]
            assert min(scores[1:3]) > 1.4 * max(scores[4:])


@behind("names-map")
def thadani_sentence_embeddings_2_d_pca_who_does_what(Out, names):
    """Thadani: sentence embeddings: 2-D PCA, who does what to whom (Sutskever et al.)"""
    assert set(Out[max(Out)].texts) == set(names)
    assert list(Out[max(Out)].maps) == ["PCA"]


@behind("order-map")
def thadani_sentence_embeddings_2_d_pca_one_meaning(Out, kinds):
    """Thadani: sentence embeddings: 2-D PCA, one meaning in several orders (Sutskever et al.)"""
    assert len(Out[max(Out)].texts) == 9
    assert set(Out[max(Out)].groups) == set(kinds)


@behind("forms-map-one")
def thadani_sentence_embeddings_active_and_passive_lie_by_meaning(Out, forms, who_gives):
    """Thadani: sentence embeddings: active and passive of one meaning lie together (Sutskever et al.)"""
    points = Out[max(Out)].maps["PCA"]
    assert Out[max(Out)].texts == forms and len(set(who_gives)) == 2
    first = {who: {x > 0 for (x, _), of in zip(points, who_gives, strict=True) if of == who} for who in who_gives}
    assert sorted(map(len, first.values())) == [1, 1] and len(set.union(*first.values())) == 2


@behind("neighbours-measure")
def thadani_encoders_produce_meaningful_sentence_embeddings(rows):
    """Thadani: encoders produce meaningful sentence embeddings, measured"""
    assert rows[0][2] > rows[1][2] + 0.1
    assert rows[0][3] > rows[1][3]


@behind("phrases")
def thadani_phrase_embeddings_2_d_barnes_hut_cho_et_al(phrase_map):
    """Thadani: phrase embeddings: 2-D Barnes-Hut (Cho et al.)"""
    assert list(phrase_map.maps) == ["t-SNE", "PCA"]
    assert len(phrase_map.texts) == 150


@behind("variant-picture")
def straka_figure_1_of_cho_et_al_the_context_at_each_step(Out):
    """Straka: figure 1 of Cho et al.: the context at each step; Zhao: alternatives 1 and 2"""
    assert "r at each step" in Out[max(Out)].name
    assert "r" in Out[max(Out)].steps[2]["spoken"][2]


@behind("variants")
def zhao_in_practice_the_units_are_gru_or_lstm(made, rows):
    """Zhao: in practice the units are GRU or LSTM or bidirectional; Li: stacked LSTM"""
    assert len(made["four layers"].encoder.network.layers) == len(made["four layers"].decoder.network.layers) == 4
    assert [row[2] for row in rows] == [64, 64, 64, 64, 128, 64]
    assert {row[3] for row in rows} == {"(2, 6, 50)"}


@behind("tied")
def straka_tie_the_two_matrices_of_the_target_words_li(rows, fixed):
    """Straka: tie the two matrices of the target words; Li: shared (tied) input and output embedding"""
    for words, _, _, saved, _ in rows:
        assert saved == 128 * words
    assert fixed.model.decoder.readout.U is fixed.model.decoder.embedding.weight
