"""ps9.top_k_gating: which experts a word asks, and how evenly they are asked (Shazeer et al. 2017; lecture 10)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import Numbers, case, tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6.layers import padded
from course_lib.problem_sets.ps9.own_gates import NAMES, importance, of_own_gates, of_real_words, squared_variation
from course_lib.systems import mixture


def reference(x: Tensor, W_g: Tensor, noise: Tensor, real: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The gates g (batch, time, experts), and CV(Σ g over the real words)², a number."""
    d_model, experts = W_g.shape
    gate = mixture.NoisyTopK(d_model + experts, experts, k).eval()  # which reads [x; noise], with [W_g; 1]
    one = torch.eye(experts).to(W_g)
    routing = functional_call(gate, {"W_g": torch.cat([W_g, one])}, (torch.cat([x, noise], dim=2),))
    return routing.gates, mixture.squared_variation(routing.importance(real))


# Mistakes


def chosen(H, k):
    """True for the k largest of each word."""
    return torch.zeros_like(H, dtype=torch.bool).scatter(-1, H.topk(k).indices, True)


def gate(H, clean, k, chosen=chosen, by=lambda H, clean: H, of=lambda H, clean: H, hidden=-torch.inf, axis=-1):
    """softmax over those that are chosen, 0 for the others."""
    return of(H, clean).masked_fill(~chosen(by(H, clean), k), hidden).softmax(axis)


def defined(
    x,
    W_g,
    noise,
    real,
    k,
    noisy=torch.add,
    gate=gate,
    importance=importance,
    variation=squared_variation,
    counted=lambda g, H, k: g,
    asked=lambda real: real,
    shown=lambda g, real: g,
):
    clean = x @ W_g
    H = noisy(clean, noise)
    g = gate(H, clean, k)
    return shown(g, real), variation(importance(counted(g, H, k), asked(real)))


wrong = versions(defined)


@mistake("gates")
def loss_before_gates(*given):
    """You return the loss first. The gates come first, then the loss."""
    return defined(*given)[::-1]


AFTER = "The softmax comes after the choice: the gates of a word add to 1."
softmax_before_the_choice = wrong("gates", gate=lambda H, clean, k: H.softmax(-1) * chosen(H, k))(
    f"You take the softmax over all experts, then set those that are not chosen to 0. {AFTER}"
)
no_choice = wrong("gates", gate=lambda H, clean, k: H.softmax(-1))(
    "All your experts get a gate. Only the k largest do, the others get 0."
)
others_set_to_0_before_the_softmax = wrong("gates", gate=partial(gate, hidden=0.0))(
    "You set H to 0 for the experts that are not chosen. That is a number like any other, exp(0) is 1: set it to −∞."
)
the_k_smallest = wrong("gates", gate=partial(gate, chosen=lambda H, k: chosen(-H, k)))(
    "You choose the k smallest. The k largest are asked."
)
the_largest_absolute_values = wrong("gates", gate=partial(gate, chosen=lambda H, k: chosen(H.abs(), k)))(
    "You choose by absolute values. The k largest numbers are asked, negative ones are small."
)
one_expert_too_few = wrong("gates", gate=partial(gate, chosen=lambda H, k: chosen(H, max(k - 1, 1))))(
    "You choose k − 1 experts: do you leave out the k-th largest, as > does? It is one of the k."
)
one_expert_too_many = wrong("gates", gate=partial(gate, chosen=lambda H, k: chosen(H, min(k + 1, H.shape[-1]))))(
    "You choose k + 1 experts. The k largest are asked."
)
a_small_number_filled_in = wrong("far", gate=partial(gate, hidden=-20.0))(
    "What you fill in for the other experts is not low enough: where all H are lower, they get the gates. Fill in −∞."
)


