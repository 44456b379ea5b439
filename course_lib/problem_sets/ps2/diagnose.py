"""ps2.diagnose: which faults a layer has, told from what it gives for sentences that were chosen to tell it."""

from collections.abc import Callable
from itertools import combinations
from random import Random

import torch
from torch import allclose

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, converted, rounded, sentences, tensor
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.faults import the_first_alone
from course_lib.grading.task import Case
from course_lib.problem_sets.ps2.run_layer import last
from course_lib.problem_sets.ps2.runs import CLEAR, ROWS, Run, clear, run, turned
from course_lib.problem_sets.ps2.units import weights


def reference(alone: Run, changed: Run, batch: Run) -> set[str]:
    """The faults, named in TESTS, of the layer that gave these runs of one sentence.

    It is read alone, with another first token, and as row 1 of a batch.
    """
    return found(alone, changed, batch)


def found(*runs: Run) -> set[str]:
    """What may not do the student's work."""
    return defined(*runs)


# Mistakes


def padding(alone, changed, batch):
    """An output at padding is not 0."""
    return any(bool(row[n:].any()) for row, n in zip(batch["outputs"], batch["lengths"], strict=True))


def final(alone, changed, batch, same=allclose):
    """A final state is not the output at the last token."""
    return not same(batch["final"], last(batch["outputs"], batch["lengths"]))


def memory(alone, changed, batch):
    """Another first token changes no later output."""
    return allclose(alone["outputs"][:, 1:], changed["outputs"][:, 1:])


def leak(alone, changed, batch, same=allclose):
    """The sentence's outputs are others in the batch than alone."""
    n = alone["outputs"].shape[1]
    return not same(alone["outputs"][0], batch["outputs"][1, :n])


TESTS = {"padding": padding, "final": final, "memory": memory, "leak": leak}
FAULTS = tuple(TESTS)


def defined(alone, changed, batch, **instead):
    return {fault for fault, test in (TESTS | instead).items() if test(alone, changed, batch)}


def of_rows(test, rows):
    return lambda alone, changed, batch: test(alone, changed, {name: value[rows] for name, value in batch.items()})


wrong = versions(defined)
final_compared_with_the_last_column = wrong(
    "padding", final=lambda alone, changed, batch: not allclose(batch["final"], batch["outputs"][:, -1])
)("You compare the final state with the output in the last column: a shorter sentence has padding there.")
only_the_first_sentence_looked_at = wrong("final", final=of_rows(final, slice(1)))(
    "You look at the first sentence's final state only. Any sentence of the batch may be padded."
)
only_the_final_state_of_the_second_sentence_looked_at = wrong("final", final=of_rows(final, slice(1, 2)))(
    "You look at the final state of row 1 only. Any sentence of the batch may be padded."
)
only_the_padding_of_the_first_sentence_looked_at = wrong("padding", padding=of_rows(padding, slice(1)))(
    "You look at the padding of row 0 only. Any sentence of the batch may be padded."
)
the_final_state_of_the_second_sentence_not_looked_at = wrong("final", final=of_rows(final, slice(None, None, 2)))(
    "You look at the final states of rows 0 and 2 only. Row 1 may be padded, too."
)


def at_the_end(alone, changed, batch):
    outputs = batch["outputs"]
    return bool(outputs[batch["lengths"] < outputs.shape[1], -1].any())


only_the_padding_of_the_last_column_looked_at = wrong("padding", padding=at_the_end)(
    "You look at the last column's padding only. Every output behind a sentence's end should be 0."
)


def behind_the_end(alone, changed, batch):
    rows = zip(batch["outputs"], batch["lengths"], strict=True)
    return any(bool(row[n].any()) for row, n in rows if n < len(row))


only_the_first_padding_of_each_sentence_looked_at = wrong("padding", padding=behind_the_end)(
    "You look at the first output behind each sentence's end only. Every output behind it should be 0."
)


def of_the_shortest(test):
    return lambda alone, changed, batch: of_rows(test, [int(batch["lengths"].argmin())])(alone, changed, batch)


def of_the_first_padded(test):
    def tested(alone, changed, batch):
        rows = (batch["lengths"] < batch["outputs"].shape[1]).nonzero().flatten()[:1]
        return len(rows) > 0 and of_rows(test, rows)(alone, changed, batch)

    return tested


