"""Right is what rounding cannot tell from right, and nothing more; what is said of a wrong value gives nothing away."""

import math
import re
from fractions import Fraction
from itertools import accumulate

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.grading.compare import difference, kind, shown
from course_lib.grading.task import Case, Parts, Told

CASE = Case((), "a case")
FLOATS = [torch.float64, torch.float32, torch.float16, torch.bfloat16]
each_dtype = pytest.mark.parametrize("dtype", FLOATS, ids=str)
terms = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=200)


@given(terms, st.randoms(use_true_random=False))
def test_any_order_of_summation_is_right(numbers, random):
    """Oracle: the exact sum as a fraction, rounded once."""
    exact = float(sum(map(Fraction, numbers)))
    case = Case((), "a sum", scale=max(map(abs, numbers)), terms=len(numbers))
    for order in numbers, sorted(numbers), sorted(numbers, key=abs), random.sample(numbers, len(numbers)):
        (*_, total) = accumulate(order)
        assert difference(exact, total, case) is None
        summed = [torch.tensor(each, dtype=torch.float64) for each in (exact, total)]
        assert difference(*summed, case) is None


@each_dtype
def test_a_product_in_that_precision_is_right_and_one_in_half_of_it_is_not(dtype):
    torch.manual_seed(0)
    a, b = torch.randn(20, 64, dtype=torch.float64), torch.randn(64, 20, dtype=torch.float64)
    a, b = a.to(dtype).double(), b.to(dtype).double()
    case = Case((), "a product", scale=float(a.abs().max() * b.abs().max()), terms=64)
    expected = (a @ b).to(dtype)
    blockwise = sum(a[:, i : i + 8].to(dtype) @ b[i : i + 8].to(dtype) for i in range(0, 64, 8))
    assert difference(expected, blockwise, case) is None
    if dtype in (torch.float64, torch.float32):
        coarse = (a.bfloat16() @ b.bfloat16()).to(dtype)
        assert difference(expected, coarse, case)


@pytest.mark.parametrize("dtype", FLOATS[:2], ids=str)
def test_the_slack_is_the_stated_one(dtype):
    slack = max(1e-9, 32 * torch.finfo(dtype).eps * 4) * 10.0
    case = Case((), "", scale=10.0, terms=4)
    expected = torch.zeros(3, dtype=dtype)
    for off, right in (0.9 * slack, True), (1.2 * slack, False):
        got = expected.clone()
        got[1] = off
        assert (difference(expected, got, case) is None) is right
    slack = 1e-9 * 10.0
    assert difference(0.0, 0.9 * slack, case) is None and difference(0.0, 1.2 * slack, case)


def test_where_only_precision_is_lost_it_says_so():
    case = Case((), "", scale=10.0)
    for wrap in float, lambda x: torch.tensor([x], dtype=torch.float64):
        assert "a relative 4e-07: this looks like a loss of precision" in difference(wrap(2.5), wrap(2.500001), case)
        assert "precision" not in difference(wrap(2.5), wrap(2.50001), case)
        assert "precision" not in difference(wrap(1e-6), wrap(2e-6), case), "as large as the value"
    assert "precision" in difference(torch.tensor([2.5]), torch.tensor([2.5002]), case)
    assert "precision" not in difference(torch.tensor([2.5]), torch.tensor([2.5005]), case)
    assert "precision" not in difference(torch.tensor([0.0]), torch.tensor([1e-3]), case)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_two_numbers_that_differ_are_shown_with_as_many_digits_and_differ_in_them(expected, got):
    says = difference(expected, got, CASE, reveal=True)
    if says:
        shown_got, shown_expected = re.match(r"the result is (\S+), expected (\S+)", says).groups()
        assert shown_got != shown_expected and "-0" not in (shown_got, shown_expected)
        assert math.isclose(float(shown_got), got, rel_tol=1e-5, abs_tol=1e-300)
        assert math.isclose(float(shown_expected), expected, rel_tol=1e-5, abs_tol=1e-300)


def test_both_lists_are_shown_where_they_differ():
    says = difference([1, 2, 3], [1, 3, 2], CASE, reveal=True)
    assert says == "result[1] is 3; expected 2; all of it: [1, 3, 2], expected [1, 2, 3]"


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("expected", [0.0, 1.0, -3.5])
def test_a_number_that_is_none_is_wrong(expected, bad):
    assert difference(expected, bad, CASE)
    assert difference([expected], [bad], CASE)
    for dtype in FLOATS:
        assert difference(torch.full((2,), expected, dtype=dtype), torch.full((2,), bad, dtype=dtype), CASE)


