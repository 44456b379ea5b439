"""ps9.diagnose: what is wrong with a deep system, told from numbers that it writes down while it is trained."""

from functools import partial
from itertools import combinations
from random import Random

import torch

from course_lib.grading.declare import arguments, changing, criterion, mistake, task
from course_lib.grading.faults import ONE_FAULT_ONLY, asked, slips, the_first_alone, ways
from course_lib.grading.task import Case
from course_lib.problem_sets.ps9 import lent, traces
from course_lib.problem_sets.ps9.traces import FAULTS, TESTS, Trace, layer_norm, off, trace_with


def reference(trace: Trace) -> set[str]:
    """The faults, named in FAULTS, of the system that wrote `trace` down."""
    return found(trace)


def found(trace: Trace) -> set[str]:
    """What may not do the student's work."""
    return defined(trace)


# Mistakes


def defined(trace, **instead):
    """The faults that TESTS find, some of them looked for `instead` in another way."""
    return {fault for fault, test in (TESTS | instead).items() if test(trace)}


slip = slips(defined)


def of(place, *names):
    """The trace with the numbers at one place alone under these names."""
    return lambda trace: trace | {name: trace[name][place] for name in names}


def residuals(trace):
    return trace["states"][1:] - trace["states"][:-1] - trace["made"]


first_layer_alone = slip("residual", lambda trace: bool((residuals(trace)[0].abs() > 0.005).any()))(
    "You look at the first layer alone. Any layer may lack its residual connection."
)
last_layer_alone = slip("residual", lambda trace: bool((residuals(trace)[-1].abs() > 0.005).any()))(
    "You look at the last layer alone. Any layer may lack its residual connection."
)
first_number_alone = slip("residual", lambda trace: bool((residuals(trace)[:, 0].abs() > 0.005).any()))(
    "You look at the first number of each state alone. It may be right by chance: look at all."
)
only_too_large = slip("residual", lambda trace: bool((residuals(trace) > 0.005).any()))(
    "You report 'residual' only where a state is too large. Take abs() of the differences."
)
only_too_small = slip("residual", lambda trace: bool((residuals(trace) < -0.005).any()))(
    "You report 'residual' only where a state is too small. Take abs() of the differences."
)
only_a_missing_input = slip(
    "residual",
    lambda trace: bool(((trace["states"][1:] - trace["made"]).abs() < 0.005).all(1).any()),
)("You find 'residual' only where nothing is added to what a layer makes. It may be another number than the input.")
what_is_read_added = slip("residual", lambda trace: off(trace["states"][1:], trace["read"] + trace["made"]))(
    "You expect the normalised state + `made`. The residual connection adds the state below itself, not what is read."
)

sums_alone = slip("residual", lambda trace: off(residuals(trace).sum(1), torch.zeros(1)))(
    "You compare only sums or means of the numbers of a state. Differences can cancel there: look at each number."
)
lengths_alone = slip(
    "residual", lambda trace: off(trace["states"][1:].norm(dim=1), (trace["states"][:-1] + trace["made"]).norm(dim=1))
)("You compare only how long the states are. Two states of the same length can differ: look at each number.")

first_read_alone = slip("norm", lambda trace: off(trace["read"][0], layer_norm(trace["states"][0])))(
    "You look at what the first layer reads alone. It may be another one."
)
last_read_alone = slip("norm", lambda trace: off(trace["read"][-1], layer_norm(trace["states"][-2])))(
    "You look at what the last layer reads alone. It may be another one."
)
mean_alone = slip("norm", lambda trace: off(trace["read"].mean(1), torch.zeros(1)))(
    "You ask only whether the mean of what is read is 0. Its variance is to be 1, too."
)
variance_alone = slip("norm", lambda trace: off(trace["read"].std(1, correction=0), torch.ones(1)))(
    "You ask only whether the variance of what is read is 1. Its mean is to be 0, too."
)


mean_and_variance_alone = slip(
    "norm",
    lambda trace: off(trace["read"].mean(1), torch.zeros(1)) or off(trace["read"].std(1, correction=0), torch.ones(1)),
)("You ask whether what is read has mean 0 and variance 1. It may be LN of another state: compare with the one below.")
unbiased_variance = slip(
    "norm",
    lambda trace: off(
        trace["read"],
        (trace["states"][:-1] - trace["states"][:-1].mean(1, keepdim=True)) / trace["states"][:-1].std(1, keepdim=True),
    ),
)("You divide by the standard deviation with d − 1. Layer norm's variance is the mean of the squares: divide by d.")
plain_states = slip("norm", lambda trace: not off(trace["read"], trace["states"][:-1]))(
    "You find 'norm' only where every layer reads the state as it is. One layer is enough, and it may read something "
    "else."
)
any_plain_state = slip("norm", lambda trace: bool(((trace["read"] - trace["states"][:-1]).abs() < 0.005).all(1).any()))(
    "You find 'norm' only where a layer reads the state as it is. It may read something else that is not LN of it."
)

