"""Train a checkpoint again: python -m course_lib.checkpoints attention [--steps 500] [--to folder].

`search` trains none: it records what search makes of the recurrent ones (searching.py). `seeds` records what another
seed makes of `attention` (seeds.py). `multi30k` trains on Multi30k and scores on its test set (multi30k.py).
"""

import argparse
from pathlib import Path

from course_lib.checkpoints import SEARCH, SEEDS, multi30k, searching, seeds
from course_lib.checkpoints.making import make
from course_lib.checkpoints.recipes import RECIPES

others = {SEARCH: searching, SEEDS: seeds, multi30k.NAME: multi30k}
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("name", choices=[*RECIPES, *others])
parser.add_argument(
    "--steps", type=int, help="fewer or more than the recipe's, with the rate held as long in proportion"
)
parser.add_argument("--to", type=Path, default=Path(__file__).parent, help="the folder that gets the files")
chosen = parser.parse_args()
if chosen.name in others:
    others[chosen.name].make(chosen.to)
else:
    make(chosen.name, chosen.to, steps=chosen.steps)
