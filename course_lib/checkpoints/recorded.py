"""What was recorded of each run: a JSON file in records/, beside the weights."""

import json
import os
import subprocess
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from course_lib.checkpoints.recipes import named
from course_lib.files import write_atomically

SEARCH = "search"  # the record of searches in the translators
SEEDS = "seeds"  # the record of what the seed decides
JUDGING = "judging"  # the record of metrics against the truth
ENSEMBLES = "ensembles"  # the record of pairs of models
MODEL_1 = "model1"  # the record of IBM Model 1 on the text of the experiments
OTHERS = (SEARCH, SEEDS, ENSEMBLES, JUDGING, MODEL_1)  # records of no run of RECIPES


def about(name: str, folder: str | os.PathLike | None = None) -> dict:
    """The record of a run: command, commit, recipe, device, the text's hash, learning curve, CPU seconds, results.

    A run is named as in `recipes.recipe_of`: "attention-3" is the recipe `attention` with seed 3. Those of OTHERS hold
    what searching.py, seeds.py, ensembles.py, judging.py and counting.py measure. `folder` is the one that the run was
    made in, by default the course's. Raises ValueError for a name that is none of these, and for a run that is not
    recorded.
    """
    if name not in OTHERS:
        name = named(name)
    if not is_recorded(name, folder):
        raise ValueError(f"no run of {name!r} is recorded; python -m course_lib.checkpoints {name} makes one")
    return json.loads(_path(name, folder).read_text(encoding="utf-8"))


def is_recorded(name: str, folder: str | os.PathLike | None = None) -> bool:
    """Whether there is a record of that name."""
    return _path(name, folder).is_file()


def write_record(name: str, record: dict, folder: Path) -> None:
    """Write a record completely or not at all."""
    with write_atomically(folder / "records" / f"{name}.json") as file:
        json.dump(record, file, ensure_ascii=False, indent=1)
        file.write("\n")


def commit() -> str:
    """The commit of the code, "unknown" outside a clone."""
    here = Path(__file__).parent
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True)
    return asked.stdout.strip() if asked.returncode == 0 else "unknown"


def _path(name: str, folder: str | os.PathLike | None) -> Traversable:
    return (files("course_lib.checkpoints") if folder is None else Path(folder)) / "records" / f"{name}.json"
