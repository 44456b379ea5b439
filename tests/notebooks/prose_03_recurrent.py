"""Lecture 03: what its text says in numbers, behind the cell that it speaks of."""

import math
import re

import torch

from .rows import behind


@behind("lstm-example")
def at_word_1_both_units_take_from_word_2_on_one_keeps_and_two_renews(trace, lstm, four_words, names):
    """the LSTM's example: at word 1 both units take what they read; from word 2 on unit 1 keeps, unit 2 renews"""
    _gates_do(*(torch.tensor(trace(lstm, four_words, names).values[gate]) for gate in "fi"))


@behind("gru-example")
def from_word_2_on_the_state_of_one_is_kept_and_that_of_two_starts_afresh(trace, gru_network, four_words, names):
    """the GRU's example: the same"""
    values = trace(gru_network, four_words, names).values
    z, r = (torch.tensor(values[gate]) for gate in "zr")
    _gates_do(1 - z, z)
    assert (r[1:, 1] < 0.2).all()


def _gates_do(keep, take):
    """A row for each word, a column for each of two units."""
    assert (take[0] > 0.9).all() and (keep[0] < 0.1).all()
    assert (keep[1:, 0] > 0.9).all() and (take[1:, 0] < 0.1).all()
    assert (keep[1:, 1] < 0.3).all() and (take[1:, 1] > 0.7).all()


@behind("unit")
def w_xh_is_d_x_h_w_hh_is_h_x_h(cell):
    """W_xh is D x H, W_hh is H x H"""
    assert cell.W_xh.shape == (3, 4)
    assert cell.W_hh.shape == (4, 4)


@behind("unit")
def the_two_states_of_the_differ(sentence, network, x):
    """the two states of 'the' differ"""
    assert sentence[0] == sentence[3]
    assert not torch.allclose(network(x[None])[0][0, 0], network(x[None])[0][0, 3])


@behind("padding")
def what_stands_at_the_padding_does_not_count(last, alone, careless):
    """what stands at the padding does not count"""
    assert torch.allclose(last[0, 1], alone[0, 0])
    assert not torch.allclose(careless[0, 1], alone[0, 0])


@behind("softmax")
def adding_5_changes_nothing_a_factor_of_0_makes_all_equally(softmax, z, y):
    """adding 5 changes nothing, a factor of 0 makes all equally likely"""
    assert torch.allclose(softmax(z, 0), softmax(z + 5, 0))
    assert torch.allclose(y, torch.tensor(0.25))


@behind("uses")
def a_step_is_the_same_alone_and_by_teacher_forcing(step, decoder, r, tokens, states, following):
    """a step is the same alone and by teacher forcing; the states end in r"""
    assert torch.allclose(step.log_probs, decoder(r, tokens)[:, 0].log_softmax(1), atol=1e-6)
    assert torch.equal(states[:, -1], r)
    assert following.shape == (2, 6, 20)


@behind("cost")
def memory_grows_by_the_same_for_each_word(costs):
    """memory grows by the same for each word"""
    assert abs((costs[3][3] - costs[2][3]) / (costs[1][3] - costs[0][3]) - 4) < 1e-6


@behind("truncated")
def pieces_store_an_eighth_of_the_states_and_stop(same, rows):
    """pieces store an eighth of the states, and stop the gradient"""
    assert same
    assert rows[0][2] == 400
    assert rows[1][2] == 50
    assert abs((rows[0][1] - 32.768) / (rows[1][1] - 32.768) - 8) < 0.1


@behind("norm-condition")
def s_up_to_1_5_vanish_3_explodes(stretched):
    """s up to 1.5 vanish, 3 explodes"""
    for s in (0.9, 1.0, 1.5):
        assert stretched[f"s = {s}"][50] < 1e-2 * stretched[f"s = {s}"][0]
    assert stretched["s = 3.0"][50] > 1000 * stretched["s = 3.0"][0]


@behind("norm-condition")
def it_vanishes_faster_than_s_k(stretched, bound):
    """it vanishes faster than s^k"""
    for s in (0.9, 1.0):
        assert (stretched[f"s = {s}"][5:] / stretched[f"s = {s}"][0]).lt(torch.tensor(bound[f"s = {s}"][5:])).all()


@behind("clipping")
def the_gradient_is_more_than_a_million_clipped_w_comes_back(free, clipped):
    """the gradient is more than a million; clipped, w comes back to 1"""
    assert 2 * (1.1**50 - 1) * 50 * 1.1**49 > 1e6
    assert abs(free[1]) > 1e4
    assert abs(clipped[-1] - 1) < 0.011


@behind("vanishing-table")
def sigmoid_tanh_gru_lstm(left):
    """sigmoid, tanh, GRU, LSTM"""
    assert left["sigmoid"][50] < left["tanh"][50] < left["GRU"][50] < left["LSTM"][50]
    assert left["GRU"][50] < 100 * left["tanh"][50]
    assert left["LSTM"][50] > 1e3 * left["GRU"][50]


@behind("recall")
def at_distance_5_all_learn(recalled):
    """at distance 5 all learn it"""
    for row in recalled.values():
        assert row["5"] > 0.9


