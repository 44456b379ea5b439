"""What the training of a recipe costs in floating-point operations, counted from its shapes (lecture 10)."""

from collections.abc import Sequence
from functools import partial

import torch

from course_lib.checkpoints.deep import GNMTRecipe
from course_lib.checkpoints.mixtures import MixtureRecipe
from course_lib.checkpoints.recipe import Recipe, TransformerRecipe
from course_lib.systems.flops import gnmt_operations, training_operations, transformer_operations


def training_cost(recipe: Recipe, vocabulary_size: int, lengths: Sequence[tuple[int, int]]) -> float:
    """Operations of all steps of the recipe, where sentence pairs have these `lengths`, (source, target) in pieces.

    A step has as many pairs as fit into a batch: `max_tokens` over the mean of the longer sides. Padding is not
    counted. Raises ValueError for a recipe whose operations nobody has counted, and where there is no pair.
    """
    if not isinstance(recipe, TransformerRecipe | GNMTRecipe):
        raise ValueError(f"recipe must be one of a Transformer or of GNMT, got {recipe!r:.80}")
    if not lengths:
        raise ValueError(f"lengths must hold one pair or more, got {lengths!r}")
    with torch.device("meta"):
        config = recipe.model(vocabulary_size).config
    count = gnmt_operations if isinstance(recipe, GNMTRecipe) else transformer_operations
    if isinstance(recipe, MixtureRecipe):
        count = partial(transformer_operations, experts=recipe.experts)
    pairs_in_a_step = recipe.max_tokens * len(lengths) / sum(max(pair) for pair in lengths)
    of_a_pair = training_operations(count(config, n, m) for n, m in lengths) / len(lengths)
    return recipe.steps * pairs_in_a_step * of_a_pair
