"""Lecture 08: what a figure, table or example of a seed shows, behind the cell that shows it here."""

import math

from .rows import behind


@behind("step")
def li_training_loss_cross_entropy_with_teacher_forcing_one(same, losses, n):
    """Li: training loss: cross-entropy with teacher forcing; one training step"""
    assert same
    assert abs(losses[0] - math.log(n)) < 1


@behind("recipes")
def li_vocabulary_37k_bpe_32k_word_piece_dropout_0_1_to_0_3(output, OURS):
    """Li: vocabulary 37K BPE, 32k word-piece; dropout 0.1 to 0.3; label smoothing 0.1; 8 GPUs, 100k and 300k steps"""
    assert "37,000" in output
    assert "32,000" in output
    assert "100,000 (base), 300,000 (big)" in output
    assert "8 GPUs; 12 hours, 3.5 days" in output
    assert (OURS.dropout, OURS.smoothing, OURS.averaged) == (0.1, 0.1, 5)


@behind("adam-by-hand")
def li_adam_the_five_equations_the_slip_of_sign_in_m(θ, checked, slip, rows):
    """Li: ADAM, the five equations; the slip of sign in m"""
    for value in checked.values():
        assert abs(value - θ) < 1e-6
    assert slip > 1.0 > rows[0][-1]


@behind("schedule")
def li_increase_the_learning_rate_during_warm_up_then(Out):
    """Li: increase the learning rate during warm-up, then decrease"""
    assert Out[max(Out)].predict
    assert Out[max(Out)].kind == "paper"
    assert Out[max(Out)].rate(1) < Out[max(Out)].rate(2000) > Out[max(Out)].rate(20_000)


@behind("rates")
def li_1_d_min_1_t_t_t(paper_rate, rows):
    """Li: η = 1/√d min(1/√t, t/√t₀³)"""
    for t in (1, 4000, 16000):
        assert abs(paper_rate(t, 4000, 512) - min(t**-0.5, t / 4000**1.5) / 512**0.5) < 1e-12
    for row in rows:
        assert row[1] == row[3]


@behind("warm-up")
def vaswani_et_al_2017_5_3_warm_up_with_and_without(by_way):
    """Vaswani et al. 2017, 5.3: warm-up: with and without"""
    assert by_way["post-norm, warm-up"] < by_way["post-norm, no warm-up"] > by_way["pre-norm, no warm-up"]


@behind("target")
def li_label_smoothing_1_for_the_class_and_n_1_otherwise(others, as_li, losses, torchs, library):
    """Li: label smoothing, 1 − ε for the class and ε/(n − 1) otherwise"""
    assert [round(v, 4) for v in others.tolist()] == [0.88, 0.04, 0.04, 0.04]
    assert abs(as_li - losses["Li"]) < 1e-6
    assert abs(torchs - losses["torch"]) < 1e-6
    assert abs(library - torchs) < 1e-6


@behind("smoothing")
def li_approximating_0_1_values_with_softmax_is_hard_0_1(Out):
    """Li: approximating 0/1 values with softmax is hard; ε = 0.1"""
    assert Out[max(Out)].epsilon == 0.1
    assert Out[max(Out)].share == "others"
    assert Out[max(Out)].predict


@behind("smoothing-record")
def li_label_smoothing_in_the_table_of_choices_0_0_0_1_0_2(output):
    """Li: label smoothing in the table of choices: 0.0, 0.1, 0.2"""
    for x in ("4.67", "25.3", "5.47", "25.7", "4.92", "25.8"):
        assert x in output


@behind("dropout")
def li_dropout_applied_before_the_residual_and_to_embedding(found, places):
    """Li: dropout, applied before the residual and to embedding and positions"""
    assert len(found) == 32
    assert places["source_embedding", "source_embedding"] == 1
    assert sum(count for (part, _), count in places.items() if part == "encoder") == 12


