"""ps3.diagnose: what is wrong with a training, told from what its decoder gives for sentences chosen to tell it."""

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, converted
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps3 import decoder_step, encode
from course_lib.grading.tasks.ps3.models import Model, model_weights

Run = dict[str, Any]  # source [ids], target [ids], log_p (place, vocabulary)
Report = dict[str, Any]  # target (batch, time), lengths (batch), log_p (batch, time, vocabulary), loss
SAME = 1e-6


def reference(base: Run, changed: Run, other: Run, report: Report) -> set[str]:
    """The faults, named in TESTS, of the training that gave these runs of one decoder, and this loss of a batch.

    The second run has another word in its target, the third another source.
    """
    return found(base, changed, other, report)


def found(*given: Any) -> set[str]:
    """What may not do the student's work."""
    return defined(*given)


def differing(one: Run, other: Run) -> list[bool]:
    """Whether the distributions at each place differ."""
    return ((one["log_p"] - other["log_p"]).abs().amax(1) > SAME).tolist()


def place(base: Run, changed: Run) -> int:
    """Where another word stands."""
    pairs = zip(base["target"], changed["target"], strict=True)
    return next(i for i, (y, z) in enumerate(pairs) if y != z)


def shift(base: Run, changed: Run, other: Run, report: Report) -> bool:
    """The distribution for a word depends on that word."""
    return differing(base, changed)[place(base, changed)]


def own_words(base: Run, changed: Run, other: Run, report: Report) -> bool:
    """No distribution depends on the word."""
    return not any(differing(base, changed))


def memory(base: Run, changed: Run, other: Run, report: Report) -> bool:
    """One distribution depends on the word: the one made right after it was read."""
    return sum(differing(base, changed)) == 1


def source(base: Run, changed: Run, other: Run, report: Report) -> bool:
    """Another source changes nothing."""
    return not any(differing(base, other))


def loss(base: Run, changed: Run, other: Run, report: Report) -> bool:
    """The loss is not that of a real word."""
    return abs(report["loss"] - loss_of(report)) > SAME


TESTS = {"shift": shift, "own words": own_words, "memory": memory, "source": source, "loss": loss}


def losses_of(report: Report) -> Tensor:
    """−log p of the word at each place."""
    return -report["log_p"].gather(2, report["target"][..., None]).squeeze(2)


def loss_of(report: Report) -> float:
    """The loss of a word, over all real words."""
    real = torch.arange(report["target"].shape[1]) < report["lengths"][:, None]
    return losses_of(report)[real].mean().item()


def means_of(report: Report) -> float:
    """The mean of the sentences' mean losses."""
    rows = zip(losses_of(report), report["lengths"].tolist(), strict=True)
    return sum(row[:n].mean().item() for row, n in rows) / len(report["lengths"])


def defined(*given: Any, **instead: Callable[..., bool]) -> set[str]:
    return {fault for fault, test in (TESTS | instead).items() if test(*given)}


# Wrong versions


def second_place(base: Run, changed: Run, *rest) -> set[str]:
    return defined(base, changed, *rest, shift=lambda base, changed, *_: differing(base, changed)[1])


def one_place_late(base: Run, changed: Run, *rest) -> set[str]:
    def after(base: Run, changed: Run, *_) -> bool:
        return differing(base, changed)[place(base, changed) + 1]

    return defined(base, changed, *rest, shift=after)


def never(fault: str) -> Callable:
    return lambda *given: defined(*given) - {fault}


def nothing_later(*given) -> set[str]:
    return defined(*given, memory=lambda base, changed, *_: sum(differing(base, changed)) <= 1)


def to_the_bit(*given) -> set[str]:
    return defined(*given, source=lambda base, _, other, report: torch.equal(base["log_p"], other["log_p"]))


def mean_over_places(*given) -> set[str]:
    def over_places(*given) -> bool:
        return abs(given[-1]["loss"] - losses_of(given[-1]).mean().item()) > SAME

    return defined(*given, loss=over_places)


def mean_of_means(*given) -> set[str]:
    def of_means(*given) -> bool:
        return abs(given[-1]["loss"] - means_of(given[-1])) > SAME

    return defined(*given, loss=of_means)


def first_sentence(*given) -> set[str]:
    return defined(*given, loss=lambda *_: abs(given[-1]["loss"] - loss_of(first_row(given[-1]))) > SAME)


def first_row(report: Report) -> Report:
    """The report of its first sentence alone, padding and all."""
    return {name: value if name == "loss" else value[:1] for name, value in report.items()}


def only_the_first(*given) -> set[str]:
    return set(sorted(defined(*given), key=[*TESTS].index)[:1])


# Cases

FAULTS = tuple(TESTS)
CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right
VOCABULARY = 6


def run(x: list[int], y: list[int], weights: Model, bos: int, faults: tuple[str, ...]) -> Run:
    """What a decoder with these faults gives under teacher forcing."""
    words = torch.tensor([x])
    _, c = encode.defined(words, torch.tensor([len(x)]), weights["encoder"], False)
    c = torch.zeros_like(c) if "source" in faults else c
    s, previous, rows = c, bos, []
    for word in y:
        read = torch.tensor([word if "shift" in faults else previous])
        s, z = decoder_step.defined(read, c if "memory" in faults else s, c, weights["decoder"])
        rows.append(z.log_softmax(1))
        previous = int(z.argmax()) if "own words" in faults else word
    return {"source": x, "target": y, "log_p": torch.cat(rows)}


