"""Train a recipe, save the checkpoint, and record the run: what was run, where, and what it reached."""

import hashlib
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from course_lib.checkpoints import NAMES, save, translator
from course_lib.checkpoints.alone import only_one
from course_lib.checkpoints.evaluation import aer, evaluate, model1_aer
from course_lib.checkpoints.recipes import SMALLEST, Recipe, Sentence, recipe_of, run_of
from course_lib.checkpoints.recorded import write_record
from course_lib.checkpoints.tokenizers import learned
from course_lib.corpora.batches import Batches
from course_lib.corpora.grammar import sample
from course_lib.corpora.id_pairs import id_pairs
from course_lib.training.averaging import LastCheckpoints, load_average
from course_lib.training.checkpoint import read
from course_lib.training.device import device
from course_lib.training.trainer import Trainer
from course_lib.translator import Translator

EVALUATED = {"test": 1050, "long": 450}  # sentences of each split
HELD_OUT = 300  # sentences of `dev`
ALIGNED = 40_000  # sentence pairs that Model 1 learns from
EVERY = 100  # steps between two evaluations of the held-out loss


def make(run: str, folder: Path, *, steps: int | None = None, evaluated: dict[str, int] | None = None) -> dict:
    """Train a run, named as in `recipe_of`; write its record, and its weights if they are kept, to `folder`.

    Returns the record. Interrupted at any moment, it goes on from NAME.resume when it is called again. Where the recipe
    averages, "last" in the record is what the last step's weights reach. Other `steps` than the recipe's: see
    `shortened`. Raises ValueError for a name that is no run, and BusyError where another process makes it in the same
    folder.
    """
    recipe = recipe_of(run)
    name = run_of(run.partition("-")[0], recipe.seed)
    with only_one(folder, name):
        return _made(name, recipe, folder, steps, evaluated)


def _made(name: str, recipe: Recipe, folder: Path, steps: int | None, evaluated: dict[str, int] | None) -> dict:
    if steps is not None:
        recipe = recipe.shortened(steps)
    text, lasts = recipe.text(), LastCheckpoints(folder / f"{name}.last", recipe.averaged)
    averages = recipe.averaged > 1
    made, record = trained(recipe, text, folder / f"{name}.resume", lasts if averages else None)
    record = {"command": f"python -m course_lib.checkpoints {name}", "commit": commit(), **record}
    if evaluated is None:
        evaluated = {} if name in SMALLEST else EVALUATED  # of the smallest runs only the losses tell something
    if averages:
        record["last"] = results(made, recipe, (), evaluated)
        load_average(lasts.paths, made.model)
    if name in NAMES:
        save(folder / f"{name}.safetensors", made, {"recipe": asdict(recipe)})
    aligned = text[:ALIGNED] if name in NAMES and recipe.aligns else ()
    record["results"] = results(made, recipe, aligned, evaluated)
    write_record(name, record, folder)
    (folder / f"{name}.resume").unlink()
    shutil.rmtree(lasts.folder, ignore_errors=True)
    return record


def trained(
    recipe: Recipe,
    text: Sequence[Sentence],
    resume: Path,
    show: Callable[[Trainer], None] | None = None,
    progress: bool = True,
) -> tuple[Translator, dict]:
    """The translator that a recipe makes of its text, and how its training went; `show` and `progress` as in `train`.
    Its weights are those of the last step."""
    tokenizer = learned(recipe.pieces, (side for pair in text for side in pair), recipe.merges)
    made = translator(recipe, tokenizer)
    made.model.to(device())

    def batches(sentences: Sequence[Sentence]) -> Batches:
        pairs = id_pairs(sentences, tokenizer, made.vocabulary)
        return Batches(pairs, recipe.max_tokens, made.vocabulary, seed=recipe.seed)

    plain, joined = batches(text), batches([*text, *recipe.joins(text)])
    done = len(read(resume)[1]["losses"]) if resume.exists() else 0
    trainer = Trainer(
        made.model,
        plain if done <= recipe.hold else joined,
        held_out=list(batches(held_out(recipe)).epoch(0)),
        evaluate_every=EVERY,
        seed=recipe.seed,
        **recipe.training(),
    )
    if done:
        trainer.load(resume)
    if done < recipe.hold:
        trainer.train(recipe.hold - done, path=resume, show=show, progress=progress)
    trainer.batches = joined
    trainer.train(recipe.steps - trainer.step, path=resume, show=show, progress=progress)
    means = [sum(trainer.losses[k : k + EVERY]) / EVERY for k in range(0, len(trainer.losses) // EVERY * EVERY, EVERY)]
    return made, {
        "recipe": asdict(recipe),
        "device": device().type,
        "text": hashlib.sha256("\n".join("\t".join(pair) for pair in text).encode()).hexdigest(),
        "vocabulary": len(made.vocabulary),
        "parameters": sum(p.numel() for p in made.model.parameters()),
        "cpu_seconds": round(trainer.cpu_seconds),
        "losses": [round(loss, 4) for loss in means],  # means of `EVERY` steps
        "held_out_losses": [(step, round(loss, 4)) for step, loss in trainer.held_out_losses],
    }


def held_out(recipe: Recipe) -> list[Sentence]:
    """What the loss is watched on while it trains."""
    return replace(recipe, sentences=HELD_OUT).text("dev")


def results(made: Translator, recipe: Recipe, aligned: Sequence[Sentence], evaluated: dict[str, int]) -> dict:
    """BLEU on the first sentences of each split, and the alignment error rates of attention and of a Model 1 that has
    learnt from the text `aligned`, where that holds any. A character that the text never showed is `<unk>`."""
    found, pair = {}, (recipe.source, recipe.target)
    made.refuses = False
    for split, size in evaluated.items():
        examples = sample(size, split=split)
        found[split] = evaluate(made, examples, *pair)
        if aligned:
            found[split]["aer"] = aer(made, examples, *pair) | {"model1": model1_aer(aligned, examples, *pair)}
    return found


def commit() -> str:
    """The commit of the code, "unknown" outside a clone."""
    here = Path(__file__).parent
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True)
    return asked.stdout.strip() if asked.returncode == 0 else "unknown"
