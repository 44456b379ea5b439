"""Lecture 06: what its text says in numbers, behind the cell that it speaks of."""

import math

import torch

from course_lib.corpora.grammar import sample
from course_lib.widgets import BeamStepper

from .rows import behind


@behind("greedy-trained")
def greedy_misses_some_of_the_long_sentences_not_most(better, texts, beam_found, n, greedy_found, attentive):
    """greedy misses some of the long sentences, not most; it takes *Hüte* and loses the street, the beam is right"""
    assert 0 < len(better) < len(texts) / 2
    assert beam_found[n].log_probability > greedy_found[n].log_probability
    greedy, found = (attentive.written(each[n].words) for each in (greedy_found, beam_found))
    assert "die eine Hüte überquert" in greedy and "Straße" not in greedy
    assert "die eine laute Straße überquert" in found and "crossed a loud street" in texts[n]


@behind("space")
def the_universe_has_more_atoms_than_there_are_outputs_of_20(rows):
    """the universe has more atoms than there are outputs of 20 pieces, fewer than of 30"""
    assert int(rows[-2][1][3:]) < 80 < int(rows[-1][1][3:])


@behind("pie")
def he_hit_is_1_7_and_i_was_is_1_6_he_hit_me_with_a_pie_4_3(score_of):
    """he hit is −1.7 and I was is −1.6; he hit me with a pie −4.3"""
    assert [round(score_of[y], 1) for y in ("he hit", "I was", "he hit me with a pie")] == [-1.7, -1.6, -4.3]


@behind("pie")
def with_3_7_and_4_3_the_probabilities_of_a_and_one_would(score_of):
    """with −3.7 and −4.3 the probabilities of a and one would sum to 1.04"""
    assert score_of["he hit me with"] == -3.3
    assert round(math.exp(-3.7 + 3.3) + math.exp(-4.3 + 3.3), 2) == 1.04


@behind("pie")
def greedy_search_finds_the_pie_too(pie):
    """greedy search finds the pie too"""
    assert pie.translate(["x"]) == ["he hit me with a pie"]


@behind("pie")
def every_row_of_the_pie_s_table_is_a_distribution(pie):
    """every row of the pie's table is a distribution"""
    for row in pie.model.rows.values():
        assert abs(row.exp().sum() - 1) < 1e-4


@behind("count-too-early")
def ja_is_finished_with_0_26_danke_sch_n_goes_on_with_0_40(rows, thanks):
    """ja is finished with 0.26, danke schön goes on with 0.40"""
    assert abs(rows[0][3] - 0.32) < 1e-6
    assert abs(rows[1][3] - 0.399) < 1e-6
    assert thanks[""]["ja"] == 0.26


@behind("count-too-early")
def set_aside_or_in_the_beam_by_hand_as_in_the_library_also(polite, beam_search, nothing, beam):
    """set aside or in the beam, by hand as in the library, also where the two differ"""
    assert [
        (
            polite.written(y.words),
            polite.written(beam_search(polite.model, *nothing, 10, 2, way == "in_beam")[0][0][:-1]),
        )
        for way in ("aside", "in_beam")
        for y in beam(polite.model, *nothing, 10, 2, finished=way)[0]
    ] == [("", ""), ("danke schön", "danke schön")]


@behind("tree")
def here_k_1_5_and_50_find_the_same_output(Out):
    """here k = 1, 5 and 50 find the same output"""
    rows = Out[max(Out)].compared
    assert [row["k"] for row in rows] == [1, 5, 50] and len({row["text"] for row in rows}) == 1


@behind("tree")
def the_outputs_differ_in_keinen_and_in_weil_weil(Out):
    """the second output has keinen in place of einen, the third weil weil; on the way the participle's place differs"""
    best, second, third = (row["text"] for row in Out[max(Out)].outputs)
    assert second == best.replace("einen", "keinen") and third == best.replace("weil", "weil weil")
    nodes = Out[max(Out)].nodes
    kept = [node for node in nodes if node["parent"] is not None and node["fate"] == "kept"]
    pairs = {(nodes[node["parent"]]["piece"], node["piece"]) for node in kept}
    assert {("haben", "einen"), ("rieben", "haben")} <= pairs  # haben … geschrieben, and geschrieben haben


