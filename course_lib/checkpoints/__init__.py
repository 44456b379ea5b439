"""Trained translators that come with the course, each with the command that makes it.

>>> translator = load("attention")
>>> translator.translate(["The cat sleeps."])
['Die Katze schläft.']

NAME.safetensors holds the weights (float16), the tokenizer and the recipe; records/NAME.json what the run was and what
it reached. To make one again: python -m course_lib.checkpoints attention

recipe.py      how a run is made, as data; recipes.py: all of them by name; experiments.py: those that show a claim
deep.py        recipes of deep models, and the rows of their experiments; mixtures.py: of models with experts;
               vectors.py: of sentence vectors
evidence.py    what the experiments show; tokenizers.py: tokenizers as data; __main__.py: the commands
making.py      trains a recipe and records the run; alone.py: by one process at a time; queue.py: all that is missing
evaluation.py  how good a translator is; recorded.py: what was recorded; published.py: what others report
costs.py       what a training costs, in operations
report.py      the experiments' rows and claims as lectures show them
captions.py    translators of real sentences; multi30k.py: trains and scores them
searching.py, seeds.py, ensembles.py, judging.py, counting.py, pronouns.py    experiments, recorded once
"""

import os
from contextlib import AbstractContextManager
from importlib.resources import as_file, files
from pathlib import Path

import torch

from course_lib.checkpoints import captions
from course_lib.checkpoints.captions import CAPTIONS
from course_lib.checkpoints.recipe import Recipe, RNNRecipe
from course_lib.checkpoints.recipes import CHECKPOINTS, RECIPES
from course_lib.checkpoints.recorded import JUDGING, MODEL_1, OTHERS, SEARCH, SEEDS, about
from course_lib.checkpoints.tokenizers import restored, stored
from course_lib.corpora.grammar.languages import LANGUAGES
from course_lib.corpora.grammar.running_text import tokenise
from course_lib.subwords import Vocabulary
from course_lib.training.checkpoint import load_weights, read, save_weights
from course_lib.training.device import device
from course_lib.translator import Translator

__all__ = [
    "CAPTIONS",
    "JUDGING",
    "MODEL_1",
    "NAMES",
    "OTHERS",
    "RECIPES",
    "SEARCH",
    "SEEDS",
    "RNNRecipe",
    "Recipe",
    "about",
    "load",
    "save",
    "translator",
]

NAMES = tuple(CHECKPOINTS)  # of the grammar corpus; the weights of these and of CAPTIONS come with the course


def load(name: str, folder: str | os.PathLike | None = None) -> Translator:
    """The translator of that name, from the course or from the `folder` where you made it, on `training.device()`.

    Raises ValueError for another name, and for a checkpoint that no longer fits the code, naming what does not.
    """
    if name not in (*NAMES, *CAPTIONS):
        raise ValueError(f"name must be one of {', '.join((*NAMES, *CAPTIONS))}, got {name!r}")
    with _file(f"{name}.safetensors", folder) as path:
        said = read(path)[1]
        if name in CAPTIONS:
            kind, begun = type(CAPTIONS[name]), captions.translator
        else:
            kind, begun = type(CHECKPOINTS[name]), translator
        try:
            recipe = kind(**said["recipe"])
        except TypeError as error:
            raise ValueError(f"the checkpoint {name!r} has a recipe of other fields than the code: {error}") from error
        made = begun(recipe, restored(said["tokenizer"]))
        load_weights(path, made.model)
    made.model.to(device())
    return made


def translator(recipe: Recipe, tokenizer, seed: int | None = None) -> Translator:
    """A translator by a recipe, its weights drawn from `seed`, by default the recipe's."""
    vocabulary = Vocabulary(tokenizer.vocabulary)
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(recipe.seed if seed is None else seed)
        model = recipe.model(len(vocabulary))
    source, target = recipe.source, LANGUAGES[recipe.target]
    return Translator(model, tokenizer, vocabulary, words=lambda t: tokenise(t, source), text=target.detokenise)


def save(path: Path, made: Translator, said: dict) -> None:
    """Write a translator as `load` reads it."""
    save_weights(path, made.model, {**said, "tokenizer": stored(made.tokenizer)})


def _file(name: str, folder: str | os.PathLike | None) -> AbstractContextManager[Path]:
    return as_file((files("course_lib.checkpoints") if folder is None else Path(folder)) / name)
