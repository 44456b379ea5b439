"""Lecture 07: what a figure, table or example of a seed shows, behind the cell that shows it here."""

import torch

from .rows import behind


@behind("waiting")
def zhao_motivation_rnns_need_o_n_steps_thadani_sequential(chains, reach):
    """Zhao: motivation: RNNs need O(n) steps; Thadani: sequential computation, long-range dependencies; Straka"""
    for n in (5, 10, 20, 40):
        assert chains["LSTM", n] == n + 1
        assert chains["self-attention", n] == 4
    assert reach["LSTM", 40] < 0.01 * reach["LSTM", 5]
    assert reach["self-attention", 40] > 0.01


@behind("three-models")
def zhao_the_table_processing_within_encoder_within_decoder(rows):
    """Zhao: the table: processing within encoder, within decoder, decoder-encoder interaction"""
    assert [row[1:] for row in rows] == [
        ["RNN", "RNN", "attention"],
        ["RNN", "RNN", "attention"],
        ["one vector of fixed size", "attention", "attention"],
    ]


@behind("thinking")
def zhao_liu_and_malykh_steps_2_to_6_thinking_machines_112(scores, divided, weights, z_1, v):
    """Zhao; Liu and Malykh, steps 2 to 6: Thinking Machines, 112 and 96, divided by 8, .88 and .12, weighted sum"""
    assert scores.tolist() == [[112.0, 96.0]]
    assert divided.tolist() == [[14.0, 12.0]]
    assert [round(w, 2) for w in weights[0].tolist()] == [0.88, 0.12]
    assert torch.allclose(z_1[0], weights[0, 0] * v[0] + weights[0, 1] * v[1])


@behind("stepper-seed")
def zhao_liu_and_malykh_step_1_query_key_and_value_of_each(Out):
    """Zhao; Liu and Malykh, step 1: query, key and value of each word, step by step"""
    assert Out[max(Out)].attentions[0]["heads"][0]["products"][0] == [112, 96]
    assert [round(w, 2) for w in Out[max(Out)].attentions[0]["heads"][0]["weights"][0]] == [0.88, 0.12]


@behind("stepper-own")
def liu_and_malykh_self_attention_visualised_the_animal_didn(Out, translator):
    """Liu and Malykh: self-attention, visualised: The animal didn't cross the street because it was too tired"""
    assert Out[max(Out)].translator is translator
    assert Out[max(Out)].attentions[0]["asking"][Out[max(Out)].word] == "it"


@behind("symmetric")
def zhao_attention_against_self_attention_thadani_q_k_and_v(rows):
    """Zhao: attention against self-attention; Thadani: q, k and v are projected separately"""
    assert rows[0][1] == rows[0][2]
    assert rows[1][1] != rows[1][2]


@behind("matrices")
def straka_liu_and_malykh_li_matrix_form_x_2_4_q_k_v_2_3(output, shapes):
    """Straka, Liu and Malykh, Li: matrix form, X 2 × 4, Q K V 2 × 3, softmax(Q K^⊤ / √d_k) V = Z"""
    assert "False" not in output
    assert [str(tuple(t.shape)) for t in shapes.values()] == [
        "(2, 4)",
        "(4, 3)",
        "(2, 3)",
        "(3, 2)",
        "(2, 2)",
        "(2, 3)",
        "(2, 3)",
    ]


@behind("diagram-self")
def straka_transformer_self_attention_vectors_and_output(Out):
    """Straka: Transformer – self-attention, vectors and output; Thadani: deep encoder with self-attention"""
    assert len(Out[max(Out)].steps) == 5
    assert Out[max(Out)].predict


@behind("variance")
def zhao_d_k_makes_sure_that_q_k_does_not_become_too_large(rows):
    """Zhao: √d_k makes sure that q k^⊤ does not become too large; Li: √d"""
    for row in rows:
        assert abs(row[1] / row[0] - 1) < 0.15
        assert abs(row[2] - 1) < 0.15
    assert rows[-1][3] > 0.9
    assert max(row[4] for row in rows) < 0.4


@behind("mask-picture")
def li_self_attention_for_the_decoder_mask_out_the_right(causal, both):
    """Li: self-attention for the decoder: mask out the right side; Thadani: unseen tokens masked out; Zhao"""
    assert int(causal(5).sum()) == 15
    assert int(both[1].sum()) == 12


@behind("no-causal-mask")
def li_mask_before_the_softmax_zhao_masked_self_attention(results):
    """Li: mask before the softmax (−∞); Zhao: masked self-attention during training: what happens without"""
    assert results["with the causal mask"][1] > 0.8
    assert results["without"][1] < 0.5
    for losses, _ in results.values():
        assert losses[-1] < 0.3


@behind("diagram-heads")
def zhao_li_thadani_multi_head_attention_liu_and_malykh(Out):
    """Zhao, Li, Thadani: multi-head attention; Liu and Malykh: overall picture of multi-head self-attention"""
    assert "Multi-head" in Out[max(Out)].name
    assert Out[max(Out)].predict


@behind("heads-by-hand")
def liu_and_malykh_8_heads_8_different_z_concatenated_times(output, added):
    """Liu and Malykh: 8 heads, 8 different Z, concatenated, times W^O"""
    assert "False" not in output
    assert len(added) == 4


@behind("permuted")
def li_positional_embedding_to_tell_words_in_different(output):
    """Li: positional embedding, to tell words in different places apart; Thadani: positions must be injected"""
    assert "True" in output


