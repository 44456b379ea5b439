"""ps8.agreement: how far two raters agree, and how far chance would make them (Cohen 1960; with weights 1968)."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from random import Random
from typing import Any

import numpy as np

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.cases.probes import returned_values
from course_lib.grading.compare import difference, kind
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion, OwnParts, Parts, Told
from course_lib.metrics import agreement as library

Drawn = tuple[list[int], list[int]]
VALUES = "observed chance kappa weighted"
NAMES = "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "observed_agreement"


def reference(first: list[int], second: list[int]) -> tuple[float, float, float, float]:
    """p_o, p_e, κ and κ with quadratic weights of two raters' points; NaN for κ where chance alone is all."""
    scale = range(min(*first, *second), max(*first, *second) + 1)
    shares = [library.category_counts([labels], scale).sum(0) / len(labels) for labels in (first, second)]
    return (
        library.observed_agreement(first, second),
        float(np.prod(shares, 0).sum()),
        library.cohen_kappa(first, second),
        library.cohen_kappa(first, second, "quadratic", scale),
    )


# Mistakes


ONE_TO_FIVE = [1, 2, 3, 4, 5]


def mean(numbers):
    numbers = [*numbers]
    return sum(numbers) / len(numbers)


def quotient(a, b):
    return a / b if b else math.nan


def by_shares(first, second):
    """Σ_c p_c q_c: how often both would give the same label, if they drew theirs at random."""
    return mean(a == b for a, b in product(first, second))


def beyond(observed, chance):
    return quotient(observed - chance, 1 - chance)


def squares(a, b, first, second):
    return (a - b) ** 2


def defined(
    first,
    second,
    same=lambda first, second: mean(a == b for a, b in zip(first, second, strict=True)),
    by_chance=by_shares,
    kappa=beyond,
    weight=squares,
    expected=product,
    alpha=lambda observed, expected: 1 - quotient(observed, expected),
):
    def distance(pairs):
        return mean(weight(a, b, first, second) for a, b in pairs)

    observed, chance = same(first, second), by_chance(first, second)
    weighted = alpha(distance(zip(first, second, strict=True)), distance(expected(first, second)))
    return observed, chance, math.nan if chance == 1 else kappa(observed, chance), weighted


wrong = versions(defined)
disagreement = wrong("observed", same=lambda first, second: mean(a != b for a, b in zip(first, second, strict=True)))(
    "Your share is that of the sentences on which they disagree."
)
a_count = wrong("observed", same=lambda first, second: sum(a == b for a, b in zip(first, second, strict=True)))(
    "You return on how many sentences they agree. Divide by the number of sentences."
)
nearly_equal_points = wrong(
    "observed", same=lambda first, second: mean(abs(a - b) <= 1 for a, b in zip(first, second, strict=True))
)("You take points for equal that are 1 apart. Only equal points agree here.")
in_any_order = wrong("observed", same=lambda first, second: (Counter(first) & Counter(second)).total() / len(first))(
    "You compare how often each point was given, not who gave it to which sentence: the k-th number of both lists is "
    "about the k-th sentence."
)
as_if_all_points_were_alike = wrong("chance", by_chance=lambda first, second: 1 / len({*first, *second}))(
    "Your chance is 1 / (number of different points), as if each were given equally often. Ask how often each rater "
    "gives each."
)
one_in_five = wrong("chance", by_chance=lambda first, second: 1 / 5)(
    "Your chance is 1/5, as if all points were given equally often. Ask how often each rater gives each."
)


def pooled(first, second):
    return [*first, *second]


one_distribution_for_both = wrong(
    "chance", by_chance=lambda first, second: by_shares(pooled(first, second), pooled(first, second))
)("You put the points of both raters into one distribution. Each rater has one of their own: p_c · q_c.")
one_distribution_for_all = wrong(
    "chance",
    by_chance=lambda first, second: by_shares(pooled(first, second), pooled(first, second)),
    expected=lambda first, second: product(pooled(first, second), pooled(first, second)),
)("You put the points of both raters into one distribution. Each rater has one of their own: p_c · q_c, and p_a · q_b.")


def chance_of_five(first, second):
    return mean(a == b and a in ONE_TO_FIVE for a, b in product(first, second))


