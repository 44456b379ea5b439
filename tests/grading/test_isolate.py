"""A criterion whose cases cannot be drawn says which draw it is, and which mistake is in the way."""

from random import Random

import pytest

from course_lib.grading.cases import isolate
from course_lib.grading.task import Case


def total(numbers):
    return sum(numbers)


def of_absolute_values(numbers):
    return sum(map(abs, numbers))


def first_left_out(numbers):
    return sum(numbers[1:])


shows = isolate.isolating(total, (of_absolute_values, first_left_out), lambda numbers: Case((numbers,), ""))


@pytest.fixture(autouse=True)
def few_tries(monkeypatch):
    until = isolate.until
    monkeypatch.setattr(isolate, "until", lambda draw, fits: until(draw, fits, tries=7))


def draw_positive(rng: Random, size: int) -> tuple[list[int]]:
    return ([1, 2, 3],)


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (shows(of_absolute_values), "of_absolute_values gives what is right"),
        (shows(), "first_left_out shows, which is neither wanted nor free"),
        (shows(first_left_out, when=lambda numbers: numbers == []), "`when` does not hold"),
    ],
)
def test_a_draw_that_fits_never_says_which_mistake_is_in_the_way(draw, says):
    with pytest.raises(RuntimeError, match=f"draw_positive, size 4: no case fits after 7 draws: 7 times {says}"):
        draw(draw_positive)(Random(0), 4)


def test_a_draw_that_fits_is_a_case():
    assert shows(first_left_out)(draw_positive)(Random(0), 4).arguments == ([1, 2, 3],)


def test_an_error_of_the_draw_is_told_as_it_is():
    def draw(rng, size):
        raise RuntimeError("its own")

    with pytest.raises(RuntimeError, match="^its own$"):
        shows()(draw)(Random(0), 0)