@mistake("far")
def exp_of_large_numbers(x, W_g, noise, real, k):
    """Your exp overflows, or all your exps are 0: in float32 exp(89) is infinite, and exp(−104) is 0. softmax subtracts
    the largest number first."""

    def divided(H, clean, k):
        odds = H.exp() * chosen(H, k)
        return odds / odds.sum(-1, keepdim=True)

    return defined(x, W_g, noise, real, k, gate=divided)


equal_gates = wrong("gates", gate=lambda H, clean, k: chosen(H, k).to(H) / k)(
    "All your chosen experts have the gate 1/k. Their gates are the softmax of their H."
)
gates_without_exp = wrong(
    "gates", gate=lambda H, clean, k: (lambda kept: kept / kept.sum(-1, keepdim=True))(H * chosen(H, k))
)("You divide the largest H by their sum. The softmax takes exp of them first.")
softmax_over_the_words = wrong("gates", gate=lambda H, clean, k: gate(H, clean, k, hidden=-1e9, axis=1) * chosen(H, k))(
    "Your softmax runs over the words. Each word divides 1 among its experts: the last axis."
)
words_chosen_by_experts = wrong(
    "gates",
    gate=partial(gate, chosen=lambda H, k: chosen(H.transpose(1, 2), min(k, H.shape[1])).transpose(1, 2), hidden=-1e9),
)("You choose the k largest words of each expert. Each word chooses k experts: the last axis.")
experts_of_the_first_word_for_all = wrong(
    "gates", gate=partial(gate, chosen=lambda H, k: chosen(H, k)[:, :1].expand_as(H))
)("All words of a sentence ask the first one's experts. Each chooses its own.")
experts_of_a_whole_sentence = wrong(
    "gates", gate=partial(gate, chosen=lambda H, k: chosen(H.sum(1, keepdim=True), k).expand_as(H))
)("All words of a sentence ask the same experts. Each word chooses its own.")
no_noise = wrong("noise", noisy=lambda clean, noise: clean)("You do not add the noise.")
noise_subtracted = wrong("noise", noisy=torch.sub)("You subtract the noise. It is added.")
noise_as_a_factor = wrong("noise", noisy=lambda clean, noise: clean * (1 + noise))(
    "You multiply by the noise. It is added to x W_g."
)
noise_after_the_choice = wrong("noise", gate=partial(gate, by=lambda H, clean: clean))(
    "You choose without the noise, and add it for the softmax. It is there before the choice: it lets other experts in."
)
noise_for_the_choice_only = wrong("noise", gate=partial(gate, of=lambda H, clean: clean))(
    "You choose with the noise, and take the softmax without it. Both are made of H = x W_g + noise."
)
noise_after_the_softmax = wrong(
    "noise", noisy=lambda clean, noise: (clean, noise), gate=lambda H, clean, k: gate(clean, clean, k) + H[1]
)("You add the noise to the gates. It is added to x W_g, before the choice.")
noise_of_the_first_word_for_all = wrong("noise", noisy=lambda clean, noise: clean + noise[:, :1])(
    "All words of a sentence have the first one's noise. Each has its own."
)
always_two_experts = wrong("k", gate=lambda H, clean, k: gate(H, clean, 2))(
    "You always choose 2 experts. How many, k says."
)
one_expert_with_its_share_of_all = wrong(
    "k", gate=lambda H, clean, k: H.softmax(-1) * chosen(H, k) if k == 1 else gate(H, clean, k)
)(f"With k = 1 your gate is less than 1. {AFTER}")
never_all_experts = wrong("k", gate=lambda H, clean, k: gate(H, clean, min(k, H.shape[-1] - 1)))(
    "Where k is the number of experts, you leave one out. All are asked then."
)
IS = "The loss is the variance over the squared mean."
square_root = wrong("balance", variation=lambda total: squared_variation(total).sqrt())(
    f"Your loss is standard deviation over mean. It is squared. {IS}"
)
not_divided_by_the_mean = wrong("balance", variation=lambda total: total.var(correction=0))(
    f"You do not divide the variance by the squared mean. {IS}"
)
divided_by_the_mean_once = wrong("balance", variation=lambda total: total.var(correction=0) / total.mean())(
    f"You divide the variance by the mean. {IS}"
)
variance_divided_by_one_less = wrong("balance", variation=lambda total: total.var() / total.mean().square())(
    "Your variance is divided by the number of experts − 1, as torch's var and std do unless told otherwise. It is the "
    "mean of the squares: correction=0."
)
mean_of_the_squares = wrong("balance", variation=lambda total: total.square().mean() / total.mean().square())(
    f"You do not subtract the mean before you square. {IS}"
)
largest_over_mean = wrong("balance", variation=lambda total: total.max() / total.mean())(
    f"Your loss is the largest over the mean. {IS}"
)
words_counted = wrong("balance", counted=lambda g, H, k: (g > 0).to(g))(
    "You count the words of each expert. Importance is the sum of the gates, which has a gradient."
)
softmax_over_all_counted = wrong("balance", counted=lambda g, H, k: H.softmax(-1))(
    "Your importance is the sum of a softmax over all experts. It is the sum of the gates."
)
each_word_by_itself = wrong(
    "balance",
    importance=lambda g, real: g[real],
    variation=lambda total: (total.var(-1, correction=0) / total.mean(-1).square()).mean(),
)("You take the variation of each word's gates. Sum the gates of all words first: what counts is each expert's sum.")
each_sentence_by_itself = wrong(
    "balance",
    importance=lambda g, real: (g * real.unsqueeze(2)).sum(1),
    variation=lambda total: (total.var(-1, correction=0) / total.mean(-1).square()).mean(),
)("You take the variation of each sentence. Sum the gates of the whole batch first.")
over_the_words = wrong("balance", importance=lambda g, real: (g * real.unsqueeze(2)).sum((0, 2)))(
    "You sum the gates of the experts. Sum those of the words: importance has a number for each expert."
)
experts_not_asked_left_out = wrong("balance", variation=lambda total: squared_variation(total[total > 0]))(
    "Your loss leaves out experts that no word asks. They count, with the importance 0."
)