def distances_of_five(first, second):
    """All pairs; those that are left out have the distance 0."""
    return [(a, b) if {a, b} <= {*ONE_TO_FIVE} else (1, 1) for a, b in product(first, second)]


POINTS = "You go through the points 1 to 5 alone. Points are whole numbers of any size: ask which ones were given."
chance_of_1_to_5 = wrong("chance", by_chance=chance_of_five)(POINTS)
distances_of_1_to_5 = wrong("weighted", expected=distances_of_five)(POINTS)
all_of_1_to_5 = wrong("chance", by_chance=chance_of_five, expected=distances_of_five)(POINTS)
the_first_rater_twice = wrong("chance", by_chance=lambda first, second: by_shares(first, first))(
    "You use the first rater's shares for both. Each rater has their own: p_c · q_c."
)
the_second_rater_twice = wrong("chance", by_chance=lambda first, second: by_shares(second, second))(
    "You use the second rater's shares for both. Each rater has their own: p_c · q_c."
)
mean_of_the_products = wrong("chance", by_chance=lambda f, s: by_shares(f, s) / len({*f, *s}))(
    "You take the mean of the products over the points. Add them up."
)
not_divided_by_1_less_chance = wrong("kappa", kappa=lambda observed, chance: observed - chance)(
    "Your κ is p_o − p_e. Divide by 1 − p_e, what is left above chance."
)
divided_by_chance = wrong("kappa", kappa=lambda observed, chance: quotient(observed - chance, chance))(
    "You divide by p_e. Divide by 1 − p_e, what is left above chance."
)
the_share_as_kappa = wrong("kappa", kappa=lambda observed, chance: observed)(
    "Your κ is p_o itself. Take off what chance alone gives."
)
never_below_0 = wrong("kappa", kappa=lambda *shares: 0.0 if beyond(*shares) < 0 else beyond(*shares))(
    "Your κ is never below 0. It is, where raters agree less than by chance."
)
zero_where_nothing_agrees = wrong(
    "kappa", kappa=lambda observed, chance: beyond(observed, chance) if observed else 0.0
)("Your κ is 0 where the raters agree on no sentence. By chance they would agree on some: κ is below 0.")
steps_themselves = wrong("weighted", weight=lambda a, b, *_: abs(a - b))(
    "Your weights are |a − b|. Here they are the squares."
)
all_steps_alike = wrong("weighted", weight=lambda a, b, *_: a != b)(
    "Your weighted κ is κ: all pairs of unequal points weigh alike. 1 against 5 weighs 16 times as much as 1 against 2."
)


def in_places(a, b, first, second):
    """The square of how many places lie between two of the points that occur."""
    place = {label: k for k, label in enumerate(sorted({*first, *second}))}
    return (place[a] - place[b]) ** 2


points_that_nobody_gave_left_out = wrong("weighted", weight=in_places)(
    "You count steps among the points that occur, as scikit-learn does without a list of labels: where nobody gave a "
    "3, the way from 2 to 4 is one step with you. It is 2."
)
expected_of_one_distribution = wrong(
    "weighted", expected=lambda first, second: product(pooled(first, second), pooled(first, second))
)("What you expect by chance is of the points of both raters together. Each rater has a distribution of their own.")
not_taken_from_1 = wrong("weighted", alpha=quotient)(
    "You return observed / expected distance. Take it off 1: raters who agree have 1."
)
at_least_1_expected = wrong(
    "weighted", alpha=lambda observed, expected: 1 - quotient(observed, expected and max(expected, 1))
)("You divide by 1 where the distance that is expected is less. Only a 0 may not stand below the line.")
upside_down = wrong("weighted", alpha=lambda observed, expected: 1 - quotient(expected, observed))(
    "You divide what is expected by what was observed. It is the other way round."
)


def beside_nan(change):
    """What is right, and where κ is NaN all four values changed."""

    def changed(first, second):
        found = defined(first, second)
        return change(*found) if math.isnan(found[2]) else found

    return changed