@behind("four-wide")
def liu_and_malykh_positional_encoding_of_width_4(output, rows):
    """Liu and Malykh: positional encoding of width 4, and the formula with 10000; Li: the formula with 1000"""
    assert "True" in output
    assert rows[1][5:] != rows[1][1:5]
    assert [round(x, 2) for x in rows[1][1:5]] == [0.84, 0.54, 0.01, 1.0]


@behind("positions-picture")
def liu_and_malykh_a_real_example_of_positional_encoding_20(output):
    """Liu and Malykh: a real example of positional encoding, 20 words, 512 columns"""
    assert "[picture]" in output


@behind("without-positions")
def thadani_positional_embeddings_are_necessary_to_account(by_positions):
    """Thadani: positional embeddings are necessary to account for the order of the input"""
    assert by_positions["sort", "none"][1] > 0.8
    assert by_positions["reverse", "sinusoidal"][1] > 0.8
    assert by_positions["reverse", "none"][1] < 0.5


@behind("positions-record")
def thadani_information_about_positions_must_be_injected(position_rows, report):
    """Thadani: information about positions must be injected: recorded runs with and without"""
    assert report.verdicts(called=position_rows).rows[0][-1] == "shown"


@behind("diagram-layer")
def liu_and_malykh_residuals_and_layer_normalisation_li_post(Out):
    """Liu and Malykh: residuals and layer normalisation; Li: post-norm; Thadani: Add & Norm"""
    assert "post-norm" in Out[max(Out)].name
    assert Out[max(Out)].predict


@behind("norm-by-hand")
def li_zero_mean_and_unit_variance_within_the_layer(y, output):
    """Li: zero mean and unit variance within the layer"""
    assert abs(y.mean()) < 1e-6
    assert abs(y.var(unbiased=False) - 1) < 1e-5
    assert "True" in output


@behind("diagram-pre")
def li_pre_norm(Out):
    """Li: pre-norm"""
    assert "pre-norm" in Out[max(Out)].name


@behind("parts-of-base")
def liu_and_malykh_li_ffn_x_max_0_x_w_1_b_1_w_2_b_2_inner(parts, base):
    """Liu and Malykh, Li: FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, inner width 2048; embeddings of 512, tied"""
    assert parts["feed-forward network of a layer"].W_1.out_features == 2048
    assert base.config.d_model == 512
    assert base.readout.U is base.source_embedding.words.weight


@behind("diagram-whole")
def straka_figure_1_liu_and_malykh_a_high_level_look_six(Out, base):
    """Straka: figure 1; Liu and Malykh: a high-level look: six encoders, six decoders; Li"""
    assert Out[max(Out)].name == "The Transformer"
    assert len(base.encoder.layers) == len(base.decoder.layers) == 6


@behind("diagram-decoder")
def liu_and_malykh_residuals_and_norm_in_the_decoder(Out):
    """Liu and Malykh: residuals and norm in the decoder, attention to the encoder; Straka: decoder"""
    assert "decoder layer" in Out[max(Out)].name
    assert len(Out[max(Out)].steps) == 6


@behind("cache")
def liu_and_malykh_decoding_time_steps_1_to_6(rows, m):
    """Liu and Malykh: decoding, time steps 1 to 6"""
    assert rows[0][4] == rows[1][4]
    assert rows[1][2] == m
    assert rows[0][2] == m * (m + 1) // 2
    assert rows[1][3] < rows[0][3] / 3


@behind("head-view")
def liu_and_malykh_visualisation_with_2_and_with_8_heads(Out):
    """Liu and Malykh: visualisation with 2 and with 8 heads; Zhao: multi-head attention on a sentence"""
    assert Out[max(Out)].view == "head"
    assert len(Out[max(Out)].found["encoder"].attn[0]) == 4


@behind("measure-heads")
def thadani_long_range_dependencies_anaphora_resolution(rows, means):
    """Thadani: long-range dependencies, anaphora resolution, clause structure: heads of the same layer"""
    assert len(rows) == 12
    assert set(means) >= {"verb → subject", "it → antecedent", "own clause"}
    assert means["own clause"].max() > means["(its share)"].max() + 0.1


@behind("far-head")
def thadani_long_range_dependencies_a_head_that_links_parts(verbs, subject_heads, weights):
    """Thadani: long-range dependencies: a head that links parts of a phrase that stand far apart"""
    assert all(right for *_, right in verbs)
    assert weights[subject_heads[0]][0] > 0.9


@behind("find-head")
def liu_and_malykh_it_was_too_tired_a_head_that_looks(found, ranked):
    """Liu and Malykh: it was too tired: a head that looks at the animal; two heads: the animal and tired"""
    assert len(found) == 36
    assert found[ranked[0]].link > 0.2


@behind("crossing")
def zhao_complexity_of_a_layer_thadani_o_n_comparisons(costs):
    """Zhao: complexity of a layer; Thadani: O(n²) comparisons in each layer"""
    assert costs[64][0] == costs[64][1]
    assert costs[32][0] < costs[32][1]
    assert costs[128][0] > costs[128][1]
    assert costs[128][2] == costs[128][3]


@behind("curves-by-time")
def thadani_improved_runtime_and_performance_zhao_more(output, minutes):
    """Thadani: improved runtime and performance; Zhao: more efficient than RNN-based models"""
    assert "[picture]" in output
    for points in minutes.values():
        assert points
