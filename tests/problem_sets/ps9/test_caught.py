"""Wrong versions of problem set 9 that once passed, or lost what was right."""

import torch

from course_lib.problem_sets.ps9 import layer_combination, pos_unk, pre_norm, residual_stack, top_k_gating
from tests.grading.caught import each_row, each_slip, is_caught, lost

from . import loops


def chosen(H, k):
    return torch.zeros_like(H).scatter(-1, H.topk(k).indices, 1.0).bool()


def gating(gate, noise=lambda noise, real: noise):
    """An honest loss of gates that are made in another way."""

    def gated(x, W_g, given, real, k):
        g = gate(x @ W_g + noise(given, real), k)
        total = g[real].sum(0)
        return g, total.var(correction=0) / total.mean() ** 2

    return gated


def filled(number):
    return lambda H, k: torch.where(chosen(H, k), H, number).softmax(-1)


def exps(H, k):
    odds = H.exp() * chosen(H, k)
    return odds / odds.sum(-1, keepdim=True)


def experts_that_are_asked(x, W_g, noise, real, k):
    """The loss of those alone."""
    g, _ = loops.top_k_gating(x, W_g, noise, real, k)
    total = g[real].sum(0)
    return g, total[total > 0].var(correction=0) / total[total > 0].mean() ** 2


def sentences_that_count_alike(x, W_g, noise, real, k):
    """The importances are sums of each sentence's mean gates."""
    g, _ = loops.top_k_gating(x, W_g, noise, real, k)
    total = sum(gates[words].mean(0) for gates, words in zip(g, real, strict=True))
    return g, total.var(correction=0) / total.mean() ** 2


def another_gate_for_padding(x, W_g, noise, real, k):
    g, loss = loops.top_k_gating(x, W_g, noise, real, k)
    return torch.where(real.unsqueeze(2), g, 1 / g.shape[2]), loss


def normed_before_the_network(x, mask, layers, final, heads):
    """The final norm of what goes into the top layer's network."""
    sums, _ = loops.pre_norm(x, mask, layers, final, heads)
    silent = {name: torch.zeros_like(layers[-1][name]) for name in ("W_2", "b_2")}
    _, vectors = loops.pre_norm(x, mask, [*layers[:-1], layers[-1] | silent], final, heads)
    return sums, vectors


def normed_embeddings(x, mask, layers, final, heads):
    sums, _ = loops.pre_norm(x, mask, layers, final, heads)
    return sums, loops.layer_norm(x, final["gamma"], final["beta"])


def one_layer_less(s, c, first, layers):
    """Last states that lose their first axis where there is one layer."""
    outputs, last = loops.residual_stack(s, c, first, layers)
    return outputs, last.squeeze(0)


def one_axis_less(s, c, first, layers):
    """Outputs that lose their first axis where there is one sentence."""
    outputs, last = loops.residual_stack(s, c, first, layers)
    return outputs.squeeze(0), last


def weights_of_0_left_out(embedding, layers, W):
    """The sum of those terms whose weight is not 0: W has no gradient there."""
    return layer_combination.defined(
        *(embedding, layers, W),
        combine=lambda row, y: sum((w * each for w, each in zip(row, y, strict=True) if w != 0), 0 * y[0]),
    )


def cut_off_from_the_third_layer_on(embedding, layers, W):
    def combine(row, y):
        return layer_combination.combine(row, y if len(y) < 3 else [*(each.detach() for each in y[:-1]), y[-1]])

    return layer_combination.defined(embedding, layers, W, combine=combine)


def each_entry_once(source, output, weights, dictionary):
    """A translation is used once; then the word is copied."""
    left = dict(dictionary)
    return pos_unk.defined(source, output, weights, left, look=lambda _, word: left.pop(word, word))


def each_position_once(source, output, weights, dictionary):
    """A second unkpos_d of the same source word is left unknown."""
    words, used = pos_unk.defined(source, output, weights, dictionary), set()
    for j, said in enumerate(output):
        if said.startswith("unkpos_") and said != "unkpos_null":
            i = j - int(said[7:])
            words[j] = "<unk>" if i in used else words[j]
            used.add(i)
    return words