@behind("one-sentence")
def farmers_is_three_pieces_wrote_two_every_other_word_one(cutter):
    """farmers is three pieces, wrote two, every other word one; 2,000 merges"""
    counts = {"".join(word["symbols"]): len(word["symbols"]) - len(word["joins"]) for word in cutter.words}
    assert {word: n for word, n in counts.items() if n > 1} == {"farmers</w>": 3, "wrote</w>": 2}
    assert cutter.merges == 2000


@behind("one-sentence")
def attention_is_spread_most_at_hat_below_one_half(heatmap):
    """attention is spread most at hat, on sleeping, below one half; Brief and Hund have nearly all on one"""
    pieces = heatmap.views[0]["models"][0]["free"]["levels"]["pieces"]
    largest = dict(zip(pieces["target"], map(max, pieces["weights"]), strict=True))
    assert min(largest, key=largest.get) == "hat</w>" and largest["hat</w>"] < 500
    row = pieces["weights"][pieces["target"].index("hat</w>")]
    assert pieces["source"][row.index(max(row))] == "sleeping</w>"
    assert largest["Brief</w>"] > 900 and largest["Hund</w>"] > 900


@behind("one-sentence")
def a_sentence_of_one_s_own_is_in_all_three(tree, cutter, heatmap, sentence):
    """a sentence of one's own is in all three; no sentence of the training text has unreadable"""
    own = "The fisherman bought an unreadable newspaper."
    heatmap.read(own)
    assert tree.text == cutter.text == heatmap.text == own
    (pieces,) = (len(w["symbols"]) - len(w["joins"]) for w in cutter.words if "".join(w["symbols"]) == "unreadable</w>")
    assert pieces == 6
    training = (one.sentences["en"] for one in sample(1000, split="train"))
    assert not any("unreadable" in words for words in training)
    tree.read(sentence)
    assert cutter.text == heatmap.text == sentence


@behind("policies")
def bound_gives_the_same_best_output_as_length(rows):
    """bound gives the same best output as length"""
    assert len(rows) == 6
    assert rows[1][4] == rows[2][4]
    assert rows[4][4] == rows[5][4]


@behind("policies")
def length_takes_the_most_steps_where_hypotheses_are_set(rows):
    """length takes the most steps where hypotheses are set aside"""
    assert rows[2][2] > rows[1][2]
    assert rows[2][2] > rows[0][2]


@behind("short-wins")
def the_sum_prefers_a_the_normalised_scores_prefer_b(rows):
    """the sum prefers A, the normalised scores prefer B"""
    assert rows[0][3] > rows[1][3]
    assert rows[0][4] < rows[1][4]
    assert rows[0][5] < rows[1][5]


@behind("mean-curve")
def the_translator_with_attention_learnt_from_one_and_a_half_times_as_many_pairs(checkpoints):
    """attention learnt from one and a half times as many pairs as one vector, some of them two pairs joined"""
    attention, one_vector = checkpoints.RECIPES["attention"], checkpoints.RECIPES["fixed"]
    assert attention.sentences == 1.5 * one_vector.sentences and attention.joined > one_vector.joined == 0


@behind("alpha")
def the_best_output_never_becomes_shorter_when_grows(rows):
    """the best outputs never become shorter when α grows: 13.5 to 17.9 pieces; GNMT's formula changes less"""
    of_power, of_gnmt = rows[:5], rows[5:]
    for group in (of_power, of_gnmt):
        for a, b in zip(group, group[1:], strict=False):
            assert a[2] <= b[2] and a[3] <= b[3]
    assert [round(row[2], 1) for row in (of_power[0], of_power[-1])] == [13.5, 17.9]
    assert all(power[2] >= gnmt[2] for power, gnmt in zip(of_power, of_gnmt, strict=True))
    assert of_power[-1][2] > of_gnmt[-1][2]


