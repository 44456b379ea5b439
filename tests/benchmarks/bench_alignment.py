"""One pass of EM over a corpus: the vectorised Model 1, its equations, and NLTK, measured round-robin in one run.

    python -m tests.benchmarks.bench_alignment [--pairs 29000] [--slow-pairs 500] [--corpus SOURCE TARGET] [--json PATH]

Without --corpus the sentences are made up: words drawn by Zipf's law from 10,000 a side, 13 and 12 words on average, as
in Multi30k. The equations and NLTK run on the first --slow-pairs only, and the ratios are of time per pair.
"""

import argparse
import datetime
import json
import platform
import sys
import time

import numpy as np
from nltk.translate import AlignedSent, IBMModel1

from course_lib import alignment
from course_lib.corpora.text_files import read_pairs
from course_lib.files import write_atomically


def made_up(size: int) -> list[tuple[list[str], list[str]]]:
    random = np.random.default_rng(0)

    def side(mean: int) -> list[list[str]]:
        return [
            [f"w{rank}" for rank in random.zipf(1.3, length) % 10_000] for length in random.poisson(mean - 1, size) + 1
        ]

    return list(zip(side(13), side(12), strict=True))


def seconds(action) -> tuple[float, float]:
    """(wall, CPU) seconds that `action` takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - cpu


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=29_000)
    parser.add_argument("--slow-pairs", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--corpus", nargs=2)
    parser.add_argument("--json")
    options = parser.parse_args(arguments)
    if options.corpus:
        pairs = [(source.split(), target.split()) for source, target in read_pairs(*options.corpus)][: options.pairs]
    else:
        pairs = made_up(options.pairs)
    few = pairs[: options.slow_pairs]

    models: list[alignment.Model1] = []
    rows = {"Model1: index the corpus": [seconds(lambda: models.append(alignment.Model1(pairs)))]}
    model, aligned = models[0], [AlignedSent(target, source) for source, target in few]
    nltk = IBMModel1(aligned, 0)
    table = alignment.uniform([((alignment.NULL, *source), target) for source, target in few])
    with_null = [((alignment.NULL, *source), target) for source, target in few]
    cases = {
        "Model1: one pass": model.step,
        "Model1: align the corpus": model.alignments,
        "equations: one pass": lambda: alignment.maximised(alignment.expected_counts(with_null, table)),
        "NLTK: one pass": lambda: nltk.train(aligned),
    }
    for _ in range(options.rounds):
        for name, action in cases.items():
            rows.setdefault(name, []).append(seconds(action))

    size = {name: len(few) if name.startswith(("eq", "NLTK")) else len(pairs) for name in rows}
    best = {name: min(cpu for _, cpu in times) / size[name] for name, times in rows.items()}
    record = {
        "command": "python -m tests.benchmarks.bench_alignment " + " ".join(arguments),
        "device": f"{platform.processor() or platform.machine()}, numpy {np.__version__}",
        "date": datetime.date.today().isoformat(),
        "meetings": int(len(model.entry)),
        "rows": [
            {
                "case": name,
                "pairs": size[name],
                "wall_s": round(min(wall for wall, _ in times), 4),
                "cpu_s": round(min(cpu for _, cpu in times), 4),
                "x_nltk_pass": round(best[name] / best["NLTK: one pass"], 5),
            }
            for name, times in rows.items()
        ],
    }
    print(f"{record['command']}\n{record['device']}, {record['date']}; {record['meetings']:,} meetings of two words")
    print(f"{'':28}{'pairs':>8}{'wall s':>10}{'CPU s':>10}{'× NLTK a pair':>16}")
    for row in record["rows"]:
        print(f"{row['case']:28}{row['pairs']:8,}{row['wall_s']:10.3f}{row['cpu_s']:10.3f}{row['x_nltk_pass']:16.5f}")
    if options.json:
        with write_atomically(options.json) as file:
            json.dump(record, file, indent=1)


if __name__ == "__main__":
    main(sys.argv[1:])
