"""What two models reach alone and together, in five pairs that differ in their seeds; recorded once.

python -m course_lib.checkpoints ensembles
"""

from dataclasses import replace
from pathlib import Path

from course_lib.checkpoints.making import trained
from course_lib.checkpoints.recipes import RECIPES
from course_lib.checkpoints.recorded import ENSEMBLES as NAME
from course_lib.checkpoints.recorded import commit, write_record
from course_lib.checkpoints.searching import ensembles
from course_lib.corpora.grammar import sample
from course_lib.training.device import device

PAIRS = 5
SENTENCES = 300  # of `test`


def make(folder: Path, *, pairs: int = PAIRS, steps: int | None = None, sentences: int = SENTENCES) -> dict:
    """Train the two models of each pair, RECIPES["member_0"] with the seeds 2k and 2k + 1; write the record to `folder`
    and return what it holds: of each pair its "seeds" and the "rows" of `searching.ensembles`. Interrupted, it goes on
    where it was. Other `steps` than the recipe's: see `shortened`."""
    recipe = RECIPES["member_0"] if steps is None else RECIPES["member_0"].shortened(steps)
    text, examples = recipe.text(), sample(sentences, split="test")
    resumes = [folder / f"pair_{seed}.resume" for seed in range(2 * pairs)]
    record = {
        "command": f"python -m course_lib.checkpoints {NAME}",
        "commit": commit(),
        "device": device().type,
        "sentences": sentences,
        "pairs": [],
    }
    for pair in range(pairs):
        seeds = [2 * pair, 2 * pair + 1]
        members = [trained(replace(recipe, seed=seed), text, resumes[seed])[0] for seed in seeds]
        record["pairs"].append({"seeds": seeds, "rows": ensembles(members, examples)})
    write_record(NAME, record, folder)
    for resume in resumes:
        resume.unlink()
    return record
