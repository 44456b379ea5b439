"""Batches: every pair once, within budget, masked as long as it is, the same by seed, resumable, clear errors."""

import copy
import runpy

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.corpora import batches as module
from course_lib.corpora.batches import Batch, Batches, collate
from course_lib.subwords import Vocabulary

VOCABULARY = Vocabulary(map(str, range(4, 50)))  # pad 0, unk 1, bos 2, eos 3
UNTYPED = runpy.run_path(module.__file__)["Batches"]  # as users have it: without the tests' check of its annotations
side = st.lists(st.integers(0, 9), max_size=12)  # ids may be any, even those of pad, bos and eos
corpora = st.lists(st.tuples(side, side), min_size=1, max_size=40)
budgets = st.integers(13, 60)


def random_corpus(size, seed=0, longest=20):
    random = np.random.default_rng(seed)
    lengths = random.integers(1, longest, (size, 2))
    return [tuple(random.integers(4, 50, length).tolist() for length in pair) for pair in lengths]


def fields(batch):
    return [batch.source, batch.source_mask, batch.target_in, batch.target_out, batch.target_mask]


def same(one, other):
    return len(one) == len(other) and all(
        torch.equal(a, b) for x, y in zip(one, other, strict=True) for a, b in zip(fields(x), fields(y), strict=True)
    )


def test_a_batch_worked_by_hand():
    batch = collate([([5, 6], [7]), ([8], [9, 10, 11])], VOCABULARY)
    assert batch.source.tolist() == [[5, 6, 3], [8, 3, 0]]
    assert batch.source_mask.tolist() == [[True, True, True], [True, True, False]]
    assert batch.target_in.tolist() == [[2, 7, 0, 0], [2, 9, 10, 11]]
    assert batch.target_out.tolist() == [[7, 3, 0, 0], [9, 10, 11, 3]]
    assert batch.target_mask.tolist() == [[True, True, False, False], [True] * 4]


@given(pairs=corpora, max_tokens=budgets, seed=st.integers(0, 5), epoch=st.integers(0, 5))
def test_every_pair_is_in_an_epoch_exactly_once(pairs, max_tokens, seed, epoch):
    batches = Batches(pairs, max_tokens, VOCABULARY, seed=seed)
    assert sorted(index for batch in batches.plan(epoch) for index in batch) == list(range(len(pairs)))
    seen = []
    for batch in batches.epoch(epoch):
        for source, source_mask, into, out, target_mask in zip(*map(list, fields(batch)), strict=True):
            assert into[target_mask].tolist()[1:] == out[target_mask].tolist()[:-1]
            assert (source[source_mask][-1], into[0], out[target_mask][-1]) == (3, 2, 3)
            seen.append((source[source_mask].tolist()[:-1], out[target_mask].tolist()[:-1]))
    assert sorted(seen) == sorted((list(source), list(target)) for source, target in pairs)


@given(pairs=corpora, max_tokens=budgets)
def test_the_budget_is_kept_and_padding_stands_where_the_masks_say(pairs, max_tokens):
    for batch in Batches(pairs, max_tokens, VOCABULARY).epoch(0):
        assert batch.source.numel() <= max_tokens and batch.target_in.numel() <= max_tokens
        for ids, mask in [
            (batch.source, batch.source_mask),
            (batch.target_in, batch.target_mask),
            (batch.target_out, batch.target_mask),
        ]:
            assert (ids[~mask] == VOCABULARY.pad_id).all()
            assert (mask.int().diff(dim=1) <= 0).all(), "padding comes after the last token, not between"
            assert mask.any(dim=0).all(), "no column is all padding"


@given(pairs=corpora, max_tokens=budgets, data=st.data())
def test_a_resumed_epoch_is_the_uninterrupted_one(pairs, max_tokens, data):
    whole = list(Batches(pairs, max_tokens, VOCABULARY).epoch(3))
    start = data.draw(st.integers(0, len(whole)))
    rest = list(Batches(copy.deepcopy(pairs), max_tokens, VOCABULARY).epoch(3, start=start))
    assert same(rest, whole[start:])


def test_epochs_and_seeds_differ_in_their_batches_and_in_their_order():
    pairs = random_corpus(300)
    batches = Batches(pairs, 200, VOCABULARY)
    plans = [batches.plan(0), batches.plan(1), Batches(pairs, 200, VOCABULARY, seed=1).plan(0)]
    for i, j in [(0, 1), (0, 2), (1, 2)]:
        assert {frozenset(batch) for batch in plans[i]} != {frozenset(batch) for batch in plans[j]}
        lengths = [[batches.lengths[batch].max() for batch in plans[k]] for k in (i, j)]
        assert lengths[0] != lengths[1] and lengths[0] != sorted(lengths[0])
    assert batches.plan(0) == plans[0], "the same epoch is the same plan"