@behind("dropout-record")
def li_dropout_in_the_table_of_choices_0_0_0_1_0_2(output):
    """Li: dropout in the table of choices: 0.0, 0.1, 0.2"""
    for x in ("5.77", "24.6", "4.95", "25.5"):
        assert x in output


@behind("padding-share")
def li_batches_group_by_approximate_sentence_length_still(found, pairs, batches):
    """Li: batches: group by approximate sentence length, still need shuffling"""
    assert found["by length, shuffled"][1] < 0.15 < 0.4 < found["random, 16 pairs each"][1]
    assert [max(len(pairs[k][1]) for k in batch) for batch in batches.plan(0)] != sorted(
        max(len(pairs[k][1]) for k in batch) for batch in batches.plan(0)
    )


@behind("devices")
def li_one_machine_with_8_gpus_base_model_100k_steps_12(rows):
    """Li: one machine with 8 GPUs: base model 100k steps (12 hours), large model 300k steps (3.5 days)"""
    assert [row[3] for row in rows] == ["3.3e+18", "2.3e+19"]


@behind("average")
def li_model_average_a_single_model_from_the_last_5(mean_of_five, five, two_runs, other_seed):
    """Li: model average: a single model from the last 5 checkpoints"""
    assert mean_of_five < min(min(five) + 0.02, sum(five) / 5 - 0.05)
    assert two_runs > max(five[-1], other_seed) + 0.3


@behind("average-record")
def li_model_average_recorded(record, gain):
    """Li: model average, recorded"""
    assert record["recipe"]["averaged"] == 5
    assert gain["test"] > 1
    assert gain["long"] > 1


@behind("ablation-paper")
def li_effectiveness_of_choices_the_ablation_table(rows):
    """Li: effectiveness of choices: the ablation table"""
    assert len(rows) == 20
    assert [row[2] for row in rows if row[0].startswith("heads")] == [24.9, 25.5, 25.8, 25.4]
    assert dict((row[0], row[1:3]) for row in rows)["layers 2"] == [6.11, 23.7]


@behind("ablation-paper")
def li_effectiveness_of_choices_parameters(rows):
    """Li: effectiveness of choices: parameters"""
    assert [row[4] for row in rows if row[4]] == [65, 58, 60, 36, 50, 80, 28, 168, 53, 90, 213]


@behind("ablation-ours")
def li_effectiveness_of_choices_re_run_small(rows, checkpoints):
    """Li: effectiveness of choices: re-run small"""
    assert [row[0] for row in rows] == [f"ablation_{name}" for name in checkpoints.recipes.CHANGES if name != "base"]


@behind("ablation-plot")
def li_effectiveness_of_choices_as_a_plot_of_bleu_ours(output, tables, ours):
    """Li: effectiveness of choices: as a plot of BLEU, ours beside it"""
    assert "[picture]" in output
    assert sum(map(len, tables["the paper"].values())) == 18
    assert sum(map(len, tables["ours, small"].values())) == len(ours) - 1


@behind("ablation-perplexity")
def li_effectiveness_of_choices_as_a_plot_of_perplexity_ours(output, tables, ours):
    """Li: effectiveness of choices: as a plot of perplexity, ours beside it"""
    assert "[picture]" in output
    assert sum(map(len, tables["the paper"].values())) == 18
    assert sum(map(len, tables["ours, small"].values())) == len(ours) - 1


@behind("wmt14")
def li_results_on_wmt14_models_bleu_training_cost_in_flops(rows, output):
    """Li: results on WMT14: models, BLEU, training cost in FLOPs"""
    assert len(rows) == 10
    for x in ("23.75", "39.92", "40.46", "41.16", "41.29", "38.1", "8.0e+20"):
        assert x in output


@behind("wmt14-plot")
def li_results_on_wmt14_as_a_plot(output, german, french):
    """Li: results on WMT14, as a plot"""
    assert "[picture]" in output
    assert len(german) == 7
    assert len(french) == 9


@behind("limit")
def li_decoding_length_within_source_length_50(source_plus_50):
    """Li: decoding length: within source length + 50"""
    assert source_plus_50(12) == 62
