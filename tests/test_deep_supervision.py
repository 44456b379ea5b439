"""A loss at every layer: the last is the model's own, and each is that of a decoder that ends there."""

import copy

import pytest
import torch

from course_lib.corpora.batches import collate
from course_lib.subwords import Vocabulary
from course_lib.systems.deep_supervision import layer_losses
from course_lib.systems.stability import layer_gradient_norms
from course_lib.training.losses import cross_entropy
from course_lib.transformer import Config, Transformer

BATCH = collate([([4, 5, 6, 7], [8, 7, 6]), ([5, 8], [4, 4, 5, 6])], Vocabulary("abcdefgh"))


def model(norm):
    torch.manual_seed(0)
    return Transformer(Config(12, 16, 16, 2, 2, decoder_layers=4, norm=norm)).eval()


def own_loss(model):
    logits = model(BATCH.source, BATCH.source_mask, BATCH.target_in)
    return cross_entropy(logits, BATCH.target_out, BATCH.target_mask, smoothing=0.1)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_each_loss_is_that_of_a_decoder_that_ends_with_this_layer(norm):
    made = model(norm)
    found = layer_losses(made, BATCH, smoothing=0.1)
    for layers in range(1, 5):
        shorter = copy.deepcopy(made)
        shorter.decoder.layers = shorter.decoder.layers[:layers]
        torch.testing.assert_close(found[layers - 1], own_loss(shorter))


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_of_the_mean_the_top_layer_hears_one_loss_and_the_bottom_layer_all(norm):
    one, all_of_them = (layer_gradient_norms(model(norm), BATCH, every_layer=every) for every in (False, True))
    torch.testing.assert_close(all_of_them["decoder"][-1], one["decoder"][-1] / 4)
    assert float(all_of_them["decoder"][0]) > float(one["decoder"][0]) / 4
