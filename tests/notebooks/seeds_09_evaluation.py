"""Lecture 09: what a figure, table or example of a seed shows, behind the cell that shows it here."""

import math

from .rows import behind


@behind("by-hand")
def zhao_p_n_matched_n_grams_over_all_n_grams(rows):
    """Zhao: p_n = Σ Count_matched(ngram) / Σ Count(ngram), the matched counts clipped"""
    assert [row[2] for row in rows] == ["9/10", "5/9", "3/8", "2/7"]
    assert "yesterday" in rows[0][1]


@behind("whole")
def zhao_bp_is_1_if_c_is_above_r_else_exp_1_minus_r_over_c(rows):
    """Zhao: BP = 1 if c > r, exp(1 − r/c) if c ≤ r"""
    assert [row[5] for row in rows] == ["10/11", "4/11", "11/11"]
    assert all(
        math.isclose(row[6], bp) for row, bp in zip(rows, (math.exp(-0.1), math.exp(1 - 11 / 4), 1.0), strict=True)
    )


@behind("whole")
def zhao_bleu_is_bp_times_the_exp_of_the_weighted_mean_of_log_p_n(rows):
    """Zhao: BLEU = BP · exp(Σ w_n log p_n), w_n = 1/4 (Papineni et al. 2002)"""
    assert math.isclose(rows[0][7], 100 * math.exp(-0.1) * (3 / 56) ** 0.25)


@behind("cost")
def zhao_at_development_time_automatic_metrics_because_they_are_fast(rows):
    """Zhao: automatic metrics at development time, fast to compute; manual evaluation at test time, expensive"""
    assert rows[0][1] > 100 * rows[1][1]


@behind("outputs")
def zhao_what_to_evaluate_fluency_and_adequacy(rows, outputs):
    """Zhao: how good is an MT output? What to evaluate: fluency, adequacy"""
    assert len(rows) == 3 * (2 + len(outputs)) + 3


@behind("matching")
def zhao_bertscore(match, left, right):
    """Zhao: BERTScore (Zhang et al. 2020): each piece with the most similar one of the other sentence"""
    assert len(match.of_candidate) == len(left) and len(match.of_reference) == len(right)
    assert all(match.similarity[n].argmax() == partner for n, partner in enumerate(match.of_candidate))


@behind("form")
def zhao_likert_scale(Out):
    """Zhao: Likert scale, a discrete score"""
    assert Out[max(Out)].scale == "likert"


@behind("z-scores")
def zhao_direct_assessment_a_continuous_score(raw, z):
    """Zhao: direct assessment, a continuous score; relative ranking"""
    assert list(raw) == ["Z", "Y", "X"] and list(z) == ["X", "Y", "Z"]


@behind("tasks")
def zhao_other_tasks(others):
    """Zhao: can be used in other seq2seq tasks: summarisation, simplification, dialogue generation"""
    assert set(others) == {"summary", "simplification", "dialogue"}


@behind("gnmt")
def thadani_pbmt_gnmt_human_relative_improvement(rows):
    """Thadani: PBMT, GNMT, human, relative improvement 87, 64, 58, 63, 83, 60 %; 87 and 58 are cut off"""
    assert [row[1:4] for row in rows] == [
        [4.885, 5.428, 5.504],
        [4.932, 5.295, 5.496],
        [4.035, 4.594, 4.987],
        [4.872, 5.187, 5.372],
        [5.046, 5.343, 5.404],
        [3.694, 4.263, 4.636],
    ]
    assert [row[4] for row in rows] == ["87 %", "64 %", "58 %", "63 %", "83 %", "60 %"]
    assert [row[5] for row in rows] == ["87.7 %", "64.4 %", "58.7 %", "63.0 %", "83.0 %", "60.4 %"]


@behind("rl")
def thadani_log_likelihood_against_rl_improvement_in_bleu_not_in_human_judgments(rows):
    """Thadani: En→Fr 38.95 → 39.92, En→De 24.67 → 24.60 with RL; better BLEU, but not human judgments"""
    assert [row[1:3] for row in rows] == [[38.95, 39.92], [24.67, 24.60]]
    assert [round(row[3], 2) for row in rows] == [0.97, -0.07]


@behind("detok")
def straka_table_3_of_artetxe_proposed_system_and_detok_sacrebleu(rows):
    """Straka: Artetxe et al. (2019), table 3: system 33.5 36.2 27.0 22.5, detok. SacreBLEU 33.2 33.6 26.4 21.2"""
    assert rows[0][1:] == [33.5, 36.2, 27.0, 22.5]
    assert rows[1][1:] == [33.2, 33.6, 26.4, 21.2]


@behind("vqa")
def straka_mcb_and_ground_truth_of_six_questions(answers):
    """Straka: MCB figure 6: carrot, husky, carpet, green, yes; where are the buildings: in background, truth on left"""
    assert [said for _, said, _ in answers] == ["carrot", "husky", "carpet", "green", "yes", "in background"]
    assert [true for _, _, true in answers] == ["carrot", "husky", "carpet", "green", "yes", "on left"]


@behind("judged")
def claim_bleu_and_judgement_agree_in_part(rows):
    """The claim of the field that Zhao and Thadani repeat: BLEU and human judgement agree only partly; here with
    adequacy and fluency computed by the grammar"""
    by = {row[0]: row[1:] for row in rows}
    assert by["one vector"][0] + 8 < by["short A"][0]
    assert by["one vector"][1] < by["short A"][1]  # adequacy: the same order
    assert by["one vector"][2] > by["short A"][2] + 3  # fluency: the opposite one
