"""Lecture 07: what its text says in numbers, behind the cell that it speaks of."""

import math
from dataclasses import replace
from statistics import fmean

from course_lib.checkpoints import evidence

from .rows import behind


@behind("waiting")
def self_attention_has_four_products_in_a_row_for_any_n(chains):
    """self-attention has four products in a row for any n"""
    assert {chains["self-attention", n] for n in (5, 10, 20, 40)} == {4}


@behind("waiting")
def the_first_word_s_share_falls_from_7_to_1_in_self(reach):
    """the first word's share falls from .7 to .1 in self-attention, a thousandfold in the LSTM"""
    assert round(reach["self-attention", 5], 1) == 0.7
    assert round(reach["self-attention", 40], 1) == 0.1
    assert 500 < reach["LSTM", 5] / reach["LSTM", 40] < 2000


@behind("stepper-own")
def tired_head_2_of_layer_2_gives_a_quarter_to_animal_and_more_to_street(it, Out, translator, tired):
    """tired: head 2 of layer 2 gives a quarter to animal and .38 to street; no other has more than .17 on animal"""
    pieces = translator.trace(tired).source
    assert ("".join(pieces[1:4]), "".join(pieces[8:10])) == ("animal</w>", "street</w>")
    rows = {
        (k, h): head["weights"][it]
        for k, layer in enumerate(Out[max(Out)].attentions[:3], 1)
        for h, head in enumerate(layer["heads"], 1)
    }
    animal = {head: sum(row[1:4]) for head, row in rows.items()}
    assert abs(animal.pop((2, 2)) - 0.25) < 0.01 and abs(sum(rows[2, 2][8:10]) - 0.38) < 0.01
    assert max(animal.values()) < 0.175


@behind("thinking")
def e_is_7_4_with_112_and_96_machines_gets_e_16_a_ten(steps):
    """e² is 7.4; with 112 and 96 Machines gets e^−16, a ten-millionth"""
    assert round(math.exp(2), 1) == 7.4
    assert 0.5e-7 < steps["(softmax of 112 and 96)"][0, 1] < 2e-7


@behind("symmetric")
def q_i_q_i_is_never_negative(one_matrix):
    """q_i · q_i is never negative"""
    assert (one_matrix.diagonal() >= 0).all()


@behind("variance")
def without_the_division_the_gradient_goes_to_0_divided_by_d(rows):
    """without the division the gradient goes to 0; divided by d_k all weights come near 1/10"""
    assert rows[-1][6] < 0.1 < 0.3 < rows[-1][7]
    assert abs(rows[-1][5] - 0.1) < 0.02


@behind("padding-mask")
def with_the_padding_mask_nothing_moves_without(rows):
    """with the padding mask nothing moves, without it the vectors by a fifth; the translation stays right"""
    assert rows[0][1] < 1e-5
    assert abs(rows[1][1] - 0.2) < 0.03
    assert rows[0][2] == rows[1][2] == "Die Katze schläft."


@behind("head-sizes")
def n_4_512_learnt_numbers_and_equally_many_products_for_any(rows, n):
    """4 · 512² learnt numbers and equally many products for any number of heads, weights h · n²"""
    assert {row[2] for row in rows} == {4 * 512**2}
    assert len({row[3] for row in rows}) == 1
    assert [row[4] for row in rows] == [h * n * n for h in (1, 8, 16)]


@behind("four-wide")
def n_1_1000_is_0_03(encoding):
    """1/√1000 is 0.03"""
    assert round(encoding(2, 4, 1000)[1, 2].item(), 2) == 0.03


@behind("without-positions")
def to_reverse_without_positions_four_of_five_digits(by_positions):
    """to reverse without positions: four of five digits are wrong"""
    assert abs(by_positions["reverse", "none"][1] - 0.2) < 0.05


@behind("shift")
def one_matrix_shifts_every_position_and_products_depend(error, rows):
    """one matrix shifts every position, and products depend on the distance alone"""
    assert error < 1e-6
    for row in rows:
        assert abs(row[1] - row[2]) < 1e-5
        assert abs(row[1] - row[3]) < 1e-5
    for a, b in zip(rows, rows[1:], strict=False):
        assert a[1] > b[1]


@behind("positions-record")
def the_two_rows_differ_in_their_positions_alone(position_rows, checkpoints):
    """the two rows differ in nothing but the positions"""
    one, other = (checkpoints.RECIPES[name] for name in position_rows.values())
    assert replace(one, positions="none") == other and one.positions == "sinusoidal"


