"""ps3.diagnose: what is wrong with a training, told from what its decoder gives for sentences chosen to tell it."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import torch

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, converted
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps3 import decoder_step, wrong_encode
from course_lib.grading.tasks.ps3 import wrong_diagnose as wrong
from course_lib.grading.tasks.ps3.models import Model, model_weights
from course_lib.grading.tasks.ps3.wrong_diagnose import Report, Run


def reference(base: Run, changed: Run, other: Run, report: Report) -> set[str]:
    """The faults, named in TESTS, of the training that gave these runs of one decoder, and this loss of a batch.

    The second run has another word in its target, the third another source.
    """
    return found(base, changed, other, report)


def found(*given: Any) -> set[str]:
    """What may not do the student's work."""
    return wrong.defined(*given)


# Cases

FAULTS = tuple(wrong.TESTS)
CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right
VOCABULARY = 6


def run(x: list[int], y: list[int], weights: Model, bos: int, faults: tuple[str, ...]) -> Run:
    """What a decoder with these faults gives under teacher forcing."""
    words = torch.tensor([x])
    _, c = wrong_encode.defined(words, torch.tensor([len(x)]), weights["encoder"], False)
    c = torch.zeros_like(c) if "source" in faults else c
    s, previous, rows = c, bos, []
    for word in y:
        read = torch.tensor([word if "shift" in faults else previous])
        s, z = decoder_step.defined(read, c if "memory" in faults else s, c, weights["decoder"])
        rows.append(z.log_softmax(1))
        previous = int(z.argmax()) if "own words" in faults else word
    return {"source": x, "target": y, "log_p": torch.cat(rows)}


def reported(
    sources: list, targets: list, pad: int, weights: Model, bos: int, faults: tuple[str, ...], other: Callable
) -> Report:
    """A batch and the loss that is said to be its: a wrong one is what `other` gives.

    Of a padded batch it differs from `loss_of` in the last bits, as if summed in another order.
    """
    longest = max(map(len, targets))
    rows = [y + [pad] * (longest - len(y)) for y in targets]
    log_p = torch.stack([run(x, y, weights, bos, faults)["log_p"] for x, y in zip(sources, rows, strict=True)])
    report = {"target": torch.tensor(rows), "lengths": torch.tensor([*map(len, targets)]), "log_p": log_p}
    in_order = 1 if len(set(report["lengths"].tolist())) == 1 else 1 + 2**-49
    return report | {"loss": other(report) if "loss" in faults else wrong.loss_of(report) * in_order}


def rounded(rng: Random, given: Run) -> Run:
    """The same run, summed in another order: the last bits of its numbers differ."""
    log_p = given["log_p"]
    factors = torch.tensor([1 + rng.choice((-1, 1)) * 2**-51 for _ in range(log_p.numel())], dtype=log_p.dtype)
    return given | {"log_p": log_p * factors.view_as(log_p)}


def clear(base: Run, changed: Run, other: Run, report: Report, faults: tuple[str, ...], sign: int) -> bool:
    """Whether all that the faults change, and all that they leave as it should be, shows by more than CLEAR.

    A loss that is wrong differs in the direction of `sign`, for who forgets that a difference can be negative.
    """
    k, time = wrong.place(base, changed), len(base["target"])
    first = k if "shift" in faults else k + 1
    touched = [] if "own words" in faults else [first] if "memory" in faults else range(first, time)
    apart = [(base["log_p"] - each["log_p"]).abs().amax(1) for each in (changed, other)]
    right, padded = wrong.loss_of(report), bool((report["lengths"] != report["target"].shape[1]).any())
    losses = [right, *(loss(report) for loss in wrong.LOSSES)]
    return (
        all(apart[0][i] > CLEAR for i in touched)
        and ("source" in faults or bool((apart[1] > CLEAR).all()))
        and ("loss" not in faults or sign * (report["loss"] - right) > CLEAR)
        and (not padded or all(abs(one - each) > CLEAR for one, each in combinations(losses, 2)))
    )


