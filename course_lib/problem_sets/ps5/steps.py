"""Cases of one step of beam search: which mistakes each kind of case shows, and how it is drawn."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random

from course_lib.grading.cases.isolate import isolating, plainly
from course_lib.grading.cases.probes import called
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps5 import wrong_beam_step as wrong
from course_lib.problem_sets.ps5.tables import Hypothesis, Model, close_row, decided, even_row, exact, row

PARENTS = (
    *(wrong.k_of_each, wrong.best_of_each, wrong.best_parent_only, wrong.last_parent_only),
    *(wrong.parents_score_lost, wrong.word_alone, wrong.parents_in_turn),
)
FINISHED = (wrong.not_refilled, wrong.in_beam, wrong.eos_ignored)
FEWER_LIVE = (wrong.of_live, wrong.best_words_of_each)
SEVERAL_FINISHED = (wrong.best_finished_only, wrong.finished_worst_first, wrong.finished_by_words)
BEYOND = (wrong.of_twice_k, wrong.any_eos, wrong.before_the_last)
TIES = (
    *(wrong.later_parent_first, wrong.higher_word_first, wrong.reversed_order, wrong.by_words),
    wrong.word_before_parent,
)
MISTAKES = (
    *(wrong.smallest_first, *PARENTS, *FINISHED, *FEWER_LIVE, *BEYOND, *TIES),
    *(wrong.last_of_all, wrong.impossible_kept, wrong.of_one_more),
)


def case(model: Model, live: list[Hypothesis], k: int) -> Case:
    return Case((model, live, k), f"k = {k}, live hypotheses: {len(live)}, words: {len(model[live[0][0]]) - 1} and EOS")


def clear(model: Model, live: list[Hypothesis], k: int) -> bool:
    return decided(total for _, total in wrong.candidates(model, live))


def case_of_finished(*arguments) -> Case:
    """A case of which only the finished hypotheses are seen: what goes on is for other cases."""
    return replace(case(*arguments), extra="finished")


def seen(function: Callable, case: Case) -> object:
    """The probe that looks at all that is returned, or at the list that the case names alone."""
    if case.extra is None:
        return plainly(function, case)
    return Parts({f"the {case.extra} list": called(function, case.arguments, ["live", "finished"])[case.extra]})


shows = partial(isolating(wrong.defined, MISTAKES, case), apart=False, when=clear)
shows_finished = partial(isolating(wrong.defined, MISTAKES, case_of_finished), apart=False, when=clear, probe=seen)


def drawn(
    rng: Random, live: int, words: int, k: int, eos: float, draw: Callable = row, score: Callable | None = None
) -> tuple:
    """So many live hypotheses of one length, the best first, and what may follow them."""
    score = score or (lambda: exact(-rng.expovariate(1) - 0.5))
    if live == 1:
        parents = [((), 0.0)]
    else:
        beginnings = rng.sample([*product(range(1, words + 1), repeat=rng.randint(1, 2))], live)
        scores = sorted((score() for _ in range(live)), reverse=True)
        parents = list(zip(beginnings, scores, strict=True))
    return {words_: draw(rng, words, eos) for words_, _ in parents}, parents, k


@shows(wrong.smallest_first)
def draw_one(rng: Random, size: int) -> tuple:
    return drawn(rng, 1, 4 + size % 3, rng.randint(2, 3), eos=0)


@shows(*PARENTS, free=(wrong.smallest_first,))
def draw_several(rng: Random, size: int) -> tuple:
    return drawn(rng, 2 + size % 2, 4, 3, eos=0)


@shows(wrong.best_parent_only, wrong.parents_in_turn, free=(wrong.smallest_first, *PARENTS), apart=True)
def draw_few_words(rng: Random, size: int) -> tuple:
    """Fewer than k words follow each hypothesis."""
    return drawn(rng, 2, 2, 3, eos=0)


@shows(wrong.to_three_digits, free=(wrong.smallest_first, *PARENTS))
def draw_nearly_equal(rng: Random, size: int) -> tuple:
    """Sums differ by the least that they may."""
    return drawn(rng, 2, 3, 2 + size % 2, eos=0, draw=close_row)


@shows(*FINISHED, free=(wrong.smallest_first, *PARENTS, wrong.any_eos, wrong.best_words_of_each))
def draw_finished(rng: Random, size: int) -> tuple:
    k = 2 + size // 2 % 2
    return drawn(rng, k, 4, k, eos=2.0)


@shows(*FEWER_LIVE, free=(wrong.smallest_first, *PARENTS, wrong.any_eos, *FINISHED))
def draw_fewer_live(rng: Random, size: int) -> tuple:
    """Fewer than k hypotheses are live, as after the empty one."""
    k = 2 + size % 2
    return drawn(rng, k - 1, 4, k, eos=2.0)


@shows(*SEVERAL_FINISHED, free=(wrong.smallest_first, *PARENTS, wrong.any_eos, *FINISHED, *FEWER_LIVE))
def draw_several_finished(rng: Random, size: int) -> tuple:
    return drawn(rng, 3, 4, 3, eos=6.0)


def draw_beyond(*wanted: Callable) -> Callable[[Random, int], Case]:
    free = (wrong.smallest_first, *PARENTS, wrong.any_eos, *(FINISHED if wrong.before_the_last in wanted else ()))

    @shows(*wanted, free=free)
    def draw(rng: Random, size: int) -> tuple:
        k = 2 + size % 2
        return drawn(rng, k, 4, k, eos=1.0)

    return draw


def draw_ties_with_eos(*wanted: Callable, free: tuple[Callable, ...] = ()) -> Callable[[Random, int], Case]:
    """Cases of these mistakes in which EOS is one of the equals."""

    @shows_finished(*wanted, free=(wrong.smallest_first, *PARENTS, wrong.any_eos, *TIES, wrong.last_of_all, *free))
    def draw(rng: Random, size: int) -> tuple:
        k = 2 + size % 2
        return drawn(rng, k, 4, k, eos=1.0, draw=even_row, score=lambda: -rng.randint(2, 5) / 4)

    return draw


def draw_ties(*wanted: Callable, free: tuple[Callable, ...] = ()) -> Callable[[Random, int], Case]:
    """Cases of these mistakes of ties, and of no other that is not `free`."""

    @shows(*wanted, free=(wrong.smallest_first, *PARENTS, wrong.last_of_all, *free))
    def draw(rng: Random, size: int) -> tuple:
        k = 2 + size % 2
        return drawn(rng, k, 4, k, eos=0, draw=even_row, score=lambda: -rng.randint(2, 5) / 4)

    return draw


@shows(wrong.impossible_kept, free=(wrong.smallest_first, *PARENTS, wrong.any_eos))
def draw_impossible(rng: Random, size: int) -> tuple:
    k = 2 + size % 2
    return drawn(rng, rng.randint(1, k), 3, k, eos=1.0, draw=partial(row, possible=0.4))


@shows(wrong.improbable_dropped, free=(wrong.smallest_first, *PARENTS, wrong.any_eos))
def draw_improbable(rng: Random, size: int) -> tuple:
    """What is left has become improbable, as it does after many words."""
    return drawn(rng, 2, 3, 2, eos=1.0, score=lambda: exact(-rng.uniform(40, 42)))