@behind("positions-claim")
def with_five_seeds_73_7_and_38_6_shown_from_33_6_to_36_6(position_rows):
    """five seeds: 73.7 and 38.6, the interval from 33.6 to 36.6, shown"""
    rows = [evidence.row(name, "bleu", range(5)) for name in position_rows.values()]
    assert [f"{row.mean:.1f}" for row in rows] == ["73.7", "38.6"]
    found = evidence.difference(*rows, "bleu")
    assert (f"{found.low:+.1f}", f"{found.high:+.1f}", found.verdict) == ("+33.6", "+36.6", "shown")


@behind("order-lost")
def without_positions_no_probability_changes(rows):
    """without positions no probability changes"""
    assert float(rows[0][1]) > 1e-3
    assert float(rows[1][1]) < 1e-5


@behind("norm-by-hand")
def layernorm_of_1_2_3_6_is_1_07_0_53_0_1_60_3_5_is_1_87(y):
    """LayerNorm of (1, 2, 3, 6) is (−1.07, −0.53, 0, 1.60), √3.5 is 1.87"""
    assert [round(value, 2) for value in y.tolist()] == [-1.07, -0.53, 0.0, 1.6]
    assert round(math.sqrt(3.5), 2) == 1.87


@behind("deep-stacks")
def without_residual_connection_two_words_are_the_same_after(stacks):
    """without residual connection two words are the same after 2 (.99) to 8 layers"""
    for s in stacks["no residual connection"][1:]:
        assert s[0] > 0.995
    assert abs(stacks["no residual connection"][0][0] - 0.99) < 0.01


@behind("deep-stacks")
def with_it_they_come_together_more_slowly_post_norm_90(stacks):
    """with it they come together more slowly: post-norm .90 after 8 layers, 1.00 after 32; pre-norm .87 after 32"""
    assert abs(stacks["post-norm"][1][0] - 0.9) < 0.02
    assert stacks["post-norm"][2][0] > 0.995
    assert abs(stacks["pre-norm"][2][0] - 0.87) < 0.02


@behind("deep-stacks")
def in_pre_norm_the_vectors_grow_with_the_depth(stacks):
    """in pre-norm the vectors grow with the depth"""
    assert (lambda found: found[0][1] < found[1][1] < found[2][1])(stacks["pre-norm"])
    for _, size in stacks["post-norm"]:
        assert abs(size - 1) < 0.1


@behind("parts-of-base")
def n_63_million_learnt_numbers_38_million_more_with_three(base, parts):
    """63 million learnt numbers, 38 million more with three matrices; the network twice the attention"""
    assert round(sum(p.numel() for p in base.parameters()) / 1e6) == 63
    assert round(2 * 37_000 * 512 / 1e6) == 38
    assert sum(p.numel() for p in parts["feed-forward network of a layer"].parameters()) > 2 * 4 * 512**2


@behind("diagram-decoder")
def after_die_the_decoder_gives_s_83_of_the_weight(read, values):
    """after die the decoder gives <s> .83 of the weight"""
    assert read[:2] == ["<s>", "die"]
    assert abs(values["self_weights"][1][0] - 0.83) < 0.01


@behind("bleu-seeds")
def the_wide_transformer_is_first_the_narrow_one_last_and_no_seeds_mix(families):
    """five seeds each: wide 90.6, recurrent 82.0, narrow 73.7, its last state 72.3; no seed of one among another's"""
    rows = [evidence.row(name, "bleu", range(5)) for name in families.values()]
    assert [f"{row.mean:.1f}" for row in rows] == ["82.0", "73.7", "90.6"]
    assert f"{evidence.row('transformer.base: last', 'bleu', range(5)).mean:.1f}" == "72.3"
    every = [row.values.values() for row in rows]
    assert max(every[1]) < min(every[0]) and max(every[0]) < min(every[2])


