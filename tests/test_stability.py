"""Gradients and first updates of deep models, against torch's own, and what layer norm's place does to them."""

import copy

import pytest
import torch

from course_lib.corpora.batches import collate
from course_lib.subwords import Vocabulary
from course_lib.systems.dlcl import DLCLTransformer
from course_lib.systems.stability import layer_gradient_norms, update_sizes
from course_lib.training.losses import cross_entropy
from course_lib.transformer import Config, Transformer

BATCH = collate([([4, 5, 6, 7], [8, 7, 6]), ([5, 8], [4, 4, 5, 6])], Vocabulary("abcdefgh"))


def model(kind=Transformer, **options):
    torch.manual_seed(0)
    return kind(Config(12, **{"d_model": 16, "d_ff": 16, "heads": 2, "layers": 3, "decoder_layers": 2, **options}))


def test_norms_are_those_of_what_backward_leaves():
    made = model()
    found = layer_gradient_norms(made, BATCH, smoothing=0.1)
    assert made.training and all(θ.grad is None for θ in made.parameters())
    loss = cross_entropy(
        made.eval()(BATCH.source, BATCH.source_mask, BATCH.target_in),
        BATCH.target_out,
        BATCH.target_mask,
        smoothing=0.1,
    )
    loss.backward()
    for side in ("encoder", "decoder"):
        layers = getattr(made, side).layers
        expected = [torch.cat([θ.grad.flatten() for θ in layer.parameters()]).norm() for layer in layers]
        torch.testing.assert_close(found[side], torch.stack(expected))


def test_before_training_deep_post_norm_has_the_larger_gradient_above_and_pre_norm_below():
    """Xiong et al. 2020; here in an encoder of 16 layers."""
    above = {}
    for norm in ("post", "pre"):
        norms = layer_gradient_norms(model(layers=16, norm=norm), BATCH)["encoder"]
        above[norm] = float(norms[-4:].mean() / norms[4:8].mean())
    assert above["post"] > 1 > above["pre"]


def test_a_step_of_adam_moves_the_model_as_it_moves_a_copy():
    made = model(dropout=0.0)
    before = copy.deepcopy(made.state_dict())
    sizes = update_sizes(made, BATCH, 1e-3, updates=3)
    assert len(sizes) == 3 and all(torch.equal(before[name], value) for name, value in made.state_dict().items())
    adam = torch.optim.Adam(made.parameters(), 1e-3, betas=(0.9, 0.98), eps=1e-9)
    inputs = BATCH.source, BATCH.source_mask, BATCH.target_in
    first = made(*inputs).detach()
    cross_entropy(made(*inputs), BATCH.target_out, BATCH.target_mask).backward()
    adam.step()
    moved = (made(*inputs) - first)[BATCH.target_mask].square().mean().sqrt()
    assert sizes[0] == pytest.approx(float(moved.detach()), rel=1e-4)
    with pytest.raises(ValueError, match="updates must be at least 1, got 0"):
        update_sizes(made, BATCH, 1e-3, updates=0)


def test_combined_layers_move_less_at_first():
    plain, combined = (
        update_sizes(model(kind, layers=12, norm="pre"), BATCH, 2e-4)[0] for kind in (Transformer, DLCLTransformer)
    )
    assert combined < plain
