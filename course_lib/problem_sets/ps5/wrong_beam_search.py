"""Beam search as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

from course_lib.problem_sets.ps5 import wrong_beam_step as step
from course_lib.problem_sets.ps5.tables import Hypothesis, Model, best_first, ended

Several = list[Hypothesis]
START: Several = [((), 0.0)]


def defined(
    model: Model,
    k: int,
    max_length: int,
    enough: int,
    start: Several = START,
    step: Callable[..., tuple[Several, Several]] = step.defined,
    width: Callable[[int, int], int] = lambda k, finished: k,
    stop: Callable[[Several, Several, int], bool] = lambda outputs, new, enough: len(outputs) >= enough,
    keep: Callable[[Several, Several], Several] = lambda outputs, new: outputs + new,
    result: Callable[[Several, Several], Several] = lambda outputs, live: outputs or live,
    order: Callable[[Several], Several] = best_first,
) -> Several:
    live, new, outputs = start, [], []
    for _ in range(max_length):
        if not live or (outputs and stop(outputs, new, enough)):
            break
        live, new = step(model, live, width(k, len(outputs)))
        outputs = keep(outputs, new)
    return order(result(outputs, live))


def greedily(model: Model, k: int, max_length: int, enough: int) -> Several:
    return defined(model, 1, max_length, enough)


def copies(model: Model, k: int, *arguments) -> Several:
    """k times the same beginning."""
    return defined(model, k, *arguments, start=START * k)


def one_more(model: Model, k: int, max_length: int, enough: int) -> Several:
    return defined(model, k, max_length + 1, enough)


def one_less(model: Model, k: int, max_length: int, enough: int) -> Several:
    return defined(model, k, max_length - 1, enough)


def at_the_first(*arguments) -> Several:
    return defined(*arguments, stop=lambda outputs, new, enough: True)


def first_for_one(model: Model, k: int, *arguments) -> Several:
    """A beam of one stopped at the first output, as greedy search is."""
    return (at_the_first if k == 1 else defined)(model, k, *arguments)


def two_at_least(model: Model, k: int, max_length: int, enough: int) -> Several:
    return defined(model, k, max(max_length, 2), enough)


def enough_at_once(*arguments) -> Several:
    """Only those of the last step counted."""
    return defined(*arguments, stop=lambda outputs, new, enough: len(new) >= enough)


def one_too_many(*arguments) -> Several:
    return defined(*arguments, stop=lambda outputs, new, enough: len(outputs) > enough)


def to_the_end(*arguments) -> Several:
    return defined(*arguments, stop=lambda *_: False)


def k_for_enough(model: Model, k: int, max_length: int, enough: int) -> Several:
    return defined(model, k, max_length, k)


def cut_to_enough(model: Model, k: int, max_length: int, enough: int) -> Several:
    found = defined(model, k, max_length, enough, result=lambda outputs, live: outputs)
    return found[:enough] or defined(model, k, max_length, enough)


def best_alone(*arguments) -> Several:
    return defined(*arguments)[:1]


def shrinking(*arguments) -> Several:
    """Each that finishes takes a place of the beam with it."""
    return defined(*arguments, width=lambda k, finished: max(k - finished, 0))


def places_empty(*arguments) -> Several:
    return defined(*arguments, step=step.not_refilled)


def last_step_lost(model: Model, k: int, max_length: int, enough: int) -> Several:
    """The loop left before what its last step finished is kept."""
    live, outputs = START, []
    for _ in range(max_length):
        live, new = step.defined(model, live, k)
        if len(outputs) + len(new) >= enough or not live:
            break
        outputs += new
    return best_first(outputs or live)


def last_finished(*arguments) -> Several:
    """Those that finished in an earlier step forgotten."""
    return defined(*arguments, keep=lambda outputs, new: new or outputs)


def in_order_of_finishing(*arguments) -> Several:
    return defined(*arguments, order=lambda each: each)


def by_mean(*arguments) -> Several:
    return defined(*arguments, order=lambda each: sorted(each, key=lambda h: -h[1] / max(len(h[0]), 1)))


def with_unfinished(*arguments) -> Several:
    return defined(*arguments, result=lambda outputs, live: outputs + live)


def finished_only(*arguments) -> Several:
    return defined(*arguments, result=lambda outputs, live: outputs)


def unfinished_worst_first(*arguments) -> Several:
    return defined(*arguments, result=lambda outputs, live: outputs or live[::-1], order=by_end)


def by_end(found: Several) -> Several:
    """The best first where outputs are finished, else as they come."""
    return best_first(found) if found and ended(found[0]) else found


def model_emptied(model: Model, *arguments) -> Several:
    found = defined(model, *arguments)
    model.clear()
    return found
