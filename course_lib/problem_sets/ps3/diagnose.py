"""ps3.diagnose: what is wrong with a training, told from what its decoder gives for sentences chosen to tell it."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import torch

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, converted
from course_lib.grading.declare import Row, arguments, changing, criterion, mistake, task, versions
from course_lib.grading.faults import said, the_first_alone
from course_lib.grading.task import Case
from course_lib.problem_sets.ps3 import lent
from course_lib.problem_sets.ps3.models import model_weights
from course_lib.problem_sets.ps3.runs import (
    CLEAR,
    LOSSES,
    VOCABULARY,
    Faults,
    Report,
    Run,
    clear,
    exchanged,
    first_loss,
    loss_of,
    mean_of_means,
    mean_of_places,
    other_bits,
    place,
    reported,
    run,
    sentences,
    still,
    sum_over_places,
)

SAME = 1e-6


def reference(base: Run, changed: Run, other: Run, report: Report) -> set[str]:
    """The faults, named in TESTS, of the training that gave these runs of one decoder, and this loss of a batch.

    The second run has another word in its target, the third another source.
    """
    return found(base, changed, other, report)


def found(*given: Any) -> set[str]:
    """What may not do the student's work."""
    return defined(*given)


# Mistakes


def differing(one, other):
    """Whether the distributions at each place differ."""
    return ((one["log_p"] - other["log_p"]).abs().amax(1) > SAME).tolist()


def compared(loss, wrong=lambda difference: abs(difference) > SAME):
    """The test whether the reported loss is not what `loss` gives."""
    return lambda *given: wrong(given[-1]["loss"] - loss(given[-1]))


TESTS = {
    "shift": lambda base, changed, *_: differing(base, changed)[place(base, changed)],  # a word's depends on that word
    "own words": lambda base, changed, *_: not any(differing(base, changed)),  # no distribution depends on the word
    "memory": lambda base, changed, *_: sum(differing(base, changed)) == 1,  # the one made right after it was read
    "source": lambda base, changed, other, report: not any(differing(base, other)),
    "loss": compared(loss_of),
}


def defined(*given, **instead):
    return {fault for fault, test in (TESTS | instead).items() if test(*given)}


def never(fault, asks):
    """The mistake of who does not see a fault where it is."""
    hint = f"You name {fault!r} in none of the cases tried, though it is there in some. {asks}"
    return mistake(fault.replace(" ", "_"), hint)(lambda *given: defined(*given) - {fault})


wrong = versions(defined)
one_place_late = wrong("shift", shift=lambda base, changed, *_: differing(base, changed)[place(base, changed) + 1])(
    "You look at place k + 1, just after the changed word. The decoder has read that word there, and may depend on it. "
    "Look at place k, where it predicts that word: there it must not depend on it."
)
always_the_second_place = wrong("shift", shift=lambda base, changed, *_: differing(base, changed)[1])(
    "You look at place 1. The changed word may stand elsewhere: compare the two targets."
)
shift_never_named = never("shift", "Which row of log_p may not depend on the word at place k?")
own_words_never_named = never("own words", "Where a decoder reads its own words, what does another true word change?")


@mistake("own_words")
def names_with_underscores(*given):
    """You write 'own_words'. The fault is called 'own words', with a space."""
    return {fault.replace(" ", "_") for fault in defined(*given)}


memory_wherever_nothing_later_changes = wrong(
    "memory", memory=lambda base, changed, *_: sum(differing(base, changed)) <= 1
)("You name 'memory' where nothing changes at all. A word that is not read cannot be carried: that is 'own words'.")
memory_never_named = never(
    "memory", "A decoder that does not carry its state still reads the word before: how many distributions change?"
)
source_never_named = never("source", "It is there where another source changes nothing but, perhaps, the last bits.")
loss_never_named = never("loss", "Compute exercise 2's per_word from log_p, target and lengths, and compare.")


