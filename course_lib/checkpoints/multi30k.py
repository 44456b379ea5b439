"""A small Transformer on Multi30k, English to German: several seeds, each scored on test 2016; recorded once.

python -m course_lib.checkpoints multi30k [--to folder], or for two GPUs
accelerate launch --num_processes 2 -m course_lib.checkpoints multi30k

Sizes and training are those of "Transformer-Tiny" (Wu et al. 2021, "Good for Misconceived Reasons", section 4), which
reaches 41.0 there on lowercased tokens. Nothing is chosen on the test set.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from sacrebleu.metrics import BLEU

from course_lib.checkpoints.recorded import commit, write_record
from course_lib.corpora import multi30k
from course_lib.corpora.batches import Batches
from course_lib.corpora.id_pairs import id_pairs
from course_lib.extras import needs
from course_lib.search.hypothesis import power
from course_lib.subwords import SentencePiece, Vocabulary
from course_lib.training import processes
from course_lib.training.averaging import LastCheckpoints, load_average
from course_lib.training.checkpoint import save_weights
from course_lib.training.device import device
from course_lib.training.schedules import inverse_square_root
from course_lib.training.trainer import Trainer
from course_lib.transformer import Config, Transformer
from course_lib.translator import Translator, source_plus_50

with needs("multi30k"):
    from sacremoses import MosesPunctNormalizer, MosesTokenizer

NAME = "multi30k"
Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Recipe:
    """The model, its training and its search. Pieces are those of one BPE for both languages (SentencePiece).

    The weights are the mean of the last `averaged` states, `every` steps apart; of `alphas`, the powers of the length
    that scores are divided by, each seed takes the one with the best BLEU on val.
    """

    vocabulary: int = 10_000
    d_model: int = 128
    d_ff: int = 256
    heads: int = 4
    layers: int = 4
    dropout: float = 0.3
    smoothing: float = 0.1
    learning_rate: float = 5e-3
    warmup: int = 2000
    max_tokens: int = 4096
    steps: int = 8000
    every: int = 100
    averaged: int = 10
    beam_size: int = 5
    alphas: tuple[float, ...] = (0.0, 0.6, 1.0)
    seeds: tuple[int, ...] = (0, 1, 2)


def make(
    folder: Path,
    *,
    recipe: Recipe = Recipe(),  # noqa: B008 (it is frozen)
    text: Callable[[str], Pairs] = multi30k.load,
    progress: bool = True,
) -> dict | None:
    """Train and score every seed; write the record, and the weights of each, to `folder`. Returns the record (None
    in processes other than the main one). Interrupted, it goes on. `text` gives the pairs of a split."""
    train, val = text("train"), text("val")
    tokenizer = SentencePiece.train((side for pair in train for side in pair), recipe.vocabulary, "bpe")
    runs = []
    for seed in recipe.seeds:
        made, run = trained(recipe, seed, tokenizer, train, val, folder, progress)
        if processes.is_main():
            chosen = {alpha: scores(made, val, recipe, alpha)["cased"]["bleu"] for alpha in recipe.alphas}
            alpha = max(chosen, key=chosen.__getitem__)
            save_weights(folder / f"{NAME}_{seed}.safetensors", made.model, {"recipe": asdict(recipe), "seed": seed})
            runs.append(run | {"alpha": alpha, "val": chosen[alpha]})
            runs[-1]["test_2016_flickr"] = scores(made, text("test_2016_flickr"), recipe, alpha)
        processes.wait()
    if not processes.is_main():
        return None
    record = {
        "command": f"python -m course_lib.checkpoints {NAME}",
        "commit": commit(),
        "device": device().type,
        "recipe": asdict(recipe),
        "mean": {name: sum(run["test_2016_flickr"][name]["bleu"] for run in runs) / len(runs) for name in ROWS},
        "runs": runs,
    }
    write_record(NAME, record, folder)
    for seed in recipe.seeds:
        (folder / f"{NAME}_{seed}.resume").unlink()
        shutil.rmtree(folder / f"{NAME}_{seed}.last")
    return record


def trained(
    recipe: Recipe, seed: int, tokenizer: SentencePiece, train: Pairs, val: Pairs, folder: Path, progress: bool
) -> tuple[Translator, dict]:
    """The translator with the mean of its last weights, and how its training went."""
    vocabulary, n = Vocabulary(tokenizer.vocabulary), processes.number()
    sizes = {name: getattr(recipe, name) for name in ("d_model", "d_ff", "heads", "layers", "dropout")}
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        model = Transformer(Config(len(vocabulary), **sizes)).to(device())

    def batches(pairs: Pairs) -> Batches:  # of n processes each takes one
        return Batches(id_pairs(pairs, tokenizer, vocabulary), recipe.max_tokens // n, vocabulary, seed=seed)

    trainer = Trainer(
        model,
        batches(train),
        held_out=list(batches(val).epoch(0)),
        learning_rate=recipe.learning_rate,
        schedule=inverse_square_root(recipe.warmup),
        betas=(0.9, 0.98),
        eps=1e-9,
        smoothing=recipe.smoothing,
        accumulate=n,
        evaluate_every=recipe.every,
        seed=seed,
    )
    resume, lasts = folder / f"{NAME}_{seed}.resume", LastCheckpoints(folder / f"{NAME}_{seed}.last", recipe.averaged)
    if resume.exists():
        trainer.load(resume)
    trainer.train(recipe.steps - trainer.step, show=lasts, path=resume, progress=progress)
    load_average(lasts.paths, model)
    translator = Translator(model, tokenizer, vocabulary, limit=source_plus_50)
    translator.refuses = False  # a character that the text never showed is <unk>
    return translator, {
        "seed": seed,
        "parameters": sum(p.numel() for p in model.parameters()),
        "held_out_losses": [(step, round(loss, 4)) for step, loss in trainer.held_out_losses],
    }


def scores(translator: Translator, pairs: Pairs, recipe: Recipe, alpha: float) -> dict[str, dict]:
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
