"""ps2.diagnose: which faults a layer has, told from what it gives for sentences that were chosen to tell it."""

from collections.abc import Callable
from itertools import combinations
from random import Random

import numpy as np
import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, converted, sentences, tensor
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps2 import wrong_diagnose as wrong
from course_lib.grading.tasks.ps2.layers import last
from course_lib.grading.tasks.ps2.units import Weights, weights
from course_lib.grading.tasks.ps2.wrong_diagnose import Run


def reference(alone: Run, changed: Run, batch: Run) -> set[str]:
    """The faults, named in TESTS, of the layer that gave these runs of one sentence.

    It is read alone, with another first token, and as row 1 of a batch.
    """
    return found(alone, changed, batch)


def found(*runs: Run) -> set[str]:
    """What may not do the student's work."""
    return wrong.defined(*runs)


# Cases


def run(x: Tensor, lengths: list[int], weights: Weights, faults: tuple[str, ...] = ()) -> Run:
    """What a layer with these faults gives, token by token; in numpy, which is faster on numbers so few."""
    W_xh, W_hh, b_h = (weights[name].numpy() for name in ("W_xh", "W_hh", "b_h"))
    zero = np.zeros(len(W_hh))
    h, outputs, finals = zero, [], []
    for row, n in zip(x.numpy(), lengths, strict=True):
        h, states = h if "leak" in faults else zero, []
        for token in row:
            u = token @ W_xh + (zero if "memory" in faults else h) @ W_hh + b_h
            h = u / (1 + abs(u))
            states.append(h)
        h = states[n - 1]
        outputs.append(states if "padding" in faults else states[:n] + [zero] * (len(row) - n))
        finals.append(states[-1] if "final" in faults else h)
    given = {"outputs": torch.tensor(np.array(outputs)), "final": torch.tensor(np.array(finals))}
    return {"x": x, "lengths": torch.tensor(lengths)} | given


def rounded(rng: Random, given: Run) -> Run:
    """The same run, summed in another order: the last bits of its outputs differ."""
    outputs = given["outputs"]
    factors = torch.tensor([1 + rng.choice((-1, 1)) * 2**-51 for _ in range(outputs.numel())], dtype=outputs.dtype)
    return given | {"outputs": outputs * factors.view_as(outputs)}


def turned(runs: list[Run], sign: int) -> list[Run]:
    """The runs of the layer whose units are so signed that a leak shows at the first token in the direction of `sign`.

    The softsign is odd: a unit with all its weights negated gives the negative of what it gave.
    """
    alone, _, batch = runs
    flip = torch.where((alone["outputs"][0, 0] - batch["outputs"][1, 0]) * sign < 0, -1.0, 1.0)
    return [each | {name: each[name] * flip for name in ("outputs", "final")} for each in runs]


CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right


def clear(alone: Run, changed: Run, batch: Run, faults: tuple[str, ...], sign: int) -> bool:
    """Whether each of the faults shows wherever it is looked for, and a memory that is right shows everywhere.

    By more than CLEAR; a leak in the direction of `sign`, for who forgets that a difference can be negative.
    """
    n, lengths, time = alone["outputs"].shape[1], batch["lengths"], batch["outputs"].shape[1]
    effects = {
        "leak": lambda: (alone["outputs"][0] - batch["outputs"][1, :n]).flatten() * sign,
        "memory": lambda: (alone["outputs"] - changed["outputs"])[0, 1:].abs().max(1).values,
        "final": lambda: (last(batch["outputs"], lengths) - batch["final"])[lengths < time].abs().max(1).values,
        "padding": lambda: batch["outputs"][torch.arange(time) >= lengths[:, None]].abs().max(1).values,
    }
    shows = {*faults} ^ {"memory"}
    return all(bool((effect() > CLEAR).all()) for each, effect in effects.items() if each in shows)


