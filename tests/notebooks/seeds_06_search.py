"""Lecture 06: what a figure, table or example of a seed shows, behind the cell that shows it here."""

import math
from statistics import fmean

from .rows import behind


@behind("greedy-fails")
def zhao_y_argmax_y_p_y_x_argmax_y_t_p_y_t_y_t_x_li(toy, outputs):
    """Zhao: y' = argmax_y p(y | x) = argmax_y Π_t p(y_t | y_<t, x); Li: inference"""
    for y in outputs:
        assert (
            abs(
                math.prod(math.exp(toy.model.rows[y.words[:t]][w]) for t, w in enumerate(y.words))
                - math.exp(y.log_probability)
            )
            < 1e-6
        )


@behind("greedy-fails")
def zhao_a_first_attempt_greedy_decoding_li_autoregressive(toy):
    """Zhao: a first attempt: greedy decoding; Li: autoregressive generation, greedy decoding"""
    assert toy.translate(["x"]) == ["der Hund"]


@behind("greedy-fails")
def zhao_the_best_token_at_the_current_step_does(rows):
    """Zhao: the best token at the current step does not necessarily lead to the best sequence; Li: not best"""
    assert rows[0][0] == "ein Hund"
    assert abs(rows[0][2] - 0.36) < 1e-6
    assert abs(dict((name, p) for name, _, p in rows)["der Hund"] - 0.2) < 1e-6


@behind("space")
def zhao_how_do_we_search_through_this_large_list_li(V, rows):
    """Zhao: how do we search through this large list; Li: exhaustive search, too expensive"""
    assert V > 1000
    assert rows[-2][1] == f"10^{math.log10(V - 1) * 19:.0f}"
    assert int(rows[-1][1][3:]) > 80


@behind("growth")
def li_naive_solution_exhaustive_search(rows):
    """Li: naive solution: exhaustive search"""
    for row in rows:
        assert row[1] == row[2]
    assert rows[-1][1] == 1365


@behind("walk-table")
def zhao_beam_search_core_idea_hypotheses_score_y_1_y_t_log(score_of, pie, walk):
    """Zhao: beam search, core idea: hypotheses, score(y_1 … y_t) = Σ log p, never positive"""
    for step in walk.steps[:6]:
        for node in step:
            if pie.written(walk.words(node.number)) in score_of and node.word != 3:
                assert abs(node.log_probability - score_of[pie.written(walk.words(node.number))]) < 1e-4


@behind("walk-table")
def zhao_beam_search_example_k_2_of_k_hypotheses_the_top_k(pie, walk):
    """Zhao: beam search example, k = 2: of k hypotheses the top k next words, of the k² keep k"""
    assert [sorted(pie.written(walk.words(n.number)) for n in step if n.fate == "kept") for step in walk.steps[:6]] == [
        ["I", "he"],
        ["I was", "he hit"],
        ["he hit a", "he hit me"],
        ["he hit a pie", "he hit me with"],
        ["he hit me with a", "he hit me with one"],
        ["he hit me with a pie", "he hit me with a tart"],
    ]
    for step in walk.steps[1:6]:
        assert len(step) == 4


@behind("walk-tree")
def zhao_the_top_scoring_hypothesis_is_found_he_hit_me(Out):
    """Zhao: the top-scoring hypothesis is found: he hit me with a pie"""
    assert (
        lambda tree: (
            tree.outputs[0]["text"] == "he hit me with a pie"
            and abs(tree.outputs[0]["log_p"] + 4.3) < 1e-3
            and tree.k == 2
            and tree.predict
        )
    )(Out[max(Out)])


@behind("enough-k")
def zhao_beam_search_is_not_guaranteed_to_find_the_optimal(rows):
    """Zhao: beam search is not guaranteed to find the optimal solution"""
    assert [row[1] for row in rows] == ["der Hund", "ein Hund", "ein Hund"]