a_number_for_one_point = mistake(
    "undefined",
    "You return a number for κ where both gave one and the same number of points to all sentences. They agree, but by "
    "chance alone they would, too: κ is 0 / 0, so NaN.",
)(beside_nan(lambda observed, chance, *_: (observed, chance, 1.0, 1.0)))
NaN_for_all_four = mistake(
    "undefined",
    "You return NaN four times where both gave one and the same number of points to all sentences. Only both κ are "
    "0 / 0 there: observed and chance are numbers as always.",
)(beside_nan(lambda *found: (math.nan,) * len(found)))
divided_by_0 = mistake(
    "undefined",
    "You divide by 0 where both gave one and the same number of points to all sentences: Python raises an error. "
    "Return NaN for both κ.",
)(beside_nan(lambda observed, chance, *_: (observed - chance) / (1 - chance)))


def constant(points):
    return len({*points}) == 1


def nothing_where(condition):
    def found(first, second):
        observed, chance, kappa, weighted = defined(first, second)
        return (
            (observed, chance, math.nan, math.nan) if condition(first, second) else (observed, chance, kappa, weighted)
        )

    return found


nothing_for_a_rater_with_one_point = mistake(
    "undefined",
    "You return NaN wherever one of the raters gave one number to all sentences. If the other one gave several, or "
    "another, κ is a number.",
)(nothing_where(lambda first, second: constant(first) or constant(second)))
nothing_for_a_first_rater_with_one_point = mistake(
    "undefined",
    "You return NaN wherever the first rater gave one number to all sentences. If the second one gave several, or "
    "another, κ is a number.",
)(nothing_where(lambda first, second: constant(first)))
nothing_for_a_second_rater_with_one_point = mistake(
    "undefined",
    "You return NaN wherever the second rater gave one number to all sentences. If the first one gave several, or "
    "another, κ is a number.",
)(nothing_where(lambda first, second: constant(second)))


@mistake("undefined")
def nothing_for_perfect_agreement(first, second):
    """You return NaN wherever both raters agree on all sentences. If they gave several points, κ is 1."""
    observed, chance, kappa, weighted = defined(first, second)
    return (observed, chance, math.nan, math.nan) if observed == 1 else (observed, chance, kappa, weighted)


nothing_for_one_sentence = mistake(
    "undefined",
    "You return NaN wherever there is one sentence alone. If both gave it the same points, this is right; if not, κ is "
    "0.",
)(nothing_where(lambda first, second: len(first) == 1))
nothing_for_one_point_of_each = mistake(
    "undefined",
    "You return NaN wherever each rater gave one number to all sentences. If it is not the same one, κ is 0.",
)(nothing_where(lambda first, second: constant(first) and constant(second)))


@changing("arguments", defined)
def points_sorted_in_place(first, second):
    """You sort the lists that you are given. They belong to the caller: sorted(…) makes a new one."""
    first.sort()
    second.sort()


@changing("arguments", defined)
def points_used_up(first, second):
    """You take the points out of the lists that you are given, as pop does. They belong to the caller."""
    first.clear()
    second.clear()


# What is looked at


def seen(function: Callable, case: Case) -> Parts:
    """The four numbers; raises StudentError for what is no number."""
    values = returned_values(function, case.arguments, VALUES.split())
    for name, value in values.items():
        if not isinstance(value, (int, float)):
            raise StudentError(f"{name} is {kind(value)}, not a number")
    return Parts((name, float(value)) for name, value in values.items())


def of(names: str) -> Callable:
    """The probe that looks at some of the four."""
    return lambda function, case: Parts((name, seen(function, case)[name]) for name in names.split())


def undefined(function: Callable, case: Case) -> Parts:
    """The probe that looks at whether each value is NaN; what number it is otherwise is for other criteria."""
    values = seen(function, case)
    return Parts((name, Told("NaN" if math.isnan(value) else "a number")) for name, value in values.items())


@dataclass(frozen=True)
class of_own_shares:
    """The probe that asks for the κ of the two shares that the function returns."""

    def __call__(self, function: Callable, case: Case) -> Parts:
        return of("observed chance kappa")(function, case)

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The right outcome in place of a κ that is that of the function's own, wrong shares."""
        if not isinstance(got, Parts):
            return got
        own = beyond(got["observed"], got["chance"])
        if difference(own, got["kappa"], case) is None:
            return expected
        right = all(abs(expected[name] - got[name]) < 1e-9 for name in ("observed", "chance"))
        return got if right else OwnParts(expected | {"kappa": got["kappa"]})


