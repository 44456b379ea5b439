"""Time against length: self-attention and recurrent layers, and training steps of the two kinds of translators.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_layers [--rounds 3] [--width 512] [--longest 4096] [--json PATH]

One sentence through one layer, forward, by torch's fastest kernels; and whole training steps of the recipes `attention`
and `transformer` on as many random words. Milliseconds, the best round; x_attention: times as long as self-attention
(a step: as the Transformer).
"""

import sys
from collections.abc import Callable

import torch
from torch import nn

from course_lib.attention import MultiHeadAttention
from course_lib.checkpoints.recipes import attention, transformer
from course_lib.corpora.batches import collate
from course_lib.subwords import Vocabulary
from course_lib.training.device import device
from course_lib.training.losses import cross_entropy
from tests.benchmarks.rounds import best_of, options, report

WORDS, SENTENCE = 2000, 20


def layers(n: int, width: int) -> dict[str, Callable[[], object]]:
    """A sentence of `n` words through each layer."""
    x = torch.randn(1, n, width, device=device())
    attend = MultiHeadAttention(width, 1, fused=True).to(device())
    recurrent = {"simple recurrent layer": nn.RNN, "LSTM": nn.LSTM}
    made = {name: kind(width, width, batch_first=True).to(device()) for name, kind in recurrent.items()}
    cases = {"self-attention": lambda: attend(x, x, x)} | {
        name: lambda layer=layer: layer(x) for name, layer in made.items()
    }
    return {name: torch.no_grad()(case) for name, case in cases.items()}


def steps(tokens: int) -> dict[str, Callable[[], None]]:
    """Forward, loss, backward and Adam on a batch of `tokens` target words, by each recipe."""
    vocabulary = Vocabulary([f"w{k}" for k in range(WORDS)])
    shape = (tokens // SENTENCE, 2, SENTENCE - 1)
    pairs = torch.randint(len(vocabulary) - WORDS, len(vocabulary), shape).tolist()
    batch = collate([tuple(pair) for pair in pairs], vocabulary).to(device())

    def step(recipe) -> Callable[[], None]:
        model = recipe.model(len(vocabulary)).to(device()).train()
        optimizer = torch.optim.Adam(model.parameters(), fused=True)

        def run() -> None:
            optimizer.zero_grad()
            logits = model(batch.source, batch.source_mask, batch.target_in)
            cross_entropy(logits, batch.target_out, batch.target_mask, fused=True).backward()
            optimizer.step()

        return run

    return {"Transformer": step(transformer), "LSTM with attention": step(attention)}


def main(arguments: list[str]) -> None:
    chosen = options(__doc__, arguments, rounds=3, width=512, longest=4096, tokens=6400)
    torch.manual_seed(0)
    tables = {f"layer, n = {n}": layers(n, chosen.width) for n in (16, 64, 256, 1024, 4096) if n <= chosen.longest}
    tables |= {f"step, {n} tokens": steps(n) for n in (1600, chosen.tokens)}
    rows = []
    for table, cases in tables.items():
        best, _ = best_of(cases, chosen.rounds)
        of_attention = next(iter(best.values())).counted
        rows += [
            {
                "case": f"{table}: {name}",
                "ms": round(1000 * seconds.counted, 3),
                "x_attention": round(seconds.counted / of_attention, 2),
            }
            for name, seconds in best.items()
        ]
    report("tests.benchmarks.bench_layers", arguments, rows, chosen.json)


if __name__ == "__main__":
    main(sys.argv[1:])
