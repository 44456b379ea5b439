"""How long layers and training steps take on one core and on the GPU of the same machine; recorded once.

python -m course_lib.checkpoints speed

One sentence through one layer, forward; and whole training steps of the recurrent and of the attentive translator on
as many tokens, of random words. Each figure is the fastest of some rounds in which all cases take turns, the first
round uncounted; on a GPU it ends when the device has done its work.
"""

import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import nn

from course_lib.attention import MultiHeadAttention
from course_lib.checkpoints.recipes import attention, transformer
from course_lib.checkpoints.recorded import SPEED, commit, write_record
from course_lib.corpora.batches import Batch, collate
from course_lib.subwords import Vocabulary
from course_lib.training.device import device
from course_lib.training.losses import cross_entropy

MODELS = {"LSTM with attention": attention, "Transformer": transformer}
WORDS = 2000  # of the vocabulary
SENTENCE = 20  # words


def make(
    folder: Path,
    *,
    lengths: Sequence[int] = (16, 64, 256, 1024, 4096),
    width: int = 512,
    tokens: Sequence[int] = (1600, 25_600),
    rounds: int = 3,
) -> dict:
    """Measure on one core, and on `training.device()` where that is another; write the record to `folder`.

    Returns what it holds: "layers" and "steps", rows of {"device", "n" or "tokens", a case: milliseconds, …}.
    """
    places, threads = list(dict.fromkeys(["cpu", device().type])), torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        layers = [
            {"device": place, "n": n, **milliseconds(of_layers(n, width, place), rounds, place)}
            for place in places
            for n in lengths
        ]
        steps = [
            {"device": place, "tokens": n, **milliseconds(of_steps(n, place), rounds, place)}
            for place in places
            for n in tokens
        ]
    finally:
        torch.set_num_threads(threads)
    record = {
        "command": f"python -m course_lib.checkpoints {SPEED}",
        "commit": commit(),
        "torch": torch.__version__,
        "names": {"cpu": platform.machine(), **({"cuda": torch.cuda.get_device_name()} if "cuda" in places else {})},
        "width": width,
        "layers": layers,
        "steps": steps,
    }
    write_record(SPEED, record, folder)
    return record


@torch.no_grad()
def of_layers(n: int, width: int, place: str) -> dict[str, Callable[[], object]]:
    """A sentence of `n` words through self-attention (one head, torch's fused kernel) and torch's recurrent layers."""
    x = torch.randn(1, n, width, device=place)
    layers = {
        "self-attention": MultiHeadAttention(width, 1, fused=True),
        "simple recurrent layer": nn.RNN(width, width, batch_first=True),
        "LSTM": nn.LSTM(width, width, batch_first=True),
    }

    def run(layer: nn.Module) -> Callable[[], object]:
        inputs = (x, x, x) if isinstance(layer.to(place), MultiHeadAttention) else (x,)
        return torch.no_grad()(lambda: layer(*inputs))

    return {name: run(layer) for name, layer in layers.items()}


def of_steps(tokens: int, place: str) -> dict[str, Callable[[], object]]:
    """Forward, loss, backward and Adam on a batch of `tokens` target words, by the recipes of two checkpoints."""
    words = [f"w{k}" for k in range(WORDS)]
    vocabulary = Vocabulary(words)
    sides = torch.randint(len(vocabulary) - WORDS, len(vocabulary), (tokens // SENTENCE, 2, SENTENCE - 1)).tolist()
    batch: Batch = collate([tuple(pair) for pair in sides], vocabulary).to(torch.device(place))

    def run(model: nn.Module) -> Callable[[], object]:
        optimizer = torch.optim.Adam(model.to(place).train().parameters(), fused=True)

        def step() -> None:
            optimizer.zero_grad()
            logits = model(batch.source, batch.source_mask, batch.target_in)
            cross_entropy(logits, batch.target_out, batch.target_mask, fused=True).backward()
            optimizer.step()

        return step

    return {name: run(recipe.model(len(vocabulary))) for name, recipe in MODELS.items()}


def milliseconds(cases: dict[str, Callable[[], object]], rounds: int, place: str) -> dict[str, float]:
    """Of each case the fastest of `rounds`."""
    finish = torch.cuda.synchronize if place == "cuda" else lambda: None
    best = dict.fromkeys(cases, float("inf"))
    for turn in range(rounds + 1):
        for name, case in cases.items():
            finish()
            begun = time.perf_counter()
            case()
            finish()
            if turn:
                best[name] = min(best[name], 1000 * (time.perf_counter() - begun))
    return {name: round(value, 3) for name, value in best.items()}