@mistake("shift")
def rounding_taken_for_a_difference(*given):
    """You take log_p for different where nothing but rounding differs. Do you compare exactly, by != or torch.equal?
    Take two numbers for different only where they are further apart than, say, 1e-6."""
    *runs, report = given  # each distribution becomes its number: two that differ in the last bit are two
    _, numbers = torch.cat([each["log_p"] for each in runs]).unique(dim=0, return_inverse=True)
    each_run = numbers.double()[:, None].split([len(each["log_p"]) for each in runs])
    return defined(*(run | {"log_p": log_p} for run, log_p in zip(runs, each_run, strict=True)), report)


@mistake("shift")
def small_differences_taken_for_rounding(base, *others):
    """You take rows of log_p for equal in which a number differs by more than 0.01. Rounding is far smaller: take two
    rows for different where a number of one is further apart from the other's than, say, 1e-6."""
    *runs, report = others
    near = [(run["log_p"] - base["log_p"]).abs().amax(1, keepdim=True) < 2 * CLEAR for run in runs]
    alike = [torch.where(rows, base["log_p"], run["log_p"]) for rows, run in zip(near, runs, strict=True)]
    return defined(base, *(run | {"log_p": log_p} for run, log_p in zip(runs, alike, strict=True)), report)


@changing("arguments", defined)
def log_p_of_the_caller_changed(base, changed, *others):
    """After your call, `log_p` in the caller's `base` is a difference. Make a new tensor, a - b, without -= or sub_,
    and keep it in a variable of your own."""
    base["log_p"] -= changed["log_p"]


equal_to_the_last_bit = wrong(
    "source", source=lambda base, changed, other, report: torch.equal(base["log_p"], other["log_p"])
)(
    "You take a difference in the last bits for one. The same numbers, summed otherwise, differ there: allow for "
    "rounding."
)
loss_always_named = wrong("loss", loss=lambda *given: True)(
    "You name 'loss' in every case, though it is right in some. Is yours the mean of −log p over all real words, eos "
    "included, each of the word that `target` has at the same place? Allow for rounding."
)
only_a_loss_that_is_too_small = wrong("loss", loss=compared(loss_of, lambda difference: -difference > SAME))(
    "You find a `loss` that is too small, and none that is too large. A difference may be negative: take abs."
)
only_a_loss_that_is_too_large = wrong("loss", loss=compared(loss_of, lambda difference: difference > SAME))(
    "You find a `loss` that is too large, and none that is too small. A difference may be negative: take abs."
)


@mistake("shift")
def the_place_of_a_word_and_not_of_the_change(*given):
    """You look for the changed word, by index or the like, and find another one that is the same and stands in front of
    it. Compare the two targets place by place."""

    def test(base, changed, *_):
        return differing(base, changed)[base["target"].index(base["target"][place(base, changed)])]

    return defined(*given, shift=test)


mean_over_all_places = wrong("loss", loss=compared(mean_of_places))(
    "You compare `loss` with a mean over all places, padding included. Compare it with the mean over the real words."
)
masked_and_divided_by_all_places = wrong("loss", loss=compared(sum_over_places))(
    "You add up the losses of the real words, and divide by the number of all places. Divide by the number of real "
    "words."
)
loss_compared_exactly = wrong("loss", loss=compared(loss_of, bool))(
    "You compare `loss` exactly with your own. Added up in another order, the same numbers differ in the last bits: "
    "take the two for different only where they are further apart than, say, 1e-6."
)
mean_of_the_means_of_sentences = wrong("loss", loss=compared(mean_of_means))(
    "You expect the mean of the sentences' means. All real words count alike."
)
only_the_loss_of_the_first_sentence = wrong("loss", loss=compared(first_loss))(
    "You compute the loss of the first sentence. It is that of all words of the batch."
)


one_fault_only = mistake(
    "several", "You stop at the first fault that you find. A training can have several: return them all."
)(the_first_alone(defined, tuple(TESTS)))


# Cases