@behind("alpha")
def a_basket_then_a_key_then_the_key_of_a_cellar_never_the_window(rows):
    """one sentence: a basket, a key, the key of a cellar, each longer and less probable; never the window"""
    for group in (rows[:5], rows[5:]):
        said = list(dict.fromkeys(row[5].split()[-2] for row in group))
        assert said == ["Korb", "Schlüssel", "Kellerschlüssel"]
        assert all(a[3] < b[3] and a[4] > b[4] for a, b in zip(group, group[1:], strict=False) if a[5] != b[5])


@behind("lengths")
def the_weak_model_s_outputs_get_shorter_from_1_00_to_0_87(lines):
    """the weak model's outputs get shorter, from 1.00 to 0.87 with the sum, to 0.98 with the mean"""
    assert [round(lines[name][i][1], 2) for name in ("one vector, sum", "one vector, mean") for i in (0, -1)] == [
        1.0,
        0.87,
        1.0,
        0.98,
    ]
    assert (lambda ys: ys == sorted(ys, reverse=True))([y for _, y in lines["one vector, sum"]])


@behind("lengths")
def the_recorded_run_stops_by_bound_with_the_sum_by_count(searching):
    """the recorded run stops by bound with the sum, by count with the mean"""
    assert {name: stop for name, (_, stop) in searching.RANKINGS.items()} == {"plain": "bound", "mean": "count"}


@behind("lengths")
def the_length_of_the_model_with_attention_hardly_changes(lines):
    """the length of the model with attention hardly changes"""
    for name in ("attention, sum", "attention, mean"):
        for _, y in lines[name]:
            assert abs(y - lines[name][0][1]) < 0.05


@behind("errors-record")
def with_attention_60_of_60_are_decided_k_5_misses_one_7(shown):
    """with attention 60 of 60 are decided, k = 5 misses one, 7 outputs are wrong, all by model errors"""
    assert shown[2] == ["attention", "60 of 60", 7, 5, 1, 53, 7]


@behind("errors-record")
def the_weak_model_29_of_60_decided_31_not_15_model_errors_k(shown):
    """the weak model: 29 of 60 decided, 31 not, 15 model errors, k = 5 misses 3"""
    assert shown[7] == ["one vector", "29 of 60", 15, 5, 3, 14, 15]


@behind("errors-record")
def after_1_000_steps_the_search_for_the_most_probable(searching):
    """after 1,000 steps the search for the most probable output gives up"""
    assert searching.MOST == 1_000


@behind("errors-record")
def the_weak_model_makes_more_model_errors_and_more_search(models):
    """the weak model makes more model errors, and more search errors"""
    assert (
        lambda strong, weak: (
            weak["model_errors"] / weak["decided"] > strong["model_errors"] / strong["decided"]
            and weak["searches"][0]["search_errors"] / weak["decided"]
            > strong["searches"][0]["search_errors"] / strong["decided"]
        )
    )(models["attention"]["errors"], models["fixed"]["errors"])


@behind("beam-size")
def the_log_probability_rises_with_k_for_each_seed_and_the_outputs_get_shorter(beamed, BEAMS, evidence):
    """for both models and each seed the log-probability rises with k, and the outputs get shorter"""
    for name in beamed.values():
        rows = [[evidence.row(f"{name}: beam {k}", what).values for k in BEAMS] for what in ("log p", "length")]
        for seed in rows[0][0]:
            log_p, length = ([each[seed] for each in row] for row in rows)
            assert log_p == sorted(log_p) and length[-1] < length[0] - 0.05


@behind("beam-claim")
def with_five_seeds_the_claim_is_shown(evidence):
    """with five seeds of the model with attention the claim is shown"""
    rows = [evidence.row(f"rnn.luong: beam {k}", "log p", range(5)) for k in (5, 1)]
    assert [len(row.values) for row in rows] == [5, 5]
    assert evidence.difference(*rows, "log p").verdict == "shown"