@behind("bleu-seeds")
def the_three_learn_from_the_same_and_the_wide_one_has_three_times_the_numbers(families, checkpoints):
    """same text, pieces, steps, words in a step; d = 64 and 128; numbers: narrow < recurrent, wide three times"""
    recipes = [checkpoints.RECIPES[name] for name in families.values()]
    shared = ("sentences", "joined", "rates", "merges", "max_tokens", "steps")
    assert len({tuple(getattr(recipe, field) for field in shared) for recipe in recipes}) == 1
    assert recipes[0].sentences == 60_000 and [recipe.d_model for recipe in recipes[1:]] == [64, 128]
    recurrent, narrow, wide = (checkpoints.about(name)["parameters"] for name in families.values())
    assert narrow < recurrent and round(wide / recurrent) == 3


@behind("accuracy")
def clear_pairs_both_about_three_quarters(right):
    """clear pairs: both models about three quarters"""
    for of in ("recurrent, with attention", "Transformer"):
        assert 0.65 < right["clear", of].mean() < 0.85


@behind("accuracy")
def winograd_pairs_both_near_one_half(right):
    """Winograd pairs: both near one half; both of a pair are rarely right"""
    for of in ("recurrent, with attention", "Transformer"):
        assert abs(right["Winograd", of].mean() - 0.5) < 0.08
        assert right["Winograd", of].reshape(-1, 2).prod(1).mean() < 0.25


@behind("neuron-view")
def the_first_head_looks_from_nearly_every_piece_at_the_end(Out):
    """head 1 of layer 1 looks from nearly every piece at </s>"""
    seen = Out[max(Out)].found["encoder"]
    looks = [row.index(max(row)) for row in seen.attn[0][0]]
    assert seen.left_text[-1] == "</s>" and sum(at == len(looks) - 1 for at in looks) >= len(looks) - 1


@behind("measure-heads")
def two_heads_of_layer_3_are_specialists_for_that_no_other_share_is_half(means):
    """heads 1 and 2 of layer 3 have more than half on that → its noun; no other share is as large"""
    assert (means["that → its noun"] > 0.5).nonzero().tolist() == [[2, 0], [2, 1]]
    others = {name: share for name, share in means.items() if "that" not in name and "clause" not in name}
    assert max(share.max() for name, share in others.items() if name != "(its share)") < 0.5


@behind("measure-heads")
def no_head_looks_strongly_at_the_word_before_28_or_at_one_place_26(means, clear_pairs, size):
    """no head looks strongly at the word before, or at one place: .28 and .26 at most; equal weights give .09"""
    assert abs(means["word before"].max() - 0.28) < 0.015
    assert abs(means["one place"].max() - 0.26) < 0.015
    shares = [1 / len(one.words["en"]) for one in clear_pairs(size(full=60, quick=25))]
    assert abs(fmean(shares) - 0.09) < 0.01


@behind("measure-heads")
def heads_of_layers_3_and_2_look_from_it_at_its_antecedent(means):
    """a head of layer 3 looks from it at its antecedent with more than .4, one of layer 2 with more than a third"""
    assert means["it → antecedent"][2].max() > 0.4
    assert 1 / 3 < means["it → antecedent"][1].max() < 0.4


@behind("measure-heads")
def several_heads_of_layers_2_and_3_keep_four_fifths(means):
    """several heads of layers 2 and 3 keep four fifths of their weight in the clause, which has half of the words"""
    assert (abs(means["own clause"][1:] - 0.8) < 0.06).sum() >= 3
    assert means["own clause"][0].max() < 0.72
    assert means["own clause"].max() < 0.9
    assert abs(means["(its share)"].mean() - 0.5) < 0.05


@behind("measure-heads")
def that_looks_at_its_noun_the_verb_does_not_look(means):
    """that looks at its noun, the verb does not look at its subject"""
    assert means["that → its noun"].max() > 0.3
    assert means["verb → subject"].max() < 0.15


@behind("far-head")
def all_verbs_are_right_a_head_of_the_decoder_s_last_layer_puts_nine_tenths_on_the_subject(
    verbs, subject_heads, weights
):
    """all verbs are right; a head of the decoder's last layer puts nine tenths on the subject, no other a quarter"""
    assert all(right for *_, right in verbs)
    assert (subject_heads[0].part, subject_heads[0].layer) == ("decoder", 2)
    subject, between = weights[subject_heads[0]]
    assert subject > 0.9 and between < 0.05
    assert weights[subject_heads[1]][0] < 0.25


@behind("far-without")
def half_of_the_verbs_without_the_head_all_with_it_alone(far_right, without_first, alone, worst):
    """half without the head, all with it alone; of the 23 others one is missed: about seven of ten without it"""
    assert without_first == 0.5 and list(far_right.values())[-1] == 1
    assert len(alone) == 23 and abs(alone[worst] - 0.7) < 0.06
    assert min(share for head, share in alone.items() if head != worst) == 1


