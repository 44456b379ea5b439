"""Train a translator of picture captions on Multi30k, from English, and score it on test 2016.

python -m course_lib.checkpoints multi30k [--to folder], or for two GPUs
accelerate launch --num_processes 2 -m course_lib.checkpoints multi30k

`multi30k-1` is the same with seed 1, as of every run; several at once: `runs --only multi30k --seeds 3 --jobs 3`.
Interrupted, it goes on. Nothing is chosen on the test set.
"""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path

from sacrebleu.metrics import BLEU

from course_lib.checkpoints.alone import only_one
from course_lib.checkpoints.captions import CAPTIONS, Captions, translator
from course_lib.checkpoints.recipes import named, recipe_of
from course_lib.checkpoints.recorded import commit, write_record
from course_lib.checkpoints.tokenizers import stored
from course_lib.corpora import multi30k
from course_lib.corpora.batches import Batches
from course_lib.corpora.everyday import EVERYDAY
from course_lib.corpora.id_pairs import id_pairs
from course_lib.extras import needs
from course_lib.search.hypothesis import power
from course_lib.subwords import SentencePiece
from course_lib.training import processes
from course_lib.training.averaging import LastCheckpoints, load_average
from course_lib.training.checkpoint import save_weights
from course_lib.training.device import device
from course_lib.training.trainer import Trainer
from course_lib.translator import Translator

with needs("multi30k"):
    from sacremoses import MosesPunctNormalizer, MosesTokenizer

Pairs = Sequence[tuple[str, str]]


def make(
    run: str,
    folder: Path,
    *,
    steps: int | None = None,
    recipe: Captions | None = None,
    text: Callable[[str, tuple[str, str]], Pairs] = multi30k.load,
    progress: bool = True,
) -> dict | None:
    """Train and score a run, named as in `recipe_of` (or by another `recipe`); write its record to `folder`, and its
    weights where the run has the recipe's own seed.

    Returns the record (None in processes other than the main one). Interrupted, it goes on. Other `steps` than the
    recipe's: see `shortened`. `text` gives the pairs of a split in two languages. Raises ValueError where a sentence of
    `corpora/everyday.py` is in the text to learn from and where RUN.resume is of another recipe, and BusyError where
    another process makes the run in the same folder.
    """
    if recipe is None:
        run, recipe = named(run), recipe_of(run)
    if steps is not None:
        recipe = recipe.shortened(steps)
    with only_one(folder, run) if processes.is_main() else nullcontext():
        record = _made(run, recipe, folder, lambda split: text(split, ("en", recipe.target)), progress)
    processes.wait()
    return record


def _made(run: str, recipe: Captions, folder: Path, text: Callable[[str], Pairs], progress: bool) -> dict | None:
    train, val = text("train"), text("val")
    if known := {x for x, _ in EVERYDAY} & {x for x, _ in train}:
        raise ValueError(f"the sentences of corpora/everyday.py must be new, the text has {sorted(known)}")
    tokenizer = SentencePiece.train((side for pair in train for side in pair), recipe.vocabulary, "bpe")
    made, record = trained(recipe, tokenizer, train, val, folder / run, progress)
    if not processes.is_main():
        return None
    chosen = {alpha: scores(made, val, recipe, alpha)["cased"]["bleu"] for alpha in recipe.alphas}
    alpha = max(chosen, key=chosen.__getitem__)
    record = {
        "command": f"python -m course_lib.checkpoints {run}",
        "commit": commit(),
        **record,
        "alpha": alpha,
        "val": chosen[alpha],
        "test_2016_flickr": scores(made, text("test_2016_flickr"), recipe, alpha),
    }
    if run in CAPTIONS:
        said = {"recipe": asdict(recipe), "tokenizer": stored(tokenizer)}
        save_weights(folder / f"{run}.safetensors", made.model, said)
    write_record(run, record, folder)
    (folder / f"{run}.resume").unlink()
    shutil.rmtree(folder / f"{run}.last")
    return record


def trained(
    recipe: Captions, tokenizer: SentencePiece, train: Pairs, val: Pairs, path: Path, progress: bool
) -> tuple[Translator, dict]:
    """The translator with the mean of its last weights, and how its training went. `path`, with an ending, is where it
    keeps what it needs to go on."""
    made, n = translator(recipe, tokenizer), processes.number()
    made.model.to(device())

    def batches(pairs: Pairs) -> Batches:  # of n processes each takes one
        ids = id_pairs(pairs, tokenizer, made.vocabulary)
        return Batches(ids, recipe.max_tokens // n, made.vocabulary, seed=recipe.seed)

    trainer = Trainer(
        made.model,
        batches(train),
        held_out=list(batches(val).epoch(0)),
        smoothing=recipe.smoothing,
        accumulate=n,
        evaluate_every=recipe.every,
        seed=recipe.seed,
        bf16=False,  # a run is the same on every device, but for rounding
        recipe=asdict(recipe),
        **recipe.training(),
    )
    resume, lasts = path.with_suffix(".resume"), LastCheckpoints(path.with_suffix(".last"), recipe.averaged)
    if resume.exists():
        trainer.load(resume)
    trainer.train(recipe.steps - trainer.step, show=lasts, path=resume, progress=progress)
    load_average(lasts.paths, made.model)
    made.model.eval()
    return made, {
        "recipe": asdict(recipe),
        "device": device().type,
        "text": hashlib.sha256("\n".join("\t".join(pair) for pair in train).encode()).hexdigest(),
        "vocabulary": len(made.vocabulary),
        "parameters": sum(p.numel() for p in made.model.parameters()),
        "cpu_seconds": round(trainer.cpu_seconds),
        "held_out_losses": [(step, round(loss, 4)) for step, loss in trainer.held_out_losses],
    }


def scores(translator: Translator, pairs: Pairs, recipe: Captions, alpha: float) -> dict[str, dict]:
    """`bleu` of what a beam finds for the sources, against the targets."""
    found = translator.search([x for x, _ in pairs], beam_size=recipe.beam_size, normalise=power(alpha))
    return bleu([translator.written(outputs[0].words) for outputs in found], [y for _, y in pairs], recipe.target)


def moses(text: str, language: str) -> str:
    """Text as the literature on Multi30k scores it: plain punctuation, lowercased, tokens by Moses' rules."""
    plain = MosesPunctNormalizer(language).normalize(text).lower()
    return MosesTokenizer(language).tokenize(plain, return_str=True, escape=False)


CASED, LOWERCASED, TOKENISED = "cased", "lowercased", "tokenised, lowercased"
ROWS: dict[str, dict] = {  # sacreBLEU's settings
    CASED: {},
    LOWERCASED: {"lowercase": True},
    TOKENISED: {"tokenize": "none", "smooth_method": "none", "force": True},
}


def bleu(found: Sequence[str], references: Sequence[str], language: str = "de") -> dict[str, dict]:
    """{"bleu", "signature"} for each of ROWS: sacreBLEU 13a on running text, cased and lowercased; and the literature's
    protocol, unsmoothed BLEU of lowercased tokens (Koehn's multi-bleu), to be compared with no other row."""
    rows = {}
    for name, settings in ROWS.items():
        prepare, metric = partial(moses, language=language) if name == TOKENISED else str, BLEU(**settings)
        score = metric.corpus_score([prepare(y) for y in found], [[prepare(y) for y in references]]).score
        rows[name] = {"bleu": round(score, 2), "signature": str(metric.get_signature())}
    return rows
