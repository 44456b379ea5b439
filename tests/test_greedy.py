"""Greedy search on a model whose probabilities are known."""

import pytest
import torch

from course_lib.corpora.batches import collate
from course_lib.search.greedy import greedy
from course_lib.subwords import Vocabulary
from tests.toy import ToyModel

A, B, C, EOS = 4, 5, 6, 3
# The likeliest first word, A, leads to less likely sentences than B: .6 · .5 < .4 · 1
MODEL = ToyModel(
    [{(): {A: 0.6, B: 0.4}, (A,): {A: 0.5, C: 0.5}, (A, A): {EOS: 0.5, B: 0.5}, (B,): {C: 1.0}}, {(): {EOS: 1.0}}], 9
)


def search(lengths, max_length):
    batch = collate([([C] * n, []) for n in lengths], Vocabulary("abcde"))
    return greedy(MODEL, batch.source, batch.source_mask, max_length)


def test_each_step_takes_the_likeliest_word_and_of_equals_the_first():
    # After A and A and eos are equally likely: eos, whose id is smaller; after A, A before C for the same reason
    assert search([2], 10) == [[A, A]]


def test_sentences_end_each_at_its_own_eos_and_at_the_longest_length():
    assert search([1, 2, 3], 10) == [[], [A, A], []]
    assert search([1, 2, 3], 1) == [[], [A], []]
    assert search([2], 0) == [[]]


def test_it_stops_when_all_have_ended_and_keeps_no_gradient(monkeypatch):
    steps = []
    step = ToyModel.step
    monkeypatch.setattr(ToyModel, "step", lambda *arguments: steps.append(step(*arguments)) or steps[-1])
    search([1, 3], 50)
    search([2], 50)
    assert len(steps) == 1 + 3
    assert not any(each.log_probs.requires_grad for each in steps)


def test_a_negative_length_is_refused():
    with pytest.raises(ValueError, match="max_length must be at least 0, got -1"):
        search([1], -1)


def test_the_model_decides_by_its_source_alone():
    torch.testing.assert_close(search([4], 5), search([2], 5))
