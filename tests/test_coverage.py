"""The coverage penalty by hand, the attention that it is computed from, and outputs in a new order."""

import math

import pytest
import torch

from course_lib.search.hypothesis import Hypothesis, gnmt
from course_lib.systems.coverage import attention_of, coverage_penalty, rescored
from course_lib.systems.gnmt import GNMT, GNMTConfig
from course_lib.transformer import Config, Transformer

from .toy import ToyModel

SOURCE, MASK = torch.tensor([[4, 5, 3]]), torch.ones(1, 3, dtype=torch.bool)


def output(*words, log_p=-1.0, finished=True):
    return Hypothesis(words, log_p, log_p, finished)


def test_the_penalty_by_hand():
    attention = torch.tensor([[0.5, 0.25, 0.25], [0.7, 0.25, 0.05]], dtype=torch.float64)
    assert coverage_penalty(attention, 0.2) == pytest.approx(0.2 * (0 + math.log(0.5) + math.log(0.3)))
    assert coverage_penalty(attention.repeat(4, 1), 0.2) == 0.0
    assert coverage_penalty(torch.tensor([[1.0, 0.0]]), 0.0) == 0.0
    assert coverage_penalty(torch.tensor([[1.0, 0.0]]), 0.1) == -math.inf
    with pytest.raises(ValueError, match=r"beta must be at least 0, got -0\.1"):
        coverage_penalty(attention, -0.1)


def test_a_step_for_each_word_and_for_eos():
    model = ToyModel([{(): {4: 1.0}}], 6)
    found = attention_of(model, SOURCE, MASK, [output(4, 5), output(4, 5, finished=False)])
    for attention, steps in zip(found, (3, 2), strict=True):
        torch.testing.assert_close(attention, torch.full((steps, 3), 1 / 3))


def test_it_is_the_attention_of_teacher_forcing_whatever_other_outputs_there_are():
    torch.manual_seed(0)
    model = GNMT(GNMTConfig(9, 5, 4, layers=3)).eval()
    outputs = [output(6, 7), output(8), output(4, 4, 5, 6)]
    for y, attention in zip(outputs, attention_of(model, SOURCE, MASK, outputs), strict=True):
        state = model.start(model.encode(SOURCE, MASK))
        expected = model.decoder.read(torch.tensor([[model.bos_id, *y.words]]), state)[2][0]
        torch.testing.assert_close(attention, expected)


def test_what_covers_the_source_comes_first_with_the_penalty_and_what_is_long_with_the_length():
    short, long = output(4, log_p=-1.0), output(4, 5, 6, 7, log_p=-1.2)
    attentions = [torch.tensor([[0.9, 0.1], [0.5, 0.1]]), torch.full((5, 2), 0.5)]

    def order(alpha, beta):
        return [y.words for y in rescored([short, long], attentions, alpha, beta)]

    assert order(0.0, 0.0) == [short.words, long.words]
    assert order(0.0, 0.2) == order(1.0, 0.0) == [long.words, short.words]
    best = rescored([short, long], attentions, 0.6, 0.2)[-1]
    assert best.words == short.words and best.log_probability == -1.0
    assert best.score == pytest.approx(gnmt(0.6)(-1.0, 2) + 0.2 * math.log(0.2))


def test_a_model_without_attention_is_refused():
    model = Transformer(Config(9, 8, 8, 2, 1)).eval()
    with pytest.raises(ValueError, match="model must show its attention, Transformer does not"):
        attention_of(model, SOURCE, MASK, [output(4)])