def draw(faults: Callable[[int], tuple[str, ...]], pads: bool, rounds: bool = False) -> Callable[[Random, int], Case]:
    """Three runs of a layer with the faults of that size; with padding in the batch, and rounding, if wanted.

    One sentence of the batch, each in turn, or two of them are shorter than the longest.
    """

    def runs_of(rng: Random, size: int) -> tuple[Run, Run, Run, tuple[str, ...], int]:
        n, hidden, present = rng.randint(2, 4), rng.randint(1, 3), faults(size)
        lengths = [n, n, n]
        if pads:
            time = n + rng.randint(1, 2)
            lengths = SHORT[size % len(SHORT)](time, n, rng.randint(1, n))
        x, given = converted([tensor(rng, 3, max(lengths), 3), weights(rng, 3, hidden)], torch.float64)
        alone = x[1:2, : lengths[1]]
        other = torch.cat([converted(tensor(rng, 1, 1, 3), torch.float64), alone[:, 1:]], 1)
        runs = [run(*each, given, present) for each in ((alone, lengths[1:2]), (other, lengths[1:2]), (x, lengths))]
        sign = (-1) ** (size // 2)
        runs = turned(runs, sign) if "leak" in present else runs
        runs[2] = rounded(rng, runs[2]) if rounds else runs[2]
        return *runs, present, sign

    def drawn(rng: Random, size: int) -> Case:
        *runs, _, _ = until(lambda: runs_of(rng, size), clear)
        lengths = runs[2]["lengths"].tolist()
        words = f"a sentence of {lengths[1]} tokens, and in a batch of {sentences(lengths, max(lengths))}"
        return case(words, 1, *runs)

    return drawn


SHORT = (  # the lengths of three sentences, of which the second has at least two tokens: any of them may be padded
    lambda time, n, k: [time, n, k],
    lambda time, n, k: [k, time, time],
    lambda time, n, k: [time, time, k],
    lambda time, n, k: [k, n, time],
)


def one(fault: str, each: int) -> Callable[[int], tuple[str, ...]]:
    """Layers that are right and layers that have the fault, so many of each in turn."""
    return lambda size: (fault,) * (size // each % 2)


FAULTS = ("padding", "final", "memory", "leak")
SEVERAL = [  # no leak shows in a layer without memory
    faults for count in (2, 3) for faults in combinations(FAULTS, count) if not {"memory", "leak"} <= {*faults}
]

TASK = Task(
    name="ps2.diagnose",
    title="What is wrong with this layer?",
    reference=reference,
    criteria=(
        Criterion("padding", 1, "'padding', where outputs at padding are not 0.", draw(one("padding", 4), True), 8, 16),
        Criterion(
            "final",
            1,
            "'final', where a final state is not that after the last token.",
            draw(one("final", 4), True),
            8,
            16,
        ),
        Criterion(
            "memory", 1, "'memory', where an output depends on its own token only.", draw(one("memory", 1), False), 4
        ),
        Criterion(
            "leak", 1, "'leak', where a sentence depends on its company.", draw(one("leak", 1), False, rounds=True), 4
        ),
        Criterion(
            "several",
            1,
            "Several faults at once.",
            draw(lambda size: SEVERAL[size % len(SEVERAL)], pads=True, rounds=True),
            visible=2 * len(SEVERAL),
            graded=4 * len(SEVERAL),
        ),
    ),
    misconceptions=(
        Misconception(
            "final compared with the last column",
            wrong.last_column,
            "padding",
            "You compare the final state with the output in the last column: a shorter sentence has padding there.",
        ),
        Misconception(
            "only the first sentence looked at",
            wrong.first_sentence,
            "final",
            "You look at the first sentence's final state only. Any sentence of the batch may be padded.",
        ),
        Misconception(
            "only the second sentence's final state looked at",
            wrong.second_sentence,
            "final",
            "You look at the final state of row 1 only. Any sentence of the batch may be padded.",
        ),
        Misconception(
            "only the first sentence's padding looked at",
            wrong.first_padding,
            "padding",
            "You look at the padding of row 0 only. Any sentence of the batch may be padded.",
        ),
        Misconception(
            "memory not looked at",
            wrong.never_memory,
            "memory",
            "You never report 'memory'. What changes, in a layer that carries its state, behind another first token?",
        ),
        Misconception(
            "the changed token itself compared",
            wrong.changed_itself,
            "memory",
            "You compare the output at the changed token, too, which differs in every layer. Look behind it.",
        ),
        Misconception(
            "equal to the last bit",
            wrong.to_the_bit,
            "leak",
            "You take a difference in the last bits for a fault. A batch is summed otherwise: allow for rounding.",
        ),
        Misconception(
            "padding compared as well",
            wrong.with_padding,
            "padding",
            "You call it a leak where only outputs at padding differ. Compare the sentence's own tokens.",
        ),
        Misconception(
            "one fault only",
            wrong.only_the_first,
            "several",
            "You stop at the first fault that you find. A layer can have several: return them all.",
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
