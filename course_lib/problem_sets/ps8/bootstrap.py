"""ps8.bootstrap: is system B better than A, or was it chance (Koehn 2004; the course's metrics/significance.py)?"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import numpy as np

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import alternate, isolating, until
from course_lib.grading.cases.probes import returned_values
from course_lib.grading.compare import difference, is_tensor, kind
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion, OwnParts, Parts
from course_lib.metrics import significance

Segments = list[tuple[int, int]]  # of each sentence: matches, and of how many n-grams
Drawn = tuple[Segments, Segments, list[list[int]]]
VALUES = "differences wins p"


def reference(a: Segments, b: Segments, drawn: list[list[int]]) -> tuple[list[float], float, float]:
    """The difference B − A in each resample, the share of these in which B is better, and the two-sided p-value."""

    def scores(segments: Segments) -> np.ndarray:
        return significance.ratio(np.array(segments)[np.array(drawn)].sum(1))

    whole = significance.ratio(np.sum(b, axis=0)) - significance.ratio(np.sum(a, axis=0))
    differences = scores(b) - scores(a)
    p = significance.p_value(np.abs(differences) - np.abs(differences).mean(), abs(whole))
    return differences.tolist(), float((differences > 0).mean()), p


# Mistakes


def ratio(segments):
    """Sums first, then the ratio."""
    return sum(matches for matches, _ in segments) / sum(count for _, count in segments)


def better(differences):
    return sum(d > 0 for d in differences) / len(differences)


def p_value(differences, d):
    """How often a difference without its mean is as large as d, which counts as one more resample."""
    sizes = [abs(each) for each in differences]
    centre = sum(sizes) / len(sizes)
    return (sum(size - centre >= abs(d) for size in sizes) + 1) / (len(sizes) + 1)


def defined(
    a,
    b,
    drawn,
    score=ratio,
    take=lambda segments, indices: [segments[i] for i in indices],
    minus=lambda a, b: b - a,
    share=better,
    p=p_value,
    form=list,
):
    differences = [minus(score(take(a, indices)), score(take(b, indices))) for indices in drawn]
    return form(differences), share(differences), p(differences, score(b) - score(a))


wrong = versions(defined)
TURNED = "Your differences are A − B. What is asked is B − A."
a_minus_b = wrong("resamples", minus=lambda a, b: a - b)(TURNED)
a_minus_b_alone = wrong("resamples", form=lambda differences: [-d for d in differences])(TURNED)
without_sign = wrong("resamples", minus=lambda a, b: abs(b - a))(
    "Your differences have lost their sign: where B is worse, B − A is below 0."
)
each_index_once = wrong("resamples", take=lambda segments, indices: [segments[i] for i in {*indices}])(
    "A sentence that is drawn twice counts once with you: did you make a set of the indices? It counts twice."
)
indices_from_1 = wrong("resamples", take=lambda segments, indices: [segments[i - 1] for i in indices])(
    "You take 1 off the indices. They begin with 0."
)
the_whole_test_set_each_time = wrong("resamples", take=lambda segments, _: segments)(
    "All your resamples are the whole test set. Each takes the sentences that its indices name."
)


@mistake("resamples")
def B_on_the_next_resample(a, b, drawn):
    """A and B have different resamples. Both are scored on the same sentences: the test is a paired one."""
    scores = [ratio([a[i] for i in one]) for one in drawn]
    others = [ratio([b[i] for i in one]) for one in [*drawn[1:], drawn[0]]]
    differences = [other - score for score, other in zip(scores, others, strict=True)]
    return differences, better(differences), p_value(differences, ratio(b) - ratio(a))


@mistake("resamples")
def one_resample_alone(a, b, drawn):
    """You return one difference alone. Each resample has one."""
    differences, *others = defined(a, b, drawn)
    return differences[:1], *others


mean_of_ratios = wrong("sums", score=lambda segments: shares(segments))(
    "You take the mean of the sentences' shares. Add up the matches and the n-grams of all sentences, then divide once."
)
sum_of_ratios = wrong("resamples", score=lambda segments: sum(m / n for m, n in segments))(
    "You add up the sentences' shares. Add up the matches and the n-grams of all sentences, then divide once."
)


@mistake("sums")
def ngrams_of_A_for_both(a, b, drawn):
    """You divide the matches of B by the n-grams of A. Each system's outputs have their own number of n-grams."""
    return defined(a, [(m, n) for (m, _), (_, n) in zip(b, a, strict=True)], drawn)