@pytest.mark.parametrize("infinite", [math.inf, -math.inf])
def test_an_infinite_number_is_right_where_it_is_expected_and_only_it(infinite):
    for make in (lambda x: x), (lambda x: torch.tensor([0.0, x])):
        assert difference(make(infinite), make(infinite), CASE) is None
        for other in 0.0, 1e30, -infinite, math.nan:
            assert difference(make(infinite), make(other), CASE)


EXPECTED = [0, 1, True, 2.5, "word", None, [1, 2], (), {"a": 1}, {1, 2}, b"x", torch.zeros(2)]
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e6, 1e6) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(plain)
def test_a_value_is_itself(value):
    assert difference(value, value, CASE) is None


@given(plain, plain)
def test_it_says_nothing_only_of_equal_values(expected, got):
    assert (difference(expected, got, CASE) is None) == loosely_equal(expected, got)


def loosely_equal(a, b) -> bool:
    """The definition by cases, with the slack of one term of scale 1."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(loosely_equal, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(loosely_equal(a[key], b[key]) for key in a)
    if isinstance(a, float):
        return type(b) in (int, float) and abs(a - b) <= 2**-47 * max(1, abs(a))
    return type(a) is type(b) and a == b


@pytest.mark.parametrize("got", EXPECTED, ids=repr)
@pytest.mark.parametrize("expected", EXPECTED, ids=repr)
def test_other_types_are_wrong_in_words(expected, got):
    says = difference(expected, got, CASE)
    assert (says is None) == (expected is got)
    if says:
        assert says.startswith(("the result is ", "the result has ", "item "))


def test_what_may_stand_for_what():
    assert difference(3.0, 3, CASE) is None and difference([1, 2], (1, 2), CASE) is None
    assert difference(3, 3.0, CASE) and difference(1.0, True, CASE) and difference(1, True, CASE)
    assert difference(torch.zeros(2), torch.zeros(2, dtype=torch.float64), CASE)
    assert difference(torch.zeros(2, 1), torch.zeros(1, 2), CASE)
    assert difference(torch.zeros(0, 3), torch.zeros(0, 3), CASE) is None
    assert difference(torch.tensor(2), torch.tensor(2), CASE) is None
    assert difference(torch.tensor(2), torch.tensor(3), CASE)


DTYPE = "the dtype of r is float32, not float64"
AFTER = "after the call, r[0][0] is a wrong whole number"
ENTRY = "after the call, item 0 of an entry of r is a wrong whole number"
WRONG = "it is a wrong number"


@pytest.mark.parametrize(
    ("expected", "got", "where"),
    [
        ([1, [2, 3]], [1, [2, 4]], "result[1][1] is a wrong whole number"),
        ({"a": [1]}, {"a": [2]}, "item 0 of an entry of the result is a wrong whole number"),
        (Parts({"after the call, r": {"a": [1]}}), Parts({"after the call, r": {"a": [2]}}), ENTRY),
        (Parts(r=1), Parts(r=2), "r is a wrong whole number"),
        (Parts(r=Parts(s="x")), Parts(r=Parts(s="y")), "s of r is a wrong string"),
        (Parts({"the dtype of r": Told("float64")}), Parts({"the dtype of r": Told("float32")}), DTYPE),
        (Parts({'"r is in it"': True}), Parts({'"r is in it"': False}), "r is not in it, and should be"),
        (Parts({'"r is in it"': False}), Parts({'"r is in it"': True}), "r is in it, and should not be"),
        (Parts(r=[[1, 2]]), Parts(r=[[1]]), "r[0] has length 1, not 2; its first item is right"),
        (Parts({"after the call, r": [[1]]}), Parts({"after the call, r": [[2]]}), AFTER),
        (Parts(r={"a": torch.zeros(1)}), Parts(r={"a": torch.ones(1)}), "r['a'] first differs at index (0,): " + WRONG),
        (Parts(r={"a": torch.zeros(1)}), Parts(r={}), "r is a dict in which entry 'a' is missing"),
        (Parts(r={"a": 1}), Parts(r={"a": 2}), "an entry of r is a wrong whole number"),
        ([1, 2, 3], [1, 2], "the result has length 2, not 3; its first 2 items are right"),
        ([1, 2], [1, 2, 3], "the result has length 3, not 2; its first 2 items are right"),
        ([1, 2], [1], "the result has length 1, not 2; its first item is right"),
        ([1, 2], [], "the result has length 0, not 2"),
        (Parts(r=1, s=2), Parts(r=1), "s is missing"),
        (Parts(r=1), Parts(r=1, s=2), "the result has a part that does not belong"),
        (Parts(r=1), [1], "the result is a list of 1, not the kind of result that is right"),
        ({1, 2}, [], "the result is an empty list, not a set"),
        ({1, 2}, set(), "the result is a wrong empty set"),
        ({"a": 1}, {"a": 1, "b": 2}, "the result is a dict with a key that does not belong"),
        ({"a": 1}, {}, "the result is a dict in which an entry is missing"),
        ({1, 2}, {1, 3}, "the result is a wrong set of 2"),
        (1.5, 2.5, "the result is a wrong number"),
        (2, None, "the result is None, not a whole number"),
        ("x", ["x"], "the result is a list of 1, not a string"),
        (torch.eye(2), torch.ones(2, 2), "the result first differs at index (0, 1): it is a wrong number"),
        (torch.tensor(True), torch.tensor(False), "the result is wrong"),
        (torch.tensor(1.0), torch.tensor(2.0), "the result is a wrong number"),
        (torch.zeros(2), torch.zeros(3), "the result has shape (3,), not (2,)"),
        (torch.zeros(2), torch.zeros(2).int(), "the result has dtype torch.int32, not torch.float32"),
    ],
    ids=repr,
)
def test_the_first_difference_is_named(expected, got, where):
    assert difference(expected, got, CASE) == where


SECRET = "the expected answer"


@pytest.mark.parametrize(
    ("expected", "got"),
    [(SECRET, "x"), ([SECRET], ["x"]), ({SECRET: 1}, {}), ({"a": SECRET}, {"a": 1}), (271828, 1), (2.71828, 1.0)],
    ids=repr,
)
def test_what_was_expected_is_shown_only_where_it_may_be(expected, got):
    hint = SECRET if SECRET in repr(expected) else "2.71828" if isinstance(expected, float) else "271828"
    assert hint not in difference(expected, got, CASE)
    assert hint in difference(expected, got, CASE, reveal=True)


def test_tensors_are_shown_by_shape_and_sets_in_order():
    assert shown(torch.tensor([1.0, 2.00004])) == "tensor of shape (2,) (1, 2)"
    assert shown({"W": torch.zeros(3, 4)}) == "{'W': tensor of shape (3, 4)}"
    assert shown([torch.zeros(9)]) == "[tensor of shape (9,)]"
    assert shown({"memory", "final"}) == "{'final', 'memory'}" and shown(set()) == "an empty set"


def test_a_number_that_is_not_finite_is_shown_where_it_may_be():
    assert difference(0.2, math.nan, CASE) == "the result is not finite"
    assert difference(0.2, -math.inf, CASE, reveal=True) == "the result is -inf; expected 0.2"
    assert difference(math.inf, 1.0, CASE) == "the result should be inf"
    assert difference(math.inf, 1.0, CASE, reveal=True) == "the result is 1; expected inf"
    got, expected = torch.tensor([1.0, math.nan]), torch.ones(2)
    assert difference(expected, got, CASE) == "the result first differs at index (1,): it is not finite"
    assert difference(got, expected, CASE) == "the result first differs at index (1,): it should be nan"
    assert difference(expected, got, CASE, reveal=True).endswith("(1,): it is nan, expected 1")


def test_numbers_are_shown_short_and_zero_without_a_sign():
    assert difference(0.2, "x", CASE, reveal=True) == "the result is a string, not a number; expected 0.2"
    assert shown(1 - 0.8) == "0.2" and shown(-0.0) == "0"
    assert shown(torch.tensor([-0.0, 3.0])) == "tensor of shape (2,) (0, 3)"


def test_long_values_are_cut():
    assert len(shown("x" * 1000)) == 200 and shown("x" * 1000).endswith("…") and shown([1]) == "[1]"
    assert kind((1, 2)) == "a tuple of 2" and kind(1j) == "of type complex" and kind(True) == "a bool"