GATES = "scores", "gates"
first_word_alone = slip("gate", lambda trace: traces.gate(of([0], *GATES)(trace)))(
    "You look at the first word alone. The gates of any word may be wrong."
)
last_word_alone = slip("gate", lambda trace: traces.gate(of([-1], *GATES)(trace)))(
    "You look at the last word alone. The gates of any word may be wrong."
)
sum_alone = slip("gate", lambda trace: off(trace["gates"].sum(1), torch.ones(1)))(
    "You ask only whether the gates of a word add to 1. They may do so, and be wrong."
)
number_alone = slip("gate", lambda trace: bool(((trace["gates"] > 0).sum(1) != trace["k"]).any()))(
    "You ask only whether k gates are above 0. They may be the wrong ones, or wrong numbers."
)
sum_and_number = slip(
    "gate",
    lambda trace: off(trace["gates"].sum(1), torch.ones(1)) or bool(((trace["gates"] > 0).sum(1) != trace["k"]).any()),
)("You ask whether k gates are above 0 and add to 1. They may be the wrong ones, or wrong numbers, all the same.")
sorted_gates_compared = slip(
    "gate", lambda trace: off(trace["gates"].sort(1).values, traces.gates(trace["scores"], trace["k"]).sort(1).values)
)("You do not look at which expert has which gate. The right numbers may stand at the wrong experts.")
largest_gate_alone = slip(
    "gate", lambda trace: off(trace["gates"].amax(1), traces.gates(trace["scores"], trace["k"]).amax(1))
)("You look at the largest gate of each word alone. The others may be wrong, and it may stand at another expert.")
best_expert_alone = slip("gate", lambda trace: not torch.equal(trace["gates"].argmax(1), trace["scores"].argmax(1)))(
    "You ask only whether the expert with the largest score has the largest gate. The numbers may be wrong."
)
softmax_over_all = slip(
    "gate",
    lambda trace: off(trace["gates"], torch.stack([traces.of_all(s, trace["k"]) for s in trace["scores"]])),
)("You expect k gates of a softmax over all experts. It runs over the k largest scores alone, so that they add to 1.")
all_experts_expected = slip("gate", lambda trace: off(trace["gates"], trace["scores"].softmax(1)))(
    "You expect a softmax over all experts. Only the k with the largest scores have a gate."
)
always_two = slip("gate", lambda trace: off(trace["gates"], traces.gates(trace["scores"], 2)))(
    "You expect two experts for each word, whatever `k` is."
)

right_turned_round_alone = slip(
    "sign", lambda trace: not off(trace["pushes"], traces.others(trace["rewards"]) - trace["rewards"])
)(
    "You find 'sign' only where the baseline is right, or where no push has the sign of R − b. The baseline may be "
    "wrong, too: look for better samples that are pushed less."
)
any_push_below_0 = slip("sign", lambda trace: bool((trace["pushes"] < 0).any()))(
    "You report 'sign' where a push is below 0. With a baseline that is right for every sample that is worse than the "
    "others."
)
first_push_below_0 = slip("sign", lambda trace: bool(trace["pushes"][0, 0] < 0))(
    "You report 'sign' where the first push is below 0. That is right for a sample that is worse than the others."
)
sum_below_0 = slip("sign", lambda trace: bool(trace["pushes"].sum() < -0.005))(
    "You report 'sign' where the pushes add to less than 0, or are all below 0. They add to 0 with the right baseline, "
    "whatever their sign: compare better samples with worse ones."
)


best_of_each_pushed_down = slip(
    "sign",
    lambda trace: bool((trace["pushes"].gather(1, trace["rewards"].argmax(1, keepdim=True)) < -0.005).any()),
)(
    "You report 'sign' where the best sample of a sentence is pushed down. With a baseline of the whole batch that "
    "happens with the right sign: compare it with worse samples of the same sentence."
)


def first_sentence(trace):
    R, pushes = (trace[name][0] for name in ("rewards", "pushes"))
    return bool((pushes * (R - R.mean())).sum() < -0.001)


