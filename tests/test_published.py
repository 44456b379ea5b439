"""What the paper reports: complete, and beside the runs of ours that change the same."""

import math
from dataclasses import asdict

import pytest
import torch

from course_lib import checkpoints
from course_lib.checkpoints import published
from course_lib.checkpoints.experiments import CHANGES
from course_lib.checkpoints.recipes import ablation
from course_lib.systems.dlcl import DLCLTransformer
from course_lib.transformer import Config, Transformer

PAPER = {"heads": 8, "d_k": 64, "layers": 6, "d_model": 512, "d_ff": 2048, "dropout": 0.1, "smoothing": 0.1}


def test_no_row_of_ours_stands_beside_two_of_the_papers():
    own = [one.ours for one in published.VARIANTS if one.ours]
    assert len(set(own)) == len(own) and set(own) <= set(CHANGES)


@pytest.mark.parametrize("one", [one for one in published.VARIANTS if one.ours], ids=lambda one: one.ours)
def test_our_row_changes_the_same_to_the_same_side(one):
    base = asdict(ablation) | {"d_k": ablation.d_model // ablation.heads}
    ours = CHANGES[one.ours][one.group]
    if one.group == "positions":
        assert ours == one.change
    else:
        assert (ours - base[one.group]) * (float(one.change) - PAPER[one.group]) > 0


COUNTED = [one for one in published.VARIANTS if one.parameters] + [published.BASE]


@pytest.mark.parametrize("one", COUNTED, ids=lambda one: f"{one.group} {one.change}")
def test_our_transformer_has_as_many_parameters_as_the_papers(one):
    changed = {one.group: int(one.change)} if one.group else {}
    with torch.device("meta"):
        model = Transformer(Config(37_000, d_v=64 if one.group == "d_k" else None, **changed))  # d_v stays
    assert sum(θ.numel() for θ in model.parameters()) / 1e6 == pytest.approx(one.parameters, rel=0.08)


def test_the_training_cost_is_the_papers_own_formula():
    """Time, number of GPUs, and the 9.5 TFLOPS of a P100 (Vaswani et al. 2017, footnote 5)."""
    cost = {system.name: system.flops_en_de for system in published.WMT14}
    assert cost["Transformer (base)"] == pytest.approx(12 * 3600 * 8 * 9.5e12, rel=0.02)
    assert cost["Transformer (big)"] == pytest.approx(3.5 * 24 * 3600 * 8 * 9.5e12, rel=0.02)


@pytest.mark.parametrize("one", published.DEEP_WMT14, ids=lambda one: f"{one.norm} {one.name}")
def test_a_deep_transformer_of_ours_has_as_many_parameters_as_the_papers(one):
    """What the paper leaves open, and the counts decide: about 34,000 pieces of both languages, in one matrix."""
    big = {"d_model": 1024, "d_ff": 4096, "heads": 16} if "big" in one.name else {}
    with torch.device("meta"):
        config = Config(34_000, layers=one.layers, decoder_layers=6, norm=one.norm, **big)
        model = (DLCLTransformer if "DLCL" in one.name else Transformer)(config)
    assert sum(θ.numel() for θ in model.parameters()) / 1e6 == pytest.approx(one.parameters, rel=0.02)


def test_a_recorded_run_is_its_record():
    asked = [*CHANGES, "base-1", "base-2"]
    found = published.recorded([*asked, "base-999"])
    assert list(found) == asked and list(published.recorded()) == list(CHANGES)
    for name, run in found.items():
        said = checkpoints.about(f"ablation_{name}")
        assert run.command == said["command"] and run.bleu == said["last"]["test"]["all"]
        assert run.bleu_of_mean == said["results"]["test"]["all"]
        assert math.log(run.perplexity) == pytest.approx(said["held_out_losses"][-1][1])
