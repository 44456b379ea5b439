"""One training step of a Transformer: target tokens per second, and time against nn.Transformer and Marian.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_transformer [--rounds 5] [--d_model 256 …] [--json PATH]

The peers are nn.Transformer between embeddings, and Hugging Face's Marian, both with copies of our weights: that all
have the same loss without dropout is checked. A step is forward, loss, backward, clipping and fused Adam, the same for
all, as the recipes train: the loss with label smoothing (by torch's kernel, by its equations in "equations"), dropout
after the embedding and every sublayer. nn.Transformer drops attention weights and the inner layer of the feed-forward
network too, unless told otherwise: it is measured both ways. The goal is 0.90 of its time where it drops what ours does
(`x_same_dropout`); the record says whether it is reached. Random sentences of 24 to 32 words; all cases run round-robin
in one process, the first round uncounted.
"""

import sys
from copy import deepcopy
from functools import partial

import torch

from course_lib.attention.scaled_dot_product import by_equations
from course_lib.checkpoints.recipe import TransformerRecipe
from course_lib.corpora.batches import collate
from course_lib.subwords import Vocabulary
from course_lib.training.device import device
from course_lib.training.losses import cross_entropy
from course_lib.transformer import Config, Transformer
from tests.benchmarks import peers
from tests.benchmarks.bench_attention import training_step
from tests.benchmarks.rounds import best_of, options, report

RECIPE, GOAL = TransformerRecipe(), 0.9
PEER = "nn.Transformer, dropout where ours is"
OURS, EQUATIONS = "Transformer, fused", "Transformer, equations"


@torch.no_grad()
def check_same(models: dict[str, torch.nn.Module], batch) -> float:
    """The loss of all, without dropout. Raises SystemExit where one has another."""
    losses = {}
    for name, model in models.items():
        logits = model.eval()(batch.source, batch.source_mask, batch.target_in)
        smoothing = {"smoothing": RECIPE.smoothing, "fused": name != EQUATIONS}
        losses[name] = cross_entropy(logits, batch.target_out, batch.target_mask, **smoothing).item()
        model.train()
    if max(losses.values()) - min(losses.values()) > 1e-3:
        raise SystemExit(f"the losses differ: {losses}")
    return losses[PEER]


def main(arguments: list[str]) -> None:
    sizes = {"d_model": 256, "d_ff": 1024, "heads": 4, "layers": 3}
    chosen = options(__doc__, arguments, rounds=5, sentences=64, vocabulary=8000, **sizes)
    torch.manual_seed(0)
    sizes = {name: getattr(chosen, name) for name in sizes}
    config = Config(chosen.vocabulary, **sizes, bias=True, dropout=RECIPE.dropout)
    ours = Transformer(config)
    theirs = peers.TorchTransformer(ours)
    models = {"nn.Transformer": theirs, PEER: theirs.without_inner_dropout(), OURS: ours, EQUATIONS: deepcopy(ours)}
    models["Hugging Face Marian"] = peers.TeacherForced(peers.marian(ours))
    lengths = torch.randint(23, 32, (chosen.sentences, 2)).tolist()
    pairs = [tuple(torch.randint(4, chosen.vocabulary, (n,)).tolist() for n in pair) for pair in lengths]
    batch = collate(pairs, Vocabulary("a")).to(device())
    with by_equations(models[EQUATIONS]):
        for model in models.values():
            model.to(device())
        loss = check_same(models, batch)
        optimizers = {name: torch.optim.Adam(model.parameters(), fused=True) for name, model in models.items()}
        steps = {
            name: partial(training_step, model, optimizers[name], batch, RECIPE.smoothing, fused=name != EQUATIONS)
            for name, model in models.items()
        }
        best, _ = best_of(steps, chosen.rounds)
    words = int(batch.target_mask.sum())
    rows = [
        {
            "case": name,
            "wall_s": round(seconds.wall, 3),
            "cpu_s": round(seconds.cpu, 3),
            "target_tokens_per_s": round(words / seconds.counted),
            "x_nn_transformer": round(seconds.counted / best["nn.Transformer"].counted, 3),
            "x_same_dropout": round(seconds.counted / best[PEER].counted, 3),
        }
        for name, seconds in best.items()
    ]
    said = {
        "target_tokens": words,
        "dropout": RECIPE.dropout,
        "smoothing": RECIPE.smoothing,
        "loss_of_all": round(loss, 4),
        "goal_x_same_dropout": GOAL,
        "reached": best[OURS].counted <= GOAL * best[PEER].counted,
    }
    report("tests.benchmarks.bench_transformer", arguments, rows, chosen.json, **said)


if __name__ == "__main__":
    main(sys.argv[1:])
