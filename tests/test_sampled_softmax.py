"""The sampled softmax beside torch's cross-entropy over all words."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from course_lib.systems.sampled_softmax import (
    draw_words,
    gradient_quality,
    log_uniform,
    parts_of_corpus,
    sampled_cross_entropy,
)

V, WIDTH = 40, 6


def made(seed):
    generator = torch.Generator().manual_seed(seed)
    states, output = (torch.randn(n, WIDTH, dtype=torch.float64, generator=generator) for n in (5, V))
    bias = torch.randn(V, dtype=torch.float64, generator=generator)
    return states, output, bias, torch.randint(V, (5,), generator=generator)


@given(st.integers(0, 1000), st.booleans())
def test_with_all_words_as_the_sample_it_is_the_cross_entropy_and_its_gradient(seed, biased):
    states, output, bias, targets = made(seed)
    bias = bias if biased else None
    own, full = (output.clone().requires_grad_() for _ in range(2))
    sampled = sampled_cross_entropy(states, own, targets, torch.randperm(V), bias=bias)
    expected = F.cross_entropy(F.linear(states, full, bias), targets)
    torch.testing.assert_close(sampled, expected)
    sampled.backward()
    expected.backward()
    torch.testing.assert_close(own.grad, full.grad)


@given(st.integers(0, 1000), st.integers(1, V))
def test_over_a_sample_it_is_the_cross_entropy_of_the_sampled_words_and_the_target(seed, size):
    states, output, _, targets = made(seed)
    sample = torch.randperm(V, generator=torch.Generator().manual_seed(seed))[:size]
    losses = []
    for s, y in zip(states, targets, strict=True):
        words = [int(y), *(k for k in sample.tolist() if k != y)]
        losses.append(F.cross_entropy((output[words] @ s)[None], torch.tensor([0])))
    torch.testing.assert_close(sampled_cross_entropy(states, output, targets, sample), torch.stack(losses).mean())


@given(st.integers(0, 1000), st.floats(0.001, 1))
def test_where_all_words_are_equally_likely_the_correction_cancels(seed, q):
    states, output, bias, targets = made(seed)
    sample = torch.arange(0, V, 3)
    expected = torch.full((V,), q, dtype=torch.float64)
    one = sampled_cross_entropy(states, output, targets, sample, expected, bias)
    torch.testing.assert_close(one, sampled_cross_entropy(states, output, targets, sample, None, bias))


def test_the_correction_takes_log_q_from_the_sampled_words_and_the_target():
    states, output, _, targets = made(1)
    q = torch.linspace(0.1, 0.9, V, dtype=torch.float64)
    corrected = output @ states.T - q.log()[:, None]
    torch.testing.assert_close(
        sampled_cross_entropy(states, output, targets, torch.arange(V), q), F.cross_entropy(corrected.T, targets)
    )


def test_only_the_rows_that_are_used_get_a_gradient():
    states, output, _, targets = made(2)
    output.requires_grad_()
    sample = torch.tensor([3, 4, 5])
    sampled_cross_entropy(states, output, targets, sample).backward()
    used = output.grad.abs().sum(1) > 0
    assert set(used.nonzero().flatten().tolist()) <= {3, 4, 5, *targets.tolist()}
    assert used[targets].all()


def test_the_log_uniform_distribution_is_one_and_falls_as_zipfs_law_does():
    p = log_uniform(1000)
    assert p.sum().item() == pytest.approx(1) and (p.diff() < 0).all()
    assert (p[9] / p[99]).item() == pytest.approx(10, rel=0.1)


def test_the_chance_to_be_among_the_words_drawn_is_what_is_counted():
    p, generator = log_uniform(20), torch.Generator().manual_seed(0)
    counts = torch.zeros(20)
    for _ in range(3000):
        drawn, chance = draw_words(p, 8, generator)
        counts[drawn] += 1
    assert len(drawn) == len(drawn.unique())
    error = (chance * (1 - chance) / 3000).sqrt()
    assert (((counts / 3000) - chance).abs() < 5 * error).all()


def test_the_correction_takes_away_most_of_the_bias_of_a_zipf_sample_and_more_words_do_too():
    generator = torch.Generator().manual_seed(0)
    proposal = log_uniform(300)
    logits = proposal.log() + torch.randn(300, dtype=torch.float64, generator=generator)
    few, many = (gradient_quality(logits, 3, proposal, draws, trials=200) for draws in (20, 200))
    without = gradient_quality(logits, 3, proposal, 20, corrected=False, trials=200)
    assert few.bias < without.bias / 3
    assert many.error < few.error / 2 and few.share < many.share < 1
    assert few.share < 0.1


def test_a_corpus_is_cut_where_it_has_too_many_words():
    sentences = [[1, 2], [2, 3], [4], [1, 5, 6], [6]]
    assert parts_of_corpus(sentences, 3) == [(2, [1, 2, 3]), (1, [4]), (2, [1, 5, 6])]
    assert parts_of_corpus(sentences, 6) == [(5, [1, 2, 3, 4, 5, 6])]
    with pytest.raises(ValueError, match="most must be at least 3, the different words of sentence 3, got 2"):
        parts_of_corpus(sentences, 2)


@given(st.lists(st.lists(st.integers(0, 20), min_size=1, max_size=5), max_size=20), st.integers(5, 12))
def test_every_part_has_the_words_of_its_sentences_and_no_more_than_it_may(sentences, most):
    parts, start = parts_of_corpus(sentences, most), 0
    for count, words in parts:
        assert set(words) == {word for sentence in sentences[start : start + count] for word in sentence}
        assert len(words) <= most
        start += count
    assert start == len(sentences)


def test_what_is_wrong_is_named():
    states, output, _, targets = made(0)
    for sample in ([], [1, 1]):
        with pytest.raises(ValueError, match="sample must hold different words, at least one"):
            sampled_cross_entropy(states, output, targets, torch.tensor(sample, dtype=torch.int64))
    with pytest.raises(ValueError, match="expected must be above 0 everywhere, got 0.0"):
        sampled_cross_entropy(states, output, targets, torch.arange(3), torch.zeros(V, dtype=torch.float64))
    with pytest.raises(ValueError, match="draws must be at least 1, got 0"):
        draw_words(log_uniform(5), 0)