def reported(sources: list, targets: list, pad: int, weights: Model, bos: int, faults: tuple[str, ...]) -> Report:
    """A padded batch and the loss that is said to be its."""
    longest = max(map(len, targets))
    rows = [y + [pad] * (longest - len(y)) for y in targets]
    log_p = torch.stack([run(x, y, weights, bos, faults)["log_p"] for x, y in zip(sources, rows, strict=True)])
    report = {"target": torch.tensor(rows), "lengths": torch.tensor([*map(len, targets)]), "log_p": log_p}
    return report | {"loss": losses_of(report).mean().item() if "loss" in faults else loss_of(report)}


def rounded(rng: Random, given: Run) -> Run:
    """The same run, summed in another order: the last bits of its numbers differ."""
    log_p = given["log_p"]
    factors = torch.tensor([1 + rng.choice((-1, 1)) * 2**-51 for _ in range(log_p.numel())], dtype=log_p.dtype)
    return given | {"log_p": log_p * factors.view_as(log_p)}


def clear(base: Run, changed: Run, other: Run, report: Report, faults: tuple[str, ...], sign: int) -> bool:
    """Whether all that the faults change, and all that they leave as it should be, shows by more than CLEAR.

    A loss that is wrong differs in the direction of `sign`, for who forgets that a difference can be negative.
    """
    k, time = place(base, changed), len(base["target"])
    first = k if "shift" in faults else k + 1
    touched = [] if "own words" in faults else [first] if "memory" in faults else range(first, time)
    apart = [(base["log_p"] - each["log_p"]).abs().amax(1) for each in (changed, other)]
    alternatives = [loss_of(first_row(report)), means_of(report)]
    right, padded = loss_of(report), bool((report["lengths"] != report["target"].shape[1]).any())
    return (
        all(apart[0][i] > CLEAR for i in touched)
        and ("source" in faults or bool((apart[1] > CLEAR).all()))
        and ("loss" not in faults or sign * (report["loss"] - right) > CLEAR)
        and (not padded or all(abs(each - right) > CLEAR for each in alternatives))
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
        return *runs, reported(sources, targets, eos, weights, bos, present), present, (-1) ** (size // 2)

    def drawn(rng: Random, size: int) -> Case:
        *shown, _, _ = until(lambda: given(rng, size), clear)
        base, _, _, report = shown
        sizes = " and ".join(map(str, report["lengths"].tolist()))
        text = f"{len(base['source'])} → {len(base['target'])} words, the word at {place(*shown[:2])} changed"
        return case(f"{text}; a batch of {sizes} words", 1, *shown)

    return drawn


def one(fault: str) -> Callable[[int], tuple[str, ...]]:
    """Trainings that are right and trainings that have the fault, in turn."""
    return lambda size: (fault,) * (size % 2)


APART = ({"shift", "own words"}, {"own words", "memory"})  # no decoder reads two words; what is not read is not carried
SEVERAL = [
    faults for count in (2, 3) for faults in combinations(FAULTS, count) if not any(pair <= {*faults} for pair in APART)
]

TASK = Task(
    name="ps3.diagnose",
    title="What is wrong with this training?",
    reference=reference,
    criteria=(
        Criterion(
            "shift", 1, "'shift', where the decoder reads the word it is to predict.", draw(one("shift"), False), 6, 6
        ),
        Criterion("own_words", 0.5, "'own words', where it reads its own words.", draw(one("own words"), False), 6, 6),
        Criterion("memory", 0.5, "'memory', where its state is not carried.", draw(one("memory"), False), 6, 6),
        Criterion("source", 0.5, "'source', where the source is not read.", draw(one("source"), False), 6, 6),
        Criterion("loss", 0.5, "'loss', where it is not the loss of a real word.", draw(one("loss"), True), 6, 6),
        Criterion(
            "several",
            1,
            "Several faults at once.",
            draw(lambda size: SEVERAL[size % len(SEVERAL)], True),
            visible=2 * len(SEVERAL),
            graded=2 * len(SEVERAL),
        ),
    ),
    misconceptions=(
        Misconception(
            "one place late",
            one_place_late,
            "shift",
            "You look at the distribution right behind the changed word, which may well depend on it. The one *for* "
            "that word may not.",
        ),
        Misconception(
            "always the second place",
            second_place,
            "shift",
            "You look at place 1. The changed word may stand elsewhere: compare the two targets.",
        ),
        Misconception(
            "own words never named",
            never("own words"),
            "own_words",
            "You never name 'own words'. Where a decoder reads its own words, what does another true word change?",
        ),
        Misconception(
            "memory wherever nothing later changes",
            nothing_later,
            "own_words",
            "You name 'memory' where nothing changes at all. A word that is not read cannot be carried: that is 'own "
            "words'.",
        ),
        Misconception(
            "memory never named",
            never("memory"),
            "memory",
            "You never name 'memory'. A decoder that does not carry its state still reads the word before: how many "
            "distributions change?",
        ),
        Misconception(
            "equal to the last bit",
            to_the_bit,
            "source",
            "You take a difference in the last bits for one. The same numbers, summed otherwise, differ there: allow "
            "for rounding.",
        ),
        Misconception(
            "mean over all places",
            mean_over_places,
            "loss",
            "You take the mean over all places for right: with padding. That is the fault.",
        ),
        Misconception(
            "mean of the sentences' means",
            mean_of_means,
            "loss",
            "You expect the mean of the sentences' means. All real words count alike.",
        ),
        Misconception(
            "only the first sentence's loss",
            first_sentence,
            "loss",
            "You compute the loss of the first sentence. It is that of all words of the batch.",
        ),
        Misconception(
            "one fault only",
            only_the_first,
            "several",
            "You stop at the first fault that you find. A training can have several: return them all.",
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