first_sentence_alone_for_the_sign = slip("sign", first_sentence)(
    "You look at the first sentence alone. Its samples may all have the same reward: then it does not tell."
)


last_sentence_alone_for_the_sign = slip("sign", lambda trace: traces.sign(of([-1], "rewards", "pushes")(trace)))(
    "You look at the last sentence alone. Its samples may all have the same reward: then it does not tell."
)
first_two_samples_compared = slip(
    "sign",
    lambda trace: bool(((trace["rewards"].diff(dim=1) * trace["pushes"].diff(dim=1))[:, 0] < 0).any()),
)("You compare the first two samples of each sentence alone. They may have the same reward: then they do not tell.")


def best_less_than_worst(trace):
    R, pushes = trace["rewards"].flatten(), trace["pushes"].flatten()
    return bool(pushes[R.argmax()] < pushes[R.argmin()])


best_and_worst_of_the_batch = slip("sign", best_less_than_worst)(
    "You compare the best sample of the whole batch with the worst one. They may belong to two sentences, with a "
    "baseline each: compare samples of the same sentence."
)


def against_rewards(less):
    """Whether pushes times rewards, less so much, add to less than 0."""
    return lambda trace: bool((trace["pushes"] * (trace["rewards"] - less(trace["rewards"]))).sum() < 0)


samples_of_the_whole_batch_compared = slip("sign", against_rewards(lambda R: 0.0))(
    "You compare samples of the whole batch, or look at no other sample. Each sentence may have a baseline of its own, "
    "and one that is too large makes nearly all pushes negative: compare better samples of a sentence with worse ones."
)
LESS_OF_ALL = [partial(defined, sign=against_rewards(less)) for less in (torch.mean, lambda R: R.mean(0))]
sign_taken_for_the_baseline = slip(
    "baseline", lambda trace: off(trace["pushes"], trace["rewards"] - traces.others(trace["rewards"]))
)("You report 'baseline' where the sign alone is wrong. Compare with b − R, too.")


def against(b):
    def test(trace):
        right = trace["rewards"] - b(trace["rewards"])
        return off(trace["pushes"], right) and off(trace["pushes"], -right)

    return test


mean_of_all_expected = slip("baseline", against(lambda R: R.mean(1, keepdim=True)))(
    "You expect the mean of all samples of a sentence. b is the mean of the others, without the own reward."
)
no_baseline_expected = slip("baseline", against(lambda R: 0.0))(
    "You expect the rewards themselves. The mean of the others is subtracted."
)
others_of_the_batch_expected = slip("baseline", against(traces.BASELINES["others of the batch"]))(
    "You expect the mean of all other samples of the batch. b is that of the same sentence."
)
pushes_that_add_to_0 = slip("baseline", lambda trace: off(trace["pushes"].sum(1), torch.zeros(1)))(
    "You do not find 'baseline' where b is the mean of all samples of a sentence. The pushes add to 0 then, too, and "
    "are only shorter: compare each number with that of R − b."
)
first_sentence_alone = slip("baseline", lambda trace: traces.baseline(of([0], "rewards", "pushes")(trace)))(
    "You look at the first sentence alone. Its samples may all have the same reward: then it does not tell."
)


def turned_by_the_first(sentence, strictly):
    """Turned round where the first sentence, or its first sample, says so; then compared."""

    def test(trace):
        right = trace["rewards"] - traces.others(trace["rewards"])
        told = (right * trace["pushes"])[0]
        told = float(told.sum() if sentence else told[0])
        return off(trace["pushes"] if told > 0 or (told == 0 and not strictly) else -trace["pushes"], right)

    return test


turned_by_the_first_sentence = slip("baseline", turned_by_the_first(sentence=True, strictly=False))(
    "You take the sign of all pushes from the first sentence, or its first sample. Its samples may all have the same "
    "reward: then it does not tell. Compare all pushes with R − b, and all with b − R."
)
TURNED = [
    partial(defined, baseline=turned_by_the_first(sentence=sentence, strictly=True)) for sentence in (True, False)
]
only_no_baseline = slip(
    "baseline", lambda trace: not (off(trace["pushes"], trace["rewards"]) and off(trace["pushes"], -trace["rewards"]))
)("You find 'baseline' only where nothing is subtracted. It may be a wrong number.")
only_the_mean_of_all = slip(
    "baseline",
    lambda trace: traces.baseline(trace) and not against(lambda R: R.mean(1, keepdim=True))(trace),
)("You find 'baseline' only where b is the mean of all samples of a sentence. It may be another number, or 0.")

