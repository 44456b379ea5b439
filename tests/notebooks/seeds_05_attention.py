"""Lecture 05: what a figure, table or example of a seed shows, behind the cell that shows it here."""

import torch

from course_lib.checkpoints import evidence

from .recorded import by_length
from .rows import behind


@behind("growing")
def zhao_the_problem_more_information_packed_into_the_same(translations, fixed):
    """Zhao: the problem: more information packed into the same vector"""
    assert len(translations) == 5
    assert fixed.model.encoder.network.hidden_size == 256


@behind("bottleneck")
def zhao_the_problem_quality_drops_with_the_length_thadani(output):
    """Zhao: the problem: quality drops with the length; Thadani: the fixed context is a bottleneck"""
    assert "[picture]" in output
    for run in by_length("rnn.none"):
        scores = [each["all"] for each in run]
        assert min(scores[1:3]) > 1.4 * max(scores[4:])


@behind("diagram")
def zhao_sequence_to_sequence_with_attention_growing_thadani(Out, written):
    """Zhao: sequence-to-sequence with attention, growing; Thadani: attention-based translation"""
    assert len(Out[max(Out)].steps) == 4
    assert Out[max(Out)].tokens == written
    assert Out[max(Out)].predict


@behind("four-steps")
def zhao_1_attention_scores_for_each_encoder_state(e, s, h):
    """Zhao: (1) attention scores: for each encoder state its relevance"""
    assert torch.allclose(e, torch.stack([s @ h[j] for j in range(6)]), atol=1e-4)


@behind("four-steps")
def zhao_2_attention_weights_softmax_to_a_probability(α, e):
    """Zhao: (2) attention weights: softmax to a probability distribution; Thadani, Straka: α_i"""
    assert torch.allclose(α, e.exp() / e.exp().sum(), atol=1e-5)
    assert abs(α.sum() - 1) < 1e-5


@behind("four-steps")
def zhao_3_attention_output_weighted_sum_of_the_encoder(c, α, h):
    """Zhao: (3) attention output: weighted sum of the encoder states; Thadani, Straka: c_i = Σ_j α_ij h_j"""
    assert torch.allclose(c, sum(α[j] * h[j] for j in range(6)), atol=1e-5)


@behind("four-steps")
def zhao_4_concatenate_the_attention_output_with_the_decoder(p, step):
    """Zhao: (4) concatenate the attention output with the decoder state, then compute ŷ"""
    assert (p.log() - step.log_probs[0]).abs().max() < 1e-3


@behind("four-steps")
def zhao_computation_pipeline_input_scores_weights_output(output):
    """Zhao: computation pipeline: input, scores, weights, output, with their shapes"""
    assert "(6, 256)" in output
    assert "(6,)" in output
    assert "(256,)" in output


@behind("scores")
def zhao_attention_score_functions_dot_product(rows):
    """Zhao: attention score functions: dot product, multiplicative, additive"""
    assert [[round(v, 2) for v in row[1:4]] for row in rows] == [[1, 2, 0], [2, 1, 3], [1.93, 1.76, 1.76]]


@behind("score-sizes")
def zhao_score_functions_d_1_and_d_2_what_is_learnt(rows):
    """Zhao: score functions: d_1 and d_2, what is learnt"""
    assert [row[1] for row in rows] == [0, 256**2, 2 * 256 * 128 + 128]


@behind("scores")
def straka_e_ij_v_tanh_v_h_j_w_s_i_1_b_with_a_bias(Additive, additive):
    """Straka: e_ij = v^⊤ tanh(V h_j + W s_{i−1} + b), with a bias"""
    assert (
        sum(p.numel() for p in Additive(2, 2, 2, bias=True).parameters())
        == sum(p.numel() for p in additive.parameters()) + 2
    )


@behind("bahdanau-picture")
def straka_s_i_f_s_i_1_y_i_1_c_i_bahdanau_et_al_figure_1(Out):
    """Straka: s_i = f(s_{i−1}, y_{i−1}, c_i); Bahdanau et al. figure 1; Thadani: e_ij = a(s_{i−1}, h_j)"""
    assert Out[max(Out)].name.endswith("(Bahdanau et al.)")


@behind("joins")
def thadani_the_context_changes_at_each_step_and_depends(rows):
    """Thadani: the context changes at each step and depends on the state of the decoder"""
    assert [row[1] for row in rows] == ["yes", "no", "yes"]


@behind("heatmap")
def straka_trained_attention_visualisation_figure_3_zhao(Out):
    """Straka: trained attention visualisation, figure 3; Zhao: some interpretability"""
    assert len(Out[max(Out)].views) == 4
    for v in Out[max(Out)].views:
        assert v["models"][0]["reference"]["rate"]


@behind("aer")
def thadani_induced_alignments_attention_weights_reveal(rows):
    """Thadani: induced alignments: attention weights reveal alignments"""
    for row in rows:
        assert row[3] < row[2]
        assert row[3] < 0.3


@behind("not-alignment")
def thadani_weights_can_be_visualised_to_diagnose_errors(disagree, share):
    """Thadani: weights can be visualised to diagnose errors"""
    assert sum(disagree.values()) > 0
    assert 0 < share < 0.5


@behind("level")
def thadani_consistent_performance_as_sentence_length(output):
    """Thadani: consistent performance as sentence length increases: here a fall, but a much smaller one"""
    assert "[picture]" in output
    kept = {name: evidence.row(name, "kept with length").values.values() for name in ("rnn.luong", "rnn.none")}
    assert min(kept["rnn.luong"]) > 70 > 50 > max(kept["rnn.none"])


@behind("bahdanau-table")
def thadani_the_table_of_bahdanau_et_al_rnnencdec_rnnsearch(output):
    """Thadani: the table of Bahdanau et al., RNNencdec, RNNsearch, Moses"""
    for number in (
        "13.93",
        "24.19",
        "21.50",
        "31.44",
        "17.82",
        "26.71",
        "26.75",
        "34.16",
        "28.45",
        "36.15",
        "33.30",
        "35.63",
    ):
        assert number in output


@behind("gradients")
def thadani_gradients_flow_directly_to_the_relevant_encoder(flow):
    """Thadani: gradients flow directly to the relevant encoder states"""
    assert flow["one vector"][-1][1] < 1e-3 * flow["one vector"][0][1]
    assert flow["attention"][-1][1] > 1e-2 * flow["attention"][0][1]


@behind("cost")
def thadani_o_mn_instead_of_o_m_n(costs):
    """Thadani: O(mn) instead of O(m + n)"""
    for a, b in zip(costs, costs[1:], strict=False):
        assert abs(b[1] / a[1] - 2) < 0.05
    assert costs[-1][2] / costs[-2][2] > costs[1][2] / costs[0][2] > 2
