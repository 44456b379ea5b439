"""Train a translator of picture captions on Multi30k, English to German, and score it on test 2016.

python -m course_lib.checkpoints multi30k [--seeds 3] [--to folder], or for two GPUs
accelerate launch --num_processes 2 -m course_lib.checkpoints multi30k

A seed takes less than an hour on one core of a processor (`cpu_seconds` in the record); interrupted, it goes on.
Nothing is chosen on the test set.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

from sacrebleu.metrics import BLEU

from course_lib.checkpoints.captions import CAPTIONS, Captions, translator
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
    folder: Path,
    name: str = "multi30k",
    *,
    seeds: Sequence[int] = (0,),
    recipe: Captions | None = None,
    text: Callable[[str], Pairs] = multi30k.load,
    progress: bool = True,
) -> dict | None:
    """Train and score CAPTIONS[name] (or another `recipe`) with every seed; write the record, and the weights of each,
    to `folder`: NAME.safetensors the first seed's, NAME-SEED.safetensors the others'.

    Returns the record (None in processes other than the main one). Interrupted, it goes on. `text` gives the pairs of a
    split. Raises ValueError where a sentence of `corpora/everyday.py` is in the text to learn from.
    """
    recipe = CAPTIONS[name] if recipe is None else recipe
    train, val = text("train"), text("val")
    if known := {x for x, _ in EVERYDAY} & {x for x, _ in train}:
        raise ValueError(f"the sentences of corpora/everyday.py must be new, the text has {sorted(known)}")
    tokenizer = SentencePiece.train((side for pair in train for side in pair), recipe.vocabulary, "bpe")
    files = [f"{name}-{seed}" if k else name for k, seed in enumerate(seeds)]
    runs = []
    for seed, file in zip(seeds, files, strict=True):
        made, run = trained(recipe, seed, tokenizer, train, val, folder / file, progress)
        if processes.is_main():
            chosen = {alpha: scores(made, val, recipe, alpha)["cased"]["bleu"] for alpha in recipe.alphas}
            alpha = max(chosen, key=chosen.__getitem__)
            said = {"recipe": asdict(recipe), "seed": seed, "tokenizer": stored(tokenizer)}
            save_weights(folder / f"{file}.safetensors", made.model, said)
            runs.append(run | {"alpha": alpha, "val": chosen[alpha]})
            runs[-1]["test_2016_flickr"] = scores(made, text("test_2016_flickr"), recipe, alpha)
        processes.wait()
    if not processes.is_main():
        return None
    record = {
        "command": f"python -m course_lib.checkpoints {name}",
        "commit": commit(),
        "device": device().type,
        "recipe": asdict(recipe),
        "mean": {row: round(fmean(run["test_2016_flickr"][row]["bleu"] for run in runs), 2) for row in ROWS},
        "runs": runs,
    }
    write_record(name, record, folder)
    for file in files:
        (folder / f"{file}.resume").unlink()
        shutil.rmtree(folder / f"{file}.last")
    return record


def trained(
    recipe: Captions, seed: int, tokenizer: SentencePiece, train: Pairs, val: Pairs, path: Path, progress: bool
) -> tuple[Translator, dict]:
    """The translator with the mean of its last weights, and how its training went. `path`, with an ending, is where it
    keeps what it needs to go on."""
    made, n = translator(recipe, tokenizer, seed), processes.number()
    made.model.to(device())

    def batches(pairs: Pairs) -> Batches:  # of n processes each takes one
        ids = id_pairs(pairs, tokenizer, made.vocabulary)
        return Batches(ids, recipe.max_tokens // n, made.vocabulary, seed=seed)

    trainer = Trainer(
        made.model,
        batches(train),
        held_out=list(batches(val).epoch(0)),
        smoothing=recipe.smoothing,
        accumulate=n,
        evaluate_every=recipe.every,
        seed=seed,
        **recipe.training(),
    )
    resume, lasts = path.with_suffix(".resume"), LastCheckpoints(path.with_suffix(".last"), recipe.averaged)
    if resume.exists():
        trainer.load(resume)
    trainer.train(recipe.steps - trainer.step, show=lasts, path=resume, progress=progress)
    load_average(lasts.paths, made.model)
    made.model.eval()
    return made, {
        "seed": seed,
        "parameters": sum(p.numel() for p in made.model.parameters()),
        "cpu_seconds": round(trainer.cpu_seconds),
        "held_out_losses": [(step, round(loss, 4)) for step, loss in trainer.held_out_losses],
    }


def scores(translator: Translator, pairs: Pairs, recipe: Captions, alpha: float) -> dict[str, dict]:
    """`bleu` of what a beam finds for the sources, against the targets."""
    found = translator.search([x for x, _ in pairs], beam_size=recipe.beam_size, normalise=power(alpha))
    return bleu([translator.written(outputs[0].words) for outputs in found], [y for _, y in pairs])


def moses(text: str) -> str:
    """German text as the literature on Multi30k scores it: plain punctuation, lowercased, tokens by Moses' rules."""
    plain = MosesPunctNormalizer("de").normalize(text).lower()
    return MosesTokenizer("de").tokenize(plain, return_str=True, escape=False)


ROWS: dict[str, tuple[Callable[[str], str], dict]] = {  # what is done to text before, and sacreBLEU's settings
    "cased": (str, {}),
    "lowercased": (str, {"lowercase": True}),
    "tokenised, lowercased": (moses, {"tokenize": "none", "smooth_method": "none", "force": True}),
}


def bleu(found: Sequence[str], references: Sequence[str]) -> dict[str, dict]:
    """{"bleu", "signature"} for each of ROWS: sacreBLEU 13a on running text, cased and lowercased; and the literature's
    protocol, unsmoothed BLEU of lowercased tokens (Koehn's multi-bleu), to be compared with no other row."""
    rows = {}
    for name, (prepare, settings) in ROWS.items():
        metric = BLEU(**settings)
        score = metric.corpus_score([prepare(y) for y in found], [[prepare(y) for y in references]]).score
        rows[name] = {"bleu": round(score, 2), "signature": str(metric.get_signature())}
    return rows