Q_that_adds_to_1 = slip("alpha", lambda trace: off(trace["Q"].sum(), torch.ones(())))(
    "You ask only whether Q adds to 1. It may do so, and be made with another exponent."
)
only_without_alpha = slip("alpha", lambda trace: not off(trace["Q"], trace["log_p"].softmax(0)))(
    "You find 'alpha' only where α is left out. It may be used in a wrong way."
)
largest_Q_alone = slip(
    "alpha",
    lambda trace: off(trace["Q"].amax(), traces.sharpened(trace["log_p"], trace["alpha"]).amax()),
)(
    "You compare the largest Q alone, or all of them in order of size. The right numbers may stand at the wrong "
    "candidates: compare each."
)
Q_without_alpha_expected = slip("alpha", lambda trace: off(trace["Q"], trace["log_p"].softmax(0)))(
    "You expect p renormalised, without α. Q goes with p to the power of α."
)
division_by_alpha_expected = slip("alpha", lambda trace: off(trace["Q"], (trace["log_p"] / trace["alpha"]).softmax(0)))(
    "You expect log p divided by α. p^α is exp(α log p)."
)
Q_not_divided_expected = slip("alpha", lambda trace: off(trace["Q"], (trace["alpha"] * trace["log_p"]).exp()))(
    "You expect p^α itself. Q is divided by the sum over the set."
)
power_expected = slip("alpha", lambda trace: off(trace["Q"], trace["log_p"].softmax(0) ** trace["alpha"]))(
    "You expect the power of the softmax. It does not add to 1: first the power, then divide."
)


DECIMALS = "Numbers have four decimals: what is right may be off by up to 0.001."


@mistake("residual")
def compared_exactly(trace):
    """You compare exactly, or nearly so. Numbers have four decimals: what is right may be off by up to 0.001."""
    near = partial(off, within=1e-8)
    return {fault for fault, test in TESTS.items() if test(trace, near)}


@mistake("residual")
def compared_in_proportion(trace):
    """You do not find a layer that is off by little. Do you take a mean, a large bound, or one in proportion to the
    numbers, as rtol does? What is wrong is somewhere off by more than 0.02: look at each number."""

    def far(one, other):
        return not torch.allclose(one, other.expand_as(one), rtol=0.05, atol=0.001)

    return {fault for fault, test in TESTS.items() if test(trace, far)}


one_fault_only = mistake("several", ONE_FAULT_ONLY)(the_first_alone(defined, FAULTS))


@changing("arguments", defined)
def states_normalised_in_place(trace):
    """You write into the tensors that you are given: -=, /= and methods whose name ends in _ do. Make new ones."""
    trace["states"] -= trace["states"].mean(1, keepdim=True)


@changing("arguments", defined)
def pushes_turned_round_in_place(trace):
    """You write into the tensors that you are given: *= does, as do methods whose name ends in _. Make new ones."""
    trace["pushes"] *= -1


# Cases: of each fault, those that show one wrong test each, in turn

SEVERAL = [*map(set, combinations(FAULTS, 2)), {*FAULTS}, set()]


EXPECTED = Q_without_alpha_expected, division_by_alpha_expected, Q_not_divided_expected, power_expected


def made(trace: Trace) -> Case:
    layers, d = trace["read"].shape
    words, experts = trace["gates"].shape
    sentences, samples = trace["rewards"].shape
    says = f"{layers} layers of width {d}, {words} words and {experts} experts, k = {trace['k']}, "
    return Case((trace,), f"{says}{sentences} sentences of {samples} samples, {len(trace['Q'])} candidates")


def draw(
    rng: Random, fault: str, faults: set[str], kind: str = "", of: str = "", everywhere: bool = False
) -> tuple[Trace]:
    """A trace with these faults; `kind` is that of the fault that is asked for, or `of` another one."""
    return (trace_with(rng, faults, {of or fault: kind} if kind else {}, everywhere),)


there, absent = ways(defined, made, draw)
with_b = partial(absent, others=("baseline",), of="baseline")  # a baseline of some kind, where "sign" is asked for


def draw_several(rng: Random, size: int) -> Case:
    """Every two faults, all, none."""
    return made(trace_with(rng, SEVERAL[size % len(SEVERAL)], {}))


def draw_arguments(rng: Random, size: int) -> Case:
    return made(trace_with(rng, {("norm", "sign")[size % 2]}, {}))