APART = ({"shift", "own words"}, {"own words", "memory"})  # no decoder reads two words; what is not read is not carried
SEVERAL = [
    faults for count in (2, 3) for faults in combinations(TESTS, count) if not any(pair <= {*faults} for pair in APART)
]
TWICE = 2 * len(SEVERAL)


def draw(
    faults: Sequence[Faults], pads: bool = False, rounding: Sequence[bool] = (False,)
) -> Callable[[Random, int], Case]:
    """What trainings with these faults give, in turn: with padding in the batch, with `rounding` in turn, if wanted."""

    def given(rng: Random, size: int) -> tuple:
        present, k = faults[size % len(faults)], size // 2 % 3
        bos, eos, *words = rng.sample(range(VOCABULARY), VOCABULARY)
        weights = converted(model_weights(rng, VOCABULARY), torch.float64)
        y, z = ([*each, eos] for each in sentences(rng, words, k, after=rng.randint(2, 3)))
        x, w = ([*rng.choices(words, k=n), eos] for n in (rng.sample(range(1, 5), 2) if k != 1 else [3, 3]))
        lengths = rng.sample(range(1, 5), 3) if pads else [rng.randint(1, 4)]
        sources, targets = ([[*rng.choices(words, k=n), eos] for n in lengths] for _ in range(2))
        decode = partial(run, weights=weights, bos=bos, faults=present)
        base, changed, other = decode(x, y), decode(x, z), decode(w, y)
        moved = exchanged if size // 2 % 3 == 1 else still
        runs = base, moved(changed, base), moved(other, base)
        loss = LOSSES[size // 2 % len(LOSSES)] if "loss" in present else loss_of
        report = reported(sources, targets, eos, decode, loss)
        shown = other_bits(rng, *runs, report=report) if rounding[size % len(rounding)] else (*runs, report)
        return *shown, present, (-1) ** (size // 2)

    def drawn(rng: Random, size: int) -> Case:
        *shown, _, _ = until(lambda: given(rng, size), clear)
        base, changed, _, report = shown
        sizes = " and ".join(map(str, report["lengths"].tolist()))
        text = f"{len(base['source'])} → {len(base['target'])} words, the word at {place(base, changed)} changed"
        return case(f"{text}; a batch of {sizes} words", 1, *shown)

    return drawn


def one(fault: str, *others: str) -> list[Faults]:
    """Trainings without the fault, right ones or such that have another, and trainings that have it, in turn."""
    return [each for without in ((), *((other,) for other in others)) for each in (without, (fault,))]


NOW_AND_THEN = (True, True, False, False, True, True)  # who takes rounding for a difference is right in some pairs


def asks(
    name: str, *others: str, rounding: Sequence[bool] = (False,), pads: bool = False, cases: int = 6
) -> Callable[[str], Row]:
    """The row of one fault: that it is named where it is and nowhere else, whatever else is reported."""
    fault = name.replace("_", " ")
    row = criterion(name, 0.5, draw(one(fault, *others), pads, rounding), said(fault), visible=cases, graded=cases)
    return lambda says: row(f"{fault!r}, {says}")


TASK = task(
    __name__,
    "What is wrong with this training?",
    lent=(lent.sequence_loss,),
    criteria=(
        asks("shift", "memory", "own words", rounding=NOW_AND_THEN)(
            "where the decoder reads the word it is to predict."
        ),
        asks("own_words", "memory", "source")("where it reads its own words."),
        asks("memory", "own words", "shift")("where its state is not carried."),
        asks("source", "own words", "memory", rounding=NOW_AND_THEN)("where the source is not read."),
        asks("loss", "source", "shift", rounding=NOW_AND_THEN, pads=True, cases=8)(
            "where `loss` is not the mean over the real words."
        ),
        criterion("several", 1, draw(SEVERAL, pads=True, rounding=(True,)), visible=TWICE, graded=TWICE)(
            "Several faults at once."
        ),
        arguments(0.5, draw(one("source"), pads=True), visible=6, graded=6)(
            "The runs and the report are afterwards as they were."
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