@mistake("padding")
def no_noise_for_padding(x, W_g, noise, real, k):
    """Your padding has no noise. Its gates are made like any others."""
    return defined(x, W_g, noise * real.unsqueeze(2), real, k)


@mistake("padding")
def padding_set_to_0(x, W_g, noise, real, k):
    """You set x to 0 at padding. Its gates are made like any others; only the loss leaves them out."""
    return defined(x * real.unsqueeze(2), W_g, noise, real, k)


padding_counted = wrong("padding", asked=torch.ones_like)("Your importance counts padding. Only real words count.")
padding_alone_counted = wrong("padding", asked=lambda real: ~real | real.all())(
    "Your importance counts the padding in place of the real words: real is True where a word is real."
)
means_of_sentences_added = wrong(
    "padding",
    importance=lambda g, real: ((g * real.unsqueeze(2)).sum(1) / real.sum(1, keepdim=True).clamp(min=1)).sum(0),
)("Your importance adds up the means of the sentences. It is the sum over all real words, which all count alike.")
gates_of_padding_0 = wrong("padding", shown=lambda g, real: g * real.unsqueeze(2))(
    "You set the gates of padding to 0. They are returned as they are; only the loss leaves them out."
)


@mistake("gradient")
def argument_changed(x, W_g, noise, real, k):
    """You write into x or noise, which belong to the caller: += does, and so does noise[…] = …. noise + … makes a new
    tensor."""
    result = defined(x, W_g, noise.clone(), real, k)
    with torch.no_grad():
        noise += x @ W_g
    return result


no_gradient_from_the_loss_to_the_gates = wrong("gradient", counted=lambda g, H, k: g.detach())(
    "No gradient passes from the loss to the gates: is there a detach?"
)

# Cases

FAR = 110.0  # exp of it is infinite in float32, and exp of what lies so far below 0 is 0


