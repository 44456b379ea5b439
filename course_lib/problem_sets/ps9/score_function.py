"""ps9.score_function: the loss whose gradient estimates −∇ E[R], with a baseline of other samples (Williams 1992)."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.cases.numbers import Numbers, tensor
from course_lib.grading.cases.training import OF, GradientProbe
from course_lib.grading.declare import changing, criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps7.smoothed_loss import value
from course_lib.systems import reinforce


def reference(log_p: Tensor, lengths: Tensor, rewards: Tensor, baseline: str) -> Tensor:
    """−1/N Σ (R(y) − b) log p(y) over all N samples y; no gradient flows through R − b.

    `log_p` (sentence, sample, time) is of words, `lengths` and `rewards` (sentence, sample); `baseline`: "none", b = 0,
    or "others", the mean reward of the sentence's other samples.
    """
    sums = torch.where(real(log_p, lengths), log_p, 0).sum(2)
    return reinforce.reinforce_loss(sums, reinforce.advantages(rewards, baseline))


# Mistakes


def real(log_p, lengths):
    """Where a word is real (sentence, sample, time)."""
    return torch.arange(log_p.shape[2]) < lengths[..., None]


def summed(log_p, mask):
    return torch.where(mask, log_p, 0).sum(2)


def of_the_others(R):
    return (R.sum(1, keepdim=True) - R) / (R.shape[1] - 1)


def nothing(R):
    return torch.zeros_like(R)


def weight(R, b):
    return (R - b).detach()


def defined(
    log_p,
    lengths,
    rewards,
    baseline,
    real=real,
    log_py=summed,
    none=nothing,
    others=of_the_others,
    weight=weight,
    mean=lambda products: -products.mean(),
):
    b = others(rewards) if baseline == "others" else none(rewards)
    return mean(weight(rewards, b) * log_py(log_p, real(log_p, lengths)))


wrong = versions(defined)
sign_left_out = wrong("none", mean=lambda products: products.mean())(
    "Your loss has the wrong sign. A step against its gradient is to make samples with a large reward more probable: "
    "the loss is minus the mean."
)
sum_of_all = wrong("none", mean=lambda products: -products.sum())(
    "You add up all samples. The expectation is a mean: divide by their number."
)
divided_by_the_number_of_sentences = wrong("none", mean=lambda products: -products.sum() / len(products))(
    "You divide by the number of sentences. Divide by the number of all samples."
)
mean_over_the_words = wrong(
    "none", log_py=lambda log_p, mask: torch.where(mask, log_p, 0).sum(2) / mask.sum(2).clamp(min=1)
)("You divide log p(y) by the number of words. log p(y) is the sum of its words' log-probabilities.")
probabilities_of_words_multiplied_as_logarithms = wrong(
    "none", log_py=lambda log_p, mask: torch.where(mask, log_p, 1).prod(2)
)("You multiply the log-probabilities of the words. Probabilities multiply, their logarithms add.")
p_in_place_of_log_p = wrong("none", log_py=lambda log_p, mask: summed(log_p, mask).exp())(
    "You weigh p(y), and log p(y) is asked for. That a probable y counts more comes from the drawing already."
)
rewards_left_out = wrong("none", weight=lambda R, b: torch.ones_like(R))(
    "Your loss does not depend on the rewards: it is the cross-entropy of the own samples."
)
one_reward_for_all = wrong("none", weight=lambda R, b: weight(R.mean(), b).expand_as(R))(
    "You weigh all samples with the mean reward. Each has its own: first the products, then the mean."
)
divided_by_the_sum_of_the_weights = wrong("none", weight=lambda R, b: weight(R, b) * R.numel() / R.sum().detach())(
    "You divide by the sum of the rewards. The mean over samples is divided by their number."
)
the_best_sample_alone = wrong("none", weight=lambda R, b: weight(R, b) * R.eq(R.amax(1, keepdim=True)) * R.shape[1])(
    "You use the sample with the largest reward alone. The estimate is a mean over all samples."
)
a_baseline_where_none_is_asked_for = wrong("none", none=of_the_others)(
    "You subtract a baseline where `baseline` is 'none'."
)

no_baseline = wrong("others", others=nothing)("You subtract nothing where `baseline` is 'others'.")
the_mean_of_all = wrong("others", others=lambda R: R.mean(1, keepdim=True))(
    "Your b is the mean of all samples, the own one among them: it depends on y, and the estimate is too short. Leave "
    "the own reward out."
)
the_sum_of_the_others = wrong("others", others=lambda R: R.sum(1, keepdim=True) - R)(
    "Your b is the sum of the other rewards. It is their mean: divide by m − 1."
)
divided_by_m = wrong("others", others=lambda R: (R.sum(1, keepdim=True) - R) / R.shape[1])(
    "You divide the sum of the others by m. They are m − 1."
)
baseline_added = wrong("others", others=lambda R: -of_the_others(R))("You add the baseline. It is subtracted.")
turned_round = mistake("others", "You take b − R. A sample that is better than the others is to be pushed up: R − b.")(
    lambda *given: defined(*given, weight=(lambda R, b: weight(b, R)) if given[3] == "others" else weight)
)


def best_of_the_others(R):
    m = R.shape[1]
    return R.unsqueeze(1).expand(-1, m, -1).masked_fill(torch.eye(m, dtype=torch.bool), -torch.inf).amax(2)


the_best_of_the_others = wrong("others", others=best_of_the_others)(
    "Your b is the largest reward of the others. It is their mean."
)
divided_by_the_spread = mistake(
    "others", "You divide R − b by the standard deviation of the rewards. Nothing is divided here."
)(
    lambda *given: defined(
        *given, weight=(lambda R, b: weight(R, b) / R.detach().std(1, keepdim=True)) if given[3] == "others" else weight
    )
)
the_mean_of_all_divided_by_the_spread = mistake(
    "others",
    "You subtract the mean of all samples and divide by their standard deviation. Here b is the mean of the others, "
    "and nothing is divided.",
)(
    lambda *given: defined(
        *given,
        others=lambda R: R.mean(1, keepdim=True),
        weight=(lambda R, b: weight(R, b) / R.detach().std(1, keepdim=True)) if given[3] == "others" else weight,
    )
)

of_the_whole_batch = wrong("sentences", others=lambda R: (R.sum() - R) / (R.numel() - 1))(
    "Your b is the mean of all other samples of the batch. It is that of the same sentence alone: some sentences are "
    "easier than others."
)
mean_of_the_whole_batch = wrong("others", others=lambda R: R.mean().expand_as(R))(
    "Your b is the mean of all rewards of the batch. It is that of the other samples of the same sentence."
)
the_samples_of_other_sentences = wrong(
    "sentences", others=lambda R: (R.sum(0) - R) / (len(R) - 1) if len(R) > 1 else of_the_others(R)
)("Your b is a mean over the sentences. It is one over the other samples of the same sentence: along axis 1.")
means_of_sentences_added = wrong("sentences", mean=lambda products: -products.mean(1).sum())(
    "You add up the means of the sentences. Divide by the number of all samples."
)
the_first_sentence_alone = mistake("sentences", "You use the first sentence alone.")(
    lambda log_p, lengths, rewards, baseline: defined(log_p[:1], lengths[:1], rewards[:1], baseline)
)

padding_counted = wrong("padding", real=lambda log_p, lengths: torch.ones_like(log_p, dtype=torch.bool))(
    "You add up what stands at padding, too. Only the first `lengths` words of a sample are real."
)
the_last_word_left_out = wrong("padding", real=lambda log_p, lengths: real(log_p, lengths - 1))(
    "You leave out the last real word of each sample. A sample of length n has the words 0 to n − 1."
)
one_word_too_many = wrong("padding", real=lambda log_p, lengths: real(log_p, lengths + 1))(
    "You count one word of padding as real. A sample of length n has the words 0 to n − 1."
)
one_length_for_a_sentence = wrong(
    "padding", real=lambda log_p, lengths: real(log_p, lengths.amax(1, keepdim=True).expand_as(lengths))
)("You take the longest sample of a sentence for the length of all its samples. Each has its own.")
the_first_length_of_a_sentence = wrong(
    "padding", real=lambda log_p, lengths: real(log_p, lengths[:, :1].expand_as(lengths))
)("You take the length of a sentence's first sample for all its samples. Each has its own.")
mean_over_all_words = mistake(
    "none",
    "You divide by the number of all words. Divide by the number of samples: log p(y) is the sum over its words.",
)(
    lambda log_p, lengths, rewards, baseline: defined(
        *(log_p, lengths, rewards, baseline), mean=lambda products: -products.sum() / lengths.sum()
    )
)

THROUGH = (
    "A gradient flows into the rewards. R and b are numbers to weigh with: take (R − b).detach(), else a reward that "
    "comes from a network is trained to like what it is given."
)
gradient_through_the_rewards = wrong("gradient", weight=lambda R, b: R - b)(THROUGH)
gradient_through_the_baseline = wrong("gradient", weight=lambda R, b: R.detach() - b)(THROUGH)


@changing("gradient", defined)
def baseline_subtracted_in_place(log_p, lengths, rewards, baseline):
    """You write into `rewards`, which belongs to the caller: -= does, as does a method whose name ends in _. R − b
    makes a new tensor."""
    with torch.no_grad():
        rewards -= of_the_others(rewards)


@changing("gradient", defined)
def padding_set_to_0_in_place(log_p, lengths, rewards, baseline):
    """You write 0 into `log_p` at padding. It belongs to the caller: torch.where or a product with the mask makes a new
    tensor."""
    with torch.no_grad():
        log_p[~real(log_p, lengths)] = 0


a_tensor_with_a_dimension = wrong("gradient", mean=lambda products: -products.mean().reshape(1))(
    "Your values are right, but come in a tensor of shape (1,). It is to have no dimensions: is there a keepdim, or "
    "[None]?"
)
a_float = wrong("gradient", mean=lambda products: -products.mean().item())(
    "Your values are right, but you return a float, through which no gradient passes. Return the tensor, without "
    "item() or float(…)."
)

# Cases

NONE = (
    *(sign_left_out, sum_of_all, mean_over_the_words, probabilities_of_words_multiplied_as_logarithms),
    *(p_in_place_of_log_p, rewards_left_out, one_reward_for_all, divided_by_the_sum_of_the_weights),
    *(the_best_sample_alone, a_baseline_where_none_is_asked_for, divided_by_the_number_of_sentences),
    mean_over_all_words,
)
OTHERS = (
    *(no_baseline, the_mean_of_all, the_sum_of_the_others, divided_by_m, baseline_added, turned_round),
    *(the_best_of_the_others, divided_by_the_spread, the_mean_of_all_divided_by_the_spread, mean_of_the_whole_batch),
)
SENTENCES = of_the_whole_batch, the_samples_of_other_sentences, means_of_sentences_added, the_first_sentence_alone
PADDING = padding_counted, the_last_word_left_out, one_word_too_many, one_length_for_a_sentence
PADDING = (*PADDING, the_first_length_of_a_sentence)
END = (the_last_word_left_out,)  # shows wherever there is a word


def case(log_p: Tensor, lengths: Tensor, rewards: Tensor, baseline: str) -> Case:
    sentences, samples, time = log_p.shape
    several = f"{sentences} sentence{'s' * (sentences > 1)} of {samples} samples"
    padded = "padded to" if (lengths < time).any() else "each of"
    says = f"{several}, {padded} {time} words, baseline {baseline!r}"
    return Case((log_p, lengths, rewards, baseline), says, terms=time + samples)


shows = partial(isolating(defined, (*NONE, *OTHERS, *SENTENCES, *PADDING), case), apart=False)


def batch(rng: Random, sentences: int, baseline: str, padded: bool = False) -> tuple[Tensor, Tensor, Tensor, str]:
    """Sizes that are all different; at padding numbers of any sign."""
    samples = rng.choice((4, 5, 6))
    time = rng.choice([n for n in range(3, 7) if n not in (sentences, samples)])
    log_p = -tensor(rng, sentences, samples, time).abs() - 0.1
    lengths = torch.full((sentences, samples), time)
    if padded:
        for number, own in enumerate(lengths):  # the first sentence has a sample without padding, the others have none
            longest = time - (number > 0)
            own[:] = torch.tensor([rng.randint(1, longest) for _ in range(samples)])
            own[rng.randrange(samples)] = longest
        log_p = torch.where(real(log_p, lengths), log_p, tensor(rng, *log_p.shape, spread=2.0))
    return log_p, lengths, torch.tensor([rewards_of(rng, samples) for _ in range(sentences)]), baseline


def rewards_of(rng: Random, samples: int) -> list[float]:
    """The rewards of a sentence: two of them 0, one above 1, one below 0, the others between 0 and 1; in any order."""
    others = [rng.uniform(0.05, 0.95) for _ in range(samples - 4)]
    return rng.sample([0.0, 0.0, rng.uniform(1.1, 1.9), rng.uniform(-0.9, -0.1), *others], samples)


@shows(*NONE[:-2], mean_over_all_words, free=(*NONE, *END))
def draw_none(rng: Random, size: int) -> tuple:
    """One sentence, no baseline, no padding."""
    return batch(rng, 1, "none")


@shows(*OTHERS[:-1], mean_of_the_whole_batch, free=(*NONE, *OTHERS, *END))
def draw_others(rng: Random, size: int) -> tuple:
    """One sentence, no padding."""
    return batch(rng, 1, "others")


@shows(*SENTENCES, divided_by_the_number_of_sentences, free=(*NONE, *OTHERS, *END))
def draw_sentences(rng: Random, size: int) -> tuple:
    """Two or three sentences, no padding."""
    return batch(rng, 2 + size % 2, "others")


@shows(*SENTENCES[2:], free=(*NONE, *END))
def draw_sentences_without_baseline(rng: Random, size: int) -> tuple:
    return batch(rng, 2 + size // 2 % 2, "none")


@shows(*PADDING, free=(*NONE, *OTHERS, *SENTENCES))
def draw_padding(rng: Random, size: int) -> tuple:
    """Two sentences whose samples have unlike lengths."""
    return batch(rng, 2, ("none", "others")[size % 2], padded=True)


class of_log_p_alone(GradientProbe):
    """The probe of gradients, which excuses none that reaches the rewards: right or wrong, a loss has none there."""

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        left, name = super().excuse(function, case, expected, got), f"{OF}rewards"
        return type(left)(left | {name: got[name]}) if isinstance(got, Parts) and name in got else left


TASK = task(
    __name__,
    "The score function",
    returns="loss",
    kind=Numbers,
    criteria=(
        criterion("none", 1, draw_none, value)("One sentence without a baseline: minus the mean of R log p."),
        criterion("others", 1, draw_others, value)("The baseline is the mean reward of the other samples."),
        criterion("sentences", 0.5, alternate(draw_sentences, draw_sentences_without_baseline), value, visible=4)(
            "Several sentences: each has a baseline of its own, and all samples count alike."
        ),
        criterion("padding", 0.5, draw_padding, value)("log p(y) is the sum over the real words of y."),
        gradient(draw_padding, probe=of_log_p_alone)(
            "The gradient reaches `log_p` at every real word, and nothing else: none flows into the rewards; a call "
            "changes no argument."
        ),
        dtype(draw_padding, inexact="")("The loss has the dtype of `log_p`, float64 or float32, and its precision."),
    ),
    forbidden=("course_lib.systems.reinforce.advantages", "course_lib.systems.reinforce.reinforce_loss"),
)
