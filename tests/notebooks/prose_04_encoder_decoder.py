"""Lecture 04: what its text says in numbers, behind the cell that it speaks of."""

import math
from dataclasses import replace
from statistics import fmean

import torch

from course_lib.checkpoints import RECIPES, vectors
from course_lib.checkpoints.evidence import records

from .recorded import by_length
from .rows import behind


@behind("loss-words")
def ln_2_is_about_0_69():
    """ln 2 is about 0.69"""
    assert round(math.log(2), 2) == 0.69


@behind("steps")
def steps_and_forward_are_one_model(difference, at_once):
    """steps and forward are one model"""
    assert difference < 1e-5
    assert at_once.shape == (1, 4, 7)


@behind("batch")
def the_input_is_the_target_moved_by_one_place(batch):
    """the input is the target moved by one place"""
    for k in range(3):
        n = batch.target_mask[k].sum()
        assert torch.equal(batch.target_in[k, 1:n], batch.target_out[k, : n - 1])


@behind("padding")
def padding_changes_only_the_careless_mean(rows, by_hand):
    """padding changes only the careless mean"""
    assert len({round(row[1], 5) for row in rows}) == 1
    assert len({round(row[2], 2) for row in rows}) == 3
    assert abs(by_hand.item() - rows[0][1]) < 1e-4


@behind("data")
def no_held_out_english_sentence_is_taught(held, taught):
    """no held-out English sentence is taught"""
    assert not {e for e, _ in held} & {e for e, _ in taught}


@behind("conditioning")
def first_both_losses_are_the_same_then_they_part(trainer, with_other):
    """first both losses are the same, then they part"""
    assert (
        lambda own, other: (
            abs(own[0][1] - other[0][1]) < 0.25 * (other[-1][1] - own[-1][1])
            and other[-1][1] > own[-1][1] + 1
            and min(v for _, v in other) < other[-1][1]
        )
    )(trainer.held_out_losses, with_other)


