"""What a criterion of ps4.hard_alignment looks at: the links, in whatever form and order a student writes them."""

from collections.abc import Callable
from typing import Any

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.compare import is_tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.links import Links, chosen, spans, table


def in_one_order(function: Callable, case: Case) -> Any:
    """The probe that looks at the links, in whatever container; how they are written down is for "words"."""
    given = function(*case.arguments)
    return in_order({(number(j), number(i)) for j, i in given}, case) if pairs(given) else given


def of_words(function: Callable, case: Case) -> Any:
    """The probe that looks at the links of words in any order; those of the target's "<eos>" are for "nothing"."""
    return words_only(in_one_order(function, case), case)


def as_written(function: Callable, case: Case) -> Any:
    """The probe that looks at the links of words as they are; raises StudentError where they are of tensors."""
    given = function(*case.arguments)
    if pairs(given) and any(is_tensor(each) for link in given for each in link):
        raise StudentError("a link holds a tensor, not a number: int(...) makes a number of it")
    return words_only(given, case)


def in_order(found: Links, case: Case) -> Links:
    """The right links in place of those that name the target first, or count from 1, also where "<eos>" has one."""
    right, last = chosen(table(*case.arguments)), len(spans(case.arguments[2]))
    for read in (lambda j, i: (i, j)), (lambda j, i: (j - 1, i - 1)), (lambda j, i: (i - 1, j - 1)):
        links = {read(*link) for link in found}
        if right == {(j, i) for j, i in links if i != last}:
            return links
    return found


def words_only(given: Any, case: Case) -> Any:
    """Without the links of the target's "<eos>", if it is a set of links."""
    words = len(spans(case.arguments[2]))
    return {link for link in given if link[1] != words} if pairs(given) and isinstance(given, set) else given


def pairs(value: Any) -> bool:
    """Whether it is a collection of pairs of numbers, or tensors of one."""
    return isinstance(value, (set, list, tuple)) and all(
        isinstance(each, (list, tuple)) and len(each) == 2 and all(type(number(n)) is int for n in each)
        for each in value
    )


def number(value: Any) -> Any:
    """The number in a tensor of one."""
    return value.item() if is_tensor(value) and value.numel() == 1 else value
