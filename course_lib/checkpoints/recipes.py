"""The recipes of all runs, by name: the checkpoints, the experiments (`experiments.py`), the smallest runs, and the
translators of captions (`captions.py`)."""

from dataclasses import replace

from course_lib.checkpoints.captions import CAPTIONS, UNKEPT, Captions
from course_lib.checkpoints.experiments import CHANGES, EXPERIMENTS, rnn
from course_lib.checkpoints.mixtures import MIXTURES
from course_lib.checkpoints.recipe import Recipe, RNNRecipe, TransformerRecipe
from course_lib.checkpoints.vectors import VECTORS

attention = RNNRecipe(sentences=180_000, steps=7500, hold=4000, joined=0.15, seed=2)  # seed: see seeds.py
fixed = RNNRecipe(attention="none", encoder="forward", steps=5000, hold=2500)
small = RNNRecipe(embedding=64, hidden=128, sentences=20_000, steps=800, hold=500)
member = replace(small, merges=1000, sentences=40_000, steps=1600, hold=900)
transformer = TransformerRecipe(sentences=180_000, steps=5000, hold=3000, joined=0.15, warmup=600, dropout=0.0)
weak = replace(  # what is left to refine
    rnn, embedding=48, hidden=96, merges=500, sentences=40_000, steps=2400, hold=1400, learning_rate=3e-3
)
CHECKPOINTS = {
    "attention": attention,
    "fixed": fixed,
    "fixed_reversed": replace(fixed, encoder="reversed"),
    **{f"member_{seed}": replace(member, seed=seed) for seed in range(3)},  # of an ensemble
    **{name: VECTORS[f"vectors.{name}"] for name in ("as_said", "one_form")},
    "transformer": transformer,
    "weak": weak,
}
ablation = TransformerRecipe(
    d_model=64, layers=2, merges=1000, sentences=20_000, steps=1200, hold=1200, warmup=300, learning_rate=4e-3
)
ABLATIONS = {f"ablation_{name}": replace(ablation, **change) for name, change in CHANGES.items()}
few = {"sentences": 4000, "merges": 300, "steps": 200, "hold": 200, "max_tokens": 600}
recurrent = RNNRecipe(**few, embedding=48, hidden=96, joined=0.0, learning_rate=4e-3, seed=1)
basic = replace(recurrent, attention="none", encoder="forward", unit="basic")
tiny = TransformerRecipe(**few, averaged=1, d_model=48, d_ff=96, layers=1, dropout=0.0, learning_rate=2e-2, warmup=60)
ordered = replace(tiny, pieces="words", steps=500, hold=500, max_tokens=400, learning_rate=1e-2, warmup=100)
briefly = few | {"rates": "plain", "steps": 100, "hold": 100, "max_tokens": 300}
small_stack = {**briefly, "steps": 200, "layers": 6, "d_model": 32, "d_ff": 64, "learning_rate": 1e-2}
google = replace(EXPERIMENTS["gnmt.residual_8"], **briefly, layers=6, hidden=24, learning_rate=1e-2)
refining = replace(
    EXPERIMENTS["refined.risk"], sentences=4000, steps=100, hold=100, max_tokens=200, samples=4, learning_rate=7e-4
)
small_mixture = {**briefly, "layers": 1, "decoder_layers": 1, "d_model": 32, "d_ff": 64, "learning_rate": 1e-2}
SMALLEST = {  # seconds each: the first steps of the same models in small, so that the tests can make them again
    "smallest_basic": basic,
    "smallest_basic_reversed": replace(basic, encoder="reversed"),
    "smallest_attention": recurrent,
    "smallest_one_vector": replace(recurrent, attention="none"),
    "smallest_warmup": tiny,
    "smallest_warmup_0": replace(tiny, warmup=0),
    "smallest_narrow": replace(tiny, d_model=24, d_ff=48),
    "smallest_positions": ordered,
    "smallest_positions_none": replace(ordered, positions="none"),
    **{
        f"smallest_{name}_6": replace(EXPERIMENTS[f"deep.{name}_20"], **small_stack)
        for name in ("post", "pre", "dlcl_post")
    },
    "smallest_residual": google,
    "smallest_plain": replace(google, residual=False),
    **{f"smallest_{name}": replace(MIXTURES[f"mixture.{name}"], **small_mixture) for name in ("experts", "unbalanced")},
    "smallest_risk": refining,
    "smallest_cross_entropy": replace(refining, kind="cross_entropy"),
}
RECIPES: dict[str, Recipe | Captions] = CHECKPOINTS | ABLATIONS | SMALLEST | EXPERIMENTS | CAPTIONS | UNKEPT


def recipe_of(run: str) -> Recipe | Captions:
    """The recipe of a run: "attention", or "attention-3" for the same with seed 3.

    Raises ValueError for a name that is not in RECIPES, and for a seed that is no whole number.
    """
    name, _, seed = run.partition("-")
    if name not in RECIPES:
        raise ValueError(f"the name of a run must begin with one of {', '.join(RECIPES)}, got {run!r}")
    if run != name and not (seed.isascii() and seed.isdigit()):
        raise ValueError(f"a seed must be a whole number from 0 on, as in {name}-3, got {run!r}")
    return replace(RECIPES[name], seed=int(seed)) if seed else RECIPES[name]


def run_of(name: str, seed: int) -> str:
    """The name of the run of RECIPES[name] with this seed: the recipe's own seed needs no number."""
    return name if RECIPES[name].seed == seed else f"{name}-{seed}"


def named(run: str) -> str:
    """The one name of a run: "attention" where its recipe's own seed is asked for. Raises ValueError as `recipe_of`."""
    return run_of(run.partition("-")[0], recipe_of(run).seed)