SOME_ROWS = (
    "You look at one padded sentence only. A fault need not show in every sentence of the batch: look at all of them."
)
padding_of_the_shortest_sentence = wrong("padding", padding=of_the_shortest(padding))(SOME_ROWS)
padding_of_the_first_padded_sentence = wrong("padding", padding=of_the_first_padded(padding))(SOME_ROWS)
final_state_of_the_shortest_sentence = wrong("final", final=of_the_shortest(final))(SOME_ROWS)
padding_added_up = wrong(
    "padding",
    padding=lambda alone, changed, batch: any(
        abs(row[n:].sum()) > 1e-6 for row, n in zip(batch["outputs"], batch["lengths"], strict=True)
    ),
)("You add up the outputs at padding. Numbers above and below 0 may add to 0: look at each of them.")
only_the_final_states_of_padded_sentences_looked_at = wrong(
    "final",
    final=lambda alone, changed, batch: any(
        not allclose(end, row[n - 1])
        for row, n, end in zip(batch["outputs"], batch["lengths"], batch["final"], strict=True)
        if n < len(row)
    ),
)("You look at the final states of padded sentences only. A state may be taken too early, too: look at all of them.")
a_leak_behind_the_first_token_missed = wrong(
    "leak", leak=lambda alone, changed, batch: not allclose(alone["outputs"][0, 0], batch["outputs"][1, 0])
)(
    "You report no leak where the first token's outputs are the same. What leaks may come in later: compare all "
    "tokens; one that differs is enough."
)
UNITS = (
    "You find nothing wrong where the first unit is 0 in every output, and the two others add to 0. Look at every "
    "number, and at each by itself."
)


def of_the_first_unit(test):
    def tested(*runs):
        return test(*(run | {name: run[name][..., :1] for name in ("outputs", "final")} for run in runs))

    return tested


padding_of_the_first_unit = wrong("padding", padding=of_the_first_unit(padding))(UNITS)
final_state_of_the_first_unit = wrong("final", final=of_the_first_unit(final))(UNITS)
leak_of_the_first_unit = wrong("leak", leak=of_the_first_unit(leak))(UNITS)
SMALL = (
    "You find nothing wrong where a fault changes few numbers, and by little more than 0.01. Take the largest "
    "difference, not the mean, and allow for rounding only."
)


def on_average(one, other):
    return bool((one - other).abs().mean() < CLEAR)


padding_on_average = wrong(
    "padding",
    padding=lambda alone, changed, batch: any(
        row[n:].abs().mean() > CLEAR for row, n in zip(batch["outputs"], batch["lengths"], strict=True)
    ),
)(SMALL)
final_states_on_average = wrong("final", final=lambda *runs: final(*runs, same=on_average))(SMALL)
leak_on_average = wrong("leak", leak=lambda *runs: leak(*runs, same=on_average))(SMALL)
one_number_that_stays_is_enough = wrong(
    "memory",
    memory=lambda alone, changed, batch: bool(((alone["outputs"] - changed["outputs"])[0, 1:].abs() < 1e-6).any()),
)(
    "You report 'memory' where one number stays as it was. A unit can give 0 whatever the state is: without memory all "
    "later outputs stay."
)
memory_not_looked_at = wrong("memory", memory=lambda *runs: False)(
    "You never report 'memory'. What changes, in a layer that carries its state, behind another first token?"
)
final_states_compared = wrong(
    "several", memory=lambda alone, changed, batch: allclose(alone["final"], changed["final"])
)(
    "You compare the final states of the two runs. If 'final' is a fault, too, they are wrong themselves: compare "
    "outputs behind the first token."
)
the_changed_token_itself_compared = wrong(
    "memory", memory=lambda alone, changed, batch: allclose(alone["outputs"], changed["outputs"])
)("You compare the output at the changed token, too, which differs in every layer. Look behind it.")
equal_to_the_last_bit = wrong("leak", leak=lambda *runs: leak(*runs, same=torch.equal))(
    "You take a difference in the last bits for a fault. A batch is summed otherwise: allow for rounding."
)


def whole_rows(alone, changed, batch):
    row = torch.zeros_like(batch["outputs"][1])
    row[: alone["outputs"].shape[1]] = alone["outputs"][0]
    return not allclose(row, batch["outputs"][1])


padding_compared_as_well = wrong("padding", leak=whole_rows)(
    "You call it a leak where only outputs at padding differ. Compare the sentence's own tokens."
)


one_fault_only = mistake(
    "several", "You stop at the first fault that you find. A layer can have several: return them all."
)(the_first_alone(defined, FAULTS))


@changing("arguments", defined)
def outputs_overwritten(alone, changed, batch):
    """You set the outputs of the batch to 0. The runs belong to the caller: make new tensors."""
    batch["outputs"].zero_()


# Cases