@behind("lstm-1")
def a_cell_without_gates_collects(c_long):
    """a cell without gates collects"""
    assert c_long.abs().max() > 15


@behind("lstm-3")
def unit_1_kept_its_memory_unit_2_took_the_candidate(c, c_before, candidate):
    """unit 1 kept its memory, unit 2 took the candidate"""
    assert abs(c[0, 0] - c_before[0, 0]) < 0.1
    assert abs(c[0, 1] - candidate[0, 1]) < 0.15


@behind("bias")
def n_0_5_leaves_a_thousandth_after_10_steps_0_98_four_fifths():
    """0.5 leaves a thousandth after 10 steps, 0.98 four fifths"""
    assert 0.5**10 < 1 / 1000
    assert 0.8 < 0.98**10 < 0.83


@behind("bias")
def b_f_0_forgets_like_the_plain_tanh_about_1e_10(forgetful, left):
    """b_f = 0 forgets like the plain tanh, about 1e-10"""
    assert 1e-11 < forgetful["b_f = 0"][50] / forgetful["b_f = 0"][0] < 5e-10
    assert 0.1 < (forgetful["b_f = 0"][50] / forgetful["b_f = 0"][0]).item() / left["tanh"][50] < 10


@behind("bias-paths")
def the_cell_alone_keeps_f_a_step_all_paths_0_63_at_b_f_4(rows):
    """the cell alone keeps f a step, all paths 0.63; at b_f = 4 they make more than 1"""
    for row in rows:
        assert abs(row[2] - row[1]) < 0.04
        assert row[3] > row[2] + 0.04
    assert 0.615 < rows[0][3] < 0.645
    assert 0.96 < rows[3][2] < 0.98
    assert 1 < rows[3][3] < 1.1


@behind("bias-recall")
def recall_at_distance_20_guessing_with_0_learnt_with_2(by_bias):
    """recall at distance 20: guessing with 0, learnt with 2"""
    assert by_bias["b_f = 0"] < 0.2 < 0.9 < by_bias["b_f = 2"]


@behind("gru-1")
def reset_and_input_cancel_out_in_unit_2(h_before):
    """reset and input cancel out in unit 2"""
    assert 1 + 2 * h_before[0, 1] == 0


@behind("gru-2")
def a_unit_that_is_not_updated_is_erased_then_kept(z_t, candidate, h, h_before):
    """a unit that is not updated is erased, then kept"""
    assert abs((z_t * candidate)[0, 0]) < 0.06
    assert abs(h[0, 0] - h_before[0, 0]) < 0.05


@behind("gru-forms")
def z_held_at_1_the_candidate_in_one_form_the_old_state(output, parameters):
    """z held at 1: the candidate in one form, the old state in the other"""
    assert 'before", z held at 1: h is the candidate' in output
    assert 'after", z held at 1: h stays' in output
    assert parameters["LSTM"] == 4 * parameters["RNN"]
    assert parameters["GRU"] == 3 * parameters["RNN"]


@behind("gru-forms")
def no_kernel_of_torch_computes_the_lecture_s_form(GRU):
    """no kernel of torch computes the lecture's form"""
    assert GRU(2, 2).layers[0][0].cell.kernel() is None
    assert GRU(2, 2, reset="after").layers[0][0].cell.kernel()


@behind("gru-bias")
def a_negative_b_z_lets_a_fresh_gru_remember_far_above_1_z_k(updating, powers, factor):
    """a negative b_z lets a fresh GRU remember; far above (1 − z)^k at 0, along it at −4"""
    assert updating["b_z = 0"][50] < updating["b_z = -2"][50] < updating["b_z = -4"][50]
    assert (updating["b_z = 0"][50] / updating["b_z = 0"][0]).item() > 1000 * powers["b_z = 0"][50]
    assert abs(factor(updating["b_z = -4"]) - powers["b_z = -4"][1]) < 0.02


@behind("gru-recall")
def with_b_z_2_the_gru_learns_the_task(started):
    """with b_z = +2 the GRU learns the task"""
    assert started["GRU, b_z = +2"] > 0.9


@behind("bidirectional")
def the_last_state_of_a_forward_layer_changes_all(output):
    """the last state of a forward layer changes, all of a bidirectional one"""
    assert output.count("'same'") == 5
    assert output.count("'changed'") == 7


@behind("reversal")
def the_final_state_of_both_directions_h_at_the_last_word(outputs, final, one_word):
    """the final state of both directions; ←h at the last word has read one word"""
    assert torch.allclose(torch.cat([outputs[0, -1, :4], outputs[0, 0, 4:]]), final)
    assert torch.allclose(outputs[0, -1, 4:], one_word[0, 0, 4:])


@behind("jacobian")
def the_derivative_of_a_residual_layer_is_i_j_8_layers(output, rows):
    """the derivative of a residual layer is I + J; 8 layers with and without"""
    assert "True" in output
    assert float(rows[0][1]) < 1e-3
    assert 0.5 < float(rows[1][1]) < 3


