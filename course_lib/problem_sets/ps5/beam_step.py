"""ps5.beam_step: of all continuations the k best (the course's search/beam.py; Zhao, "Beam search")."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from math import inf
from random import Random

import torch

from course_lib.grading.cases.isolate import alternate, isolating, plainly
from course_lib.grading.cases.probes import returned_values
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion, Parts
from course_lib.problem_sets.ps5.tables import (
    EOS,
    Hypothesis,
    Model,
    best_first,
    close_row,
    decided,
    ended,
    even_row,
    exact,
    row,
)
from course_lib.search import beam


def reference(model: Model, live: list[Hypothesis], k: int) -> tuple[list[Hypothesis], list[Hypothesis]]:
    """The best k that go on, and those of the best k of all that end; ties to the lower parent, then the lower word."""
    return found(model, live, k)


def found(model: Model, live: list[Hypothesis], k: int) -> tuple[list[Hypothesis], list[Hypothesis]]:
    """The table of totals (hypothesis, word), its best 2k by the course's rule for ties, and what becomes of them."""
    before = torch.tensor([[score] for _, score in live], dtype=torch.float64)
    totals = before + torch.tensor([model[words] for words, _ in live], dtype=torch.float64)
    best, places = beam.most_probable(totals.flatten()[None], min(2 * k, totals.numel()))
    ranked = [
        ((*live[place // totals.shape[1]][0], place % totals.shape[1]), total)
        for total, place in zip(best[0].tolist(), places[0].tolist(), strict=True)
        if total > -torch.inf
    ]
    going = [(words, total) for words, total in ranked if words[-1] != EOS]
    return going[:k], [(words, total) for words, total in ranked[:k] if words[-1] == EOS]


# Mistakes


def candidates(model, live, possible=lambda log_p: log_p > -inf):
    """Each hypothesis followed by each word that is possible, in order."""
    return [
        ((*words, word), score + log_p)
        for words, score in live
        for word, log_p in enumerate(model[words])
        if possible(log_p)
    ]


def going_on(ranked, k):
    return [each for each in ranked if not ended(each)][:k]


def finishing(ranked, k):
    return list(filter(ended, ranked[:k]))


def defined(
    model,
    live,
    k,
    weigh=candidates,
    rank=best_first,
    going=going_on,
    finished=finishing,
    returned=lambda going, finished: (going, finished),
):
    ranked = rank(weigh(model, live))
    return returned(going(ranked, k), finished(ranked, k))


wrong = versions(defined)
the_least_probable_first = wrong("one", rank=lambda each: sorted(each, key=lambda h: h[1]))(
    "You keep the smallest sums. Log-probabilities are negative: the best sum is the one nearest to 0."
)
live_and_finished_exchanged = wrong("one", returned=lambda going, finished: (finished, going))(
    "You return the finished hypotheses first. Those that go on come first."
)


@mistake("several")
def k_words_of_every_hypothesis(model, live, k):
    """You keep the k best words of every hypothesis, so the beam grows. All continuations compete for k places."""
    parts = [defined(model, [each], k) for each in live]
    return tuple(best_first(sum(each, [])) for each in zip(*parts, strict=True))


@mistake("several")
def the_same_number_of_every_hypothesis(model, live, k):
    """You give every hypothesis as many places. All continuations compete: one hypothesis may get all."""
    return k_words_of_every_hypothesis(model, live, k // len(live))


the_first_hypothesis_only = wrong("several", weigh=lambda model, live: candidates(model, live[:1]))(
    "You follow the first hypothesis only. Follow all of them, then choose."
)


def of_each(order):
    """What follows each hypothesis, in an order of its own."""
    return lambda model, live: [each for parent in live for each in order(candidates(model, [parent]))]


one_hypothesis_after_the_other = wrong("several", rank=lambda each: each, weigh=of_each(best_first))(
    "You sort what follows each hypothesis by itself: that of the first one comes first. Sort all together."
)
the_last_hypothesis_only = wrong("several", weigh=lambda model, live: candidates(model, live[-1:]))(
    "You follow the last hypothesis only: does your loop overwrite what it has found?"
)
the_score_so_far_forgotten = wrong(
    "several", weigh=lambda model, live: candidates(model, [(words, 0.0) for words, _ in live])
)("You score a continuation by its last word alone. Add that to the score of the hypothesis.")
sums_rounded = wrong("several", rank=lambda each: sorted(each, key=lambda h: -round(h[1], 3)))(
    "You take sums for equal that are nearly equal. Compare them as they are."
)
the_new_word_alone = wrong(
    "several", returned=lambda *lists: tuple([(words[-1:], score) for words, score in each] for each in lists)
)("You return the new word without those before it. A hypothesis holds all its words.")
places_of_finished_hypotheses_left_empty = wrong("finished", going=lambda ranked, k: going_on(ranked[:k], k))(
    "A hypothesis that ends takes a place among your live ones away. Fill the beam up to k that go on."
)
finished_hypotheses_kept_in_the_beam = wrong("finished", going=lambda ranked, k: ranked[:k])(
    "Hypotheses that end in EOS stand among your live ones, too. Nothing follows EOS: set them aside."
)
finished_hypotheses_lost = wrong("finished", finished=lambda ranked, k: [])(
    "You return no finished hypothesis. What ends in EOS among the best k is an output: keep it."
)


@mistake("finished")
def the_best_k_words_of_every_hypothesis_only(model, live, k):
    """You look at the best k words of every hypothesis only. Where EOS is one of them, too few are left to fill the
    beam: look at all words, or at one more of each."""
    return defined(model, live, k, weigh=of_each(lambda each: best_first(each)[:k]))


@mistake("finished")
def EOS_accepted_among_as_many_as_are_live(model, live, k):
    """You set aside what ends among as many continuations as there are live hypotheses. These may be fewer than k, as
    in the first step: what ends among the best k is finished."""
    return defined(model, live, k, finished=lambda ranked, _: finishing(ranked, len(live)))


EOS_accepted_among_the_best_2k = wrong("beyond", finished=lambda ranked, k: finishing(ranked, 2 * k))(
    "You set aside what ends among the best 2k. Only the best k count; the others fill the beam."
)
EOS_accepted_among_the_best_k_and_one_more = wrong("beyond", finished=lambda ranked, k: finishing(ranked, k + 1))(
    "You set aside an output that ends just below the best k. Only the best k count."
)
every_EOS_accepted = wrong("beyond", finished=lambda ranked, k: finishing(ranked, len(ranked)))(
    "You set aside whatever ends, however improbable. It must be among the best k of all continuations."
)


def before_the_last(ranked, k):
    kept = going_on(ranked, k)
    return [each for each in ranked if ended(each) and (not kept or each[1] >= kept[-1][1])]


EOS_accepted_before_the_last_live_one = wrong("beyond", finished=before_the_last)(
    "You set aside what ends and is better than the last that goes on. Count the finished ones, too: it must be among "
    "the best k of all continuations."
)


def met_before_k_go_on(ranked, k):
    kept = going_on(ranked, k)
    return finishing(ranked, ranked.index(kept[-1]) if len(kept) == k else len(ranked))


EOS_accepted_until_k_go_on = wrong("beyond", finished=met_before_k_go_on)(
    "You set aside every EOS that comes before k hypotheses go on. Count the finished ones, too: EOS must be among the "
    "best k of all continuations."
)
the_later_hypothesis_of_equals = wrong("ties", weigh=lambda model, live: candidates(model, live[::-1]))(
    "Of equal sums you prefer the later hypothesis. Prefer the one that stands first in `live`."
)
the_higher_word_of_equals = wrong("ties", weigh=of_each(lambda each: each[::-1]))(
    "Of equal sums after one hypothesis you prefer the higher word. Prefer the lower one."
)
tuples_sorted_backwards = wrong("ties", rank=lambda each: sorted(each, key=lambda h: h[::-1], reverse=True))(
    "You sort pairs (score, words) in reverse: of equal sums the larger words win. Sort by the score alone, in a way "
    "that keeps the order of equals."
)
words_compared_instead_of_parents = wrong("ties", rank=lambda each: sorted(each, key=lambda h: (-h[1], h[0])))(
    "Of equal sums you prefer the one whose words come first in order. The parent's place in `live` decides."
)
the_word_before_the_parent = wrong(
    "ties", weigh=lambda model, live: sorted(candidates(model, live), key=lambda h: h[0][-1])
)("Of equal sums you look at the word first. The place of the parent in `live` decides first, then the word.")
last_of_all = partial(defined, rank=lambda each: sorted(each, key=lambda h: (-h[1], h is not each[-1])))
EOS_behind_its_equals = wrong("ties", rank=lambda each: sorted(each, key=lambda h: (-h[1], ended(h))))(
    "Of equal sums you prefer what goes on to what ends. EOS is a word as any other here: the place of the parent in "
    "`live` decides first, then the word, and EOS is word 0."
)
EOS_accepted_where_it_equals_the_kth = wrong(
    "ties", finished=lambda ranked, k: [each for each in ranked if ended(each) and each[1] >= ranked[:k][-1][1]]
)("You set aside what ends and is as good as the k-th best. Of equals only those count that stand among the first k.")
improbable_words_dropped = wrong(
    "impossible", weigh=lambda model, live: [each for each in candidates(model, live) if each[1] > -12]
)("You drop continuations that are improbable, but possible. Only a score of −∞ is impossible.")


@mistake("impossible")
def those_far_below_an_output_dropped(model, live, k):
    """Where a hypothesis ends, you drop others that are far less probable. The best k go on, however improbable."""
    going, finished = defined(model, live, k)
    return [each for each in going if not finished or each[1] > finished[-1][1] - 5], finished


impossible_words_kept = wrong("impossible", weigh=partial(candidates, possible=lambda log_p: True))(
    "You keep continuations with a score of −∞. What is impossible is no hypothesis: leave it out."
)


@mistake("arguments")
def live_hypotheses_changed(model, live, k):
    """You change the list `live`, which belongs to the caller. Make a new one."""
    going, finished = defined(model, live, k)
    live[:] = going
    return going, finished


best_finished_only = partial(defined, finished=lambda ranked, k: finishing(ranked, k)[:1])
finished_worst_first = partial(defined, finished=lambda ranked, k: finishing(ranked, k)[::-1])
finished_by_words = partial(defined, finished=lambda ranked, k: sorted(finishing(ranked, k)))


def finished_by_parents(model, live, k):
    """Each stands where its parent stands in `live`, whatever its score."""
    parents = [words for words, _ in live]
    going, finished = defined(model, live, k)
    return going, sorted(finished, key=lambda h: parents.index(h[0][:-1]))


# Cases

PARENTS = (
    *(k_words_of_every_hypothesis, the_same_number_of_every_hypothesis, the_first_hypothesis_only),
    *(the_last_hypothesis_only, the_score_so_far_forgotten, the_new_word_alone, one_hypothesis_after_the_other),
)
FINISHED = places_of_finished_hypotheses_left_empty, finished_hypotheses_kept_in_the_beam, finished_hypotheses_lost
FEWER_LIVE = EOS_accepted_among_as_many_as_are_live, the_best_k_words_of_every_hypothesis_only
SEVERAL_FINISHED = best_finished_only, finished_worst_first, finished_by_words, finished_by_parents
BEYOND = EOS_accepted_among_the_best_2k, every_EOS_accepted, EOS_accepted_before_the_last_live_one
TIES = (
    *(the_later_hypothesis_of_equals, the_higher_word_of_equals, tuples_sorted_backwards),
    *(words_compared_instead_of_parents, the_word_before_the_parent),
)
ONE = (the_least_probable_first,)
EARLIER = (*ONE, *PARENTS, every_EOS_accepted)
ALL = (
    *(*ONE, *PARENTS, *FINISHED, *FEWER_LIVE, *BEYOND, *TIES),
    *(last_of_all, impossible_words_kept, EOS_accepted_among_the_best_k_and_one_more),
)


def case(model: Model, live: list[Hypothesis], k: int) -> Case:
    return Case((model, live, k), f"k = {k}, live hypotheses: {len(live)}, words: {len(model[live[0][0]]) - 1} and EOS")


def case_of_finished(*given) -> Case:
    """A case of which only the finished hypotheses are seen: what goes on is for other cases."""
    return replace(case(*given), extra="finished")


def seen(function: Callable, case: Case) -> object:
    """The probe that looks at all that is returned, or at the list that the case names alone."""
    if case.extra is None:
        return plainly(function, case)
    return Parts(
        {f"the {case.extra} list": returned_values(function, case.arguments, ["live", "finished"])[case.extra]}
    )


def clear(model: Model, live: list[Hypothesis], k: int) -> bool:
    return decided(total for _, total in candidates(model, live))


def likely(rng: Random) -> float:
    return exact(-rng.expovariate(1) - 0.5)


def drawn(
    rng: Random, live: int, words: int, k: int, eos: float, draw: Callable = row, score: Callable = likely
) -> tuple:
    """So many live hypotheses of one length, the best first, and what may follow them."""
    if live == 1:
        parents = [((), 0.0)]
    else:
        beginnings = rng.sample([*product(range(1, words + 1), repeat=rng.randint(1, 2))], live)
        scores = sorted((score(rng) for _ in range(live)), reverse=True)
        parents = list(zip(beginnings, scores, strict=True))
    return {beginning: draw(rng, words, eos) for beginning, _ in parents}, parents, k


def k_live(eos: float, slowly: int = 1, fewer: int = 0, **given) -> Callable[[Random, int], tuple]:
    """k hypotheses are live, or `fewer`; k is 2 or 3 in turn, or in turns that are as long as `slowly` says."""

    def draw(rng: Random, size: int) -> tuple:
        k = 2 + size // slowly % 2
        return drawn(rng, k - fewer, 4, k, eos, **given)

    return draw


def nearly_certain_eos(rng: Random, size: int) -> tuple:
    """EOS takes almost all: a word in its place has a probability of about 1/1,000,000."""
    return drawn(rng, 1, 3, 2 + size % 2, eos=1e6)


def some_impossible(rng: Random, size: int) -> tuple:
    k = 2 + size % 2
    return drawn(rng, rng.randint(1, k), 3, k, eos=1.0, draw=partial(row, possible=0.4))


def faint_row(rng: Random, words: int, eos: float) -> list[float]:
    """One word has all of p, but for rounding; the others, and EOS, have e⁻²⁵ or less."""
    found = [exact(-rng.uniform(25, 60)) for _ in range(words + 1)]
    found[rng.randint(1, words)] = 0.0
    return found


def faint(rng: Random, size: int) -> tuple:
    """What is left is improbable by now, as it is after many words: exp gives 0. One of k goes on by a faint word."""
    return drawn(rng, 2, 3, 3, eos=1.0, draw=faint_row, score=lambda rng: exact(-rng.uniform(800, 802)))


shows = partial(isolating(defined, ALL, case), apart=False, when=clear)
shows_several = partial(shows, free=(*ONE, *PARENTS))
shows_ties = partial(shows, free=(*ONE, *PARENTS, last_of_all))
shows_finished = partial(isolating(defined, ALL, case_of_finished), apart=False, when=clear, probe=seen)
equals, equals_with_eos = (k_live(eos, draw=even_row, score=lambda rng: -rng.randint(2, 5) / 4) for eos in (0, 1.0))
draw_one = shows(*ONE)(lambda rng, size: drawn(rng, 1, 4 + size % 3, rng.randint(2, 3), eos=0))
draw_several = shows(*PARENTS, free=ONE)(lambda rng, size: drawn(rng, 2 + size % 2, 4, 3, eos=0))
draw_few_words = shows_several(the_first_hypothesis_only, one_hypothesis_after_the_other, apart=True)(
    lambda rng, size: drawn(rng, 2, 2, 3, eos=0)
)
draw_nearly_equal = shows_several(sums_rounded)(lambda rng, size: drawn(rng, 2, 3, 2 + size % 2, eos=0, draw=close_row))
draw_finished = alternate(
    shows(*FINISHED, free=(*EARLIER, the_best_k_words_of_every_hypothesis_only))(k_live(2.0, slowly=2)),
    shows(*SEVERAL_FINISHED, free=(*EARLIER, *FINISHED, *FEWER_LIVE))(lambda rng, size: drawn(rng, 3, 4, 3, eos=6.0)),
    shows(*FEWER_LIVE, free=(*EARLIER, *FINISHED))(k_live(2.0, fewer=1)),
)
draw_beyond = alternate(
    shows(*BEYOND, EOS_accepted_among_the_best_k_and_one_more, free=(*EARLIER, *FINISHED))(k_live(1.0)),
    shows(*BEYOND[:2], free=EARLIER)(k_live(1.0)),
    shows(every_EOS_accepted, free=EARLIER)(k_live(1.0)),
)
draw_ties = alternate(
    shows_ties(the_later_hypothesis_of_equals, tuples_sorted_backwards)(equals),
    shows_ties(the_later_hypothesis_of_equals, words_compared_instead_of_parents, the_word_before_the_parent)(equals),
    shows_ties(the_higher_word_of_equals, tuples_sorted_backwards)(equals),
    shows_ties(the_later_hypothesis_of_equals, tuples_sorted_backwards, the_word_before_the_parent)(equals),
    shows(last_of_all, free=(*ONE, *PARENTS, *TIES))(equals),
    shows_finished(EOS_behind_its_equals, free=(*EARLIER, *TIES, last_of_all, finished_hypotheses_lost))(
        equals_with_eos
    ),
    shows_finished(EOS_accepted_where_it_equals_the_kth, free=(*EARLIER, *TIES, last_of_all, *BEYOND))(equals_with_eos),
)
draw_impossible = alternate(
    shows(impossible_words_kept, free=EARLIER)(some_impossible),
    shows(improbable_words_dropped, free=(*EARLIER, *FINISHED, *FEWER_LIVE, *BEYOND))(faint),
    shows(those_far_below_an_output_dropped, free=(*EARLIER, *FINISHED, *FEWER_LIVE))(nearly_certain_eos),
)
TASK = task(
    __name__,
    "One step of beam search",
    kind=partial(Criterion, visible=4, graded=6),
    criteria=(
        criterion("one", 1.5, draw_one)("The k best words after one hypothesis."),
        criterion("several", 1.5, alternate(draw_several, draw_few_words, draw_nearly_equal))(
            "The k best of all continuations of several hypotheses, by their sums."
        ),
        criterion("finished", 1, draw_finished, visible=6)(
            "What ends among the best k is set aside, and k others go on."
        ),
        criterion("beyond", 1, draw_beyond, visible=6)("What ends, and is not among the best k of all, is dropped."),
        criterion("ties", 1, draw_ties, seen, visible=14, graded=14)(
            "Of equals the one of the lower parent, then the lower word."
        ),
        criterion("impossible", 0.5, draw_impossible)(
            "A word with log p = −∞ follows nothing, so there may be fewer than k; a very improbable one may follow."
        ),
        arguments(0.5, draw_several)("Model and hypotheses are afterwards as they were."),
    ),
    forbidden=(
        *(f"course_lib.search.{name}" for name in ("beam.most_probable", "beam.beam", "definition.beam_by_definition")),
        f"{__name__}.found",
    ),
)
