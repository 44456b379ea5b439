"""What a training costs: by hand for pairs of one length, and for recipes that differ in one thing."""

from dataclasses import replace

import pytest

from course_lib.checkpoints.costs import training_cost
from course_lib.checkpoints.deep import DEEP, recurrent, transformer
from course_lib.checkpoints.experiments import rnn
from course_lib.checkpoints.mixtures import MIXTURES, mixture
from course_lib.systems.flops import gnmt_operations, transformer_operations


@pytest.mark.parametrize(("recipe", "count"), [(transformer, transformer_operations), (recurrent, gnmt_operations)])
def test_pairs_of_one_length_fill_the_batches(recipe, count):
    small = replace(recipe, steps=7, max_tokens=60, layers=2)
    config = small.model(40).config
    assert training_cost(small, 40, [(5, 6)]) == pytest.approx(3 * 7 * 10 * count(config, 5, 6).total)
    assert training_cost(small, 40, [(5, 6)] * 3) == pytest.approx(training_cost(small, 40, [(5, 6)]))


def test_depth_and_steps_cost_and_the_place_of_the_norm_does_not():
    cost = {name: training_cost(DEEP[name], 600, [(12, 13), (30, 28)]) for name in DEEP}
    assert cost["deep.post_20"] == cost["deep.pre_20"] > 2 * cost["deep.pre_6"]
    assert training_cost(replace(transformer, steps=2 * transformer.steps), 600, [(9, 9)]) == pytest.approx(
        2 * training_cost(transformer, 600, [(9, 9)])
    )


def test_experts_cost_what_their_gates_do_and_a_network_as_wide_as_all_costs_more():
    pairs, both = [(12, 13), (30, 28)], mixture.layers  # as many in the decoder
    costs = {name: training_cost(recipe, 600, pairs) for name, recipe in MIXTURES.items()}
    dense = training_cost(DEEP["deep.pre_2"], 600, pairs)
    assert costs["mixture.experts"] == costs["mixture.unbalanced"]
    words = mixture.steps * mixture.max_tokens / (13 + 30) * both * sum(map(sum, pairs))  # that meet a network
    assert costs["mixture.experts"] - dense == pytest.approx(3 * words * 4 * mixture.d_model * mixture.experts)
    assert costs["mixture.wide"] - dense == pytest.approx(3 * words * 4 * mixture.d_model * (512 - 128))


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(ValueError, match="must be one of a Transformer or of GNMT, got RNNRecipe"):
        training_cost(rnn, 600, [(9, 9)])
    with pytest.raises(ValueError, match="lengths must hold one pair or more"):
        training_cost(transformer, 600, [])
