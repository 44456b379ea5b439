"""The models of problem set 5 and its references, and the numbers of its model answer."""

from math import exp, inf, log
from random import Random

import pytest
import torch

from course_lib.grading.cases.isolate import until
from course_lib.problem_sets.ps5 import beam_search, diagnose, ensemble, greedy
from course_lib.problem_sets.ps5.table_model import TableModel
from course_lib.problem_sets.ps5.tables import clear, decided, early, even_row, log_p, outputs, row, table

SEEDS = range(20)


@pytest.mark.parametrize("draw", [row, even_row])
@pytest.mark.parametrize("eos", [0.0, 1.0])
def test_the_probabilities_of_a_row_add_to_1(draw, eos):
    for seed in SEEDS:
        log_probs = draw(Random(seed), 4, eos)
        assert len(log_probs) == 5 and abs(sum(map(exp, log_probs)) - 1) < 5e-4
        assert (log_probs[0] == -inf) == (eos == 0.0)


def test_an_order_is_decided_by_a_margin_or_exactly_equal():
    assert decided([-1.0, -1.25, -2.0]) and decided([-1.25, -1.25, -inf, -inf])
    assert not decided([-1.0, -1.000001]) and not decided([-1.1, -1.1])


def test_the_table_as_a_model_steps_as_it_runs_whole():
    model = TableModel(table(Random(0), 3, 3))
    source = torch.zeros(1, 1, dtype=torch.long)
    words = [2, 1]
    whole = model.forward(source, source == 0, torch.tensor([[model.bos_id, *words]]))[0]
    state = model.start(model.encode(source, source == 0))
    for previous, expected in zip([model.bos_id, *words], whole, strict=True):
        step = model.step(torch.tensor([previous]), state)
        state = step.state
        assert torch.equal(step.log_probs[0], expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_beam_that_holds_everything_finds_the_most_probable_output(seed):
    rng = Random(seed)
    (model,) = until(lambda: (table(rng, 2, 4, early),), lambda model: clear(model, 4))
    best = max(outputs(model, 4), key=lambda output: output[1])
    found = beam_search.reference(model, 81, 4, 1000)
    assert found[0] == (best[0], pytest.approx(best[1])) and len(found) == len(list(outputs(model, 4)))
    assert diagnose.reference(model, 4, found[0], best[0]) == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_beam_of_one_that_stops_at_the_first_output_is_greedy(seed):
    model = table(Random(seed), 3, 3, early)
    words, score = greedy.reference(model, 3)
    assert beam_search.reference(model, 1, 3, 1)[0] == (words, pytest.approx(score))


def test_an_ensemble_of_equal_models_is_that_model():
    model = table(Random(0), 3, 2)
    joined = ensemble.reference([model] * 3, [0.2, 0.3, 0.5])
    assert joined == {words: pytest.approx(log_probs) for words, log_probs in model.items()}


def answer(after_a: tuple[float, ...]) -> dict:
    """The table of the model answer to question 8; a is word 1, b is word 2."""
    rows = {(): (0.0, 0.6, 0.4), (1,): after_a, (1, 1): (0.6, 0.3, 0.1)}
    every = table(Random(0), 2, 4)
    return {words: [log(p) if p else -inf for p in rows.get(words, (1.0, 0.0, 0.0))] for words in every}


def test_the_numbers_of_the_model_answer_hold():
    model, reference = answer((0.25, 0.5, 0.25)), (1, 1, 0)
    (narrow,) = beam_search.defined(model, 1, 4, 1)
    wide = beam_search.reference(model, 2, 4, 2)[0]
    assert narrow == (reference, pytest.approx(log(0.18))) and wide == ((2, 0), pytest.approx(log(0.40)))
    assert diagnose.reference(model, 4, narrow, reference) == {"search", "model"}
    assert diagnose.reference(model, 4, wide, reference) == {"model"}
    assert (round(log(0.18) / 3, 2), round(log(0.40) / 2, 2)) == (-0.57, -0.46)
    changed = answer((0.1, 0.8, 0.1))
    assert log_p(changed, reference) == pytest.approx(log(0.288)) and round(log(0.288) / 3, 2) == -0.41
    assert diagnose.reference(changed, 4, ((2, 0), log(0.40)), reference) == {"length"}


def test_the_numbers_of_label_bias_in_the_statement_hold():
    model = answer((1 / 3, 1 / 3, 1 / 3))
    best, *others = beam_search.reference(model, 9, 4, 1000)
    assert best == ((2, 0), pytest.approx(log(0.4)))
    assert all(log_p(model, (1, word)) == pytest.approx(log(0.6 / 3)) for word in range(3))
    assert all(score <= log(0.6 / 3) + 1e-9 for _, score in others)