@behind("written")
def in_the_beginning_a_handful_of_translations_at_the_end(different, STEPS, held):
    """in the beginning a handful of translations, at the end many"""
    assert different[STEPS // 10] < 0.3 * len(held) < different[STEPS]


@behind("written")
def the_loss_in_training_falls_below_the_held_out_loss(trainer):
    """the loss in training falls below the held-out loss"""
    assert sum(trainer.losses[-20:]) / 20 < trainer.held_out_losses[-1][1] - 0.2


@behind("greedy-table")
def small_words_are_sure(rows):
    """small words are sure"""
    assert rows[-1][2].startswith("</s> 0.9") or rows[-1][2].startswith("</s> 1.0")


@behind("damage")
def the_word_after_the_wrong_one_suffers_most_and_the_state(damage):
    """the word after the wrong one suffers most, and the state recovers"""
    for points in damage.values():
        assert points[0][1] == max(v for _, v in points)
        assert abs(points[-1][1]) < 0.5 * points[0][1]
        assert points[0][1] > 0.3
    assert damage["any piece"][0][1] > damage["the likeliest wrong piece"][0][1]


@behind("free-running")
def at_the_first_place_both_shares_are_equal_then_they_part(forced_right, free_right):
    """at the first place both shares are equal, then they part"""
    assert forced_right[0] == free_right[0]
    assert free_right[8:].mean() < forced_right[8:].mean() - 0.05


@behind("lags")
def reversal_the_mean_distance_falls_by_one_step_few_pairs(rows):
    """reversal: the mean distance falls by one step, few pairs are near without it"""
    assert abs(rows[0][1] - rows[1][1] - 1) < 1
    assert rows[0][3] < 0.05 < rows[1][3]


@behind("reversal-places")
def both_models_read_the_same_pieces(checkpoints, fixed):
    """both models read the same pieces"""
    reversed_model = checkpoints.load("fixed_reversed")
    assert reversed_model.vocabulary.id_to_piece == fixed.vocabulary.id_to_piece
    assert reversed_model.model.encoder.network.reads_ahead
    assert not fixed.model.encoder.network.reads_ahead


@behind("reversal-longer")
def the_longer_runs_are_as_wide_with_more_pairs_and_steps_and_forward_is_ahead(rows):
    """the longer runs: as wide, more pairs and steps, other pieces; forward is 3.3 BLEU ahead; long: 18.70, 16.71"""
    wide, longer = RECIPES["rnn.forward_wide"], RECIPES["fixed"]
    assert longer.merges != wide.merges and longer.rates != wide.rates and longer.embedding == wide.embedding
    for row in rows:
        assert row[1] == wide.hidden and row[2] > wide.sentences and row[3] == 5000 > wide.steps
    assert round(rows[0][5] - rows[1][5], 1) == 3.3
    assert [f"{row[6]:.2f}" for row in rows] == ["18.70", "16.71"]


@behind("reversal-longer-curves")
def reversed_is_lower_up_to_step_800_forward_from_2_200(checkpoints, longer_runs):
    """of the longer runs reversed is lower up to step 800, forward from 2,200 to the end"""
    losses = (checkpoints.about(name)["held_out_losses"] for name in longer_runs.values())
    for (step, ahead), (_, behind_it) in zip(*losses, strict=True):
        if step <= 800:
            assert behind_it < ahead
        elif step >= 2200:
            assert ahead < behind_it


@behind("reversal")
def the_rows_of_a_pair_differ_in_the_order_of_the_source_alone_the_pairs_in_their_width(directions, wider):
    """the rows of a pair differ in the order of the source alone, with as many weights; the pairs in their width;
    60,000 pairs, 3,600 steps"""
    for pair in (directions, wider):
        one, other = (RECIPES[name] for name in pair.values())
        assert replace(one, encoder="reversed") == other
        assert (one.sentences, one.steps, one.rates, one.joined) == (60_000, 3600, "full", 0)
        runs = [record for name in pair.values() for record in records(name).values()]
        assert len({(run["parameters"], run["text"]) for run in runs}) == 1
    narrow, wide = RECIPES["rnn.forward"], RECIPES["rnn.forward_wide"]
    assert replace(narrow, embedding=2 * narrow.embedding, hidden=2 * narrow.hidden) == wide


@behind("reversal-curves")
def from_step_100_on_the_mean_loss_of_the_reversed_row_is_lower_but_not_each_seed(directions):
    """from step 100 on the mean of the losses is lower for the reversed row, but not with each seed at each step"""
    runs = [[run["held_out_losses"] for run in records(name, range(5)).values()] for name in directions.values()]
    gains = []
    for k in range(len(runs[0][0])):
        forward, reversed_source = ([run[k][1] for run in row] for row in runs)
        assert fmean(reversed_source) < fmean(forward)
        gains += [a - b for a, b in zip(forward, reversed_source, strict=True)]
    assert runs[0][0][0][0] == 100 and min(gains) < 0


@behind("reversal-claim")
def five_seeds_not_decided_seed_0_17_8_to_14_7_seed_3_15_7_and_16_7(evidence):
    """five seeds: 16.3 and 15.1, from -0.5 to +2.8, not decided; seed 0: 17.8 to 14.7; seed 3: 15.7, 16.7"""
    rows = [evidence.row(name, "bleu", range(5)) for name in ("rnn.reversed", "rnn.forward")]
    assert [f"{row.mean:.1f}" for row in rows] == ["16.3", "15.1"]
    assert [[f"{row.values[seed]:.1f}" for row in rows] for seed in (0, 3)] == [["17.8", "14.7"], ["15.7", "16.7"]]
    found = evidence.difference(*rows, "bleu")
    assert (f"{found.low:+.1f}", f"{found.high:+.1f}", found.verdict) == ("-0.5", "+2.8", "not decided")


@behind("reversal-claim")
def the_wide_pair_is_not_decided(evidence):
    """the wide pair with five seeds: 27.8 and 27.2, from -1.4 to +2.8, not decided"""
    rows = [evidence.row(name, "bleu", range(5)) for name in ("rnn.reversed_wide", "rnn.forward_wide")]
    assert [f"{row.mean:.1f}" for row in rows] == ["27.8", "27.2"]
    found = evidence.difference(*rows, "bleu")
    assert (f"{found.low:+.1f}", f"{found.high:+.1f}", found.verdict) == ("-1.4", "+2.8", "not decided")


@behind("reversal-basic")
def the_basic_pair_is_the_wide_pair_with_other_units(basic, wider):
    """the wide pair with basic units, all else equal: text, steps, width, seeds"""
    for name, other in zip(basic.values(), wider.values(), strict=True):
        assert replace(RECIPES[other], unit="basic") == RECIPES[name]


@behind("reversal-basic-claim")
def without_gates_reversal_helps_much(evidence):
    """4.9 to 16.4, a gain of 11.5 from 9.0 to 14.0; perplexity 5.8 to 4.0; shown; the worst is ahead of the
    best; behind the LSTMs"""
    rows = [evidence.row(f"rnn.{name}_basic", "bleu", range(5)) for name in ("reversed", "forward")]
    assert [f"{row.mean:.1f}" for row in rows] == ["16.4", "4.9"]
    assert min(rows[0].values.values()) > max(rows[1].values.values())
    found = evidence.difference(*rows, "bleu")
    assert [f"{each:.1f}" for each in (found.mean, found.low, found.high)] == ["11.5", "9.0", "14.0"]
    odds = [evidence.row(f"rnn.{name}_basic", "perplexity", range(5)) for name in ("reversed", "forward")]
    assert [f"{row.mean:.1f}" for row in odds] == ["4.0", "5.8"]
    assert found.verdict == evidence.difference(*odds, "perplexity").verdict == "shown"
    wide = [evidence.row(f"rnn.{name}_wide", "bleu", range(5)) for name in ("forward", "reversed")]
    assert min(min(row.values.values()) for row in wide) > max(rows[0].values.values())


@behind("length")
def beyond_fifteen_tokens_half_the_shortest_not_the_best(directions):
    """beyond fifteen tokens about half, the shortest not the best"""
    for name in directions.values():
        scores = [fmean(each["all"] for each in bins) for bins in zip(*by_length(name), strict=True)]
        assert max(scores[3:]) < 0.6 * min(scores[1:3]) and scores[0] < scores[1]


@behind("reversal-places")
def at_the_first_place_the_reversed_model_has_the_lower_loss(by_place):
    """at the first place the reversed model has the lower loss, from the fifth on the higher one"""
    assert by_place["reversed"][0][1] < by_place["forward"][0][1]
    assert sum(v for _, v in by_place["reversed"][4:]) > sum(v for _, v in by_place["forward"][4:])


@behind("names-distances")
def nearer_to_anna_greets_peter_4_02_than_to_peter_sees_anna(rows):
    """nearer to Anna greets Peter, 4.02, than to Peter sees Anna, 4.39"""
    assert [round(row[1], 2) for row in rows] == [4.39, 4.02]


@behind("greedy-table")
def every_first_choice_has_0_96_or_more(rows):
    """every first choice has 0.96 or more; spielt and rennt stand on the list"""
    assert "spielt" in rows[3][2] and "rennt" in rows[3][2]
    for row in rows:
        assert float(row[2].split()[1].rstrip(",")) >= 0.96


@behind("long-example")
def a_short_sentence_is_right_the_long_one(fixed, test_set, longer):
    """a short sentence is right, the long one is not"""
    assert fixed.translate([test_set[0].text("en")])[0] == test_set[0].text("de")
    assert fixed.translate([longer[0].text("en")])[0] != longer[0].text("de")


@behind("length")
def long_sentences_are_longer_than_any_in_training_the_test(directions):
    """long sentences are longer than any in training; the test set has about equally many of each length"""
    for run in by_length(directions["forward"]):
        assert run[0]["from"] == 1 and run[-1]["to"] == 50
        of_test = [each["sentences"] for each in run if each["to"] <= 35]
        assert max(of_test) < 1.5 * min(of_test)


@behind("reversal-longer")
def sutskever_s_384_million_weights_are_more_than_two(checkpoints):
    """Sutskever's 384 million weights are more than two hundred times as many"""
    assert 384e6 / checkpoints.about("fixed")["parameters"] > 200


@behind("names-map")
def r_has_256_dimensions(Out, represent, names):
    """r has 256 dimensions"""
    assert Out[max(Out)].dimensions == 256 == represent(names).shape[1]


@behind("names-map")
def the_points_of_the_same_words_differ(represent, names):
    """the points of the same words differ"""
    assert (represent(names[:1]) - represent(names[1:2])).norm() > 0.1


@behind("order-map")
def in_all_three_examples_those_of_one_meaning_are_farthest_4_40_and_3_22_in_the_first(represent, some):
    """in all three examples the two with the same meaning are farthest apart; in the first 4.40 and twice 3.22"""
    every = []
    for example in some:
        plain, same, another = represent(example)
        pairs = ((plain, same), (plain, another), (same, another))
        every.append([(a - b).norm().item() for a, b in pairs])
    assert len(every) == 3 and all(distances[0] == max(distances) for distances in every)
    assert [f"{distance:.2f}" for distance in every[0]] == ["4.40", "3.22", "3.22"]


@behind("order-measure")
def the_same_meaning_in_another_order_is_never_nearer(triples, nearer):
    """the same meaning in another order is nearer in none of the 48"""
    assert len(triples) == 48
    assert not nearer.any()


@behind("vectors-claims")
def one_form_all_of_1_680_and_99_of_224_as_said_none_and_at_most_one(evidence, german):
    """as said: none of 1,680 and at most one of 224; one form: all, and 99 %; both claims shown"""
    assert {kind: len(threes) for kind, threes in vectors.triples().items()} == {"order": 1680, "voice": 224}
    measures = ("same nearer, order", "same nearer, voice")
    values = {
        told: [list(evidence.row(name, measure, range(5)).values.values()) for measure in measures]
        for told, name in german.items()
    }
    assert all(len(seeds) == 5 for rows in values.values() for seeds in rows)
    assert values["as said"][0] == [0.0] * 5 and max(values["as said"][1]) < 0.45
    assert values["one form"][0] == [100.0] * 5 and f"{fmean(values['one form'][1]):.0f}" == "99"
    for measure in measures:
        rows = [evidence.row(name, measure, range(5)) for name in ("vectors.one_form", "vectors.as_said")]
        assert evidence.difference(*rows, measure).verdict == "shown"


@behind("vectors-claims")
def the_two_models_read_the_same_english_60_000_sentences(german):
    """the two models read the same 60,000 English sentences, and differ in their German alone"""
    one, other = (RECIPES[name] for name in german.values())
    assert replace(one, one_form=True) == other and one.sentences == 60_000
    few = [replace(recipe, sentences=50).text() for recipe in (one, other)]
    assert [x for x, _ in few[0]] == [x for x, _ in few[1]] and few[0] != few[1]


@behind("forms-map-one")
def as_said_the_nearest_has_the_same_form_in_one_form_the_same_meaning(represent, forms, as_said, one_form):
    """as said: the nearest of all eight has the same form and another meaning; one form: the same meaning; its German
    begins with the giver"""
    nearest = []
    for one in (as_said, one_form):
        r = represent(forms, one)
        nearest.append((torch.cdist(r, r) + 1e9 * torch.eye(8)).argmin(1))
    assert nearest[0].tolist() == [4, 5, 6, 7, 0, 1, 2, 3]
    assert (nearest[1] // 4).tolist() == [0] * 4 + [1] * 4
    assert [text.split()[0] for text in one_form.translate(forms)] == ["Anna"] * 4 + ["Peter"] * 4


@behind("neighbours-measure")
def untrained_neighbours_end_alike_in_english_trained_ones(common_to):
    """untrained neighbours end alike in English, mostly, more of the trained ones begin alike in German"""
    assert common_to["untrained"][0] > 0.5
    assert common_to["untrained"][0] > common_to["trained"][0] + 0.15
    assert common_to["trained"][1] > common_to["untrained"][1] + 0.1


@behind("phrases-measure")
def phrases_of_a_kind_are_neighbours_more_often(shares):
    """phrases of a kind are neighbours more often than by chance, and than untrained; gender more than kind"""
    for k in (0, 1):
        assert shares["trained"][k] > max(shares[name][k] for name in list(shares)[1:]) + 0.08
    assert shares["untrained"][0] < shares["any phrase with another noun"][0]
    assert shares["untrained"][1] < shares["any phrase with another noun"][1]  # of the gender, too
    assert shares["any phrase with another noun"][1] > shares["any phrase with another noun"][0]  # so is chance
    assert shares["trained"][1] > shares["trained"][0]
    assert abs(list(shares.values())[2][0] - 27 / 147) < 1e-9


@behind("variant-gradient")
def as_the_first_state_r_is_forgotten_at_each_step_it_stays(left):
    """as the first state r is forgotten, at each step it stays"""
    assert left["first state only"][-1][1] < 0.1 * left["first state only"][0][1]
    assert left["r at each step"][-1][1] > 0.5 * left["r at each step"][0][1]


@behind("neighbours")
def nouns_beside_nouns_verbs_beside_verbs_one_conjunction(rows):
    """nouns beside nouns, four verbs of its form beside schläft, three conjunctions beside weil"""
    near = dict(rows)
    for noun in ("Hund", "Frau"):
        for word in near[noun]:
            assert word[0].isupper()
    assert sum(word.endswith("t") for word in near["schläft"]) == 4
    assert near["weil"] == ["während", "wenn", "keinen", "Abend", "dass"]


@behind("variants")
def only_h_is_handed_over_the_memory_cell_starts_at_0(made, words):
    """only h is handed over, the memory cell starts at 0; in stacked layers the top layer's h to each"""
    states = made["four layers"].decoder.first_states(torch.ones(1, 64))
    assert len(states) == 2
    assert (states[0] == 1).all()
    assert states[0].shape == (4, 1, 64)
    assert not states[1].any()
    assert made["four layers"].encoder(words)[1].equal(made["four layers"].encoder(words)[0][:, -1])


@behind("tied")
def with_30_000_words_embeddings_are_most_of_the_weights(parameters):
    """with 30,000 words embeddings are most of the weights"""
    assert 0.5 * parameters(30_000, False) < 30_000 * 128 * 3


@behind("solution-lags")
def exercise_2_the_mean_falls_by_one(ahead, behind):
    """exercise 2: the mean falls by one"""
    assert sum(ahead) - sum(behind) == 4
    assert ahead == [5] * 4
    assert behind == [1, 3, 5, 7]


@behind("solution-count")
def exercise_3(output):
    """exercise 3"""
    assert "49,152,000; tied 16,384,000" in output


@behind("solution-other-r")
def exercise_5_greedy_from_its_r_is_the_translation(fixed, write_from, cat):
    """exercise 5: greedy from its r is the translation"""
    assert fixed.text(write_from(cat).split()) == fixed.translate(["The cat is sleeping."])[0]


@behind("solution-alone")
def exercise_6_batch_and_alone_agree(together, alone):
    """exercise 6: batch and alone agree"""
    assert together == alone


@behind("solution-greedy")
def exercise_7_samples_differ(drawn_texts):
    """exercise 7: samples differ"""
    assert len(set(drawn_texts)) > 1


@behind("solution-scheduled")
def exercise_8_0_changes_nothing_at_1_all_are_the_model_s(mixed, ten, changed):
    """exercise 8: 0 changes nothing, at 1 all are the model's words"""
    assert torch.equal(mixed[0.0], ten.target_in)
    assert changed[0][1] == 0 < changed[1][1] < changed[2][1] < 1
