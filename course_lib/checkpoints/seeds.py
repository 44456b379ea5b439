"""What the seed decides: the same model, the same text and number of steps, and another alignment; recorded once.

python -m course_lib.checkpoints seeds

Whether attention comes to lie on the words that belong together is settled early in a training. So a seed is chosen
after a part of it, on sentences that no figure of the course is measured on: `attention` has the best of these.
"""

from dataclasses import replace
from pathlib import Path

from course_lib.checkpoints.evaluation import aer, model1_aer
from course_lib.checkpoints.making import ALIGNED, trained
from course_lib.checkpoints.recipes import RECIPES
from course_lib.checkpoints.recorded import SEEDS as NAME
from course_lib.checkpoints.recorded import commit, write_record
from course_lib.corpora.grammar import sample
from course_lib.training.device import device

SEEDS = range(4)
STEPS = 1300  # all at the constant rate, as those of the whole run
SENTENCES = 300  # of `dev`


def make(folder: Path, *, seeds: range = SEEDS, steps: int = STEPS, sentences: int = SENTENCES) -> dict:
    """Train the first `steps` of RECIPES["attention"] with each seed, write its record to `folder`, and return what
    it holds: the alignment error rates on `dev` of each, and of Model 1. Interrupted, it goes on where it was."""
    recipe, text, examples = RECIPES["attention"], RECIPES["attention"].text(), sample(sentences, split="dev")
    pair, resumes = (recipe.source, recipe.target), [folder / f"seed_{seed}.resume" for seed in seeds]
    record = {
        "command": "python -m course_lib.checkpoints seeds",
        "commit": commit(),
        "device": device().type,
        "steps": steps,
        "sentences": sentences,
        "model1": model1_aer(text[:ALIGNED], examples, *pair),
        "seeds": [],
    }
    for seed, resume in zip(seeds, resumes, strict=True):
        made, run = trained(replace(recipe, seed=seed, steps=steps, hold=steps), text, resume)
        record["seeds"].append(
            {"seed": seed, "held_out_loss": run["held_out_losses"][-1][1], **aer(made, examples, *pair)}
        )
    write_record(NAME, record, folder)
    for resume in resumes:
        resume.unlink()
    return record