# Cases

OBSERVED = disagreement, a_count, nearly_equal_points, in_any_order
CHANCE = (
    *(as_if_all_points_were_alike, one_in_five, one_distribution_for_both, the_first_rater_twice),
    *(the_second_rater_twice, mean_of_the_products),
)
OF_FIVE = chance_of_1_to_5, distances_of_1_to_5
KAPPA = not_divided_by_1_less_chance, divided_by_chance, the_share_as_kappa
WEIGHTED = (
    *(steps_themselves, all_steps_alike, points_that_nobody_gave_left_out, expected_of_one_distribution),
    *(not_taken_from_1, upside_down),
)


def case(first: list[int], second: list[int]) -> Case:
    return Case((first, second), f"{len(first)} sentences, the points {shown(first)} and {shown(second)}")


def shown(points: list[int]) -> str:
    return ", ".join(map(str, sorted(set(points))))


shows = isolating(defined, (*OBSERVED, *CHANCE, *OF_FIVE, *KAPPA, *WEIGHTED, at_least_1_expected), case)


def points(rng: Random, of: list[int], count: int) -> list[int]:
    """So many of these points, the one often, the other seldom."""
    return rng.choices(of, [rng.random() + 0.1 for _ in of], k=count)


LOWEST = {"1 to 5": (1,), "below 0": (-2, -1), "large": (12, 30, 96)}


def scale(rng: Random, kind: str) -> list[int]:
    """Five points: 1 to 5, or as many of which some are below 0, or large ones."""
    low = rng.choice(LOWEST[kind])
    return [*range(low, low + 5)]


@shows(*OBSERVED, free=(*CHANCE, *KAPPA, *WEIGHTED), probe=of("observed"))
def draw_observed(rng: Random, size: int) -> Drawn:
    first = points(rng, ONE_TO_FIVE, 6 + size % 4)
    return first, [rng.choice(ONE_TO_FIVE) if rng.random() < 0.6 else label for label in first]


def only_one_gives(first: list[int], second: list[int]) -> bool:
    """Whether each rater gives points that the other one does not."""
    return bool({*first} - {*second}) and bool({*second} - {*first})


def draw_chance(kind: str) -> Callable[[Random, int], Case]:
    """Each rater has points that the other one does not give."""
    wanted = CHANCE if kind == "1 to 5" else (*CHANCE, chance_of_1_to_5)

    @shows(*wanted, free=(*OBSERVED, *KAPPA, *WEIGHTED), probe=of("chance"), when=only_one_gives)
    def draw(rng: Random, size: int) -> Drawn:
        some = scale(rng, kind)
        return points(rng, some, 6 + size % 4), points(rng, some, 6 + size % 4)

    return draw


def below(below_0: bool) -> Callable[..., bool]:
    """Whether κ is clearly below 0, or above."""
    return lambda first, second: (-1 if below_0 else 1) * defined(first, second)[2] > 0.1


def draw_kappa(below_0: bool) -> Callable[[Random, int], Case]:
    wanted = (*KAPPA, never_below_0) if below_0 else KAPPA

    @shows(*wanted, free=(*OBSERVED, *CHANCE, *WEIGHTED), probe=of("kappa"), when=below(below_0))
    def draw(rng: Random, size: int) -> Drawn:
        first = points(rng, ONE_TO_FIVE, 6 + size % 4)
        share = 1.0 if below_0 else 0.4
        return first, [rng.choice(ONE_TO_FIVE) if rng.random() < share else label for label in first]

    return draw


def never(first: list[int], second: list[int]) -> bool:
    """Whether they agree on no sentence, and would on some by chance."""
    observed, chance, *_ = defined(first, second)
    return observed == 0 and 0.1 < chance < 0.45


@shows(
    *KAPPA,
    never_below_0,
    zero_where_nothing_agrees,
    free=(*OBSERVED, *CHANCE, *WEIGHTED),
    probe=of("kappa"),
    apart=False,
    when=never,
)
def draw_disagreement(rng: Random, size: int) -> Drawn:
    """They agree on no sentence."""
    first = points(rng, ONE_TO_FIVE, 6 + size % 4)
    return first, [rng.choice([each for each in ONE_TO_FIVE if each != label]) for label in first]


