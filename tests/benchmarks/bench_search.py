"""Beam search with a trained translator: sentences per second, and time against a loop over single hypotheses.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_search [--rounds 3] [--sentences 64] [--json PATH]

The peer is the loop that one writes first: a sentence at a time, a hypothesis at a time, each with a state of its own.
Both search the same sentences of the grammar corpus with the same trained weights, set finished hypotheses aside and
stop at `beam` of them; that they find the same is checked. All cases run round-robin in one process, the first round
uncounted; each figure is the best round's, and ratios are of CPU seconds (on CUDA: of wall seconds).
"""

import sys
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from course_lib import checkpoints
from course_lib.corpora.grammar import sample
from course_lib.search.beam import beam
from course_lib.seq2seq.protocol import Model
from course_lib.translator import Translator
from tests.benchmarks.rounds import best_of, options, report


@torch.no_grad()
def one_at_a_time(model: Model, source: Tensor, source_mask: Tensor, max_length: int, k: int) -> tuple[int, ...]:
    """The best output for one sentence, each hypothesis with a state of its own."""
    live = [((), 0.0, model.start(model.encode(source, source_mask)))]
    finished: list[tuple[tuple[int, ...], float]] = []
    for _ in range(max_length):
        candidates = []
        for words, score, state in live:
            step = model.step(torch.tensor([words[-1] if words else model.bos_id], device=source.device), state)
            values, following = step.log_probs[0].topk(2 * k)
            for log_p, word in zip(values.tolist(), following.tolist(), strict=True):
                candidates.append(((*words, word), score + log_p, step.state))
        candidates.sort(key=lambda candidate: -candidate[1])
        finished += [(words[:-1], score) for words, score, _ in candidates[:k] if words[-1] == model.eos_id]
        live = [candidate for candidate in candidates if candidate[0][-1] != model.eos_id][:k]
        if len(finished) >= k:
            break
    best = max(finished, key=lambda output: output[1], default=None)
    return live[0][0] if best is None else best[0]


def cases(translator: Translator, texts: Sequence[str], k: int) -> dict[str, Callable[[], list[tuple[int, ...]]]]:
    """Name → the search; the peer comes first."""
    limit = 2 * max(len(text.split()) for text in texts) + 20

    def loop() -> list[tuple[int, ...]]:
        return [one_at_a_time(translator.model, *translator.read([text]), limit, k) for text in texts]

    def batched(size: int) -> Callable[[], list[tuple[int, ...]]]:
        def search() -> list[tuple[int, ...]]:
            found = []
            for start in range(0, len(texts), size):
                found += beam(translator.model, *translator.read(texts[start : start + size]), limit, k)
            return [outputs[0].words for outputs in found]

        return search

    return {"a hypothesis at a time": loop, "beam, batch 1": batched(1), "beam, batch 64": batched(64)}


def main(arguments: list[str]) -> None:
    chosen = options(__doc__, arguments, rounds=3, sentences=64, beam=5)
    translator = checkpoints.load("attention")
    texts = sorted((one.text("en") for one in sample(chosen.sentences, split="test")), key=len)
    best, found = best_of(cases(translator, texts, chosen.beam), chosen.rounds)
    peer = next(iter(best))
    rows = [
        {
            "case": name,
            "wall_s": round(seconds.wall, 3),
            "cpu_s": round(seconds.cpu, 3),
            "sentences_per_s": round(len(texts) / seconds.counted, 1),
            "x_peer": round(seconds.counted / best[peer].counted, 3),
            "same_outputs": sum(a == b for a, b in zip(found[name], found[peer], strict=True)) / len(texts),
        }
        for name, seconds in best.items()
    ]
    report("tests.benchmarks.bench_search", arguments, rows, chosen.json)


if __name__ == "__main__":
    main(sys.argv[1:])
