"""Train a checkpoint again: python -m course_lib.checkpoints attention [--steps 500] [--to folder].

`search` trains none: it records what search makes of those that are there (searching.py). `seeds` records what another
seed makes of `attention` (seeds.py).
"""

import argparse
from pathlib import Path

from course_lib.checkpoints import SEARCH, SEEDS, searching, seeds
from course_lib.checkpoints.making import make
from course_lib.checkpoints.recipes import RECIPES

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("name", choices=[*RECIPES, SEARCH, SEEDS])
parser.add_argument(
    "--steps", type=int, help="fewer or more than the recipe's, with the rate held as long in proportion"
)
parser.add_argument("--to", type=Path, default=Path(__file__).parent, help="the folder that gets the files")
chosen = parser.parse_args()
if chosen.name in (SEARCH, SEEDS):
    {SEARCH: searching, SEEDS: seeds}[chosen.name].make(chosen.to)
else:
    make(chosen.name, chosen.to, steps=chosen.steps)