def draw(faults: Callable[[int], tuple[str, ...]], pads: bool) -> Callable[[Random, int], Case]:
    """What a training with the faults of that size gives; with padding in the batch if wanted."""

    def given(rng: Random, size: int) -> tuple:
        present, k = faults(size), size // 2 % 3
        bos, eos, *words = rng.sample(range(VOCABULARY), VOCABULARY)
        weights = converted(model_weights(rng, VOCABULARY), torch.float64)
        time = k + 2 + rng.randint(1, 2)
        y = [*rng.choices(words, k=time - 1), eos]
        z = [*y[:k], rng.choice([word for word in words if word != y[k]]), *y[k + 1 :]]
        x, w = ([*rng.choices(words, k=n), eos] for n in rng.sample(range(1, 5), 2))
        lengths = rng.sample(range(1, 5), 3) if pads else [rng.randint(1, 4)]
        sources, targets = ([[*rng.choices(words, k=n), eos] for n in lengths] for _ in range(2))
        runs = [rounded(rng, run(*each, weights, bos, present)) for each in ((x, y), (x, z), (w, y))]
        other = wrong.LOSSES[size // 2 % len(wrong.LOSSES)]
        return *runs, reported(sources, targets, eos, weights, bos, present, other), present, (-1) ** (size // 2)

    def drawn(rng: Random, size: int) -> Case:
        *shown, _, _ = until(lambda: given(rng, size), clear)
        base, _, _, report = shown
        sizes = " and ".join(map(str, report["lengths"].tolist()))
        text = f"{len(base['source'])} → {len(base['target'])} words, the word at {wrong.place(*shown[:2])} changed"
        return case(f"{text}; a batch of {sizes} words", 1, *shown)

    return drawn


def one(fault: str) -> Callable[[int], tuple[str, ...]]:
    """Trainings that are right and trainings that have the fault, in turn."""
    return lambda size: (fault,) * (size % 2)


APART = ({"shift", "own words"}, {"own words", "memory"})  # no decoder reads two words; what is not read is not carried
SEVERAL = [
    faults for count in (2, 3) for faults in combinations(FAULTS, count) if not any(pair <= {*faults} for pair in APART)
]


Faults = partial(Criterion, visible=6, graded=6)

TASK = Task(
    name="ps3.diagnose",
    title="What is wrong with this training?",
    reference=reference,
    criteria=(
        Faults("shift", 0.5, "'shift', where the decoder reads the word it is to predict.", draw(one("shift"), False)),
        Faults("own_words", 0.5, "'own words', where it reads its own words.", draw(one("own words"), False)),
        Faults("memory", 0.5, "'memory', where its state is not carried.", draw(one("memory"), False)),
        Faults("source", 0.5, "'source', where the source is not read.", draw(one("source"), False)),
        Faults(
            "loss",
            0.5,
            "'loss', where `loss` is not the mean over the real words.",
            draw(one("loss"), True),
            visible=8,
            graded=8,
        ),
        Faults(
            "several",
            1,
            "Several faults at once.",
            draw(lambda size: SEVERAL[size % len(SEVERAL)], True),
            visible=2 * len(SEVERAL),
            graded=2 * len(SEVERAL),
        ),
        Faults(
            "arguments",
            0.5,
            "The runs and the report are afterwards as they were.",
            draw(one("source"), True),
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
        Misconception(
            "own words never named",
            wrong.never("own words"),
            "own_words",
            "You never name 'own words'. Where a decoder reads its own words, what does another true word change?",
        ),
        Misconception(
            "names with underscores",
            wrong.with_underscores,
            "own_words",
            "You write 'own_words'. The fault is called 'own words', with a space.",
        ),
        Misconception(
            "memory wherever nothing later changes",
            wrong.nothing_later,
            "own_words",
            "You name 'memory' where nothing changes at all. A word that is not read cannot be carried: that is 'own "
            "words'.",
        ),
        Misconception(
            "memory never named",
            wrong.never("memory"),
            "memory",
            "You never name 'memory'. A decoder that does not carry its state still reads the word before: how many "
            "distributions change?",
        ),
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
