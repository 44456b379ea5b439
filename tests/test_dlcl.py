"""Layers that read a combination of all below: against torch's layers, the initial mean, and the plain encoder."""

import pytest
import torch
from torch import nn

from course_lib.systems.dlcl import DLCLEncoder, DLCLTransformer, running_mean
from course_lib.transformer import Config, Encoder
from tests.from_torch import copy_encoder_layer, copy_norm, drawn_anew
from tests.protocol import CHECKS

SIZES = {"vocabulary_size": 9, "d_model": 8, "d_ff": 12, "heads": 2, "layers": 3, "dropout": 0.0, "bias": True}
BOTH = pytest.mark.parametrize("norm", ["pre", "post"])


@BOTH
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_to_the_protocol(check, norm):
    torch.manual_seed(0)
    model = DLCLTransformer(Config(**SIZES, norm=norm, fused=False))
    with torch.no_grad():
        model.readout.b.add_(0.1 * torch.randn(9))
    check(model)


def test_the_weights_begin_as_the_running_mean():
    expected = [[1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0], [1 / 4, 1 / 4, 1 / 4, 1 / 4]]
    torch.testing.assert_close(DLCLEncoder(Config(**SIZES)).weights.data, torch.tensor(expected))
    with pytest.raises(ValueError, match="layers must be at least 1, got 0"):
        running_mean(0)


def pair(norm, weights=None):
    """Our encoder, and torch's layers and norms with the same parameters."""
    torch.manual_seed(0)
    ours = DLCLEncoder(Config(**SIZES, norm=norm)).double()
    first = norm == "pre"
    layers = [
        drawn_anew(nn.TransformerEncoderLayer(8, 2, 12, 0.0, batch_first=True, norm_first=first).double())
        for _ in range(3)
    ]
    norms = [drawn_anew(nn.LayerNorm(8).double()) for _ in range(4 if first else 3)]
    for own, theirs in zip(ours.layers, layers, strict=True):
        copy_encoder_layer(own, theirs)
    for own, theirs in zip([*ours.norms, *([ours.norm] if first else [])], norms, strict=True):
        copy_norm(own, theirs)
    if weights is not None:
        ours.weights.data.copy_(weights)
    return ours, layers, norms, torch.randn(2, 5, 8, dtype=torch.float64)


@BOTH
def test_it_is_the_combination_of_torchs_layers(norm):
    W = torch.randn(4, 4, dtype=torch.float64).tril()
    ours, layers, norms, x = pair(norm, W)
    y = [x]
    for row in range(4):
        combined = sum(W[row, k] * y[k] for k in range(row + 1))
        if norm == "post" and row:
            combined = norms[row - 1](combined)
        if row < 3:
            new = layers[row](combined)
            y.append(norms[row](new) if norm == "pre" else new)
    torch.testing.assert_close(ours(x), norms[3](combined) if norm == "pre" else combined)


@BOTH
def test_with_all_weight_on_the_last_layer_and_no_norms_of_its_own_it_is_the_plain_encoder(norm):
    ours, _, _, x = pair(norm, torch.eye(4))
    ours.norms = nn.ModuleList(nn.Identity() for _ in range(3))
    plain = Encoder(Config(**SIZES, norm=norm)).double()
    plain.layers.load_state_dict(ours.layers.state_dict())
    if norm == "pre":
        plain.norm.load_state_dict(ours.norm.state_dict())
    torch.testing.assert_close(ours(x), plain(x))


def test_with_post_norm_the_norms_of_its_own_change_nothing_at_the_start():
    """LayerNorm(LayerNorm(x)) = LayerNorm(x), but for ε."""
    torch.manual_seed(0)
    ours = DLCLEncoder(Config(**SIZES)).double()
    ours.weights.data.copy_(torch.eye(4))
    plain = Encoder(Config(**SIZES)).double()
    plain.layers.load_state_dict(ours.layers.state_dict())
    x = torch.randn(2, 5, 8, dtype=torch.float64)
    torch.testing.assert_close(ours(x), plain(x), rtol=1e-3, atol=1e-4)


@BOTH
def test_weights_behind_the_diagonal_count_for_nothing(norm):
    ours, _, _, x = pair(norm)
    before = ours(x)
    before.square().sum().backward()
    assert torch.equal(ours.weights.grad != 0, torch.ones(4, 4, dtype=torch.bool).tril())
    ours.weights.data += torch.randn(4, 4, dtype=torch.float64).triu(1)
    assert torch.equal(ours(x), before)
