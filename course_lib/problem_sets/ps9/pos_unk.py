"""ps9.pos_unk: the sum of the numbers so far (unwritten: say what this task asks, and where it comes from.)

Write it in this order: what is right (`reference`), the equation in parts (`defined`), mistakes as slips of these
parts, cases that show one mistake each, and criteria, which say what is asked.
"""

from random import Random

import numpy as np

from course_lib.grading.cases.isolate import isolating
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case


def reference(numbers: list[int]) -> list[int]:
    """y_i = x_1 + … + x_i for each of the `numbers` x."""
    # `forbidden` replaces np.cumsum in its module: look it up there, never `from numpy import cumsum`
    return np.cumsum(numbers).tolist()


# Mistakes: each names the criterion that catches it, and tells its author what is wrong.


def defined(numbers, ordered=list, number=int, terms=list):
    numbers = [number(x) for x in ordered(numbers)]
    return [sum(terms(numbers[: i + 1])) for i in range(len(numbers))]


wrong = versions(defined)
absolute_values_added = wrong("negative", number=abs)("You add absolute values: −3 makes the sum smaller.")
each_number_once = wrong("repeated", terms=set)("You add equal numbers only once, as a set does.")
sorted_first = wrong("order", ordered=sorted)("You sort the numbers before you add them.")


@mistake("zero")
def stopped_at_0(numbers):
    """You stop at the first 0. It is a number like any other."""
    return defined(numbers[: numbers.index(0)] if 0 in numbers else numbers)


@mistake("arguments")
def sums_written_over_the_numbers(numbers):
    """You write the sums into the list that you are given. It belongs to the caller: make a new one."""
    numbers[:] = defined(numbers)
    return numbers


# Cases: each shows the mistakes that `shows` names, and hides the others of MISTAKES but those in `free=(…)`.


def case(numbers: list[int]) -> Case:
    return Case((numbers,), f"{len(numbers)} numbers")  # of floats also scale=… and terms=…: see Case


MISTAKES = (absolute_values_added, each_number_once, sorted_first, stopped_at_0)
shows = isolating(defined, MISTAKES, case)


def ascending(rng: Random, size: int, least: int = 1) -> list[int]:
    """Different numbers from `least` on, more of them where `size` is larger."""
    return sorted(rng.sample([x for x in range(least, 20) if x], 3 + size % 4))


@shows(absolute_values_added)
def draw_negative(rng: Random, size: int) -> tuple[list[int]]:
    return (ascending(rng, size, least=-20),)


@shows(each_number_once)
def draw_repeated(rng: Random, size: int) -> tuple[list[int]]:
    numbers = ascending(rng, size)
    return (sorted([*numbers, rng.choice(numbers)]),)


@shows(sorted_first)
def draw_order(rng: Random, size: int) -> tuple[list[int]]:
    numbers = ascending(rng, size)
    return (rng.sample(numbers, len(numbers)),)


@shows(stopped_at_0)
def draw_zero(rng: Random, size: int) -> tuple[list[int]]:
    return ([0, *ascending(rng, size)],)


@shows()  # with sums that differ from the numbers: else nobody sees that they are written over
def draw_plain(rng: Random, size: int) -> tuple[list[int]]:
    return (ascending(rng, size),)


TASK = task(
    __name__,
    "Pos unk",
    criteria=(
        criterion("negative", 1, draw_negative)("Negative numbers are added as they are."),
        criterion("repeated", 1, draw_repeated)("A number that occurs twice is added twice."),
        criterion("order", 1, draw_order)("The numbers are added in the order in which they are given."),
        criterion("zero", 0.5, draw_zero)("A zero ends nothing."),
        arguments(0.5, draw_plain)("The list of numbers is afterwards as it was."),
    ),
    forbidden=("numpy.cumsum",),
)