def draw_weighted(below: bool, kind: str) -> Callable[[Random, int], Case]:
    """Points between the lowest and the highest that nobody gives.

    The lowest and the highest of the first rater lie `below` those of the second, or above.
    """

    def shifted(first: list[int], second: list[int]) -> bool:
        low, high = (first, second) if below else (second, first)
        return min(low) < min(high) and max(low) < max(high)

    wanted = WEIGHTED if kind == "1 to 5" else (*WEIGHTED, distances_of_1_to_5)

    @shows(*wanted, free=(*OBSERVED, *CHANCE, *KAPPA), probe=of("weighted"), when=shifted)
    def draw(rng: Random, size: int) -> Drawn:
        low, *between, high = scale(rng, kind)
        some = [low, *sorted(rng.sample(between, 2)), high]
        first = points(rng, some, 6 + size % 4)
        return first, [rng.choice(some) if rng.random() < 0.5 else label for label in first]

    return draw


@shows(
    at_least_1_expected,
    free=(*OBSERVED, *CHANCE, *OF_FIVE, *KAPPA, *WEIGHTED),
    probe=of("weighted"),
    when=lambda first, second: {*first} == {*second},
)
def draw_two_points(rng: Random, size: int) -> Drawn:
    """Two points that lie 1 apart, as 0 and 1: both raters give both."""
    low = rng.choice((0, 0, 1, 4))
    return points(rng, [low, low + 1], 6 + size % 4), points(rng, [low, low + 1], 6 + size % 4)


def draw_undefined(rng: Random, size: int) -> Case:
    """Both gave one and the same number to all sentences; each gave one, the next or, to a single sentence, one further
    away; one of them gave several, the second or the first; they agree on several.

    Shares are exact in binary.
    """
    label = rng.randint(1, 4)
    far = rng.choice([each for each in ONE_TO_FIVE if abs(each - label) > 1])
    several = rng.sample([label, far, *rng.choices((label, far), k=2)], 4)
    alone, near = [label] * 4, [label + 1] * 4
    single = [label], [far]
    pairs = (alone, [*alone]), (alone, near), single, (alone, several), (several, alone), (several, [*several])
    return case(*pairs[size % len(pairs)])


def draw_arguments(rng: Random, size: int) -> Case:
    """Points that are not in order."""
    first, second = (rng.sample([5, 4, 3, 2, 1], 5) for _ in range(2))
    return case([5, *first], [5, *second])


TASK = task(
    __name__,
    "Agreement of two raters",
    kind=partial(Criterion, visible=4, graded=6),
    criteria=(
        criterion("observed", 0.5, draw_observed, of("observed"))("The share of the sentences on which they agree."),
        criterion("chance", 1, alternate(*map(draw_chance, LOWEST)), of("chance"))(
            "How often they would agree by chance; each gives points that the other never gives. Any whole numbers."
        ),
        criterion("kappa", 0.5, alternate(draw_kappa(False), draw_kappa(True), draw_disagreement), of_own_shares())(
            "κ of the two shares that you return; it may be below 0."
        ),
        criterion(
            "weighted",
            1,
            alternate(
                *(draw_weighted(below, "1 to 5") for below in (True, False)),
                draw_weighted(True, "below 0"),
                draw_weighted(False, "large"),
                draw_two_points,
            ),
            of("weighted"),
            visible=5,
            graded=10,
        )("κ with squared distances as weights. Any whole numbers."),
        criterion("undefined", 0.5, draw_undefined, undefined, visible=6, graded=12)(
            "NaN for both κ where both gave one and the same number to all sentences; numbers in all other cases."
        ),
        arguments(0.5, draw_arguments)("The lists of points are afterwards as they were."),
    ),
    forbidden=(
        *(f"course_lib.metrics.{name}" for name in NAMES),
        *(f"course_lib.metrics.agreement.{name}" for name in NAMES),
        "sklearn.metrics.cohen_kappa_score",
        *(f"nltk.metrics.agreement.AnnotationTask.{name}" for name in ("kappa", "weighted_kappa", "Ao", "Ae_kappa")),
    ),
)
