"""The recipes of deep models, and of models with experts, are trained, recorded and translate like the others."""

import json
from dataclasses import asdict, replace
from itertools import product

import pytest

from course_lib.checkpoints import about, making, recipes, translator
from course_lib.checkpoints.deep import DEEP, DEPTHS, KINDS
from course_lib.checkpoints.mixtures import MIXTURES
from course_lib.checkpoints.tokenizers import learned
from course_lib.systems.dlcl import DLCLTransformer
from course_lib.systems.gnmt import GNMT
from course_lib.systems.mixture import MixtureOfExperts
from course_lib.transformer import Transformer

TINY = {"merges": 60, "sentences": 80, "steps": 8, "hold": 4, "max_tokens": 400}
NARROW = {"layers": 2, "d_model": 16, "d_ff": 16, "heads": 2, "warmup": 2}
SMALL = {"deep": NARROW, "mixture": NARROW, "gnmt": {"layers": 3, "hidden": 8}}


@pytest.mark.parametrize("name", ["deep.post_2", "deep.dlcl_20", "gnmt.plain_8", "gnmt.residual_8", "mixture.experts"])
def test_a_recipe_is_made_recorded_and_read_again(name, tmp_path, monkeypatch):
    tiny = replace((DEEP | MIXTURES)[name], **TINY, **SMALL[name.partition(".")[0]])
    monkeypatch.setitem(recipes.RECIPES, name, tiny)
    monkeypatch.setattr(making, "EVERY", 4)
    monkeypatch.setattr(making, "HELD_OUT", 10)
    record = making.make(name, tmp_path, evaluated={"test": 4})
    assert json.loads(json.dumps(record)) == about(name, tmp_path)
    assert type(tiny)(**record["recipe"]) == tiny and len(record["losses"]) == 2
    assert len(record["results"]["test"]["outputs"]) == 4
    assert ("loads" in record) == (name in MIXTURES)


def test_every_row_is_the_model_that_its_name_says():
    tokenizer = learned("words", ["the cat sleeps ."], 9)
    for name, recipe in DEEP.items():
        model = translator(recipe, tokenizer).model
        depth = int(name.rpartition("_")[2])
        if name.startswith("gnmt"):
            assert isinstance(model, GNMT) and model.config.layers == depth
            assert model.config.residual == ("residual" in name) == model.encoder.upper.residual
        else:
            assert type(model) is (DLCLTransformer if "dlcl" in name else Transformer)
            assert len(model.encoder.layers) == depth and len(model.decoder.layers) == 2
            assert model.config.norm == ("post" if "post" in name else "pre")


def test_rows_of_one_depth_differ_in_one_thing():
    fields = {kind: asdict(DEEP[f"deep.{kind}_2"]) for kind in KINDS}
    for one, other, thing in (("post", "pre", "norm"), ("pre", "dlcl", "combined")):
        assert [field for field in fields[one] if fields[one][field] != fields[other][field]] == [thing]
    for kind in KINDS:
        rows = [asdict(DEEP[f"deep.{kind}_{layers}"]) for layers in DEPTHS]
        assert {field for row in rows for field in row if row[field] != rows[0][field]} == {"layers"}
    for norm, layers in product(("post", "pre"), (6, 20)):
        warm, cold = (asdict(DEEP[f"deep.{kind}_{layers}"]) for kind in (f"warm_{norm}", norm))
        assert [field for field in warm if warm[field] != cold[field]] == ["warmup"]


def test_the_rows_with_experts_have_equal_parameters_or_equal_operations():
    dense, wide = (recipe.model(9) for recipe in (DEEP["deep.pre_2"], MIXTURES["mixture.wide"]))
    made = MIXTURES["mixture.experts"].model(9)
    layers = [module for module in made.modules() if isinstance(module, MixtureOfExperts)]
    assert len(layers) == 4 and {(layer.gate.experts, layer.gate.k) for layer in layers} == {(8, 2)}
    of_a_layer = [sum(e.W_1.weight.numel() for e in layer.experts) for layer in layers]
    assert of_a_layer == [wide.encoder.layers[0].feed_forward.W_1.weight.numel()] * 4
    asked = sum(e.W_1.weight.numel() for e in list(layers[0].experts)[:2])
    assert asked == dense.encoder.layers[0].feed_forward.W_1.weight.numel()
    assert made.config == dense.config