@behind("by-hand")
def li_beam_search_keep_k_best_partial_sequences_expand(rows):
    """Li: beam search: keep k best partial sequences, expand, collect, keep the top k; Thadani: beam search
    decoding"""
    assert [row[0] for row in rows[:3]] == ["aside"] * 3
    for row in rows[:3]:
        assert row[4] == "yes"
        assert abs(row[2] - row[3]) < 1e-3


@behind("count-too-early")
def zhao_stopping_criteria_completed_hypotheses_are_placed(rows):
    """Zhao: stopping criteria: completed hypotheses are placed aside; timestep T, or n completed"""
    assert [row[:3] for row in rows[:2]] == [["count", 2, ""], ["bound", 3, "danke schön"]]
    assert rows[2][2] == "danke schön"


@behind("by-hand")
def li_pseudocode_a_candidate_that_ended_stays_in_the_beam(rows):
    """Li: pseudocode: a candidate that ended stays in the beam, only EOS follows, with 0"""
    assert [row[0] for row in rows[3:]] == ["in_beam"] * 3
    for row in rows[3:]:
        assert row[4] == "yes"
        assert abs(row[2] - row[3]) < 1e-3


@behind("tree")
def zhao_beam_search_on_a_sentence_the_whole_tree(Out, attentive):
    """Zhao: beam search on a sentence, the whole tree"""
    assert Out[max(Out)].k == 3
    assert Out[max(Out)].translator is attentive
    assert Out[max(Out)].outputs


@behind("policies")
def li_decoding_length_within_source_length_50(rows, limit, hard):
    """Li: decoding length: within source length + 50"""
    assert rows[2][2] == limit == hard.shape[1] + 50


@behind("errors-record")
def li_two_types_of_error_the_most_probable_translation(shown):
    """Li: two types of error: the most probable translation is bad; search does not find the most probable"""
    assert shown[2][4] <= shown[0][4]
    assert shown[2][2] >= shown[2][4]
    for row in shown:
        assert row[4] + row[6] >= row[2]


@behind("curse")
def li_the_most_probable_translation_is_not_necessarily(points):
    """Li: the most probable translation is not necessarily the one with the highest BLEU"""
    for line in points.values():
        means = [fmean(scores) for _, scores in line]
        assert means[-1] < max(means) - 1


@behind("beam-claim")
def li_a_beam_finds_more_probable_outputs_than_greedy_search(output):
    """Li: a beam finds more probable outputs than greedy search, as far as the runs decide"""
    (line,) = [line for line in output.splitlines() if line.startswith("a beam finds more probable outputs")]
    assert line.endswith(("shown", "not decided", "too few runs"))


@behind("ensemble-record")
def li_performance_with_model_ensemble_luong_et_al(record):
    """Li: performance with model ensemble (Luong et al.)"""
    assert (
        lambda pair, small: (
            min(e["all"] for e in pair[2:]) > max(m["all"] for m in pair[:2])
            and min(e["all"] for e in small[5:]) > max(m["all"] for m in small[:3])
            and max(m["all"] for m in small[:2]) < small[3]["all"] < small[4]["all"]
            and [e["models"] for e in (*pair, *small)] == [1, 1, 2, 2, 1, 1, 1, 2, 2, 3, 3]
        )
    )(*(record["ensembles"][name] for name in ("fixed", "member")))


@behind("wmt")
def li_results_on_wmt14_single_models_and_ensembles(output, rows):
    """Li: results on WMT14, single models and ensembles"""
    for number in ("24.60", "26.30", "39.92", "41.16", "25.16", "26.36", "40.46", "41.29", "39.20", "40.40"):
        assert number in output
    assert [round(f(row[4] for row in rows), 1) for f in (min, max)] == [0.8, 1.7]


@behind("cost")
def li_beam_search_is_approximate_dynamic_programming_k(rows):
    """Li: beam search is approximate dynamic programming: k hypotheses in place of all"""
    for row in rows:
        assert abs(row[2] / row[0] - 1) < 0.05