def draw(
    faults: Callable[[int], tuple[str, ...]],
    pads: bool,
    rounds: bool = False,
    partly: Callable[[int], str] = lambda size: "",
    apart: Callable[[int], bool] = lambda size: False,
) -> Callable[[Random, int], Case]:
    """Three runs of a layer with the faults of that size; with padding in the batch, and rounding, if wanted.

    One sentence of the batch, each in turn, or two of them are shorter than the longest. The faults of some sizes show
    `partly`; the layers of some have a unit `apart`, which gives 0, and two that give each other's negative.
    """

    def runs_of(rng: Random, size: int) -> tuple[Run, Run, Run, tuple[str, ...], int, str]:
        n, hidden, present = rng.randint(2, 4), 3 if apart(size) else rng.randint(1, 3), faults(size)
        lengths = [n, n, n]
        if pads:
            time = n + (2 if partly(size) else rng.randint(1, 2))
            lengths = SHORT[size % len(SHORT)](time, n, rng.randint(1, n - (partly(size) in ROWS)))
        x, given = converted([tensor(rng, 3, max(lengths), 3), weights(rng, 3, hidden)], torch.float64)
        if apart(size):
            given = {name: value[..., :1] * torch.tensor([0, 1, -1]) for name, value in given.items()}
        alone = x[1:2, : lengths[1]]
        other = torch.cat([converted(tensor(rng, 1, 1, 3), torch.float64), alone[:, 1:]], 1)
        read = (alone, lengths[1:2]), (other, lengths[1:2]), (x, lengths)
        runs = [run(*each, given, present, partly(size)) for each in read]
        sign = 0 if apart(size) or partly(size) == "faint" else (-1) ** (size // 2)
        runs = turned(runs, sign, int(bool(partly(size)))) if sign and "leak" in present else runs
        if rounds:
            runs[2] |= {"outputs": rounded(rng, runs[2]["outputs"])}
        return *runs, present, sign, partly(size)

    def drawn(rng: Random, size: int) -> Case:
        *runs, _, _, _ = until(lambda: runs_of(rng, size), clear)
        lengths = runs[2]["lengths"].tolist()
        words = f"a sentence of {lengths[1]} tokens, and in a batch of {sentences(lengths, max(lengths))}"
        return case(words, 1, *runs)

    return drawn


SHORT = (  # the lengths of three sentences, of which the second has at least two tokens: any of them may be padded
    lambda time, n, k: [time, n, k],
    lambda time, n, k: [k, time, time],
    lambda time, n, k: [time, time, k],
    lambda time, n, k: [k, n, time],
    lambda time, n, k: [time, n, time],
)
PADDED = "", "last", "last", "first", "first"  # which outputs at padding are not 0, where "padding" is asked for
SOME = {5: "shortest", 6: "faint", 8: "longer", 15: "longer"}  # which of two padded sentences show a fault, or how


def with_every_sixth(usual: Callable, other: Callable) -> Callable[[Random, int], Case]:
    """The cases of `usual`, and after five of them one of `other`."""
    return lambda rng, size: other(rng, size // 6) if size % 6 == 5 else usual(rng, size - size // 6)


def one(fault: str, each: int) -> Callable[[int], tuple[str, ...]]:
    """Layers that are right and layers that have the fault, so many of each in turn."""
    return lambda size: (fault,) * (size // each % 2)


SEVERAL = [  # "memory" and "leak" together without a third
    faults
    for count in (2, 3)
    for faults in combinations(FAULTS, count)
    if count == 2 or not {"memory", "leak"} <= {*faults}
]
EARLY = SEVERAL.index(("final", "memory"))
draw_padding = with_every_sixth(
    draw(one("padding", 5), True, partly=lambda size: SOME.get(size, PADDED[size % 5]), apart=lambda size: size == 7),
    draw(one("padding", 1), True, partly=lambda size: "opposite"),
)
draw_final = with_every_sixth(
    draw(one("final", 5), True, partly=lambda size: SOME.get(size, ""), apart=lambda size: size == 7),
    draw(one("final", 1), False, partly=lambda size: "early" * (size % 2)),
)
draw_several = draw(
    lambda size: SEVERAL[size % len(SEVERAL)],
    pads=True,
    rounds=True,
    partly=lambda size: "early" if size % 16 == EARLY else "first" * (size // len(SEVERAL) % 2),
)

TASK = task(
    __name__,
    "What is wrong with this layer?",
    criteria=(
        criterion("padding", 1, draw_padding, visible=12, graded=24)("'padding', where outputs at padding are not 0."),
        criterion("final", 1, draw_final, visible=12, graded=24)(
            "'final', where a final state is not that after the last token."
        ),
        criterion("memory", 1, draw(one("memory", 1), False, apart=lambda size: size % 4 == 2), visible=4)(
            "'memory', where an output depends on its own token only."
        ),
        criterion(
            "leak",
            1,
            draw(
                one("leak", 1),
                pads=False,
                rounds=True,
                partly=lambda size: "faint" if size == 3 else "first" * (size // 4 % 2),
                apart=lambda size: size == 5,
            ),
            visible=8,
        )("'leak', where a sentence depends on its company."),
        criterion("several", 0.5, draw_several, visible=2 * len(SEVERAL), graded=4 * len(SEVERAL))(
            "Several faults at once."
        ),
        arguments(0.5, draw(lambda size: ("padding",), True), visible=4)("The runs are afterwards as they were."),
    ),
    forbidden=(f"{__name__}.found",),
)
