"""What each lecture costs from top to bottom: seconds of processor time and wall clock, and its slowest cells.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_lectures [--lectures 08_training,…] [--full yes]

The limits are 45 seconds in fast settings, in which the suite runs them, and 180 in the student's own, on two idle
cores. The seconds are the cells' own: what the tests ask behind a cell and the start of the kernel are not in them.
"""

import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.rounds import options, report
from tests.notebooks.lecture import LECTURES, execute

SLOWEST = 3  # cells


def main(arguments: list[str]) -> None:
    """Run the lectures one after the other; one that raises an error is told by it."""
    chosen = options(__doc__, arguments, lectures=",".join(LECTURES), full="no")
    rows = []
    for name in chosen.lectures.split(","):
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            made = execute(name, Path(folder), fast=chosen.full != "yes")
            wall = time.perf_counter() - started
        slowest = sorted(made.seconds.items(), key=lambda entry: -entry[1])[:SLOWEST]
        rows.append(
            {
                "lecture": name,
                "CPU s": round(sum(made.seconds.values()), 1),
                "wall s": round(wall, 1),
                "slowest cells": ", ".join(f"{cell} {spent:.1f}" for cell, spent in slowest),
                "error": made.error,
            }
        )
    report("tests.benchmarks.bench_lectures", arguments, rows, chosen.json)


if __name__ == "__main__":
    main(sys.argv[1:])
