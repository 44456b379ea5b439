"""Train a recipe, save the checkpoint, and record the run: what was run, where, and what it reached."""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean

from course_lib.checkpoints import NAMES, load, save, translator
from course_lib.checkpoints.alone import only_one
from course_lib.checkpoints.evaluation import aer, evaluate, judged, model1_aer
from course_lib.checkpoints.experiments import EXPERIMENTS
from course_lib.checkpoints.recipe import Recipe, Sentence
from course_lib.checkpoints.recipes import SMALLEST, named, recipe_of
from course_lib.checkpoints.recorded import commit, write_record
from course_lib.checkpoints.searching import by_beam_size
from course_lib.checkpoints.tokenizers import learned
from course_lib.corpora.batches import Batches
from course_lib.corpora.id_pairs import id_pairs
from course_lib.systems.balance import BalancedTrainer, loads
from course_lib.systems.refinement import Refiner
from course_lib.training.averaging import LastCheckpoints, load_average
from course_lib.training.checkpoint import read
from course_lib.training.device import device
from course_lib.training.trainer import Trainer
from course_lib.translator import Translator

EVALUATED = {"test": 1050, "long": 450}  # sentences of each split
HELD_OUT = 300  # sentences of `dev`
ALIGNED = 40_000  # sentence pairs that Model 1 learns from
EVERY = 100  # steps between two evaluations of the held-out loss, and that a recorded loss is the mean of
REWARDED = 20  # steps that a recorded reward is the mean of
OUTPUTS = 200  # translations of each split that the record of an experiment's run keeps
SEARCHED = {"rnn.luong": 100, "rnn.none": 100}  # on how many sentences of `long` beams of several sizes are tried


def make(run: str, folder: Path, *, steps: int | None = None, evaluated: dict[str, int] | None = None) -> dict:
    """Train a run, named as in `recipe_of`; write its record, and its weights if they are kept, to `folder`.

    Returns the record. Interrupted at any moment, it goes on from NAME.resume when it is called again. Where the recipe
    averages, "last" in the record is what the last step's weights reach. Other `steps` than the recipe's: see
    `shortened`. Raises ValueError for a name that is no run and for a NAME.resume of another recipe, and BusyError
    where another process makes it in the same folder.
    """
    name, recipe = named(run), recipe_of(run)
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
    row = name.partition("-")[0]
    if recipe.start:
        record["before"] = results(begun(recipe, text), recipe, evaluated)
    if averages:
        record["last"] = results(made, recipe, evaluated)
        load_average(lasts.paths, made.model)
    if name in NAMES:
        save(folder / f"{name}.safetensors", made, {"recipe": asdict(recipe)})
    aligned = None
    if recipe.aligns:
        aligned = text[:ALIGNED] if name in NAMES else () if row in EXPERIMENTS else None
    record["results"] = results(made, recipe, evaluated, aligned, OUTPUTS if row in EXPERIMENTS else None)
    record |= recipe.measured(made)
    if row in SEARCHED:
        record["beams"] = by_beam_size(made, recipe.examples(SEARCHED[row], "long"))
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
    made = begun(recipe, text)

    def batches(sentences: Sequence[Sentence]) -> Batches:
        pairs = id_pairs(sentences, made.tokenizer, made.vocabulary)
        return Batches(pairs, recipe.max_tokens, made.vocabulary, seed=recipe.seed)

    plain, joined = batches(text), batches([*text, *recipe.joins(text)])
    done = len(read(resume)[1]["losses"]) if resume.exists() else 0
    trainer = recipe.trainer(
        made,
        plain if done <= recipe.hold else joined,
        held_out=list(batches(held_out(recipe)).epoch(0)),
        evaluate_every=EVERY,
        seed=recipe.seed,
        bf16=False,  # a run is the same on every device, but for rounding
        recipe=asdict(recipe),
    )
    if done:
        trainer.load(resume)
    if done < recipe.hold:
        trainer.train(recipe.hold - done, path=resume, show=show, progress=progress)
    trainer.batches = joined
    trainer.train(recipe.steps - trainer.step, path=resume, show=show, progress=progress)
    record = {
        "recipe": asdict(recipe),
        "device": device().type,
        "text": hashlib.sha256("\n".join("\t".join(pair) for pair in text).encode()).hexdigest(),
        "vocabulary": len(made.vocabulary),
        "parameters": sum(p.numel() for p in made.model.parameters()),
        "cpu_seconds": round(trainer.cpu_seconds),
        "losses": means(trainer.losses, EVERY),
        "held_out_losses": [(step, round(loss, 4)) for step, loss in trainer.held_out_losses],
    }
    if isinstance(trainer, Refiner):
        record["sampled_rewards"] = means(trainer.sampled_rewards, REWARDED)
    if isinstance(trainer, BalancedTrainer):
        record["loads"] = loads(made.model, trainer.held_out).tolist()  # words of `dev` that each expert gets
    return made, record


def means(values: Sequence[float], width: int) -> list[float]:
    """The mean of every `width` values, without a rest."""
    return [round(fmean(values[k : k + width]), 4) for k in range(0, len(values) // width * width, width)]


def begun(recipe: Recipe, text: Sequence[Sentence]) -> Translator:
    """The translator before the first step: with fresh weights, or the checkpoint that the recipe begins from."""
    if recipe.start:
        return load(recipe.start)
    made = translator(recipe, learned(recipe.pieces, (side for pair in text for side in pair), recipe.merges))
    made.model.to(device())
    return made


def held_out(recipe: Recipe) -> list[Sentence]:
    """What the loss is watched on while it trains."""
    return replace(recipe, sentences=HELD_OUT).text("dev")


def results(
    made: Translator,
    recipe: Recipe,
    evaluated: dict[str, int],
    aligned: Sequence[Sentence] | None = None,
    outputs: int | None = None,
) -> dict:
    """BLEU on the first sentences of each split, and the first `outputs`, if a number is given. A character that the
    text never showed is `<unk>`. Of `test`, adequacy and fluency where the recipe says so.

    With `aligned` the alignment error rates of attention as well; and, where it holds text, that of a Model 1 which has
    learnt from it.
    """
    found, pair = {}, (recipe.source, recipe.target)
    made.refuses = False
    for split, size in evaluated.items():
        examples = recipe.examples(size, split)
        found[split] = evaluate(made, examples, *pair, outputs)
        if recipe.judged and split == "test":
            found[split] |= judged(made, examples[: recipe.judged], *pair)
        if aligned is not None:
            found[split]["aer"] = aer(made, examples, *pair)
        if aligned:
            found[split]["aer"]["model1"] = model1_aer(aligned, examples, *pair)
    return found
