"""A task is declared as its module's page says, and what is forgotten is named."""

import pytest

from course_lib.grading.declare import criterion, mistake, name_of, task, versions
from course_lib.grading.task import Case


def defined(numbers, start=0):
    return start + sum(numbers)


def with_any_part(numbers, **parts):
    return defined(numbers, **parts)


def hintless(numbers):
    return 0


def draw(rng, size):
    return Case(([1, 2],), "2 numbers")


def reference(numbers):
    return sum(numbers)


@pytest.mark.parametrize(
    ("variable", "name"),
    [
        ("softmax_over_the_queries", "softmax over the queries"),
        ("divided_by_d_k", "divided by d_k"),
        ("a_b_exchanged", "a b exchanged"),
        ("W_hh_transposed", "W_hh transposed"),
        ("without_W_xh", "without W_xh"),
        ("no_b_h", "no b_h"),
        ("d_model_for_d_k", "d_model for d_k"),
        ("h_cut_off", "h cut off"),
        ("a_model_changed", "a model changed"),
        ("EOS_not_counted", "EOS not counted"),
        ("the_6_outside_of_the_power", "the 6 outside of the power"),
    ],
)
def test_a_mistake_is_named_by_its_variable_in_words_and_symbols(variable, name):
    assert name_of(variable) == name


def test_a_mistake_has_the_hint_that_it_is_given_or_its_docstring():
    @mistake("sum")
    def documented(numbers):
        """You start
        at 1."""

    assert documented.hint == "You start at 1."
    assert versions(defined)("sum", start=1)("You begin at 1.").hint == "You begin at 1."


@pytest.mark.parametrize("make", [lambda: mistake("sum")(hintless), lambda: versions(defined)("sum", start=1)(" ")])
def test_a_mistake_without_a_hint_is_refused(make):
    with pytest.raises(ValueError, match="a mistake must have a hint"):
        make()


def test_a_part_that_the_equation_does_not_have_is_refused():
    with pytest.raises(TypeError, match="must be one of numbers, start, which `defined` has; got 'begin'"):
        versions(defined)("sum", begin=1)
    assert versions(with_any_part)("sum", start=1)("You begin at 1.")([1, 2]) == 4


def test_a_row_that_says_nothing_is_refused():
    rows = (criterion("sum", 1, draw)("It is the sum."), criterion("other", 1, draw))
    with pytest.raises(TypeError, match=r"criteria\[1\] must be criterion\(…\)\(\"what it says\"\)"):
        task(__name__, "Sum", criteria=rows)
    assert [each.name for each in task(__name__, "Sum", criteria=rows[:1]).criteria] == ["sum"]
