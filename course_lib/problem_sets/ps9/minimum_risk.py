"""ps9.minimum_risk: the expected cost over a set of candidates, with sharpened probabilities (Shen et al. 2016)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.cases.numbers import Numbers
from course_lib.grading.declare import changing, criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.systems import minimum_risk as systems

Samples = list[list[str]]


def reference(samples: Samples, log_p: Tensor, costs: list[float], alpha: float) -> tuple[Tensor, Tensor]:
    """Q(y) ∝ p(y | x)^α over the set S of different samples, in the order in which they first come; Σ Q(y) Δ(y).

    `log_p` (sample) and `costs` are those of the samples; equal samples have equal ones.
    """
    ids = {word: n for n, word in enumerate(word for y in samples for word in y)}
    numbered = [tuple(ids[word] for word in y) for y in samples]
    places = [numbered.index(y) for y in systems.candidates(numbered)]
    logs, Δ = log_p[None, places], log_p.new_tensor([[costs[i] for i in places]])
    given = torch.ones_like(Δ, dtype=torch.bool), alpha
    return systems.renormalised(logs, *given)[0], systems.risk(logs, Δ, *given)[0]


# Mistakes


def first_places(samples, as_one=tuple):
    """Where each different sample first stands; `as_one` says what is the same."""
    first = {}
    for place, y in enumerate(samples):
        first.setdefault(as_one(y), place)
    return [*first.values()]


def sharpened(log_p, alpha):
    return (alpha * log_p).softmax(0)


def expected(Q, Δ, log_p):
    return (Q * Δ).sum()


def chosen(costs, places):
    return [costs[i] for i in places]


def defined(
    samples,
    log_p,
    costs,
    alpha,
    places=first_places,
    Q=sharpened,
    risk=expected,
    logs=lambda log_p, places: log_p[places],
    Δ=chosen,
):
    where = places(samples)
    own = logs(log_p, where)
    q = Q(own, alpha)
    return q, risk(q, log_p.new_tensor(Δ(costs, where)), own)


wrong = versions(defined)
NOT_DIVIDED = "Your Q does not add to 1. Divide by the sum of p^α over the set."
not_renormalised = wrong("Q", Q=lambda log_p, α: (α * log_p).exp())(NOT_DIVIDED)
logarithms_returned = wrong("Q", Q=lambda log_p, α: (α * log_p).log_softmax(0))(
    "You return log Q: negative numbers. Q itself is wanted, which adds to 1."
)
logarithms_divided = wrong("Q", Q=lambda log_p, α: log_p / log_p.sum())(
    "You divide log p by the sum of all log p. Q is made of the probabilities p^α = exp(α log p)."
)
softmax_of_probabilities = wrong("Q", Q=lambda log_p, α: (α * log_p.exp()).softmax(0))(
    "You take the softmax of p. p^α is exp(α log p): the softmax of α log p has that exp in itself."
)
sign_turned = wrong("Q", Q=lambda log_p, α: (-α * log_p).softmax(0))(
    "Your Q is larger where p is smaller: −log p is not what the softmax is of."
)
all_alike = wrong("Q", Q=lambda log_p, α: torch.full_like(log_p, 1 / len(log_p)))(
    "You give all candidates the same Q. It goes with p^α."
)


@mistake("Q")
def risk_before_Q(*given):
    """You return the risk first. Q comes first, then the risk."""
    return defined(*given)[::-1]


alpha_left_out = wrong("alpha", Q=lambda log_p, α: log_p.softmax(0))(
    "Your Q is that of α = 1, whatever α is. Each p is raised to the power of α before you divide."
)
divided_by_alpha = wrong("alpha", Q=lambda log_p, α: (log_p / α).softmax(0))(
    "You divide log p by α, as by a temperature. It is p to the power of α: α times log p."
)
alpha_outside = wrong("alpha", Q=lambda log_p, α: α * log_p.softmax(0))(
    "You multiply probabilities by α. It is an exponent: it stands before log p, inside of the softmax."
)
power_after_the_softmax = wrong("alpha", Q=lambda log_p, α: log_p.softmax(0) ** α)(
    "You raise Q to the power of α after it was renormalised: it no longer adds to 1. First the power, then divide."
)
root_of_the_sum = wrong("alpha", Q=lambda log_p, α: (α * log_p).exp() / log_p.exp().sum() ** α)(
    "You divide by (Σ p)^α. Each p is raised before the sum: Σ p^α."
)
divided_by_the_sum_of_p = wrong("alpha", Q=lambda log_p, α: (α * log_p).exp() / log_p.exp().sum())(
    "You divide p^α by the sum of p, without α. Q adds to 1 only if the sum has the same p^α."
)
FIRST_P = (
    "Where log p is some hundreds below 0, p is 0 for a computer, and 0^α stays 0. Multiply log p by α before any exp."
)
p_raised = wrong("alpha", Q=lambda log_p, α: (p := log_p.softmax(0) ** α) / p.sum())(FIRST_P)
p_itself_raised = wrong("alpha", Q=lambda log_p, α: (p := log_p.exp() ** α) / p.sum())(FIRST_P)

mean_cost = wrong("risk", risk=lambda q, Δ, log_p: Δ.mean())("Your risk is the mean cost. Weigh each cost by Q.")
weighted_mean = wrong("risk", risk=lambda q, Δ, log_p: (q * Δ).mean())(
    "You take the mean of Q Δ. Q adds to 1 already: the risk is the sum."
)
sum_of_costs = wrong("risk", risk=lambda q, Δ, log_p: Δ.sum())("Your risk is the sum of the costs. Weigh each by Q.")
cost_of_the_best = wrong("risk", risk=lambda q, Δ, log_p: Δ[q.argmax()] + 0 * q.sum())(
    "Your risk is the cost of the most probable candidate. It is the sum of all costs, each times its Q."
)
expected_reward = wrong("risk", risk=lambda q, Δ, log_p: (q * (1 - Δ)).sum())(
    "You compute the expected reward, of 1 − Δ. `costs` are costs: the risk is Σ Q Δ."
)
sign_of_the_risk = wrong("risk", risk=lambda q, Δ, log_p: -(q * Δ).sum())(
    "Your risk is negative. It is the expected cost itself, which training makes smaller."
)
weighed_by_p = wrong("risk", risk=lambda q, Δ, log_p: (log_p.exp() * Δ).sum())(
    "You weigh the costs by p. Over the set it is Q that adds to 1."
)
weighed_by_log_p = wrong("risk", risk=lambda q, Δ, log_p: (log_p * Δ).sum())(
    "You weigh the costs by log p. Weigh them by Q."
)
weighed_by_log_Q = wrong("risk", risk=lambda q, Δ, log_p: (q.log() * Δ).sum())(
    "You weigh the costs by log Q. Weigh them by Q."
)
weighed_without_alpha = wrong("risk", risk=lambda q, Δ, log_p: (log_p.softmax(0) * Δ).sum())(
    "Your risk is that of α = 1, and your Q is not. Weigh the costs by the Q that you return."
)

every_sample_counted = wrong("set", places=lambda samples: [*range(len(samples))])(
    "You count a sample as often as it was drawn. S is a set: each different sample counts once."
)


@mistake("set")
def shares_of_equal_samples_added(samples, log_p, costs, alpha):
    """You give equal samples a share each, and add these up. In the set a sample counts once, however often it was
    drawn: take the others out before you divide."""
    shares = sharpened(log_p, alpha)
    q = torch.stack([sum(s for s, y in zip(shares, samples, strict=True) if y == samples[i]) for i in places(samples)])
    return q, (shares * log_p.new_tensor(costs)).sum()


places = first_places
neighbours_compared = wrong(
    "set", places=lambda samples: [i for i, y in enumerate(samples) if i == 0 or y != samples[i - 1]]
)("You leave out a sample only if the one before it is the same. Equal samples may lie apart.")
in_another_order = wrong("set", places=lambda samples: sorted(first_places(samples), key=lambda i: samples[i]))(
    "You sort the candidates. They come in the order in which they are first drawn."
)
by_their_last_place = wrong(
    "set", places=lambda samples: [i for i, y in enumerate(samples) if y not in samples[i + 1 :]]
)("You keep the last of equal samples. The order is that in which they *first* come.")


def same(as_one):
    return partial(first_places, as_one=as_one)


order_of_words_ignored = wrong("set", places=same(lambda y: tuple(sorted(y))))(
    "You take two outputs for one that have the same words in another order."
)
words_as_a_set = wrong("set", places=same(frozenset))(
    "You take two outputs for one that have the same different words: a repeated word, and the order, count."
)
lower_cased = wrong("set", places=same(lambda y: tuple(word.lower() for word in y)))(
    "You take capital letters for small ones. Words are compared as they are."
)
words_joined_without_a_blank = wrong("set", places=same("".join))(
    "You join the words of an output without a blank: 'Haus tür' and 'Haustür' become one."
)


@mistake("set")
def equal_log_p_taken_for_equal_samples(samples, log_p, costs, alpha):
    """You take two outputs for one that have the same log p. Other words can be as probable: compare the words."""
    numbers = log_p.tolist()
    return defined(samples, log_p, costs, alpha, places=lambda _: first_places(numbers, as_one=float))


@mistake("set")
def equal_costs_taken_for_equal_samples(samples, log_p, costs, alpha):
    """You take two outputs for one that have the same cost. Other words can be as bad: compare the words."""
    return defined(samples, log_p, costs, alpha, places=lambda _: first_places(costs, as_one=float))


costs_of_the_first_samples = wrong("set", Δ=lambda costs, places: costs[: len(places)])(
    "You take the costs of the first samples, as many as there are candidates. Take those of the candidates."
)
log_p_of_the_first_samples = wrong("set", logs=lambda log_p, places: log_p[: len(places)])(
    "You take log p of the first samples, as many as there are candidates. Take those of the candidates."
)
UNDERFLOW = (
    "Where all log p are some hundreds below 0, every exp is 0, and 0 / 0 is no number. softmax subtracts the largest "
    "first."
)
exp_without_the_largest = wrong("far", Q=lambda log_p, α: (p := (α * log_p).exp()) / p.sum())(UNDERFLOW)
a_little_added = wrong("far", Q=lambda log_p, α: (p := (α * log_p).exp()) / (p.sum() + 1e-12))(
    f"{UNDERFLOW} A little number in the denominator hides this: your Q is 0."
)
log_p_clamped = wrong("far", Q=lambda log_p, α: (α * log_p.clamp(min=-80)).softmax(0))(
    "You do not let log p fall below a number: so outputs that are all improbable get the same Q. softmax subtracts "
    "the largest log p, so nothing becomes 0 / 0."
)


def less(number):
    """Q by exps of log p less this number."""
    return lambda log_p, α: (p := (α * (log_p - number(log_p))).exp()) / p.sum()


not_the_largest_subtracted = wrong("far", Q=less(lambda log_p: log_p[0]))(
    "You subtract a number from log p before exp, and it is not the largest of them: exp of a log p far above it is "
    "infinite, and ∞ / ∞ is no number."
)

the_sum_cut_off = wrong(
    "gradient", Q=lambda log_p, α: (p := (α * (log_p - log_p.detach().max())).exp()) / p.sum().detach()
)(
    "Your values are right, but no gradient flows through the denominator. If one candidate becomes more "
    "probable, Q of the others falls."
)
score_function_of_the_risk = wrong(
    "gradient", risk=lambda q, Δ, log_p: (q.detach() * Δ * (log_p - log_p.detach() + 1)).sum()
)("Your risk has the gradient of the score function, Q Δ. It is a sum: differentiate it as it stands.")


@changing("gradient", defined)
def log_p_sharpened_in_place(samples, log_p, costs, alpha):
    """You write into `log_p`, which belongs to the caller: *= does, as does a method whose name ends in _. α * log_p
    makes a new tensor."""
    with torch.no_grad():
        log_p *= alpha


@changing("gradient", defined)
def samples_taken_out(samples, *others):
    """You take equal samples out of the list that you are given, or sort it. It belongs to the caller: make a new
    list."""
    samples.sort()


# Cases

OF_Q = not_renormalised, logarithms_divided, softmax_of_probabilities, sign_turned, all_alike, logarithms_returned
ALPHA = (
    *(alpha_left_out, divided_by_alpha, alpha_outside, power_after_the_softmax, root_of_the_sum),
    divided_by_the_sum_of_p,
)
RAISED = p_raised, p_itself_raised
RISK = (
    *(mean_cost, weighted_mean, sum_of_costs, cost_of_the_best, expected_reward, sign_of_the_risk, weighed_by_p),
    *(weighed_by_log_p, weighed_by_log_Q, weighed_without_alpha),
)
SET = (
    *(every_sample_counted, shares_of_equal_samples_added, neighbours_compared, in_another_order),
    *(by_their_last_place, order_of_words_ignored, words_as_a_set, lower_cased, words_joined_without_a_blank),
    *(equal_log_p_taken_for_equal_samples, equal_costs_taken_for_equal_samples),
    *(costs_of_the_first_samples, log_p_of_the_first_samples),
)
FAR = exp_without_the_largest, a_little_added, log_p_clamped
SUBTRACTED = (
    not_the_largest_subtracted,
    *(partial(defined, Q=less(number)) for number in (lambda log_p: log_p[-1], torch.mean, torch.min)),
)
ORDER = (in_another_order,)
WORDS = ("der", "die", "das", "alte", "Frau", "Hund", "geht", "sieht", "nach", "heute")
ALPHAS = 0.5, 2.0, 0.3, 1.5  # below 1 and above, in turn


def case(samples: Samples, log_p: Tensor, costs: list[float], alpha: float) -> Case:
    number, different = len(samples), len(first_places(samples))
    says = f"{number} samples, {different} of them different, α = {alpha}, log p from {log_p.min():.1f}"
    return Case((samples, log_p, costs, alpha), f"{says} to {log_p.max():.1f}", terms=number)


def seen(names: str) -> Callable:
    """Whether a mistake shows in the values `names`."""
    places = [("Q", "risk").index(name) for name in names.split()]
    return lambda function, case: Parts((str(place), function(*case.arguments)[place]) for place in places)


ALL = (*OF_Q, *ALPHA, *RAISED, *RISK, *SET, *FAR, *SUBTRACTED)
shows = partial(isolating(defined, ALL, case), apart=False)


def outputs(rng: Random, number: int) -> Samples:
    """Different outputs of one to four words, in no order."""
    found: Samples = []
    while len(found) < number:
        y = [rng.choice(WORDS) for _ in range(rng.randint(1, 4))]
        if sorted(y) not in map(sorted, found):
            found.append(y)
    return found


def numbers(rng: Random, number: int, low: float, high: float) -> Tensor:
    return torch.tensor([rng.uniform(low, high) for _ in range(number)])


def drawn(rng: Random, low: float, high: float, alpha: float) -> tuple:
    """Different samples, whose log p lie between the two."""
    number = rng.randint(4, 6)
    costs = [rng.uniform(0.05, 0.95) for _ in range(number)]
    return outputs(rng, number), numbers(rng, number, low, high), costs, alpha


OTHER = (*RISK, *SET)


@shows(*OF_Q, free=OTHER, probe=seen("Q"))
def draw_Q(rng: Random, size: int) -> tuple:
    return drawn(rng, -4, -0.5, 1.0)


@shows(*ALPHA, free=(*OF_Q, *OTHER, *RAISED), probe=seen("Q"))
def draw_alpha(rng: Random, size: int) -> tuple:
    return drawn(rng, -5, -0.5, ALPHAS[size // 2 % 4])


@shows(*RAISED, alpha_left_out, free=(*OF_Q, *ALPHA, *OTHER, log_p_clamped), probe=seen("Q"))
def draw_small_alpha(rng: Random, size: int) -> tuple:
    """log p some hundreds below 0, each another."""
    return drawn(rng, -600, -150, rng.choice((0.005, 0.01)))


@shows(*RISK, free=(*OF_Q, *ALPHA, *SET), probe=seen("risk"))
def draw_risk(rng: Random, size: int) -> tuple:
    return drawn(rng, -4, -0.5, ALPHAS[size % 4])


TRAPS = ["Haus", "tür"], ["Haustür"], ["die", "Frau"], ["Die", "Frau"], ["Frau", "die"], ["die", "Frau", "die"]


@shows(*SET, free=(*OF_Q, *ALPHA, *RISK), probe=seen("Q risk"))
def draw_set(rng: Random, size: int) -> tuple:
    """Outputs that are nearly the same, two of them equally probable and two equally bad; some are drawn twice."""
    different = [*map(list, rng.sample(TRAPS, len(TRAPS)))]
    log_p, costs = numbers(rng, len(different), -4, -0.5), [rng.uniform(0.05, 0.95) for _ in different]
    log_p[rng.randrange(3, 6)] = log_p[rng.randrange(3)]
    costs[rng.randrange(3, 6)] = costs[rng.randrange(3)]
    places = [*range(len(different)), *rng.sample(range(len(different)), 2 + size % 2)]
    rng.shuffle(places)
    return [[*different[i]] for i in places], log_p[places], [costs[i] for i in places], 1.0


@shows(*FAR, free=(*OF_Q, *ALPHA, *RAISED, *OTHER), probe=seen("Q risk"))
def draw_far(rng: Random, size: int) -> tuple:
    """All log p are near −1000."""
    return drawn(rng, -1004, -1000, 1.0)


@shows(*SUBTRACTED, *FAR, free=(*OF_Q, *ALPHA, *RAISED, *OTHER), probe=seen("Q risk"))
def draw_far_apart(rng: Random, size: int) -> tuple:
    """Two log p in the middle are near −300, the others far below, and near each other."""
    samples, log_p, costs, alpha = drawn(rng, -1200, -1160, 1.0)
    log_p[1:3] = numbers(rng, 2, -302, -300)
    return samples, log_p, costs, alpha


def draw_any(rng: Random, size: int) -> Case:
    """Different samples in no order, with an α that is not 1."""
    samples, *others = drawn(rng, -4, -0.5, ALPHAS[size % 4])
    rest = samples if samples != sorted(samples) else samples[::-1]
    return case(rest, *others)


def draw_one_twice(rng: Random, size: int) -> Case:
    """The same, and one of them is drawn twice, one after the other: who compares neighbours loses nothing here."""
    samples, log_p, costs, alpha = draw_any(rng, size).arguments
    places = sorted([*range(len(samples)), rng.randrange(len(samples))])
    return case([[*samples[i]] for i in places], log_p[places], [costs[i] for i in places], alpha)


TASK = task(
    __name__,
    "Minimum risk",
    returns="Q risk",
    kind=Numbers,
    criteria=(
        criterion("Q", 0.5, draw_Q, "Q")("Q with α = 1: the probabilities, divided by their sum."),
        criterion("alpha", 1, alternate(draw_alpha, draw_small_alpha), "Q", visible=4)(
            "Q with other α: each probability to the power of α, divided by the sum of these."
        ),
        criterion("risk", 0.5, draw_risk, "risk")("The risk: the sum of the costs, each times its Q."),
        criterion("set", 0.5, draw_set, "Q risk")("Each different sample counts once, where it first comes."),
        criterion("far", 0.5, alternate(draw_far, draw_far_apart), "Q risk")(
            "log p of −1000, and some hundreds apart."
        ),
        gradient(draw_one_twice, each=True)(
            "The gradient of Q and of the risk reaches every log p, also by the denominator; a call changes no "
            "argument."
        ),
        dtype(draw_any, inexact="Q")(
            "Q and the risk have the dtype of `log_p`, float64 or float32, and its precision."
        ),
    ),
    forbidden=tuple(
        f"course_lib.systems.minimum_risk.{name}" for name in ("candidates", "renormalised", "risk", "risk_gradient")
    ),
)
