"""The trainer of a mixture: what it adds to the loss, that it spreads the words, and how many each expert gets."""

from itertools import islice

import pytest
import torch

from course_lib.corpora.batches import Batches, collate
from course_lib.subwords import Vocabulary
from course_lib.systems.balance import BalancedTrainer, loads, routed_words
from course_lib.systems.mixture import routings, with_experts
from course_lib.transformer import Config, Transformer

VOCABULARY = Vocabulary("abcdefgh")
PAIRS = [([4 + k % 8, 4 + k % 5, 4 + k % 3][: 1 + k % 3], [4 + (3 * k) % 8] * (1 + k % 4)) for k in range(60)]


def model(experts=4, k=2):
    torch.manual_seed(0)
    made = Transformer(Config(len(VOCABULARY), 16, 16, 2, 2, decoder_layers=1, dropout=0.0, norm="pre"))
    return with_experts(made, experts, k, 8)


def trainer(balance, made=None, **options):
    made = model() if made is None else made
    return BalancedTrainer(made, Batches(PAIRS, 80, VOCABULARY), balance, learning_rate=1e-2, **options)


def test_a_mixture_of_the_encoder_routes_source_words_and_one_of_the_decoder_target_words():
    batch = collate(PAIRS[:6], VOCABULARY)
    made = model()
    masks = routed_words(made, batch)
    assert [mask is batch.source_mask for mask in masks] == [True, True, False] and masks[2] is batch.target_mask
    with routings(made) as found:
        made(batch.source, batch.source_mask, batch.target_in)
    assert [each.gates.shape[:2] for each in found] == [mask.shape for mask in masks]


def test_the_objective_is_the_cross_entropy_and_the_balance_loss_of_every_mixture():
    batch, made = collate(PAIRS[:6], VOCABULARY), model()
    made.train()
    values = []
    for weight in (0.0, 0.5, 1.0):
        torch.manual_seed(1)  # of the noise
        values.append(trainer(weight, made).objective(batch))
    torch.manual_seed(1)
    with routings(made) as found:
        made(batch.source, batch.source_mask, batch.target_in)
    added = sum(each.balance_loss(1.0, mask) for each, mask in zip(found, routed_words(made, batch), strict=True))
    torch.testing.assert_close(values[2] - values[0], added)
    torch.testing.assert_close(values[1] - values[0], added / 2)
    torch.manual_seed(1)
    torch.testing.assert_close(values[0], trainer(0.0, made).loss(batch))


@pytest.mark.parametrize("balance", [0.0, 1.0])
def test_only_the_balance_loss_spreads_words_that_one_expert_would_get(balance):
    made = model()
    for gate in (module for module in made.modules() if hasattr(module, "W_g")):
        with torch.no_grad():
            gate.W_g.normal_(std=2.0)
    work = trainer(balance, made)
    held_out = list(work.batches.epoch(0))
    before = float(loads(made, held_out).float().var(1).sum())
    work.train(60, progress=False)
    after = float(loads(made, held_out).float().var(1).sum())
    assert (after < before / 3) == (balance > 0), (before, after)


def test_loads_count_the_real_words_that_each_expert_gets():
    made, batches = model(), list(islice(Batches(PAIRS, 60, VOCABULARY).epoch(0), 3))
    counts = loads(made, batches)
    assert counts.shape == (3, 4) and not made.training
    words = [
        sum(int(mask.sum()) for mask in masks) for masks in zip(*(routed_words(made, b) for b in batches), strict=True)
    ]
    assert counts.sum(1).tolist() == [2 * number for number in words]
    expected = torch.zeros(4, dtype=torch.long)
    for batch in batches:
        with routings(made) as found:
            made(batch.source, batch.source_mask, batch.target_in)
        expected += found[0].chosen[batch.source_mask].sum(0)
    assert torch.equal(counts[0], expected)


def test_a_negative_weight_is_refused():
    with pytest.raises(ValueError, match=r"balance must be at least 0, got -0\.1"):
        trainer(-0.1)
