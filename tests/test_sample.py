"""Sampling, against the probabilities that it should follow."""

from collections import Counter

import pytest
import torch

from course_lib.search.greedy import greedy
from course_lib.search.sample import sample, sharpened
from tests.toy import ToyModel

EOS, A, B = 3, 4, 5
MODEL = ToyModel([{(): {A: 0.6, B: 0.3, EOS: 0.1}, (A,): {B: 0.5, EOS: 0.5}}], 6)
N = 4000
SOURCE = torch.tensor([[A, EOS]]).expand(N, 2)
MASK = torch.ones_like(SOURCE, dtype=torch.bool)


def drawn(**options):
    return sample(MODEL, SOURCE, MASK, 5, generator=torch.Generator().manual_seed(0), **options)


def test_outputs_come_as_often_as_they_are_probable():
    outputs = drawn()
    counts = Counter(output.words for output in outputs)
    for words, p in {(): 0.1, (B,): 0.3, (A,): 0.3, (A, B): 0.3}.items():
        assert counts.pop(words) / N == pytest.approx(p, abs=5 * (p * (1 - p) / N) ** 0.5)  # five standard errors
        total = next(output.log_probability for output in outputs if output.words == words)
        assert total == pytest.approx(torch.tensor(p).log().item(), abs=1e-6)
    assert not counts and all(output.finished for output in outputs)


def test_temperature_sharpens_and_flattens():
    log_probs = torch.tensor([[0.6, 0.3, 0.1]]).log()
    torch.testing.assert_close(sharpened(log_probs), log_probs.exp())
    squares = torch.tensor([[0.36, 0.09, 0.01]])
    torch.testing.assert_close(sharpened(log_probs, 0.5), squares / squares.sum())
    torch.testing.assert_close(sharpened(log_probs, 1e6), torch.full((1, 3), 1 / 3), rtol=0, atol=1e-5)
    torch.testing.assert_close(sharpened(log_probs, 1e-3), torch.tensor([[1.0, 0.0, 0.0]]))


def test_only_the_top_k_are_drawn_and_one_is_greedy():
    torch.testing.assert_close(
        sharpened(torch.tensor([[0.6, 0.3, 0.1]]).log(), top_k=2), torch.tensor([[2 / 3, 1 / 3, 0]])
    )
    assert {output.words for output in drawn(top_k=1)} == {tuple(greedy(MODEL, SOURCE[:1], MASK[:1], 5)[0])}
    assert drawn(top_k=99) == drawn()


def test_an_output_may_be_cut_short():
    outputs = sample(MODEL, SOURCE[:50], MASK[:50], 1, generator=torch.Generator().manual_seed(0))
    assert {(output.words, output.finished) for output in outputs} == {((A,), False), ((B,), False), ((), True)}


def test_a_temperature_near_0_is_greedy():
    log_probs = torch.tensor([[-3.0, -1.0, -torch.inf, -2.0]])
    assert sharpened(log_probs, 1e-40).tolist() == [[0.0, 1.0, 0.0, 0.0]]


def test_bad_settings_are_refused():
    with pytest.raises(ValueError, match="temperature must be above 0, got 0.0"):
        drawn(temperature=0.0)
    with pytest.raises(ValueError, match="top_k must be at least 1, got 0"):
        drawn(top_k=0)
    with pytest.raises(ValueError, match="max_length must be at least 1, got 0"):
        sample(MODEL, SOURCE, MASK, 0)
