"""Train a checkpoint again: python -m course_lib.checkpoints attention [--steps 500] [--to folder].

NAME is a recipe, or NAME-SEED for the same with another seed. `runs` trains whatever run of the experiments is not
recorded yet, beside other work (queue.py); `evidence` prints what they show (evidence.py). `search` trains none: it
records what search makes of the recurrent ones (searching.py). `seeds` records what another seed makes of `attention`
(seeds.py), `ensembles` what two models reach together (ensembles.py), `judging` how metrics go with the truth
(judging.py), `model1` how well IBM Model 1 aligns (counting.py).
`multi30k`, `multi30k_brief`, `multi30k_recurrent` and `multi30k_french` are trained on Multi30k and scored on its test
set (multi30k.py).
"""

import argparse
import signal
import sys
from importlib import import_module
from pathlib import Path

from course_lib.checkpoints import evidence, queue
from course_lib.checkpoints.alone import BusyError
from course_lib.checkpoints.captions import Captions
from course_lib.checkpoints.recipes import recipe_of
from course_lib.checkpoints.recorded import ENSEMBLES, JUDGING, MODEL_1, SEARCH, SEEDS

others = {
    SEARCH: "searching",
    SEEDS: "seeds",
    ENSEMBLES: "ensembles",
    JUDGING: "judging",
    MODEL_1: "counting",
}  # a module each, with a `make`
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("name")
parser.add_argument(
    "--steps", type=int, help="fewer or more than the recipe's, with the rate held as long in proportion"
)
parser.add_argument("--to", type=Path, default=Path(__file__).parent, help="the folder that gets the files")
of_runs = parser.add_argument_group("runs")
of_runs.add_argument("--list", action="store_true", help="print the table and train nothing")
of_runs.add_argument("--only", nargs="+", default=(), metavar="RECIPE", help="runs of these recipes")
of_runs.add_argument("--jobs", type=int, default=1, help="how many runs at once: 1 on a CPU, more on a GPU")
parser.add_argument(
    "--seeds",
    type=int,
    default=len(queue.SEEDS),
    help="of runs and evidence: how many a recipe (%(default)s by default)",
)
parser.add_argument("--sentences", type=int, nargs=2, metavar=("TEST", "LONG"), help="of judging: how many of a split")
chosen = parser.parse_args()
users = {"list": ["runs"], "only": ["runs"], "jobs": ["runs"], "seeds": ["runs", "evidence"], "sentences": [JUDGING]}
for option, names in users.items():
    if chosen.name not in names and getattr(chosen, option) != parser.get_default(option):
        parser.error(f"--{option} must be left out: it is for {' and '.join(names)}, not for {chosen.name}")
if chosen.steps is not None and chosen.name in ("runs", "evidence", *others):
    parser.error(f"--steps must be left out: it is for a single run, not for {chosen.name}")
if chosen.name == "evidence" and chosen.to != parser.get_default("to"):
    parser.error("--to must be left out: evidence reads the records of the course")
if chosen.seeds < 1:
    parser.error(f"--seeds must be at least 1, got {chosen.seeds}")
for ends in {"SIGTERM", "SIGHUP"} & {*dir(signal)}:  # so that a queue ends its processes
    signal.signal(getattr(signal, ends), lambda number, _: sys.exit(128 + number))
if chosen.name in others:
    fewer = {"sentences": dict(zip(("test", "long"), chosen.sentences, strict=True))} if chosen.sentences else {}
    import_module(f"course_lib.checkpoints.{others[chosen.name]}").make(chosen.to, **fewer)
elif chosen.name == "evidence":
    print(found := evidence.table(seeds=range(chosen.seeds)), found.caption, sep="\n")
elif chosen.name == "runs":
    try:
        sys.exit(queue.main(queue.wanted(chosen.only, range(chosen.seeds)), chosen.to, chosen.jobs, chosen.list))
    except ValueError as error:
        parser.error(str(error))
else:
    try:
        recipe = recipe_of(chosen.name)
    except ValueError as error:
        parser.error(str(error))
    of = "multi30k" if isinstance(recipe, Captions) else "making"  # what captions need is an extra
    try:
        import_module(f"course_lib.checkpoints.{of}").make(chosen.name, chosen.to, steps=chosen.steps)
    except BusyError as error:
        sys.exit(str(error))
