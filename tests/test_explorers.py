"""The explorers of lecture 08 without a browser: what they hold, and what they refuse."""

import base64
import gzip
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.widgets import ScheduleExplorer, SmoothingExplorer

WORDS = ["Katze", "Hund", "Haus"]
steps = st.integers(1, 10**6)


@given(steps, steps, st.integers(1, 4096))
def test_the_paper_s_rate_is_its_formula(step, warmup, d_model):
    expected = d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
    assert ScheduleExplorer(d_model=d_model, warmup=warmup).rate(step) == pytest.approx(expected, rel=1e-9)


@given(steps, steps, st.floats(1e-5, 1.0))
def test_the_peak_is_reached_after_the_warm_up_and_nowhere_exceeded(step, warmup, peak):
    explorer = ScheduleExplorer("peak", warmup=warmup, peak=peak)
    assert explorer.rate(warmup) == pytest.approx(peak) and explorer.rate(step) <= peak * (1 + 1e-9)
    assert ScheduleExplorer("constant", peak=peak).rate(step) == peak


@given(st.integers(1, 1000), st.integers(0, 1000))
def test_the_rate_is_held_then_falls_by_equal_amounts(hold, more):
    explorer = ScheduleExplorer("linear", peak=1.0, hold=hold, steps=hold + more)
    rates = [explorer.rate(step) for step in range(hold, hold + more + 2)]
    assert rates[0] == 1.0 and rates[-1] == 0.0
    assert all(a - b == pytest.approx(1 / (more + 1)) for a, b in zip(rates, rates[1:], strict=False))


def test_a_kept_schedule_has_its_own_rates():
    explorer = ScheduleExplorer("constant", peak=0.5)
    paper = {"kind": "paper", "d_model": 4, "warmup": 25, "peak": 1.0, "hold": 1, "steps": 10}
    assert (explorer.rate(25, paper), explorer.rate(25)) == (pytest.approx(0.1), 0.5)


def test_half_of_the_steps_are_held_and_at_least_one():
    assert [ScheduleExplorer("linear", steps=steps).hold for steps in (1, 2, 7)] == [1, 1, 3]


@pytest.mark.parametrize(
    ("kind", "numbers", "message"),
    [
        ("cosine", {}, "kind must be one of paper, peak, constant, linear, got 'cosine'"),
        ("paper", {"d_model": 0}, "d_model must lie in 1..1000000, got 0"),
        ("paper", {"warmup": 0}, "warmup must lie in 1..10000000, got 0"),
        ("linear", {"hold": 11, "steps": 10}, "hold must lie in 1..10, got 11"),
        ("paper", {"at": [1, 0]}, "at must lie in 1..10000000, got 0"),
        ("constant", {"peak": 0.0}, "peak must be above 0 and at most 10, got 0.0"),
    ],
)
def test_numbers_that_are_no_schedule_are_refused(kind, numbers, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        ScheduleExplorer(kind, **numbers)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a", "b"], [0, 0]), "words must be from 3 to 12, got 2"),
        ((WORDS, [0, 0]), "logits must be 3 numbers from −12 to 12, got [0, 0]"),
        ((WORDS, [0, 0, 13]), "logits must be 3 numbers from −12 to 12, got [0, 0, 13]"),
        ((WORDS, [0, 0, float("nan")]), "logits must be 3 numbers"),
        ((WORDS, [0, 0, 0], 3), "right must lie in 0..2, got 3"),
    ],
)
def test_words_and_logits_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        SmoothingExplorer(*arguments)


@pytest.mark.parametrize(("name", "value"), [("epsilon", 1.0), ("epsilon", -0.1), ("share", "none")])
def test_another_smoothing_is_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} must .* got {re.escape(repr(value))}"):
        SmoothingExplorer(WORDS, [0, 0, 0], **{name: value})


@pytest.mark.parametrize(
    "explorer",
    [ScheduleExplorer(predict=True), SmoothingExplorer(["</b>", "Hund", "Haus"], [1, 0, -1])],
    ids=["s", "l"],
)
def test_the_page_is_whole(explorer):
    page = explorer.page()
    state = json.loads(gzip.decompress(base64.b64decode(re.search(r'atob\("(.*?)"\)', page).group(1))))
    assert state == {**explorer.state(), "live": False} and "</b>" not in page
    assert not re.search(r"(src|href)=|url\(|https?://(?!www\.w3\.org/2000/svg)", page)