TASK = task(
    __name__,
    "What is wrong with this system?",
    criteria=(
        asked(
            "residual",
            "a state is not the state below plus what the layer makes.",
            f"It is not there where state i + 1 is state i + `made`. {DECIMALS}",
        )(
            there(first_layer_alone, only_too_large, kind="nothing"),
            absent(what_is_read_added, compared_exactly),
            there(last_layer_alone, only_too_small, first_number_alone, kind="nothing"),
            there(sums_alone, lengths_alone, kind="rolled"),
            there(what_is_read_added, kind="norm", everywhere=True),
            absent(others=("norm",)),
            there(only_a_missing_input, kind="half"),
            there(compared_in_proportion, kind="little"),
        ),
        asked(
            "norm",
            "a layer reads something else than LN of the state below.",
            f"It is not there where each layer reads LN of the state below. {DECIMALS}",
        )(
            there(first_read_alone, plain_states, kind="x"),
            there(kind="x", everywhere=True),
            absent(unbiased_variance, compared_exactly),
            there(last_read_alone, mean_alone, any_plain_state, kind="centred"),
            there(variance_alone, kind="divided"),
            there(mean_and_variance_alone, kind="another"),
            there(mean_alone, unbiased_variance, any_plain_state, kind="unbiased", everywhere=True),
            absent(others=("residual",)),
        ),
        asked(
            "gate",
            "gates are not the softmax over the k largest scores.",
            f"It is not there where `gates` is the softmax over k scores. {DECIMALS}",
        )(
            there(softmax_over_all, number_alone, kind="of all", everywhere=True),
            absent(softmax_over_all, all_experts_expected, always_two, compared_exactly),
            there(first_word_alone, number_alone, kind="of all"),
            there(last_word_alone, sum_alone, best_expert_alone, kind="all"),
            there(all_experts_expected, kind="all", everywhere=True),
            there(sorted_gates_compared, largest_gate_alone, sum_and_number, sum_alone, number_alone, kind="moved"),
            there(sum_alone, best_expert_alone, kind="fewer"),
            there(sum_alone, best_expert_alone, kind="more"),
            there(sum_and_number, sum_alone, number_alone, kind="equal"),
        ),
        asked(
            "sign",
            "better samples are pushed less.",
            "It is not there where better samples of a sentence are pushed more.",
        )(
            there(sum_below_0, last_sentence_alone_for_the_sign),
            absent(any_push_below_0, first_push_below_0),
            there(right_turned_round_alone, best_and_worst_of_the_batch, others=("baseline",)),
            with_b(best_of_each_pushed_down, kind="batch"),
            there(first_sentence_alone_for_the_sign),
            there(first_push_below_0, first_two_samples_compared),
            with_b(samples_of_the_whole_batch_compared, *LESS_OF_ALL, kind="best"),
            with_b(kind="none"),
        ),
        asked(
            "baseline",
            "b is not the mean reward of the other samples.",
            f"It is not there where the pushes are R − b or b − R with the mean of the others. {DECIMALS}",
        )(
            there(mean_of_all_expected, pushes_that_add_to_0, only_no_baseline, kind="mean"),
            absent(sign_taken_for_the_baseline, turned_by_the_first_sentence, others=("sign",)),
            there(only_the_mean_of_all, no_baseline_expected, kind="none"),
            absent(mean_of_all_expected, others_of_the_batch_expected, compared_exactly, *TURNED),
            there(first_sentence_alone, kind="mean"),
            there(only_the_mean_of_all, only_no_baseline, kind="batch"),
            there(others_of_the_batch_expected, kind="others of the batch"),
            there(others=("sign",)),
        ),
        asked(
            "alpha",
            "Q is not p^α, renormalised.",
            f"It is not there where Q is the softmax of α log p. {DECIMALS}",
        )(
            there(Q_that_adds_to_1, kind="1"),
            absent(*EXPECTED, compared_exactly),
            there(only_without_alpha, Q_that_adds_to_1, kind="inverse"),
            there(only_without_alpha, kind="not divided"),
            there(only_without_alpha, power_expected, kind="after"),
            there(largest_Q_alone, Q_that_adds_to_1, kind="mixed"),
        ),
        criterion("several", 0.5, draw_several, visible=len(SEVERAL), graded=len(SEVERAL))("Several faults at once."),
        arguments(0.5, draw_arguments, visible=2, graded=2)("The trace is afterwards as it was."),
    ),
    lent=(lent.layer_norm, lent.top_k_gating, lent.minimum_risk),
    forbidden=(f"{__name__}.found",),
)
