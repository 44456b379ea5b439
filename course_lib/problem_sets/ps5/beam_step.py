"""ps5.beam_step: of all continuations the k best (the course's search/beam.py; Zhao, "Beam search")."""

from functools import partial

import torch

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps5 import wrong_beam_step as wrong
from course_lib.problem_sets.ps5.steps import (
    BEYOND,
    TIES,
    draw_beyond,
    draw_few_words,
    draw_fewer_live,
    draw_finished,
    draw_impossible,
    draw_improbable,
    draw_nearly_equal,
    draw_one,
    draw_several,
    draw_several_finished,
    draw_ties,
    draw_ties_with_eos,
    seen,
)
from course_lib.problem_sets.ps5.tables import EOS, Hypothesis, Model
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


Step = partial(Criterion, visible=4, graded=6)

TASK = Task(
    name="ps5.beam_step",
    title="One step of beam search",
    reference=reference,
    criteria=(
        Step("one", 1.5, "The k best words after one hypothesis.", draw_one),
        Step(
            "several",
            1.5,
            "The k best of all continuations of several hypotheses, by their sums.",
            alternate(draw_several, draw_few_words, draw_nearly_equal),
        ),
        Step(
            "finished",
            1,
            "What ends among the best k is set aside, and k others go on.",
            alternate(draw_finished, draw_several_finished, draw_fewer_live),
            visible=6,
        ),
        Step(
            "beyond",
            1,
            "What ends, and is not among the best k of all, is dropped.",
            alternate(draw_beyond(*BEYOND, wrong.of_one_more), draw_beyond(*BEYOND[:2]), draw_beyond(wrong.any_eos)),
            visible=6,
        ),
        Step(
            "ties",
            1,
            "Of equals the one of the lower parent, then the lower word.",
            alternate(
                draw_ties(wrong.later_parent_first, wrong.reversed_order),
                draw_ties(wrong.later_parent_first, wrong.by_words, wrong.word_before_parent),
                draw_ties(wrong.higher_word_first, wrong.reversed_order),
                draw_ties(wrong.later_parent_first, wrong.reversed_order, wrong.word_before_parent),
                draw_ties(wrong.last_of_all, free=TIES),
                draw_ties_with_eos(wrong.eos_last_of_equals, free=(wrong.eos_ignored,)),
                draw_ties_with_eos(wrong.eos_as_good, free=BEYOND),
            ),
            visible=14,
            graded=14,
            probe=seen,
        ),
        Step(
            "impossible",
            0.5,
            "A word with log p = −∞ follows nothing, so there may be fewer than k; a very improbable one may follow.",
            alternate(draw_impossible, draw_improbable),
        ),
        Step(
            "arguments",
            0.5,
            "Model and hypotheses are afterwards as they were.",
            draw_several,
            probe=leaving("model live k"),
        ),
    ),
    misconceptions=(
        Misconception(
            "the least probable first",
            wrong.smallest_first,
            "one",
            "You keep the smallest sums. Log-probabilities are negative: the best sum is the one nearest to 0.",
        ),
        Misconception(
            "live and finished exchanged",
            wrong.swapped,
            "one",
            "You return the finished hypotheses first. Those that go on come first.",
        ),
        Misconception(
            "k words of every hypothesis",
            wrong.k_of_each,
            "several",
            "You keep the k best words of every hypothesis, so the beam grows. All continuations compete for k places.",
        ),
        Misconception(
            "the same number of every hypothesis",
            wrong.best_of_each,
            "several",
            "You give every hypothesis as many places. All continuations compete: one hypothesis may get all.",
        ),
        Misconception(
            "the first hypothesis only",
            wrong.best_parent_only,
            "several",
            "You follow the first hypothesis only. Follow all of them, then choose.",
        ),
        Misconception(
            "one hypothesis after the other",
            wrong.parents_in_turn,
            "several",
            "You sort what follows each hypothesis by itself: that of the first one comes first. Sort all together.",
        ),
        Misconception(
            "the last hypothesis only",
            wrong.last_parent_only,
            "several",
            "You follow the last hypothesis only: does your loop overwrite what it has found?",
        ),
        Misconception(
            "the score so far forgotten",
            wrong.parents_score_lost,
            "several",
            "You score a continuation by its last word alone. Add that to the score of the hypothesis.",
        ),
        Misconception(
            "sums rounded",
            wrong.to_three_digits,
            "several",
            "You take sums for equal that are nearly equal. Compare them as they are.",
        ),
        Misconception(
            "the new word alone",
            wrong.word_alone,
            "several",
            "You return the new word without those before it. A hypothesis holds all its words.",
        ),
        Misconception(
            "places of finished hypotheses left empty",
            wrong.not_refilled,
            "finished",
            "A hypothesis that ends takes a place among your live ones away. Fill the beam up to k that go on.",
        ),
        Misconception(
            "finished hypotheses kept in the beam",
            wrong.in_beam,
            "finished",
            "Hypotheses that end in EOS stand among your live ones, too. Nothing follows EOS: set them aside.",
        ),
        Misconception(
            "finished hypotheses lost",
            wrong.eos_ignored,
            "finished",
            "You return no finished hypothesis. What ends in EOS among the best k is an output: keep it.",
        ),
        Misconception(
            "the best k words of every hypothesis only",
            wrong.best_words_of_each,
            "finished",
            "You look at the best k words of every hypothesis only. Where EOS is one of them, too few are left to fill "
            "the beam: look at all words, or at one more of each.",
        ),
        Misconception(
            "EOS accepted among as many as are live",
            wrong.of_live,
            "finished",
            "You set aside what ends among as many continuations as there are live hypotheses. These may be fewer than "
            "k, as in the first step: what ends among the best k is finished.",
        ),
        Misconception(
            "EOS accepted among the best 2k",
            wrong.of_twice_k,
            "beyond",
            "You set aside what ends among the best 2k. Only the best k count; the others fill the beam.",
        ),
        Misconception(
            "EOS accepted among the best k + 1",
            wrong.of_one_more,
            "beyond",
            "You set aside what ends among the best k + 1. Only the best k count.",
        ),
        Misconception(
            "every EOS accepted",
            wrong.any_eos,
            "beyond",
            "You set aside whatever ends, however improbable. It must be among the best k of all continuations.",
        ),
        Misconception(
            "EOS accepted before the last live one",
            wrong.before_the_last,
            "beyond",
            "You set aside what ends and is better than the last that goes on. Count the finished ones, too: it must "
            "be among the best k of all continuations.",
        ),
        Misconception(
            "EOS accepted until k go on",
            wrong.until_k_go_on,
            "beyond",
            "You set aside every EOS that comes before k hypotheses go on. Count the finished ones, too: EOS must be "
            "among the best k of all continuations.",
        ),
        Misconception(
            "the later hypothesis of equals",
            wrong.later_parent_first,
            "ties",
            "Of equal sums you prefer the later hypothesis. Prefer the one that stands first in `live`.",
        ),
        Misconception(
            "the higher word of equals",
            wrong.higher_word_first,
            "ties",
            "Of equal sums after one hypothesis you prefer the higher word. Prefer the lower one.",
        ),
        Misconception(
            "tuples sorted backwards",
            wrong.reversed_order,
            "ties",
            "You sort pairs (score, words) in reverse: of equal sums the larger words win. Sort by the score alone, in "
            "a way that keeps the order of equals.",
        ),
        Misconception(
            "words compared instead of parents",
            wrong.by_words,
            "ties",
            "Of equal sums you prefer the one whose words come first in order. The parent's place in `live` decides.",
        ),
        Misconception(
            "the word before the parent",
            wrong.word_before_parent,
            "ties",
            "Of equal sums you look at the word first. The place of the parent in `live` decides first, then the word.",
        ),
        Misconception(
            "EOS behind its equals",
            wrong.eos_last_of_equals,
            "ties",
            "Of equal sums you prefer what goes on to what ends. EOS is a word as any other here: the place of the "
            "parent in `live` decides first, then the word, and EOS is word 0.",
        ),
        Misconception(
            "EOS accepted where it equals the k-th",
            wrong.eos_as_good,
            "ties",
            "You set aside what ends and is as good as the k-th best. Of equals only those count that stand among the "
            "first k.",
        ),
        Misconception(
            "improbable words dropped",
            wrong.improbable_dropped,
            "impossible",
            "You drop continuations that are improbable, but possible. Only a score of −∞ is impossible.",
        ),
        Misconception(
            "impossible words kept",
            wrong.impossible_kept,
            "impossible",
            "You keep continuations with a score of −∞. What is impossible is no hypothesis: leave it out.",
        ),
        Misconception(
            "live hypotheses changed",
            wrong.used_up,
            "arguments",
            "You change the list `live`, which belongs to the caller. Make a new one.",
        ),
    ),
    forbidden=("course_lib.search.beam.most_probable", "course_lib.search.beam.beam", f"{__name__}.found"),
)
