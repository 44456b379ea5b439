"""Training for a reward, and what is wrong with a system: wrong versions that once passed, or got an untrue hint."""

import torch

from course_lib.problem_sets.ps9 import diagnose, minimum_risk, score_function, traces
from tests.grading.caught import each_row, each_slip, is_caught, lost

from . import loops

# Minimum risk


def with_alpha(other):
    """Right for another α."""
    return lambda samples, log_p, costs, alpha: loops.minimum_risk(samples, log_p, costs, other(alpha))


def with_risk(of):
    """The right Q, and a risk made of Q, of log p and costs of the different samples, and of α."""

    def risked(samples, log_p, costs, alpha):
        Q, _ = loops.minimum_risk(samples, log_p, costs, alpha)
        places = minimum_risk.first_places(samples)
        return Q, of(Q, log_p[places], log_p.new_tensor([costs[i] for i in places]), alpha)

    return risked


def risk_by_powers(Q, log_p, Δ, alpha):
    power = log_p.exp() ** alpha
    return (power * Δ).sum() / power.sum()


def drawn_twice_taken_out(samples, log_p, costs, alpha):
    found = loops.minimum_risk(samples, log_p, costs, alpha)
    for i in range(len(samples) - 1, -1, -1):
        if samples[i] in samples[:i]:
            del samples[i], costs[i]
    return found


def no_gradient_of_what_is_drawn_twice(samples, log_p, costs, alpha):
    alone = torch.tensor([samples.count(y) == 1 for y in samples])
    return loops.minimum_risk(samples, torch.where(alone, log_p, log_p.detach()), costs, alpha)


def p_times_how_often(samples, log_p, costs, alpha):
    often = log_p.new_tensor([samples.count(y) for y in samples])
    return loops.minimum_risk(samples, log_p + often.log(), costs, alpha)


# The score function


def those_with_another_reward(R):
    another = R.unsqueeze(2) != R.unsqueeze(1)
    return (another * R.unsqueeze(1)).sum(2) / another.sum(2)


def without_rewards_of_0(R):
    rewarded = R != 0
    return (R.sum(1, keepdim=True) - R) / (rewarded.sum(1, keepdim=True) - rewarded.int()).clamp(min=1)


def with_others(others):
    return lambda *given: score_function.defined(*given, others=others)


def rewards_between_0_and_1(log_p, lengths, rewards, baseline):
    return loops.score_function(log_p, lengths, rewards.clamp(0, 1), baseline)


def rewards_detached_in_place(log_p, lengths, rewards, baseline):
    return loops.score_function(log_p, lengths, rewards.detach_(), baseline)


# The diagnosis


def with_test(**tests):
    return lambda trace: diagnose.defined(trace, **tests)


def signed_sum(trace):
    return bool(abs(diagnose.residuals(trace).sum()) > 0.01)


def in_proportion(trace):
    return not torch.allclose(trace["states"][1:], trace["states"][:-1] + trace["made"], rtol=0.05, atol=0.001)


def first_two(trace):
    R, pushes = trace["rewards"], trace["pushes"]
    return any(
        (R[:, 0] > R[:, 1]) & (pushes[:, 0] < pushes[:, 1]) | (R[:, 0] < R[:, 1]) & (pushes[:, 0] > pushes[:, 1])
    )


def turned_by_the_first_sample(trace):
    right = trace["rewards"] - traces.others(trace["rewards"])
    sign = 1 if right[0, 0] * trace["pushes"][0, 0] >= 0 else -1
    return traces.off(sign * trace["pushes"], right)


def scaled(trace):
    right, pushes = trace["rewards"] - traces.others(trace["rewards"]), trace["pushes"]
    right, pushes = right / right.norm(), pushes / pushes.norm()
    return traces.off(pushes, right) and traces.off(pushes, -right)


def of_the_state_above(trace):
    return traces.off(trace["read"], traces.layer_norm(trace["states"][1:]))


RESIDUAL, GATE = "sums alone or lengths alone", "sorted gates compared or largest gate alone"
ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("minimum_risk", with_alpha(lambda alpha: min(alpha, 1.0)), "alpha", None),
    ("minimum_risk", with_alpha(lambda alpha: min(alpha, 1 / alpha)), "alpha", None),
    ("minimum_risk", with_risk(lambda Q, log_p, Δ, alpha: log_p.softmax(0) @ Δ), "risk", "weighed without alpha"),
    ("minimum_risk", with_risk(lambda Q, log_p, Δ, alpha: alpha * Q @ Δ), "risk", None),
    ("minimum_risk", with_risk(lambda Q, log_p, Δ, alpha: Q @ Δ**alpha), "risk", None),
    ("minimum_risk", with_risk(risk_by_powers), "far", None),
    ("minimum_risk", p_times_how_often, "set", None),
    ("minimum_risk", drawn_twice_taken_out, "gradient", None),
    ("minimum_risk", no_gradient_of_what_is_drawn_twice, "gradient", None),
    ("score_function", with_others(those_with_another_reward), "others", None),
    ("score_function", with_others(without_rewards_of_0), "others", None),
    ("score_function", rewards_between_0_and_1, "none", None),
    ("score_function", rewards_detached_in_place, "gradient", None),
    ("diagnose", with_test(residual=signed_sum), "residual", RESIDUAL),
    ("diagnose", diagnose.lengths_alone, "residual", RESIDUAL),
    ("diagnose", with_test(residual=in_proportion), "residual", None),
    ("diagnose", diagnose.compared_in_proportion, "residual", "compared in proportion"),
    ("diagnose", with_test(norm=of_the_state_above), "norm", "norm always reported"),
    ("diagnose", diagnose.sorted_gates_compared, "gate", GATE),
    ("diagnose", diagnose.largest_gate_alone, "gate", GATE),
    ("diagnose", with_test(sign=first_two), "sign", "first two samples compared"),
    ("diagnose", diagnose.best_and_worst_of_the_batch, "sign", "best and worst of the batch"),
    ("diagnose", diagnose.last_sentence_alone_for_the_sign, "sign", "last sentence alone for the sign"),
    ("diagnose", with_test(baseline=turned_by_the_first_sample), "baseline", "turned by the first sentence"),
    ("diagnose", with_test(baseline=scaled), "baseline", "pushes that add to 0"),
    ("diagnose", diagnose.largest_Q_alone, "alpha", "largest Q alone"),
)


@each_row("ps9", ROWS)
def test_a_wrong_version_loses_the_criterion_that_it_should(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)


SLIPS = (  # and no other criterion
    ("minimum_risk", with_risk(risk_by_powers), {"far"}),
    ("minimum_risk", minimum_risk.weighed_without_alpha, {"risk"}),
    ("minimum_risk", minimum_risk.neighbours_compared, {"set"}),
    ("score_function", with_others(without_rewards_of_0), {"others", "sentences", "padding"}),
    ("score_function", rewards_detached_in_place, {"gradient"}),
)


@each_slip("ps9", SLIPS)
def test_a_slip_costs_the_criterion_that_it_is_about_and_no_other(task, function, costs):
    assert lost(task, function) == costs
