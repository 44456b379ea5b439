"""Lecture 10: what a figure, table or example of a seed shows, behind the cell that shows it here."""

import torch

from .rows import behind


@behind("stack")
def thadani_8_layers_in_the_encoder_the_bottom_one_bidirectional(rows):
    """Thadani: GNMT's encoder has 8 LSTM layers, the bottom one bidirectional; its decoder has 8"""
    assert [row[1] for row in rows] == [2, *[1] * 15]
    assert sum("encoder" in row[0] for row in rows) == sum("decoder" in row[0] for row in rows) == 8


@behind("stack")
def straka_figure_1_of_gnmt_residual_from_the_third_layer(rows):
    """Straka: figure 1 of Wu et al. (2016): residual connections from the third layer on, in both stacks"""
    assert [row[0] for row in rows if row[4]] == [f"{side} {n}" for side in ("encoder", "decoder") for n in range(3, 9)]


@behind("picture")
def straka_figure_1_of_gnmt_the_context_goes_to_all_layers_of_the_decoder(notebook):
    """Straka: figure 1 of Wu et al. (2016): the bottom layer of the decoder asks, all its layers get the context"""
    shown = notebook["diagrams"].gnmt()
    assert shown.sources("a", 6) == ["last state", "state of the bottom layer before"]
    assert all("context" in shown.sources(layer, 6) for layer in ("d1", "d2", "d3"))


@behind("play")
def thadani_layers_on_separate_gpus_tick_by_tick(notebook):
    """Thadani: with all layers on separate GPUs layer 2 begins when the bottom layer has read both ways"""
    shown = notebook["diagrams"].timetable(notebook["pipeline"].encoder(4, 4, "bottom"), notebook["sentence"])
    assert (shown.since["h2.1"], len(shown.steps)) == (5, 10)


@behind("decoders")
def thadani_the_bottom_layer_of_the_decoder_provides_the_context(rows):
    """Thadani: the bottom layer of the decoder provides the attention context, an efficient trick"""
    ticks = {row[0]: row[2] for row in rows}
    assert ticks == {"bottom": 6 + 8 - 1, "top": 6 * 8}


@behind("ticks")
def thadani_all_layers_on_separate_gpus_only_the_bottom_one_can_read_both_ways(rows):
    """Thadani: all layers on separate GPUs; only the bottom one reads both ways, so the others work in parallel"""
    ticks = {row[0]: row[2] for row in rows}
    assert ticks["bottom"] - ticks["none"] < 6 < ticks["all"] - ticks["bottom"]


@behind("residual")
def thadani_normal_deep_lstm_and_residual_connections(stacks):
    """Thadani: normal deep LSTM beside residual connections, more robust to vanishing gradients"""
    left = {name: points[0][1] / points[-1][1] for name, points in stacks.items()}
    assert left["plain"] < left["residual"] / 3


@behind("exact")
def thadani_the_gradient_of_an_expected_reward_as_an_expectation(g, toy, R):
    """Thadani: ∇E[R] = Σ R ∇p = Σ R p ∇log p = E[R ∇log p] (over the model's outputs, not over the data)"""
    p = toy().exp().detach()
    assert torch.allclose((p * R) @ toy.scores(), g)


@behind("rl")
def thadani_refined_with_rl_38_95_to_39_92_and_24_67_to_24_60(rows):
    """Thadani: En→Fr 38.95 → 39.92, En→De 24.67 → 24.60 refined with RL"""
    assert [row[1:] for row in rows] == [[38.95, 39.92, "+0.97"], [24.67, 24.60, "-0.07"]]


@behind("wang")
def li_table_of_wang_et_al_post_and_pre_norm_dlcl(rows):
    """Li: Wang et al. (2019): post-norm 27.5, 28.8, failed, 27.6, 29.2; pre-norm 27.1, 28.7, 28.9, 27.3, 29.3"""
    assert [row[4] for row in rows] == [
        "27.5",
        "28.8",
        "failed",
        "27.6",
        "29.2",
        "27.1",
        "28.7",
        "28.9",
        "27.3",
        "29.3",
    ]
    assert [row[3] for row in rows] == [62, 211, 106, 62, 121, 62, 211, 106, 62, 137]
    assert [row[2] for row in rows if "deep" in row[1]] == [20, 25, 20, 30]