@behind("residual-table")
def the_plain_stack_learns_no_more_than_frequencies_residual(final_loss, unigram, final_new):
    """the plain stack learns no more than frequencies, one layer is better; residual is at least as good as one"""
    assert final_loss["8 layers"] > unigram - 0.1
    assert final_new["1 layer"] < final_new["8 layers"] - 0.1
    assert final_new["8 layers, residual"] < final_new["8 layers"] - 0.3
    assert final_new["8 layers, residual"] < final_new["1 layer"] + 0.05


@behind("agreement-data")
def the_nearest_noun_is_right_exactly_half_of_the_time(sentences, training, test):
    """the nearest noun is right exactly half of the time"""
    assert sum(s.plural == s.nearest_plural for s in sentences) * 2 == len(sentences)
    assert not {s.meaning for s in training} & {s.meaning for s in test}


@behind("agreement")
def it_guesses_at_first_and_is_right_in_about_nine_of_ten(choices):
    """where the nouns differ it guesses at first, and is right in about nine of ten or more at the end"""
    assert abs(choices["nouns differ"][0] - 0.5) < 0.2
    assert min(v[-1] for v in choices.values()) > 0.85


@behind("probe")
def the_untrained_model_loses_the_number_the_trained_one(probed):
    """the untrained model loses the number, the trained one carries it"""
    assert probed["untrained"][-1] < 0.65
    assert min(probed["trained"]) > 0.7
    assert probed["untrained"][0] > 0.65


@behind("belief")
def at_the_noun_of_the_clause_are_is_much_less_probable(lines):
    """at the noun of the clause are is much less probable than at its end; the probe says plural"""
    are_is = lines["model: are, against is"]
    assert are_is[2] < are_is[3] - 0.2
    assert are_is[3] > 0.7
    assert lines["probe: the subject was plural"][2] > are_is[2] + 0.2


@behind("bias-experiment")
def trained_where_the_nouns_agree_it_takes_the_nearest_noun(chose, choices):
    """trained where the nouns agree it takes the nearest noun"""
    assert chose["nouns agree"][-1] > 0.9
    assert chose["nouns differ"][-1] < 0.45
    assert min(chose["nouns differ"]) < 0.35
    assert chose["nouns agree"][1] > choices["nouns agree"][1]


@behind("lm-after")
def perplexity_is_2_to_the_bits_new_text_is_harder(rows, nats, unigram):
    """perplexity is 2 to the bits; new text is harder than training text"""
    for _, _, bits, perplexity in rows:
        assert abs(2**bits - perplexity) < 1e-6 * perplexity
    assert nats["LSTM, training text"] < nats["LSTM, new text"] < unigram - 0.6


@behind("lm-after")
def a_low_temperature_repeats_words_a_high_one_misspells(write, text):
    """at a low temperature it repeats its likeliest words, at a high one it misspells more"""
    known = set(re.findall(r"[a-z']+", text.lower()))
    cold, hot = (re.findall(r"[a-z']+", write(length=1500, temperature=t).lower()) for t in (0.2, 1.0))
    assert len(set(cold)) / len(cold) < 0.6 * len(set(hot)) / len(hot)
    assert 1.2 * sum(word not in known for word in cold) / len(cold) < sum(word not in known for word in hot) / len(hot)


@behind("explorer")
def some_units_follow_spaces(explorer):
    """some units follow spaces"""
    assert any(one["feature"] == "spaces" and abs(one["r"]) > 0.5 for one in explorer.following)


@behind("explorer-check")
def the_output_gate_shut_the_same_prediction_everywhere(explorer, characters):
    """the output gate shut: the same prediction everywhere"""
    assert not torch.tensor(explorer.variants["o=0"]["values"]["h"]).any()
    assert explorer.variants["o=0"]["best"][0] == explorer.variants["o=0"]["best"][-1]
    assert explorer.variants["o=0"]["bits"] < math.log2(len(characters))


@behind("explorer-check")
def forget_and_input_gate_open_the_cell_collects(trace, lm, ids, text, Clamp):
    """forget and input gate open: the cell collects"""
    assert (lambda v: torch.allclose(torch.tensor(v["c"]), torch.tensor(v["candidate"]).cumsum(0), atol=1e-4))(
        trace(lm.network, lm.embedding(ids[:30]), text[:30], [Clamp("f", 1.0), Clamp("i", 1.0)]).values
    )


@behind("solution-explode")
def exercise_6_slopes_near_1_let_the_gradient_grow(rows):
    """exercise 6: slopes near 1 let the gradient grow"""
    assert float(rows[1][2]) > 1 > float(rows[0][2])


@behind("solution-probe")
def exercise_8_without_the_direction_of_number_the_model(rows):
    """exercise 8: without the direction of number the model guesses"""
    assert rows[0][1] > 0.8
    assert rows[1][1] < 0.65
    assert rows[2][1] > rows[0][1] - 0.1


@behind("solution-cho")
def exercises_5_and_7_agree_with_the_library(h_ours, h_cho):
    """exercises 5 and 7 agree with the library"""
    assert torch.allclose(h_ours, h_cho, atol=1e-6)


@behind("solution-last-word")
def exercise_7(difference):
    """exercise 7"""
    assert difference < 1e-6