def test_grouping_by_length_leaves_little_padding():
    pairs = random_corpus(2000)
    real = sum(len(source) + len(target) + 2 for source, target in pairs)
    padded = sum(batch.source.numel() + batch.target_in.numel() for batch in Batches(pairs, 400, VOCABULARY).epoch(0))
    rows = [pairs[start : start + 20] for start in range(0, len(pairs), 20)]
    unsorted = sum(
        batch.source.numel() + batch.target_in.numel() for batch in (collate(row, VOCABULARY) for row in rows)
    )
    assert padded < 1.25 * real < unsorted


def test_a_pair_over_the_budget_is_named():
    pairs = [([3] * 4, [3]), ([3], [3] * 10), ([3], [3] * 11)]
    with pytest.raises(ValueError, match=r"is 10, but pair 1 has 2 source and 11 target .* \(2 such pairs\)"):
        Batches(pairs, 10, VOCABULARY)
    assert len(Batches(pairs, 12, VOCABULARY)) == 3


def test_a_start_beyond_the_epoch_is_an_error():
    batches = Batches(random_corpus(10), 100, VOCABULARY)
    with pytest.raises(ValueError, match="start must lie between 0"):
        next(batches.epoch(0, start=len(batches) + 1))


@given(pairs=corpora, max_tokens=budgets, seed=st.integers(0, 5), epoch=st.integers(0, 9))
def test_every_epoch_has_as_many_batches_as_len_says(pairs, max_tokens, seed, epoch):
    batches = Batches(pairs, max_tokens, VOCABULARY, seed=seed)
    assert len(batches) == len(list(batches.epoch(epoch)))


def test_an_epoch_is_planned_once_and_so_is_the_number_of_batches(monkeypatch):
    planned, plan = [], Batches.plan
    monkeypatch.setattr(Batches, "plan", lambda self, epoch: planned.append(epoch) or plan(self, epoch))
    batches = Batches(random_corpus(50), 100, VOCABULARY)
    for epoch in (1, 2):
        assert [len(batches) for _ in batches.epoch(epoch)] == [len(batches)] * len(batches)
    assert sorted(planned) == [0, 1, 2]


def test_no_pairs_are_an_error_that_names_them():
    with pytest.raises(ValueError, match="pairs must hold at least one pair .* got none"):
        Batches([], 10, VOCABULARY)
    with pytest.raises(ValueError, match="pairs must hold at least one pair"):
        collate([], VOCABULARY)


def test_a_generator_would_last_one_epoch_and_is_refused():
    with pytest.raises(TypeError, match=r"pairs must be a list, .* got a generator: list\(pairs\)"):
        UNTYPED((pair for pair in random_corpus(3)), 100, VOCABULARY)


@pytest.mark.parametrize("text", [("das Haus", "the house"), (["das", "Haus"], ["the", "house"]), "das Haus"])
def test_text_in_place_of_ids_is_refused_with_the_place_and_the_way_out(text):
    with pytest.raises(TypeError, match="pairs must hold ids, got text in pair 1: .*as.*; id_pairs makes ids"):
        UNTYPED([([5], [6]), text], 100, VOCABULARY)


def test_to_moves_every_field():
    batch = collate(random_corpus(3), VOCABULARY).to("meta")
    assert isinstance(batch, Batch) and {tensor.device.type for tensor in fields(batch)} == {"meta"}


def test_a_training_loop_learns_from_batches():
    """The task: y_t = x_t + 1, by an embedding and a linear layer; the padded positions would spoil it unmasked."""
    random = np.random.default_rng(0)
    sources = [random.integers(4, 12, length).tolist() for length in random.integers(1, 9, 200)]
    batches = Batches([(source, [x + 1 for x in source]) for source in sources], 64, VOCABULARY)
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Embedding(13, 16), torch.nn.Linear(16, 13))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    for epoch in range(3):
        for batch in batches.epoch(epoch):
            logits = model(batch.source)
            loss = torch.nn.functional.cross_entropy(logits[batch.target_mask], batch.target_out[batch.target_mask])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    for batch in batches.epoch(3):
        assert torch.equal(model(batch.source).argmax(-1)[batch.target_mask], batch.target_out[batch.target_mask])