@mistake("sums")
def ngrams_of_all_sentences(a, b, drawn):
    """You divide by the n-grams of the whole test set. A resample has the n-grams of its own sentences."""
    totals = [sum(n for _, n in segments) for segments in (a, b)]
    differences = [sum(b[i][0] for i in one) / totals[1] - sum(a[i][0] for i in one) / totals[0] for one in drawn]
    return differences, better(differences), p_value(differences, ratio(b) - ratio(a))


equals_are_wins = wrong("wins", share=lambda ds: sum(d >= 0 for d in ds) / len(ds))(
    "A resample in which both are equal is a win of B with you. It is none."
)
half_a_win_for_equals = wrong("wins", share=lambda ds: sum((d > 0) + (d == 0) / 2 for d in ds) / len(ds))(
    "A resample in which both are equal is half a win of B with you. It is none."
)
equals_left_out = wrong("wins", share=lambda ds: sum(d > 0 for d in ds) / (sum(d != 0 for d in ds) or 1))(
    "You leave resamples out in which both are equal. They are resamples like others: divide by the number of all."
)
wins_of_A = wrong("wins", share=lambda ds: sum(d < 0 for d in ds) / len(ds))(
    "You count the resamples in which A is better. Count those in which B is."
)
B_not_better = wrong("wins", share=lambda ds: sum(d <= 0 for d in ds) / len(ds))(
    "You count the resamples in which B is not better. Count those in which it is."
)
a_count_of_wins = wrong("wins", share=lambda ds: sum(d > 0 for d in ds))(
    "You return how many resamples B wins. Divide by the number of resamples."
)


def mean(numbers):
    return sum(numbers) / len(numbers)


def counted(
    centre=lambda sizes, d: mean(sizes), above=1, below=1, size=abs, enough=lambda x, d: x >= d, of=lambda ds, d: abs(d)
):
    """A p-value with parts that can be exchanged."""

    def p(differences, d):
        sizes = [size(each) for each in differences]
        c = centre(sizes, d)
        return (sum(enough(each - c, of(differences, d)) for each in sizes) + above) / (len(sizes) + below)

    return p


not_centred = wrong("p", p=counted(centre=lambda sizes, d: 0.0))(
    "You do not take the mean of the |d*| off. The resamples come from systems that differ; what is asked is how large "
    "differences are if there is none."
)
OFF = "You take d off, or |d|. Take the mean of the |d*| off, over all resamples."
centred_by_the_difference_itself = wrong("p", p=counted(centre=lambda sizes, d: abs(d)))(OFF)
centred_by_the_difference_with_its_sign = wrong("p", p=counted(centre=lambda sizes, d: d))(OFF)
sizes_of_what_is_centred = wrong("p", p=counted(enough=lambda x, d: abs(x) >= d))(
    "You drop the sign of |d*| − mean |d*|, too: then a difference that is much smaller than the mean counts as large."
)
the_mean_difference_as_d = wrong("p", p=counted(of=lambda ds, d: abs(mean(ds))))(
    "You take the mean of the d* for d. d is the difference of the scores of the whole test set."
)


def shares(segments):
    return mean([m / n for m, n in segments])


@mistake("p")
def d_of_mean_shares(a, b, drawn):
    """Your d is the difference of the mean shares of the sentences. It is that of the scores of the whole test set: add
    up its matches and its n-grams, then divide once."""
    differences, wins, _ = defined(a, b, drawn)
    return differences, wins, p_value(differences, shares(b) - shares(a))


