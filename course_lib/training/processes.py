"""Several processes that train one model together, a GPU each, by Hugging Face Accelerate:

accelerate launch --num_processes 2 -m course_lib.checkpoints multi30k

It is the same script, and the same result: with `Trainer(accumulate=n)` a step's n batches are shared out.
"""

import os
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import cache
from typing import TypeVar

import torch

from course_lib.extras import needs

Item = TypeVar("Item")


@cache
def together():
    """Accelerate's state of the processes that were launched together; None where this one is alone."""
    if int(os.environ.get("WORLD_SIZE", 1)) == 1:
        return None
    with needs("multi30k"):
        from accelerate import PartialState  # only then: the import takes a second

    patience = timedelta(hours=2)  # the others wait while the main one translates a test set
    return PartialState(cpu=not torch.cuda.is_available(), timeout=patience)


def number() -> int:
    """How many processes there are."""
    return 1 if together() is None else together().num_processes


def is_main() -> bool:
    """Whether this one writes files and shows progress."""
    return together() is None or together().is_main_process


def share(items: Sequence[Item]) -> Sequence[Item]:
    """Every n-th of the items, for this one of n processes; together they have each once."""
    return items if together() is None else items[together().process_index :: number()]


def wait() -> None:
    """Until all processes are here."""
    if together() is not None:
        together().wait_for_everyone()


@torch.no_grad()
def add(tensors: Iterable[torch.Tensor]) -> None:
    """Put Σ over all processes in the place of each tensor (of one device and dtype)."""
    if together() is not None:
        tensors = list(tensors)
        total = torch.cat([tensor.flatten() for tensor in tensors])
        torch.distributed.all_reduce(total)
        for tensor, part in zip(tensors, total.split([tensor.numel() for tensor in tensors]), strict=True):
            tensor.copy_(part.view_as(tensor))


def total(number: float, place: torch.device) -> float:
    """Σ of the number over all processes, which have their tensors at `place`."""
    if together() is None:
        return number
    tensor = torch.tensor(number, dtype=torch.float64, device=place)
    add([tensor])
    return tensor.item()