@behind("find-head")
def the_best_head_is_in_the_encoder_s_last_layer(ranked, found):
    """the best head is in the encoder's last layer, four tenths against hardly any; some on the source link it, too"""
    assert (ranked[0].part, ranked[0].layer) == ("encoder", 2)
    assert found[ranked[0]].antecedent > 0.4 and found[ranked[0]].other < 0.02
    assert sum(links.link > 0.15 for head, links in found.items() if head.part == "cross") >= 2


@behind("mask-head")
def the_head_that_links_best_is_not_missed_nor_its_whole_attention(without, best, everything, without_four):
    """without the head that links best, and without the four of its attention, a few more pronouns are right"""
    assert 0 <= without[best] - everything < 0.06
    assert 0 <= without_four - everything < 0.1


@behind("mask-head")
def without_another_head_one_in_a_hundred_is_lost_without_the_missed_one_four_of_ten_are_right(
    without, everything, missed, control, model
):
    """another head: one in a hundred lost on average; the one missed most, last attention to the source: .4 right"""
    assert 0 < everything - sum(control) / len(control) < 0.02
    assert (missed.part, missed.layer) == ("cross", len(model.decoder.layers) - 1)
    assert abs(without[missed] - 0.4) < 0.03


@behind("missed-head")
def the_head_that_is_missed_most_looks_at_it_the_decoder_s_own_at_both_articles(found, missed, own_missed):
    """the head that is missed most looks at it, hardly at the nouns; the decoder's own at both articles equally"""
    assert abs(found[missed].pronoun - 0.77) < 0.04 and found[missed].antecedent + found[missed].other < 0.15
    assert min(found[own_missed].article, found[own_missed].other_article) > 0.4
    assert abs(found[own_missed].article - found[own_missed].other_article) < 0.05


@behind("wrong-article")
def the_partner_s_pronoun_transformer_from_one_of_six(follows):
    """the partner's pronoun: Transformer from one of six with the true article to two of three with the partner's"""
    assert abs(follows["Transformer", "true"][1] - 1 / 6) < 0.04
    assert abs(follows["Transformer", "wrong"][1] - 2 / 3) < 0.04


@behind("wrong-article")
def the_recurrent_model_from_one_of_ten_to_seven(follows):
    """the recurrent model from one of ten to seven"""
    assert abs(follows["recurrent, with attention", "true"][1] - 0.1) < 0.04
    assert abs(follows["recurrent, with attention", "wrong"][1] - 0.7) < 0.04


@behind("wrong-article")
def with_the_wrong_article_one_pronoun_in_five_follows_the_noun(follows):
    """with the wrong article about one pronoun in five still follows the noun"""
    assert all(abs(noun - 0.2) < 0.06 for (_, which), (noun, _) in follows.items() if which == "wrong")


@behind("tired-wide")
def no_head_is_right_in_both_the_one_that_linked_best_looks(subject, thing, linked, best):
    """no head is right in both; the one that linked best looks at the thing in both sentences"""
    assert max(min(subject[h].link, thing[h].link) for h in linked) < 0.05
    assert subject[best].link < -0.1
    assert thing[best].link > 0.1


@behind("curves-by-step")
def ln_0_9_is_0_105_and_the_transformer_was_trained(recorded):
    """−ln 0.9 is 0.105, and the Transformer was trained with smoothing 0.1, the recurrent model without"""
    assert round(-math.log(0.9), 3) == 0.105
    assert recorded["Transformer"]["recipe"]["smoothing"] == 0.1
    assert "smoothing" not in recorded["recurrent"]["recipe"]


@behind("curves-by-step")
def the_recurrent_model_s_curve_is_below_at_every_step(held_out):
    """the recurrent model's curve is below at every step"""
    for step, loss in held_out["Transformer"]:
        assert dict(map(tuple, held_out["recurrent"]))[step] < loss


@behind("curves-by-time")
def n_27_3_with_3_3_10_18_24_6_with_2_3_10_19_a_seventh():
    """27.3 with 3.3 · 10^18, 24.6 with 2.3 · 10^19: a seventh"""
    assert round(2.3e19 / 3.3e18) == 7