mean_of_signed_differences = wrong(
    "p",
    p=lambda ds, d: (sum(abs(each - sum(ds) / len(ds)) >= abs(d) for each in ds) + 1) / (len(ds) + 1),
)("You take the mean of the d* off, and then the sign. Here the sign goes first: |d*| − mean |d*|.")
one_sided = wrong("p", p=counted(size=lambda d: d))(
    "You count differences with their sign. The test is two-sided: take |d*|, also for the mean."
)
the_sign_of_d_kept = wrong("p", p=counted(of=lambda ds, d: d))(
    "You compare with d. Where B is worse, d is below 0: compare with |d|."
)
without_the_1 = wrong("p", p=counted(above=0, below=0))(
    "Your p lacks the 1 above and below the line: the test set itself is one of the samples, so p is never 0."
)
without_the_1_above = wrong("p", p=counted(above=0))(
    "Your p lacks the 1 above the line: the test set itself counts there, too, so p is never 0."
)
without_the_1_below = wrong("p", p=counted(below=0))(
    "Your p lacks the 1 below the line: the test set itself is one of the samples, there are one more than resamples."
)
equals_do_not_count = wrong("p", p=counted(enough=lambda x, d: x > d))(
    "You count > where ≥ is asked. For two equal systems all is 0, and p must be 1."
)
one_where_the_scores_are_equal = wrong("p", p=lambda ds, d: p_value(ds, d) if d else 1.0)(
    "Your p is 1 wherever d is 0. Two systems of equal scores may differ in the resamples, and some |d*| lie below "
    "their mean: count as always."
)
the_mean_of_unequal_resamples = wrong(
    "p", p=counted(centre=lambda sizes, d: sum(sizes) / (sum(size > 0 for size in sizes) or 1))
)("You leave resamples out of the mean |d*| in which both are equal. It is the mean over all.")
the_mean_with_d = wrong("p", p=counted(centre=lambda sizes, d: mean([*sizes, abs(d)])))(
    "You take d into the mean of the |d*|. It is that of the resamples alone; the 1 above and below stands for d."
)
one_minus_p = wrong("p", p=lambda ds, d: 1 - p_value(ds, d))(
    "You return 1 − p. A small p says that chance alone seldom makes such a difference."
)
share_without_a_win = wrong("p", p=lambda ds, d: 1 - better(ds))(
    "Your p is the share of resamples that B does not win. It counts large differences, after their mean is taken off."
)


@changing("arguments", defined)
def indices_used_up(a, b, drawn):
    """You take the indices out of the lists that you are given, as pop does. They belong to the caller."""
    for indices in drawn:
        indices.clear()


@changing("arguments", defined)
def the_resamples_sorted_in_place(a, b, drawn):
    """You sort lists that you are given. They belong to the caller: make new ones."""
    for indices in drawn:
        indices.sort()


# What is looked at


def by_name(result: Any) -> Parts:
    """The three values, with a list of differences also where they came as an array or a tensor.

    Raises StudentError for differences that are no row of numbers, and for another value that is no number.
    """
    values = returned_values(lambda: result, (), VALUES.split())
    differences, *numbers = (each.tolist() if is_tensor(each) else each for each in values.values())
    if not isinstance(differences, (list, tuple)) or not all(isinstance(d, (int, float)) for d in differences):
        what = kind(differences) if differences is values["differences"] else "an array or a tensor"
        raise StudentError(f"differences is {what}, not a list of numbers")
    for name, value in zip(("wins", "p"), numbers, strict=True):
        if not isinstance(value, (int, float)):
            raise StudentError(f"{name} is {kind(value)}, not a number")
    return Parts({"differences": [float(d) for d in differences], "wins": float(numbers[0]), "p": float(numbers[1])})


def seen(function: Callable, case: Case) -> Parts:
    return by_name(function(*case.arguments))


def differences(function: Callable, case: Case) -> Parts:
    """The probe that looks at the differences."""
    return Parts(differences=seen(function, case)["differences"])


def of_either_sign(function: Callable, case: Case) -> Parts:
    """The probe that takes right differences A − B for B − A: which of both is asked is for "resamples"."""
    found = seen(function, case)["differences"]
    turned = [-d for d in found]
    exchanged = difference(defined(*case.arguments)[0], turned, case) is None
    return Parts(differences=turned if exchanged else found)