@behind("beam-size")
def with_attention_k_20_loses_more_than_four_bleu_one_vector_more_than_two(beamed, evidence):
    """from k = 1 to k = 2 BLEU changes little, to k = 20 it falls by more than four; with one vector more than two"""
    for told, least in (("attention", 4), ("one vector", 2)):
        first, second, last = (evidence.row(f"{beamed[told]}: beam {k}", "bleu on long").values for k in (1, 2, 20))
        assert first and all(first[seed] - last[seed] > least for seed in first)
        assert all(abs(first[seed] - second[seed]) < 2 for seed in first)


@behind("mean-ranking")
def on_both_sets_the_log_probability_rises_with_k(models, against_k):
    """on both sets the log-probability rises with k"""
    for name in models:
        for split in ("test", "long"):
            for (_, a), (_, b) in zip(
                against_k(name, split, "log_probability"), against_k(name, split, "log_probability")[1:], strict=False
            ):
                assert b >= a


@behind("mean-curve")
def among_the_outputs_of_a_wide_beam_are_many_that_are_too(against_k, lines):
    """among the outputs of a wide beam are many that are too short; the mean mends much of it"""
    for split in ("test", "long"):
        assert against_k("fixed", split, "length")[-1][1] < against_k("fixed", split, "length")[0][1] - 0.05
        assert lines[f"{split}, mean"][-1][1] > lines[f"{split}, sum"][-1][1]


@behind("mean-ranking")
def the_strong_model_has_little_to_gain_and_little_to_lose(against_k):
    """the strong model has little to gain and little to lose"""
    assert (lambda scores: max(scores) - min(scores) < 3)([y for _, y in against_k("attention", "test", "all")])


@behind("ensemble")
def the_ensemble_of_the_two_directions_by_the_mean(rows):
    """the ensemble of the two directions, by the mean of logarithms, is better than each"""
    assert rows[3][1] > max(rows[0][1], rows[1][1])
    assert rows[2][1] > (rows[0][1] + rows[1][1]) / 2


@behind("ensemble-record")
def the_recorded_ensembles_in_figures(rows):
    """the recorded ensembles in figures"""
    assert [f"{row[2]:.1f}" for row in rows] == [
        "36.4",
        "31.4",
        "37.1",
        "38.3",
        "61.7",
        "65.6",
        "62.5",
        "69.0",
        "70.0",
        "70.0",
        "70.3",
    ]


@behind("pairs-gain")
def in_all_five_pairs_3_8_and_5_0_both_shown_logarithms_ahead_by_1_2(checkpoints, rows, found):
    """in all five pairs two are better than the better one, by 3.8 and 5.0, both shown; logarithms ahead in
    each, by 1.2, from 0.4 to 2.0"""
    assert [(f"{row[2]:.1f}", row[4]) for row in rows] == [("3.8", "shown"), ("5.0", "shown"), ("1.2", "shown")]
    assert rows[2][3] == "[+0.4, +2.0]"
    assert len(found) == 5 and all(min(bleus[2:]) > max(bleus[:2]) for bleus in found)
    assert all(bleus[3] > bleus[2] for bleus in found)
    said = checkpoints.about("ensembles")
    assert [pair["seeds"] for pair in said["pairs"]] == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
    assert said["sentences"] == 300


@behind("temperature")
def n_0_5_squares_top_2_divides_by_0_8(rows, p):
    """τ = 0.5 squares, top-2 divides by 0.8"""
    assert torch.allclose(torch.tensor(rows[1][1:]), p[0] ** 2 / (p[0] ** 2).sum())
    assert torch.allclose(torch.tensor(rows[3][1:]), torch.tensor([0.625, 0.375, 0.0, 0.0]))


@behind("variety")
def variety_rises_and_bleu_falls_with_at_1_5_it_falls_less(rows):
    """variety rises and BLEU falls with τ; at τ = 1.5 it falls less with top-5"""
    assert rows[0][1] == 1
    assert rows[1][1] <= rows[2][1] < rows[3][1]
    assert rows[1][2] > rows[3][2] < rows[4][2]


@behind("cost")
def ten_times_as_many_products_for_k_10(rows):
    """ten times as many products for k = 10"""
    assert rows[3][0] == 10
    assert abs(rows[3][2] - 10) < 0.5