def draw(
    *ks: Callable[[int], int], noisy: bool = False, padding: bool = False, idle: bool = False, far: bool = False
) -> Callable[[Random, int], Case]:
    """k from the number of experts, in these ways in turn; `noisy`: noise changes a word's choice, else it is 0.

    `idle`: in every other case no word asks one of the experts. `far`: noise lifts all H of some words, and lowers
    those of others, which changes no gate.
    """

    def attempt(rng: Random) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        experts = rng.randint(5, 6)
        d_model, batch, time = rng.sample((2, 3, 4), 3)
        x, W_g = tensor(rng, batch, time, d_model), tensor(rng, d_model, experts)
        noise = tensor(rng, batch, time, experts, spread=float(noisy))
        if far:
            signs = rng.sample([1.0, -1.0] * batch * time, batch * time - 2) + [1.0, -1.0]
            noise = noise + FAR * torch.tensor(signs).view(batch, time, 1)
        real = padded(rng, batch, time) if padding else torch.ones(batch, time, dtype=torch.bool)
        x[~real] *= 2
        return x, W_g, noise, real

    def drawn(rng: Random, size: int) -> Case:
        def fits(x: Tensor, W_g: Tensor, noise: Tensor, real: Tensor) -> bool:
            clean, k = x @ W_g, ks[size % len(ks)](W_g.shape[1])
            H = clean + noise
            if not bool((H.sort(-1).values.diff() > 0.02).all()):
                return False
            asked = chosen(H, k)
            changed = bool((asked != chosen(clean, k)).any()) or k == W_g.shape[1]
            return (changed or not noisy) and not (idle and size % 2 == 0 and bool(asked.flatten(0, 1).any(0).all()))

        x, W_g, noise, real = until(lambda: attempt(rng), fits)
        k = ks[size % len(ks)](W_g.shape[1])
        words = f"x {tuple(x.shape)}, {W_g.shape[1]} experts, k = {k}" + ("" if noisy or far else ", noise all 0")
        words += f", {int((~real).sum())} words are padding" if padding else ""
        words += ", noise far above and far below 0, the same for all experts of a word" if far else ""
        made = case(words, 4 * noise.numel(), x, W_g, noise, real, k)
        return replace(made, scale=1.0) if far else made

    return drawn


def two(experts: int) -> int:
    return 2


def one(experts: int) -> int:
    return 1


def every(experts: int) -> int:
    return experts


def three(experts: int) -> int:
    return 3


TASK = task(
    __name__,
    "A gate for experts",
    returns=NAMES,
    kind=Numbers,
    criteria=(
        criterion("gates", 1, draw(two), "gates")("Two experts for each word: the softmax of the two largest, else 0."),
        criterion("noise", 0.5, draw(two, noisy=True), "gates")(
            "Noise is added before the choice, and for the softmax."
        ),
        criterion("k", 0.5, draw(one, every, three), "gates", visible=3)("One expert, all of them, or three: k says."),
        criterion("far", 0.5, draw(two, far=True), "gates")(
            "H far above and far below 0: what is added to all H of a word changes no gate."
        ),
        criterion("balance", 1, draw(two, idle=True), of_own_gates())(
            "The loss: the squared variation of the experts' importance in the batch, for the gates that you give."
        ),
        criterion("padding", 0.5, draw(two, noisy=True, padding=True), of_real_words())(
            "Padding has gates, and counts for nothing in the loss."
        ),
        gradient(draw(three, noisy=True, padding=True), weights_from=1, each=True)(
            "It is fit for training: the gradient of gates and loss is right for x, W_g and noise; a call changes no "
            "argument."
        ),
        dtype(draw(two, noisy=True), inexact="gates")(
            "Gates and loss have the dtype of x, float64 or float32, and its precision."
        ),
    ),
    forbidden=("course_lib.systems.mixture.NoisyTopK.forward", "course_lib.systems.mixture.squared_variation"),
)