@dataclass(frozen=True)
class of_own_differences:
    """The probe that asks of one value that it follows from the differences that the function returns."""

    name: str

    def __call__(self, function: Callable, case: Case) -> Parts:
        values = seen(function, case)
        return Parts({"differences": values["differences"], self.name: values[self.name]})

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The right outcome in place of a value that is right for the function's own, wrong differences."""
        if not isinstance(got, Parts):
            return got
        if difference(expected["differences"], got["differences"], case) is None:
            return got
        of_all = len(got["differences"]) == len(case.arguments[2])
        own = self.follows(function, got["differences"], *case.arguments[:2]) if of_all else []
        if any(abs(each - got[self.name]) < 1e-9 for each in own):
            return expected
        return OwnParts(expected | {self.name: got[self.name]})

    def follows(self, function: Callable, differences: list[float], a: Segments, b: Segments) -> list[float]:
        """The values that follow from wrong differences: p for the right d, and for the function's own.

        Its own d is its difference in a resample that has each sentence once.
        """
        if self.name == "wins":
            return [better(differences)]
        found = [ratio(b) - ratio(a)]
        with suppress(StudentError):
            found += by_name(function(a, b, [[*range(len(a))]]))["differences"][:1]
        return [p_value(differences, d) for d in found]


# Cases

RESAMPLES = (
    *(a_minus_b, without_sign, each_index_once, indices_from_1, the_whole_test_set_each_time),
    *(B_on_the_next_resample, one_resample_alone, sum_of_ratios),
)
SUMS = mean_of_ratios, ngrams_of_A_for_both, ngrams_of_all_sentences
WINS = equals_are_wins, half_a_win_for_equals, equals_left_out, wins_of_A, B_not_better, a_count_of_wins
P = (
    *(not_centred, centred_by_the_difference_itself, mean_of_signed_differences, one_sided),
    *(without_the_1, one_minus_p, share_without_a_win, sizes_of_what_is_centred, the_mean_difference_as_d),
    *(without_the_1_above, without_the_1_below),
)
LEVEL = one_where_the_scores_are_equal, the_mean_of_unequal_resamples, the_mean_with_d


def case(a: Segments, b: Segments, drawn: list[list[int]]) -> Case:
    return Case((a, b, drawn), f"{len(a)} sentences, {len(drawn)} resamples")


shows = isolating(defined, (*RESAMPLES, *SUMS, *WINS, *P, *LEVEL, equals_do_not_count), case)


def resamples(rng: Random, count: int, n: int) -> list[list[int]]:
    """So many times n sentences of n."""
    return [[rng.randrange(n) for _ in range(n)] for _ in range(count)]


def segments(rng: Random, n: int, counts: Callable[[], int]) -> Segments:
    return [(rng.randint(0, count), count) for count in (counts() for _ in range(n))]


def clear(a: Segments, b: Segments, drawn: list[list[int]], level: bool = False) -> bool:
    """Whether no rounding decides what is counted: B against A, and |d*| − mean |d*| against |d|, which is 0 if
    `level`."""
    found, _, _ = defined(a, b, drawn)
    sizes = [abs(each) for each in found]
    whole = abs(ratio(b) - ratio(a))
    far = all(abs(size - sum(sizes) / len(sizes) - whole) > 1e-6 for size in sizes)
    return (whole == 0 if level else whole > 1e-6) and far and all(size == 0 or size > 1e-6 for size in sizes)


def alike(rng: Random, size: int) -> Drawn:
    """Sentences of one length, the same for both systems: the mean of shares is the share of all."""
    n, count = 4 + size % 3, rng.randint(5, 9)
    a, b = (segments(rng, n, lambda: count) for _ in range(2))
    return a, b, resamples(rng, 4, n)


draw_resamples = shows(*RESAMPLES, apart=False, probe=differences, when=clear)(alike)


@shows(*SUMS, free=RESAMPLES, probe=differences, when=clear)
def draw_sums(rng: Random, size: int) -> Drawn:
    """Sentences of unlike lengths."""
    n = 4 + size % 3
    a, b = (segments(rng, n, lambda: rng.choice((2, 3, 8, 12))) for _ in range(2))
    return a, b, resamples(rng, 3, n)