def any_number_behind_a_line(source, output, weights, dictionary):
    """As unkpos_d each word that ends with a number behind a line."""
    marked = [f"unkpos_{said.split('_')[1]}" if said[-1].isdigit() else said for said in output]
    return pos_unk.defined(source, marked, weights, dictionary)


def brackets_taken_off(source, output, weights, dictionary):
    return pos_unk.defined(source, output, weights, dictionary, unknown=lambda said: said.strip("<>") == "unk")


def null_without_a_place(source, output, weights, dictionary):
    """A place of each word is counted by hand, and not that of unkpos_null, where `continue` comes first."""
    return pos_unk.defined(
        source, output, weights, dictionary, place=lambda j, d: j - output[:j].count("unkpos_null") - d
    )


def up_to_the_shorter_of_both(source, output, weights, dictionary):
    """Only as many output words as the source has."""
    n = min(len(source), len(output))
    return pos_unk.defined(source, output[:n], weights, dictionary) + output[n:]


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("residual_stack", one_layer_less, "last", None),
    ("residual_stack", one_axis_less, "second", None),
    ("layer_combination", weights_of_0_left_out, "gradient", None),
    ("layer_combination", cut_off_from_the_third_layer_on, "gradient", None),
    ("pos_unk", each_entry_once, "dictionary", None),
    ("pos_unk", each_position_once, "position", None),
    ("pos_unk", up_to_the_shorter_of_both, "position", None),
    ("pos_unk", any_number_behind_a_line, "position", None),
    ("pos_unk", null_without_a_place, "outside", None),
    ("pos_unk", brackets_taken_off, "attention", None),
    ("pre_norm", normed_before_the_network, "layers", "final norm before the last network"),
    ("pre_norm", normed_embeddings, "layers", "final norm of the embeddings"),
    ("top_k_gating", gating(filled(-20.0)), "far", "a small number filled in"),
    ("top_k_gating", gating(filled(-9.0)), "far", "a small number filled in"),
    ("top_k_gating", gating(exps), "far", "exp of large numbers"),
    (
        "top_k_gating",
        gating(filled(-torch.inf), noise=lambda noise, real: noise * real.unsqueeze(2)),
        "padding",
        "no noise for padding",
    ),
    ("top_k_gating", sentences_that_count_alike, "padding", "means of sentences added"),
    ("top_k_gating", another_gate_for_padding, "padding", None),
    ("top_k_gating", experts_that_are_asked, "balance", "experts not asked left out"),
)


@each_row("ps9", ROWS)
def test_a_wrong_version_loses_the_criterion_that_it_should(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)


OF_THE_NORM = {each.name: each for each in pre_norm.TASK.misconceptions}
SLIPS = (  # and no other criterion
    ("residual_stack", residual_stack.residual_from_the_second_layer, {"second", "residual"}),
    ("residual_stack", residual_stack.b_h_left_out, {"second", "residual"}),
    ("residual_stack", residual_stack.last_states_with_the_input_added, {"last"}),
    ("pre_norm", OF_THE_NORM["ε outside the root"], {"final"}),
    ("pre_norm", pre_norm.no_mask, {"both"}),
    ("layer_combination", layer_combination.first_layer_reads_the_embedding, {"first"}),
    ("top_k_gating", top_k_gating.softmax_before_the_choice, {"gates", "noise", "k", "far"}),
    ("top_k_gating", top_k_gating.no_noise, {"noise"}),
    ("top_k_gating", top_k_gating.padding_counted, {"padding"}),
    ("top_k_gating", top_k_gating.means_of_sentences_added, {"padding"}),
    ("top_k_gating", top_k_gating.experts_not_asked_left_out, {"balance"}),
    ("top_k_gating", top_k_gating.each_sentence_by_itself, {"balance"}),
)


@each_slip("ps9", SLIPS)
def test_a_slip_costs_the_criterion_that_it_is_about_and_no_other(task, function, costs):
    assert lost(task, function) == costs
