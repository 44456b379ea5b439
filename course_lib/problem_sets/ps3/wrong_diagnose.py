"""The tests of ps3.diagnose: right, and wrong in the ways that people get them wrong."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

Run = dict[str, Any]  # source [ids], target [ids], log_p (place, vocabulary)
Report = dict[str, Any]  # target (batch, time), lengths (batch), log_p (batch, time, vocabulary), loss
SAME = 1e-6


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


def mean_of_places(report: Report) -> float:
    """The mean over all places, padding included."""
    return losses_of(report).mean().item()


def first_loss(report: Report) -> float:
    """The loss of the first sentence."""
    return loss_of(first_row(report))


def sum_over_places(report: Report) -> float:
    """The real words' losses, divided by the number of all places."""
    return loss_of(report) * report["lengths"].sum().item() / report["target"].numel()


LOSSES = mean_of_places, sum_over_places, means_of, first_loss  # wrong ones; every second one is less than it should be


def defined(*given: Any, **instead: Callable[..., bool]) -> set[str]:
    return {fault for fault, test in (TESTS | instead).items() if test(*given)}


def second_place(base: Run, changed: Run, *rest) -> set[str]:
    return defined(base, changed, *rest, shift=lambda base, changed, *_: differing(base, changed)[1])


def one_place_late(base: Run, changed: Run, *rest) -> set[str]:
    def after(base: Run, changed: Run, *_) -> bool:
        return differing(base, changed)[place(base, changed) + 1]

    return defined(base, changed, *rest, shift=after)


def never(fault: str) -> Callable:
    return lambda *given: defined(*given) - {fault}


def always(fault: str) -> Callable:
    return lambda *given: defined(*given) | {fault}


def too_small_only(*given) -> set[str]:
    return defined(*given, loss=lambda *given: loss_of(given[-1]) - given[-1]["loss"] > SAME)


def too_large_only(*given) -> set[str]:
    return defined(*given, loss=lambda *given: given[-1]["loss"] - loss_of(given[-1]) > SAME)


def place_of_the_word(*given) -> set[str]:
    """The first place of the word that was changed, in the target before."""

    def test(base: Run, changed: Run, *_) -> bool:
        return differing(base, changed)[base["target"].index(base["target"][place(base, changed)])]

    return defined(*given, shift=test)


def with_underscores(*given) -> set[str]:
    return {fault.replace(" ", "_") for fault in defined(*given)}


def nothing_later(*given) -> set[str]:
    return defined(*given, memory=lambda base, changed, *_: sum(differing(base, changed)) <= 1)


def rounding_taken_for_a_difference(base: Run, changed: Run, other: Run, report: Report) -> set[str]:
    """Each distribution becomes its number: two that differ in the last bit are two."""
    runs = base, changed, other
    _, numbers = torch.cat([each["log_p"] for each in runs]).unique(dim=0, return_inverse=True)
    each_run = numbers.double()[:, None].split([len(each["log_p"]) for each in runs])
    return defined(*(run | {"log_p": log_p} for run, log_p in zip(runs, each_run, strict=True)), report)


def subtracted_in_place(base: Run, changed: Run, other: Run, report: Report) -> set[str]:
    faults = defined(base, changed, other, report)
    base["log_p"] -= changed["log_p"]
    return faults


def to_the_bit(*given) -> set[str]:
    return defined(*given, source=lambda base, _, other, report: torch.equal(base["log_p"], other["log_p"]))


def comparing(loss: Callable[[Report], float], tolerance: float = SAME) -> Callable:
    """What is found by who compares `loss` with the reported one."""

    def differs(*given: Any) -> bool:
        return abs(given[-1]["loss"] - loss(given[-1])) > tolerance

    return lambda *given: defined(*given, loss=differs)


mean_over_places, divided_by_places, mean_of_means, first_sentence = map(comparing, LOSSES)
loss_to_the_bit = comparing(loss_of, 0)


def first_row(report: Report) -> Report:
    """The report of its first sentence alone, padding and all."""
    return {name: value if name == "loss" else value[:1] for name, value in report.items()}


def only_the_first(*given) -> set[str]:
    return set(sorted(defined(*given), key=[*TESTS].index)[:1])