def wins(function: Callable, case: Case) -> float:
    return seen(function, case)["wins"]


def p(function: Callable, case: Case) -> float:
    return seen(function, case)["p"]


@shows(*WINS, free=(*RESAMPLES, *SUMS), probe=wins, when=clear)
def draw_wins(rng: Random, size: int) -> Drawn:
    """Few matches, so that some resamples are equal."""
    n = 4
    a, b = (segments(rng, n, lambda: 2) for _ in range(2))
    return a, b, resamples(rng, 6 + size % 3, n)


def draw_p(worse: bool) -> Callable[[Random, int], Case]:
    """B is worse, or better, by a little: a part of the resamples differ by more. All sentences are equally long."""
    of_the_sign = the_sign_of_d_kept, centred_by_the_difference_with_its_sign
    wanted = (*P, *of_the_sign) if worse else P

    @shows(
        *wanted,
        free=(*RESAMPLES, *SUMS, *LEVEL),
        apart=False,
        probe=p,
        when=lambda a, b, drawn: clear(a, b, drawn) and (ratio(b) < ratio(a)) == worse,
    )
    def draw(rng: Random, size: int) -> Drawn:
        n, count = 4, rng.randint(5, 9)
        a, b = (segments(rng, n, lambda: count) for _ in range(2))
        return a, b, resamples(rng, 9 + size % 3, n)

    return draw


@shows(d_of_mean_shares, free=(*RESAMPLES, *SUMS, *WINS, *P, *LEVEL), probe=p, when=clear)
def draw_unlike(rng: Random, size: int) -> Drawn:
    """Sentences of unlike lengths."""
    a, b = (segments(rng, 4, lambda: rng.choice((2, 3, 8, 12))) for _ in range(2))
    return a, b, resamples(rng, 9 + size % 3, 4)


def draw_equal(rng: Random, size: int) -> Case:
    """Two systems with equal outputs."""
    a = segments(rng, 4, lambda: rng.randint(4, 9))
    return case(a, [*a], resamples(rng, 6, 4))


@shows(*LEVEL, free=(*RESAMPLES, *SUMS, *WINS, *P), apart=False, probe=p, when=partial(clear, level=True))
def draw_level(rng: Random, size: int) -> Drawn:
    """Two systems with equal scores and unequal outputs; some resamples are equal."""
    a = segments(rng, 4, lambda: 5)
    return a, rng.sample(a, 4), resamples(rng, 7 + size % 3, 4)


def draw_arguments(rng: Random, size: int) -> Case:
    """Resamples none of which is in order."""
    a, b, drawn = until(lambda: alike(rng, size), lambda *given: all(one != sorted(one) for one in given[2]))
    return case(a, b, drawn)


TASK = task(
    __name__,
    "Better, or by chance",
    kind=partial(Criterion, visible=4, graded=6),
    criteria=(
        criterion("resamples", 1, draw_resamples, differences)(
            "B − A in each resample, of sentences that all have equally many n-grams."
        ),
        criterion("sums", 1, draw_sums, of_either_sign)(
            "The same for sentences of any length: sums, then their ratio."
        ),
        criterion("wins", 0.5, draw_wins, of_own_differences("wins"))(
            "The share of the resamples in which B is better, by the differences that you return."
        ),
        criterion(
            "p",
            1,
            alternate(draw_p(True), draw_p(False), draw_equal, draw_unlike, draw_level),
            of_own_differences("p"),
            visible=5,
            graded=10,
        )("The p-value, by the differences that you return and the d of the whole test set; 1 for two equal systems."),
        arguments(0.5, draw_arguments, sees=by_name)("The lists are afterwards as they were."),
    ),
    forbidden=(
        *(f"course_lib.metrics.{name}" for name in ("paired_bootstrap", "paired_permutation", "ratio")),
        *(
            f"course_lib.metrics.significance.{name}"
            for name in ("paired_bootstrap", "paired_permutation", "p_value", "ratio")
        ),
        "sacrebleu.significance.PairedTest.__call__",
        "sacrebleu.significance._compute_p_value",
        *(f"scipy.stats.{name}" for name in ("bootstrap", "permutation_test")),
    ),
)
