"""ps3.diagnose: what is wrong with a training, told from what its decoder gives for sentences chosen to tell it."""

from typing import Any

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.faults import about
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps3 import wrong_diagnose as wrong
from course_lib.problem_sets.ps3.cases_diagnose import SEVERAL, draw, now_and_then, one
from course_lib.problem_sets.ps3.wrong_diagnose import Report, Run


def reference(base: Run, changed: Run, other: Run, report: Report) -> set[str]:
    """The faults, named in TESTS, of the training that gave these runs of one decoder, and this loss of a batch.

    The second run has another word in its target, the third another source.
    """
    return found(base, changed, other, report)


def found(*given: Any) -> set[str]:
    """What may not do the student's work."""
    return wrong.defined(*given)


# Criteria and mistakes


def asks(name: str, says: str, *others: str, rounding: bool = False, pads: bool = False, cases: int = 6) -> Criterion:
    """The criterion of one fault: that it is named where it is and nowhere else, whatever else is reported."""
    fault = name.replace("_", " ")
    cases_of = draw(one(fault, *others), pads, now_and_then if rounding else lambda size: False)
    return Criterion(name, 0.5, f"{fault!r}, {says}", cases_of, cases, cases, probe=about(fault))


def never(fault: str, asks: str) -> Misconception:
    """A fault that is not seen where it is."""
    return Misconception(
        f"{fault!r} never named",
        wrong.never(fault),
        fault.replace(" ", "_"),
        f"You name {fault!r} in none of the cases tried, though it is there in some. {asks}",
    )


TASK = Task(
    name="ps3.diagnose",
    title="What is wrong with this training?",
    reference=reference,
    criteria=(
        asks("shift", "where the decoder reads the word it is to predict.", "memory", "own words", rounding=True),
        asks("own_words", "where it reads its own words.", "memory", "source"),
        asks("memory", "where its state is not carried.", "own words", "shift"),
        asks("source", "where the source is not read.", "own words", "memory", rounding=True),
        asks(
            "loss",
            "where `loss` is not the mean over the real words.",
            "source",
            "shift",
            rounding=True,
            pads=True,
            cases=8,
        ),
        Criterion(
            "several",
            1,
            "Several faults at once.",
            draw(lambda size: SEVERAL[size % len(SEVERAL)], pads=True, noisy=lambda size: True),
            visible=2 * len(SEVERAL),
            graded=2 * len(SEVERAL),
        ),
        Criterion(
            "arguments",
            0.5,
            "The runs and the report are afterwards as they were.",
            draw(one("source"), pads=True),
            visible=6,
            graded=6,
            probe=leaving("base changed other report"),
        ),
    ),
    misconceptions=(
        Misconception(
            "one place late",
            wrong.one_place_late,
            "shift",
            "You look at place k + 1, just after the changed word. The decoder has read that word there, and may "
            "depend on it. Look at place k, where it predicts that word: there it must not depend on it.",
        ),
        Misconception(
            "always the second place",
            wrong.second_place,
            "shift",
            "You look at place 1. The changed word may stand elsewhere: compare the two targets.",
        ),
        never("shift", "Which row of log_p may not depend on the word at place k?"),
        never("own words", "Where a decoder reads its own words, what does another true word change?"),
        Misconception(
            "names with underscores",
            wrong.with_underscores,
            "own_words",
            "You write 'own_words'. The fault is called 'own words', with a space.",
        ),
        Misconception(
            "memory wherever nothing later changes",
            wrong.nothing_later,
            "memory",
            "You name 'memory' where nothing changes at all. A word that is not read cannot be carried: that is 'own "
            "words'.",
        ),
        never(
            "memory",
            "A decoder that does not carry its state still reads the word before: how many distributions change?",
        ),
        never("source", "It is there where another source changes nothing but, perhaps, the last bits."),
        never("loss", "Compute exercise 2's per_word from log_p, target and lengths, and compare."),
        Misconception(
            "rounding taken for a difference",
            wrong.rounding_taken_for_a_difference,
            "shift",
            "You take log_p for different where nothing but rounding differs. Do you compare exactly, by != or "
            "torch.equal? Take two numbers for different only where they are further apart than, say, 1e-6.",
        ),
        Misconception(
            "subtracted in place",
            wrong.subtracted_in_place,
            "arguments",
            "You subtract in place, by -= or sub_, and so change the caller's log_p. Make a new tensor: a - b.",
        ),
        Misconception(
            "equal to the last bit",
            wrong.to_the_bit,
            "source",
            "You take a difference in the last bits for one. The same numbers, summed otherwise, differ there: allow "
            "for rounding.",
        ),
        Misconception(
            "'loss' always named",
            wrong.always("loss"),
            "loss",
            "You name 'loss' in every case, though it is right in some. Is yours the mean of −log p over all real "
            "words, eos included, each of the word that `target` has at the same place? Allow for rounding.",
        ),
        Misconception(
            "only a loss that is too small",
            wrong.too_small_only,
            "loss",
            "You find a `loss` that is too small, and none that is too large. A difference may be negative: take abs.",
        ),
        Misconception(
            "only a loss that is too large",
            wrong.too_large_only,
            "loss",
            "You find a `loss` that is too large, and none that is too small. A difference may be negative: take abs.",
        ),
        Misconception(
            "the place of a word, not of the change",
            wrong.place_of_the_word,
            "shift",
            "You look for the changed word, by index or the like, and find another one that is the same and stands in "
            "front of it. Compare the two targets place by place.",
        ),
        Misconception(
            "mean over all places",
            wrong.mean_over_places,
            "loss",
            "You compare `loss` with a mean over all places, padding included. Compare it with "
            "the mean over the real words.",
        ),
        Misconception(
            "masked, and divided by all places",
            wrong.divided_by_places,
            "loss",
            "You add up the losses of the real words, and divide by the number of all places. Divide by the number of "
            "real words.",
        ),
        Misconception(
            "loss compared exactly",
            wrong.loss_to_the_bit,
            "loss",
            "You compare `loss` exactly with your own. Added up in another order, the same numbers differ in the last "
            "bits: take the two for different only where they are further apart than, say, 1e-6.",
        ),
        Misconception(
            "mean of the sentences' means",
            wrong.mean_of_means,
            "loss",
            "You expect the mean of the sentences' means. All real words count alike.",
        ),
        Misconception(
            "only the first sentence's loss",
            wrong.first_sentence,
            "loss",
            "You compute the loss of the first sentence. It is that of all words of the batch.",
        ),
        Misconception(
            "one fault only",
            wrong.only_the_first,
            "several",
            "You stop at the first fault that you find. A training can have several: return them all.",
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
