"""What waits for a GPU, in as many minutes as there are: tests, benchmarks, Multi30k, the other recorded runs.

    python -m tests.on_gpu OUT [--minutes 9] [--only tests runs] [--jobs 12]

Each part gets its share of the minutes, and what an earlier one leaves over; one that needs more is ended, and what it
has made stays. OUT gets a log of each part, the records, and what the parts need to go on when it is called again.
Multi30k is read from `download.cache_dir()`, or from the folder that COURSE_CACHE names.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_lib.checkpoints.captions import CAPTIONS, UNKEPT

CUDA = ("test_recurrent_layers.py", "test_transformer.py", "test_protocol.py", "test_processes.py", "test_attention.py")
BENCHMARKS = ("layers", "recurrent", "attention", "transformer", "decoding")


@dataclass(frozen=True)
class Part:
    """`share` of the minutes for each of the commands, arguments of this Python, one after the other."""

    share: float
    commands: Sequence[Sequence[str]]


def parts(out: Path, jobs: int) -> dict[str, Part]:
    """By name, in their order."""
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{name}" for name in CUDA)]
    benchmarks = [["-m", f"tests.benchmarks.bench_{name}", "--json", str(out / f"{name}.json")] for name in BENCHMARKS]
    checkpoints = ["-m", "course_lib.checkpoints"]
    runs = [*checkpoints, "runs", "--jobs", str(jobs), "--to", str(out)]
    return {
        "tests": Part(0.1, [pytest]),
        "benchmarks": Part(0.2, benchmarks),
        "captions": Part(0.4, [[*runs, "--seeds", "3", "--only", *CAPTIONS, *UNKEPT]]),
        "runs": Part(0.3, [runs]),
    }


def work(chosen: Mapping[str, Part], out: Path, seconds: float) -> dict[str, str]:
    """Each part within its time; returns how each ended: "done", "failed" or "time is up"."""
    ended, whole, end = {}, sum(part.share for part in chosen.values()), time.monotonic() + seconds
    until = end - seconds
    for name, part in chosen.items():
        until = min(end, max(until, time.monotonic()) + seconds * part.share / whole)
        ended[name] = _ended(part, out / f"{name}.log", until)
        print(f"{name}: {ended[name]}", flush=True)
    return ended


def _ended(part: Part, log: Path, until: float) -> str:
    for command in part.commands:
        with log.open("a", encoding="utf-8") as file:
            process = subprocess.Popen([sys.executable, *command], stdout=file, stderr=subprocess.STDOUT)
            try:
                if process.wait(max(0.0, until - time.monotonic())):
                    return "failed"
            except subprocess.TimeoutExpired:
                process.terminate()  # not killed: who trains saves, and the queue ends its processes
                process.wait()
                return "time is up"
    return "done"


def main(arguments: Sequence[str]) -> int:
    """How many parts failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--only", nargs="+", choices=parts(Path(), 1), help="these parts")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 4), help="runs at once")
    told = parser.parse_args(arguments)
    told.out.mkdir(parents=True, exist_ok=True)
    every = parts(told.out.resolve(), told.jobs)
    chosen = {name: part for name, part in every.items() if name in (told.only or every)}
    return list(work(chosen, told.out, 60 * told.minutes).values()).count("failed")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