@behind("bleu")
def n_1_0_bleu_less_on_test_with_two_thirds_of_the_steps_83_2(rows):
    """1.0 BLEU less on test, with two thirds of the steps; 83.2 on long against 97.4 on test, far behind"""
    assert round(rows[1][3] - rows[0][3], 1) == 1.0
    assert rows[0][2] / rows[1][2] == 2 / 3
    assert [round(value, 1) for value in rows[0][3:]] == [97.4, 83.2]
    assert rows[0][4] < rows[1][4] - 10


@behind("bleu")
def joined_pairs_for_2_000_and_3_500_steps_a_mean_of_five(recorded):
    """joined pairs for 2,000 and 3,500 steps; a mean of five states, the last alone has 96.3 and 72.7"""
    assert [one["recipe"]["steps"] - one["recipe"]["hold"] for one in recorded.values()] == [2000, 3500]
    assert recorded["Transformer"]["recipe"]["averaged"] == 5
    assert recorded["recurrent"]["recipe"]["seed"] == 2
    assert [round(recorded["Transformer"]["last"][split]["all"], 1) for split in ("test", "long")] == [96.3, 72.7]


@behind("bleu")
def the_paper_s_base_model_is_at_least_fifty_times_as_large(rows):
    """the paper's base model is at least fifty times as large"""
    assert 45 < 63_082_632 / rows[0][1] < 55


@behind("accuracy")
def the_clear_pairs_are_easier_for_both(right):
    """the clear pairs are easier for both"""
    for of in ("recurrent, with attention", "Transformer"):
        assert right["clear", of].mean() > right["Winograd", of].mean() + 0.1


@behind("crossing")
def n_2_n_d_2_n_d_at_n_d_64_4_n_d_2_n_d_8_n_d_at_n_128(costs):
    """2 n² d = 2 n d² at n = d = 64, 4 n d² + 2 n² d = 8 n d² at n = 128"""
    assert costs[64][0] == costs[64][1] == 2 * 64**3
    assert costs[128][2] == costs[128][3] == 8 * 128 * 64**2


@behind("crossing")
def three_times_the_products_of_the_simple_recurrent_layer(costs):
    """three times the products of the simple recurrent layer at n = 64, one and a half times the LSTM's at 256"""
    assert costs[64][2] == 3 * costs[64][1]
    assert costs[256][2] == 1.5 * costs[256][3]


@behind("solution-by-hand")
def exercise_1(z):
    """exercise 1"""
    assert [round(value, 2) for value in z.tolist()] == [8.04, 1.92]


@behind("solution-count")
def exercise_2(looks_at_target, looks_at_source, by_hand, numbers):
    """exercise 2"""
    assert (looks_at_target, looks_at_source, by_hand) == (55, 80, numbers)


@behind("solution-norm")
def exercise_3(rows):
    """exercise 3"""
    for row in rows:
        for a, b in zip(row[1:], rows[0][1:], strict=False):
            assert abs(a - b) < 1e-4


@behind("solution-mask-late")
def exercise_4(differences):
    """exercise 4"""
    assert differences[0] > 0.01
    assert differences[1] < 1e-6


@behind("solution-back")
def exercise_5(share):
    """exercise 5"""
    assert share > 0.8


@behind("solution-width")
def exercise_6(dots):
    """exercise 6"""
    assert abs((dots / 8).std() - 1) < 0.1
    assert abs((dots / math.sqrt(512)).std() - 8**-0.5) < 0.05


@behind("solution-cut")
def exercise_8_one_look_is_not_the_only_way(shares):
    """exercise 8: one look is not the only way"""
    for share in shares.values():
        assert abs(share - shares["nothing"]) < 0.12


@behind("solution-layer")
def exercise_7(same):
    """exercise 7"""
    assert same


@behind("captions-measured")
def two_heads_of_the_model_of_captions_look_at_the_piece_before(shares):
    """two of 16 heads have more than half on the piece before, .71 in layer 2 and .56 in the last; no more than .29
    on the piece itself"""
    assert len(shares) == 16 and [name for name, three in shares.items() if max(three) > 0.5] == ["2.3", "4.4"]
    before = sorted(((three[1], name) for name, three in shares.items()), reverse=True)
    assert [(round(share, 2), name[0]) for share, name in before[:2]] == [(0.71, "2"), (0.56, "4")]
    assert round(max(three[0] for three in shares.values()), 2) == 0.29
