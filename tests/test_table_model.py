"""The model of a table says what its table says, in steps and all at once, and translates like any other."""

import itertools
import math

import pytest
import torch

from course_lib.search.beam import beam
from course_lib.search.exhaustive import exhaustive
from course_lib.search.table import TableModel
from course_lib.seq2seq.protocol import Model, State
from course_lib.subwords import Words
from course_lib.translator import Translator

TABLE = {"": {"he": 0.6, "I": 0.25}, "he": {"slept": 0.5, "</s>": 0.5}, "he slept": {"well": 0.25, "</s>": 0.75}}
NOTHING = torch.tensor([[3], [3]]), torch.ones(2, 1, dtype=torch.bool)
MODEL = TableModel(TABLE, others=3)


def p(beginning, word):
    """The probability of `word` after `beginning`, through steps."""
    state = MODEL.start(MODEL.encode(*NOTHING))
    for previous in (MODEL.bos_id, *MODEL.vocabulary.ids(beginning.split())):
        step = MODEL.step(torch.tensor([previous, 4]), state)
        state = step.state
    return math.exp(step.log_probs[0, MODEL.vocabulary.piece_to_id[word]])


@pytest.mark.parametrize(("beginning", "word"), [(b, word) for b, row in TABLE.items() for word in row])
def test_a_step_says_what_the_table_says(beginning, word):
    assert p(beginning, word) == pytest.approx(TABLE[beginning][word])


def test_what_is_left_is_shared_and_what_is_not_listed_ends():
    assert [p("", f"other {n}") for n in (1, 2, 3)] == pytest.approx([0.05] * 3)
    assert p("he", "other 1") == p("he", "well") == 0
    assert p("I", "</s>") == p("he slept well", "</s>") == 1


def test_steps_are_forward_and_rows_can_be_selected():
    assert isinstance(MODEL, Model) and isinstance(MODEL.start(1), State)
    for y in itertools.product((4, 5, 6, 7), repeat=2):
        target_in = torch.tensor([[2, *y], [2, 4, 6]])
        state, steps = MODEL.start(2), []
        for previous in target_in.unbind(1):
            step = MODEL.step(previous, state)
            steps.append(step.log_probs)
            swapped = MODEL.step(previous.flip(0), state.select(torch.tensor([1, 0])))
            assert torch.equal(swapped.log_probs.flip(0), step.log_probs)
            state = step.state
        assert torch.equal(torch.stack(steps, 1), MODEL(*NOTHING, target_in))
        assert torch.stack(steps, 1).exp().sum(2) == pytest.approx(1, abs=1e-6)


def test_it_can_be_searched_and_be_a_translator():
    toy = Translator(MODEL, Words(MODEL.vocabulary.id_to_piece[4:]), MODEL.vocabulary)
    found = beam(MODEL, *toy.read(["il dort"]), 4, 5, n_best=3, stop="length")[0]
    every = exhaustive(MODEL, *toy.read(["il dort"]), 4, n_best=3)
    assert [toy.written(h.words) for h in found] == [toy.written(h.words) for h in every] == ["he", "I", "he slept"]
    assert [math.exp(h.score) for h in found] == pytest.approx([0.3, 0.25, 0.225])


@pytest.mark.parametrize("row", [{"a": 0.5, "b": 0.4}, {"a": 0.9, "b": 0.2}, {"a": 1.5, "b": -0.5}])
def test_rows_that_are_no_distribution_are_refused(row):
    with pytest.raises(ValueError, match="the row 'he' must hold probabilities with the sum 1, got"):
        TableModel({"": {"he": 1.0}, "he": row})


def test_a_beginning_with_a_word_of_no_row_is_refused():
    with pytest.raises(ValueError, match="the beginning 'he hat' must have words of the rows, got 'hat'"):
        TableModel({"": {"he": 1.0}, "he hat": {"</s>": 1.0}})


def test_an_empty_row_is_shared_by_the_others():
    model = TableModel({"": {}}, others=4)
    step = model.step(torch.tensor([model.bos_id]), model.start(1))
    assert step.log_probs.exp()[0, 4:].tolist() == [0.25] * 4
