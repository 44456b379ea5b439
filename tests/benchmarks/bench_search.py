"""Beam search with a trained translator: sentences per second, and time against a loop over single hypotheses.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_search [--rounds 3] [--sentences 64] [--json PATH]

The peer is the loop that one writes first: a sentence at a time, a hypothesis at a time, each with a state of its own.
Both search the same sentences of the grammar corpus with the same trained weights, set finished hypotheses aside and
stop at `beam` of them; that they find the same is checked. All cases run round-robin in one process, the first round
uncounted; each figure is the best round's, and ratios are of CPU seconds (on CUDA: of wall seconds).
"""

import argparse
import datetime
import json
import platform
import sys
import time
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from course_lib import checkpoints
from course_lib.corpora.grammar import sample
from course_lib.files import write_atomically
from course_lib.search.beam import beam
from course_lib.seq2seq.protocol import Model
from course_lib.training.device import device
from course_lib.translator import Translator


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {"rounds": 3, "sentences": 64, "beam": 5}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--json", metavar="PATH")
    options = parser.parse_args(arguments)
    translator = checkpoints.load("attention")
    texts = sorted((one.text("en") for one in sample(options.sentences, split="test")), key=len)
    searches = cases(translator, texts, options.beam)
    cuda = device().type == "cuda"
    finish = torch.cuda.synchronize if cuda else lambda: None
    best = {name: (float("inf"), float("inf")) for name in searches}
    found = {}
    for turn in range(options.rounds + 1):
        for name, search in searches.items():
            wall, cpu = time.perf_counter(), time.process_time()
            found[name] = search()
            finish()
            taken = time.perf_counter() - wall, time.process_time() - cpu
            if turn:
                best[name] = tuple(map(min, zip(best[name], taken, strict=True)))
    counted = 0 if cuda else 1  # CPU seconds are blind to other processes; a GPU's work is not in them
    peer = next(iter(best))
    rows = [
        {
            "case": name,
            "wall_s": round(taken[0], 3),
            "cpu_s": round(taken[1], 3),
            "sentences_per_s": round(len(texts) / taken[counted], 1),
            "x_peer": round(taken[counted] / best[peer][counted], 3),
            "same_outputs": sum(a == b for a, b in zip(found[name], found[peer], strict=True)) / len(texts),
        }
        for name, taken in best.items()
    ]
    head = {
        "command": "python -m tests.benchmarks.bench_search " + " ".join(arguments),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "device": torch.cuda.get_device_name() if cuda else f"CPU, {platform.machine()}",
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
    }
    print(head)
    print(f"{'':26}{'wall s':>9}{'CPU s':>9}{'sentences/s':>13}{'× first':>9}{'the same':>10}")
    for row in rows:
        case, wall, cpu, rate, ratio, same = row.values()
        print(f"{case:26}{wall:9.3f}{cpu:9.3f}{rate:13,.1f}{ratio:9.3f}{same:10.0%}")
    if options.json:
        with write_atomically(options.json) as file:
            json.dump(head | {"rows": rows}, file, indent=1)


if __name__ == "__main__":
    main(sys.argv[1:])
