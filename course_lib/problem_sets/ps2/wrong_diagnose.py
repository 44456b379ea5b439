"""The diagnosis of a layer as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

import torch
from torch import Tensor, allclose

from course_lib.problem_sets.ps2.run_layer import last

Run = dict[str, Tensor]  # x (batch, time, input), lengths (batch), outputs (batch, time, hidden), final (batch, hidden)


def padding(alone: Run, changed: Run, batch: Run) -> bool:
    """An output at padding is not 0."""
    return any(bool(row[n:].any()) for row, n in zip(batch["outputs"], batch["lengths"], strict=True))


def final(alone: Run, changed: Run, batch: Run) -> bool:
    """A final state is not the output at the last token."""
    return not allclose(batch["final"], last(batch["outputs"], batch["lengths"]))


def memory(alone: Run, changed: Run, batch: Run) -> bool:
    """Another first token changes no later output."""
    return allclose(alone["outputs"][:, 1:], changed["outputs"][:, 1:])


def leak(alone: Run, changed: Run, batch: Run) -> bool:
    """The sentence's outputs are others in the batch than alone."""
    n = alone["outputs"].shape[1]
    return not allclose(alone["outputs"][0], batch["outputs"][1, :n])


TESTS = {"padding": padding, "final": final, "memory": memory, "leak": leak}


def defined(alone: Run, changed: Run, batch: Run, **instead: Callable[..., bool]) -> set[str]:
    return {fault for fault, test in (TESTS | instead).items() if test(alone, changed, batch)}


def last_column(*runs: Run) -> set[str]:
    return defined(*runs, final=lambda alone, changed, batch: not allclose(batch["final"], batch["outputs"][:, -1]))


def first_sentence(*runs: Run) -> set[str]:
    def of_row_0(alone: Run, changed: Run, batch: Run) -> bool:
        return final(alone, changed, {name: value[:1] for name, value in batch.items()})

    return defined(*runs, final=of_row_0)


def changed_itself(*runs: Run) -> set[str]:
    return defined(*runs, memory=lambda alone, changed, batch: allclose(alone["outputs"], changed["outputs"]))


def with_padding(*runs: Run) -> set[str]:
    def whole_rows(alone: Run, changed: Run, batch: Run) -> bool:
        row = torch.zeros_like(batch["outputs"][1])
        row[: alone["outputs"].shape[1]] = alone["outputs"][0]
        return not allclose(row, batch["outputs"][1])

    return defined(*runs, leak=whole_rows)


def to_the_bit(*runs: Run) -> set[str]:
    def others(alone: Run, changed: Run, batch: Run) -> bool:
        return not torch.equal(alone["outputs"][0], batch["outputs"][1, : alone["outputs"].shape[1]])

    return defined(*runs, leak=others)


def first_padding(*runs: Run) -> set[str]:
    return defined(*runs, padding=lambda alone, changed, batch: bool(batch["outputs"][0, batch["lengths"][0] :].any()))


def second_sentence(*runs: Run) -> set[str]:
    def of_row_1(alone: Run, changed: Run, batch: Run) -> bool:
        return final(alone, changed, {name: value[1:2] for name, value in batch.items()})

    return defined(*runs, final=of_row_1)


def never_memory(*runs: Run) -> set[str]:
    return defined(*runs) - {"memory"}


def only_the_first(*runs: Run) -> set[str]:
    return set(sorted(defined(*runs), key=[*TESTS].index)[:1])


def all_but_second(*runs: Run) -> set[str]:
    def of_others(alone: Run, changed: Run, batch: Run) -> bool:
        return final(alone, changed, {name: value[::2] for name, value in batch.items()})

    return defined(*runs, final=of_others)


def last_padding(*runs: Run) -> set[str]:
    def at_the_end(alone: Run, changed: Run, batch: Run) -> bool:
        outputs = batch["outputs"]
        return bool(outputs[batch["lengths"] < outputs.shape[1], -1].any())

    return defined(*runs, padding=at_the_end)


def first_token(*runs: Run) -> set[str]:
    return defined(
        *runs, leak=lambda alone, changed, batch: not allclose(alone["outputs"][0, 0], batch["outputs"][1, 0])
    )


def any_number_stays(*runs: Run) -> set[str]:
    def stays(alone: Run, changed: Run, batch: Run) -> bool:
        return bool(((alone["outputs"] - changed["outputs"])[0, 1:].abs() < 1e-6).any())

    return defined(*runs, memory=stays)


def overwritten(alone: Run, changed: Run, batch: Run) -> set[str]:
    found = defined(alone, changed, batch)
    batch["outputs"].zero_()
    return found