@behind("dlcl")
def li_dynamic_linear_combination_of_layers(start):
    """Li: dynamic linear combination of layers: combine the output of all layers"""
    assert start.shape == (7, 7) and torch.allclose(start.sum(1), torch.ones(7))


@behind("more-wang")
def li_table_of_wang_et_al_the_systems_of_others(told):
    """Li: the other systems of that table: 27.3, 28.0, 28.4, 28.5, 29.0, 29.2, 29.2, 29.3"""
    assert [row[4] for row in told] == ["27.3", "28.0", "28.4", "28.5", "29.0", "29.2", "29.2", "29.3"]


@behind("chinese")
def li_table_4_of_wang_et_al_chinese_english(rows):
    """Li: table 4 of Wang et al. (2019), WMT'18 Chinese–English, mean gains +0.9, +1.0, +1.3"""
    assert [row[2:4] for row in rows] == [
        ["25.9", "–"],
        ["25.8", "25.9"],
        ["26.4", "27.0"],
        ["26.7", "27.1"],
        ["26.9", "27.4"],
    ]
    gains = [float(row[4]) for row in rows[2:]]
    assert all(abs(gain - printed) < 0.06 for gain, printed in zip(gains, (0.9, 1.0, 1.3), strict=True))


@behind("sampled")
def li_jean_et_al_a_very_large_target_vocabulary(rows):
    """Li: Jean et al. (2015), a very large target vocabulary"""
    assert all(row[2] < row[3] for row in rows)


@behind("posunk")
def li_posunk(said):
    """Li: Deep-Att + PosUnk, in the table of WMT14"""
    assert said == ["le", "unkpos_0", "de", "unkpos_0"]


@behind("experts")
def li_moe_in_the_table_of_wmt14(rows):
    """Li: MoE in the table of WMT14; Zhao: PaLM beside a mixture of experts"""
    assert 16 <= rows[1][1] < 16.1 and 2 <= rows[1][2] < 2.1


@behind("wmt14")
def li_results_on_wmt14_with_their_cost(rows):
    """Li: WMT14, BLEU and training FLOPs of ten systems"""
    assert len(rows) == 10
    assert rows[2] == ["GNMT + RL", "24.6", "39.92", "2.3e+19", "1.4e+20"]
    assert rows[4] == ["MoE", "26.03", "40.56", "2.0e+19", "1.2e+20"]
    assert [row[1] for row in rows[-2:]] == ["27.3", "28.4"]


@behind("deep-claims")
def claim_deep_post_norm_fails_deep_pre_norm_and_dlcl_do_not(output):
    """The claim of Wang et al. (2019): deep post-norm fails, deep pre-norm and DLCL do not; here as recorded"""
    verdicts = ("shown", "contradicted", "not decided", "too few runs")
    for said in ("a deep one is better with pre-norm", "a combination of all layers helps a deep encoder"):
        (line,) = [line for line in output.splitlines() if line.startswith(said)]
        assert line.endswith(verdicts)


@behind("refined-claims")
def claim_training_for_the_whole_sentence_raises_bleu_and_not_what_people_say(output):
    """The claim of Wu et al. (2016): BLEU rises by RL, people's judgement does not; here with adequacy, as recorded"""
    verdicts = ("shown", "contradicted", "not decided", "too few runs")
    for said in ("minimum risk raises BLEU", "REINFORCE raises BLEU"):
        (line,) = [line for line in output.splitlines() if line.startswith(said)]
        assert line.endswith(verdicts)
    assert output.count("… and adequacy |") == 2


@behind("mixture-claims")
def claim_experts_at_equal_operations(output):
    """The claim of Shazeer et al. (2017): more parameters at equal operations; the balance loss; here as recorded"""
    verdicts = ("shown", "contradicted", "not decided", "too few runs")
    for said in ("experts raise BLEU at equal operations", "the balance loss spreads the words"):
        (line,) = [line for line in output.splitlines() if line.startswith(said)]
        assert line.endswith(verdicts)
