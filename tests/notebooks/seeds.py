"""`python -m tests.notebooks.seeds 03 --seeds 5`: in how many runs each row of a lecture's tables holds.

A network that is trained in a notebook is another one with another seed, and on a processor that rounds otherwise. So
what a lecture says of it must hold in all these runs: the lecture as it is, with other seeds, and on two processors
that this one can play. `--full` runs the student's own sizes in place of the fast settings.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from ..processors import PROCESSORS
from .lecture import LECTURES, Executed, execute, rows

OTHER_SEEDS = """
import torch


class Shifted(torch.Generator):
    def manual_seed(self, seed):
        return super().manual_seed(seed + {shift})


torch.Generator = Shifted
torch.manual_seed = lambda seed, seeds=torch.manual_seed: seeds(seed + {shift})
"""


def runs(name: str, seeds: int, fast: bool) -> Iterator[tuple[str, Executed]]:
    """The lecture with each of so many seeds, the first of which is its own, and with that one on each processor."""
    ways = [("its own seed", 0, {}), *((f"seed + {1000 * k}", 1000 * k, {}) for k in range(1, seeds))]
    for way, shift, settings in [*ways, *((processor, 0, it) for processor, it in PROCESSORS.items())]:
        with patch.dict(os.environ, settings), tempfile.TemporaryDirectory() as folder:
            yield way, execute(name, Path(folder), fast, OTHER_SEEDS.format(shift=shift) if shift else "")


def main(arguments: list[str]) -> None:
    """Print every row of each lecture with the number of runs in which it holds, those that hold least first."""
    parser = argparse.ArgumentParser(prog="python -m tests.notebooks.seeds", description=__doc__)
    parser.add_argument("lectures", nargs="+", metavar="03", help="the lectures' numbers")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--full", action="store_true")
    chosen = parser.parse_args(arguments)
    for name in (name for name in LECTURES if name[:2] in chosen.lectures):
        made: dict[str, Executed] = {}
        for way, run in runs(name, chosen.seeds, not chosen.full):
            made[way] = run
            print(f"{name}, {way}: {len(run.wrong)} rows do not hold. {run.error}", file=sys.stderr)
        without = {row: [way for way, run in made.items() if run.error or row in run.wrong] for row in rows(name)}
        for row, ways in sorted(without.items(), key=lambda entry: -len(entry[1])):
            print(f"{len(made) - len(ways)} of {len(made)}", row, *(f"not {way}" for way in ways), sep=" | ")


if __name__ == "__main__":
    main(sys.argv[1:])
