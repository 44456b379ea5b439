"""A task is declared as its module's page says, and what is forgotten is named."""

from random import Random

import pytest

from course_lib.grading.declare import changing, criterion, mistake, name_of, task, versions
from course_lib.grading.faults import asked, the_first_alone, ways
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


def test_a_mistake_that_changes_its_arguments_does_so_after_the_work():
    @changing("arguments", defined)
    def emptied(numbers):
        """You empty the list."""
        numbers.clear()

    numbers = [1, 2]
    assert emptied(numbers) == 3 and numbers == []
    assert (emptied.caught_by, emptied.hint) == ("arguments", "You empty the list.")


def test_mistakes_that_tasks_share_are_among_those_of_the_task_and_need_its_criterion():
    rows = (criterion("sum", 1, draw)("It is the sum."),)
    shared = mistake("sum", "You return 0.")(hintless)
    assert shared in task(__name__, "Sum", criteria=rows, mistakes=(shared,)).misconceptions
    with pytest.raises(KeyError, match="is caught by 'product', which is none of sum"):
        task(__name__, "Sum", criteria=rows, mistakes=(mistake("product", "You return 0.")(hintless),))


def faults_of(numbers):
    return {name for name, there in (("odd", sum(numbers) % 2 == 1), ("low-sum", sum(numbers) < 0)) if there}


def lower_than_minus_5(numbers):
    return faults_of(numbers) - {"low-sum"} | ({"low-sum"} if sum(numbers) < -5 else set())


def test_a_fault_is_asked_for_in_each_way_and_comes_with_the_mistakes_never_and_always():
    def drawn(rng, fault, faults):
        return ([rng.choice([n for n in range(-9, 9) if faults_of([n]) == faults])],)

    there, absent = ways(faults_of, lambda numbers: Case((numbers,), "1 number"), drawn)
    row = asked("low-sum", "it is below 0.", "Add them up.")(there(lower_than_minus_5, others=("odd",)), absent())
    made = task(__name__, "Faults", criteria=(row,))
    low, high = (made.criteria[0].draw(Random(0), size) for size in range(2))
    assert faults_of(*low.arguments) == {"odd", "low-sum"} and low.arguments[0][0] >= -5
    assert faults_of(*high.arguments) == set() and (made.criteria[0].visible, made.criteria[0].graded) == (2, 4)
    assert made.criteria[0].probe(lambda numbers: ["low-sum"], low) == {"\"'low-sum' is in the result\"": True}
    assert [each.name for each in made.misconceptions] == ["low sum not reported", "low sum always reported"]
    assert the_first_alone(faults_of, ("low-sum", "odd"))([-3]) == {"low-sum"}