@behind("solution-by-hand")
def exercise_1(rows):
    """exercise 1"""
    assert [row[1] for row in rows] == ["a c", "b c"]
    assert round(rows[1][2], 2) == 0.36


@behind("solution-two-outputs")
def exercise_2_the_sum_prefers_a_both_others_b(rows):
    """exercise 2: the sum prefers A, both others B"""
    assert [row[3] for row in rows] == ["A", "B", "B"]


@behind("solution-counting")
def exercise_3(output):
    """exercise 3"""
    assert "192,000 pairs" in output


@behind("solution-random")
def exercise_4_k_2_finds_most_of_what_greedy_misses(found, tables):
    """exercise 4: k = 2 finds most of what greedy misses"""
    assert found[1] <= found[2] <= found[3]
    assert found[2] - found[1] > (tables - found[1]) / 2


@behind("solution-in-beam")
def exercise_5_danke_sch_n_is_not_lost(rows):
    """exercise 5: danke schön is not lost"""
    assert [row[2] for row in rows] == ["", "danke schön", "danke schön"]


@behind("solution-means")
def exercise_6(rows):
    """exercise 6"""
    assert [[round(x, 2) for x in row[1:]] for row in rows] == [[0.45, 0.25, 0.3], [0, 1, 0]]


@behind("solution-no-eos")
def exercise_7_without_the_end_ja_looks_better_with_it_ja(rows):
    """exercise 7: without the end ja looks better, with it ja bitte is"""
    assert rows == [["ja", 0.1, 1.0], ["ja bitte", 0.9, 0.9]]


@behind("solution-longer")
def exercise_8_longer_outputs_and_next_to_no_gain(rows):
    """exercise 8: longer outputs, and next to no gain"""
    assert rows[1][1] > rows[0][1]
    assert rows[1][2] < rows[0][2] + 1


@behind("solution-nucleus")
def exercise_9(rows):
    """exercise 9"""
    assert [[round(x, 3) for x in row[1:]] for row in rows] == [[0.375, 0.375, 0.25, 0], [1, 0, 0, 0]]


@behind("captions-tree")
def every_beam_copies_baker_and_only_greedy_search_takes_the_likeliest_piece_of_the_verb(captions, caption, options):
    """B, ak, er: 0.78, 0.69, 0.88; then b, with 0.12, and aut, with 0.10; a beam has macht, with 0.09: ln P −4.4, not
    −6.6; each size begins with Ein Baker"""
    found = captions.trace(caption)
    assert found.target[1:6] == ["▁B", "ak", "er", "▁b", "aut"]
    assert [round(math.exp(found.log_probs[step]), 2) for step in range(1, 6)] == [0.78, 0.69, 0.88, 0.12, 0.1]
    stepper = BeamStepper(captions, caption, k=3, compare=(1, 5, 50), **options)
    greedy, *beams = [f"Ein Baker {verb} Brot aus dem Ofen." for verb in ("baut", "macht", "macht")]
    assert [each["text"] for each in stepper.compared] == [greedy, *beams]
    of_greedy, of_beam = (captions.align(caption, text.split()).log_probs for text in (greedy, beams[0]))
    assert [round(sum(of), 1) for of in (of_greedy, of_beam)] == [-6.6, -4.4] and round(math.exp(of_beam[4]), 2) == 0.09


@behind("captions-differ")
def greedy_and_the_beam_differ_in_two_of_20_real_sentences_and_in_one_of_the_grammars(differ, rows):
    """two everyday sentences differ, the baker's and one where greedy search forgets the train, and one of the
    grammar's; the beam's output with the train is less probable, but more so for a piece"""
    assert [len(pairs) for pairs in differ.values()] == [2, 1]
    (without, with_train), (_, bread) = differ["captions"].values()
    assert "Zug" not in without and "auf den Bahnhof auf einen Zug" in with_train and "Baker macht" in bread
    of_greedy, of_beam = rows[:2]
    assert of_beam[2] < of_greedy[2] and of_beam[3] > of_greedy[3]
