"""ps5.beam_search: the whole search (the course's search/beam.py; Zhao, "Beam search")."""

from collections.abc import Callable
from functools import partial
from math import inf
from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import alternate, isolating, plainly
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Criterion, Misconception, Parts, Task
from course_lib.grading.tasks.ps5 import wrong_beam_search as wrong
from course_lib.grading.tasks.ps5.lent import beam_step
from course_lib.grading.tasks.ps5.tables import (
    Hypothesis,
    Model,
    Words,
    as_pairs,
    beginnings,
    clear,
    early,
    is_finished,
    never,
    searched,
    size_of,
    table,
)
from course_lib.search import beam


def reference(model: Model, k: int, max_length: int, enough: int) -> list[Hypothesis]:
    """Steps until `enough` outputs are finished, or `max_length`; all finished, else what lives, by Σ log p."""
    everything = k * max_length
    (found,) = searched(beam.beam, model, max_length, k, enough=enough, n_best=everything)
    return as_pairs(model, found)


# Cases

STEPS = (wrong.greedily, wrong.copies, wrong.best_alone)
ASIDE = (wrong.shrinking, wrong.places_empty, wrong.last_finished)
COUNT = (wrong.at_the_first, wrong.one_too_many, wrong.to_the_end)
OTHER_COUNT = (wrong.enough_at_once, wrong.k_for_enough)
LENGTH = (wrong.one_more, wrong.one_less)
ORDER = (wrong.in_order_of_finishing, wrong.by_mean)
MISTAKES = (
    *(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT, wrong.cut_to_enough, *LENGTH, *ORDER),
    *(wrong.with_unfinished, wrong.finished_only),
)


def outputs_of(function: Callable, case: Case) -> list:
    """What it returns; raises StudentError if these are no pairs of words and a score."""
    found = function(*case.arguments)
    if not isinstance(found, (list, tuple)) or not all(isinstance(e, (list, tuple)) and len(e) == 2 for e in found):
        raise StudentError(f"it returned {kind(found)}, expected is a list of pairs (words, score)")
    for words, _ in found:
        if not isinstance(words, (list, tuple)) or not all(type(word) is int for word in words):
            raise StudentError(f"the words of an output are {kind(words)}, expected is a tuple of whole numbers")
    return [(tuple(words), score) for words, score in found]


def in_any_order(function: Callable, case: Case, which: str = "", wanted: Callable = lambda words: True) -> Parts:
    """The probe that does not look at the order: which outputs there are, how many, and their scores."""
    found = [(words, score) for words, score in outputs_of(function, case) if wanted(words)]
    return Parts(
        {
            f"the set of the {which}outputs' words": {words for words, _ in found},
            f"the number of {which}outputs": len(found),
            f"the dict of the {which}outputs' scores": dict(found),
        }
    )


finished = partial(in_any_order, which="finished ", wanted=is_finished)  # the probe that looks at these alone


def case(model: Model, k: int, max_length: int, enough: int) -> Case:
    words = f"{size_of(model)}, k = {k}, at most {max_length} long, enough = {enough}"
    return Case((model, k, max_length, enough), words)


isolated = isolating(wrong.defined, MISTAKES, case)
shows = partial(
    isolated, apart=False, when=lambda model, k, max_length, enough: clear(model, max_length), probe=in_any_order
)


def closing(rng: Random, words: int, length: int, eos: Callable[[Words], float]) -> Model:
    """A model whose outputs have at most `length` words: EOS is certain then. It knows one beginning more."""
    model = table(rng, words, length - 1, eos)
    certain = [0.0] + [-inf] * words
    return model | {each: certain for each in beginnings(words, length + 1) if len(each) >= length - 1}


@shows(*STEPS)
def draw_steps(rng: Random, size: int) -> tuple:
    """All outputs end in the same step, and then nothing goes on."""
    return closing(rng, 3, 3, lambda _: 0.0), 2 + size % 2, 4 + size % 3, 10


@shows(*ASIDE, free=(*STEPS, *COUNT, *OTHER_COUNT))
def draw_aside(rng: Random, size: int) -> tuple:
    return closing(rng, 2 + size % 2, 4 - size % 2, early), 2, 5, 10


def draw_enough(*wanted: Callable) -> Callable[[Random, int], Case]:
    @shows(*wanted, free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT, wrong.cut_to_enough, wrong.with_unfinished))
    def draw(rng: Random, size: int) -> tuple:
        return closing(rng, 2, 4, early), 2 + size % 2, 5, 1 + rng.randint(0, 2)

    return draw


@shows(*LENGTH, free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT), probe=finished)
def draw_length(rng: Random, size: int) -> tuple:
    return table(rng, 2, 5, early), 2, rng.randint(2, 3), 10


@shows(wrong.finished_only, free=(*STEPS, *LENGTH))
def draw_none(rng: Random, size: int) -> tuple:
    """Nothing is finished in time."""
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, never), 2, most, rng.randint(1, 3)


@shows(wrong.with_unfinished, free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT, *LENGTH))
def draw_some(rng: Random, size: int) -> tuple:
    return table(rng, 2, 4, early), 2, rng.randint(2, 3), 10


@shows(*ORDER, free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT), probe=plainly)
def draw_order(rng: Random, size: int) -> tuple:
    return closing(rng, 2, 4, early), 2 + size // 2 % 2, 5, 10


@shows(wrong.unfinished_worst_first, free=(*STEPS, *LENGTH, wrong.finished_only), probe=plainly)
def draw_order_of_unfinished(rng: Random, size: int) -> tuple:
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, never), 2, most, rng.randint(1, 3)


Few = partial(Criterion, visible=4, graded=6, probe=in_any_order)

TASK = Task(
    name="ps5.beam_search",
    title="Beam search",
    reference=reference,
    lent=(beam_step,),
    criteria=(
        Few("steps", 1.5, "From the empty hypothesis, step after step: outputs that end together.", draw_steps),
        Few("aside", 1.5, "What finishes earlier is kept, and the search goes on with k others.", draw_aside),
        Few(
            "enough",
            1,
            "No further step once `enough` outputs are finished, those of all steps together; all of them count.",
            alternate(draw_enough(*COUNT), draw_enough(*OTHER_COUNT), draw_enough(wrong.cut_to_enough)),
            visible=6,
        ),
        Few("length", 1, "No output has more than `max_length` words.", draw_length, probe=finished),
        Few(
            "unfinished",
            1,
            "Unfinished outputs are returned only if none is finished.",
            alternate(draw_none, draw_some),
        ),
        Few(
            "order",
            1,
            "The best first, whenever it finished; of unfinished ones, too.",
            alternate(draw_order, draw_order_of_unfinished),
            probe=plainly,
        ),
    ),
    misconceptions=(
        Misconception(
            "greedy search",
            wrong.greedily,
            "steps",
            "You follow one hypothesis only. Keep k of them after every step.",
        ),
        Misconception(
            "k copies at the start",
            wrong.copies,
            "steps",
            "You begin with k empty hypotheses: all go the same way, and the beam holds copies. Begin with one.",
        ),
        Misconception(
            "outputs of the last step lost",
            wrong.last_step_lost,
            "steps",
            "You lose the outputs that finish in the last step: you leave the loop before you add them to the others.",
        ),
        Misconception(
            "the best output alone",
            wrong.best_alone,
            "steps",
            "You return the best output only. Return all that finished.",
        ),
        Misconception(
            "a smaller beam",
            wrong.shrinking,
            "aside",
            "Your beam gets smaller by each output that finishes. Here k hypotheses go on.",
        ),
        Misconception(
            "places left empty",
            wrong.places_empty,
            "aside",
            "After an output finishes, its place in the beam is empty for a step. Here k hypotheses go on.",
        ),
        Misconception(
            "earlier outputs forgotten",
            wrong.last_finished,
            "aside",
            "You return what finished last. What finished earlier is an output, too: collect them.",
        ),
        Misconception(
            "stopped at the first",
            wrong.at_the_first,
            "enough",
            "You stop as soon as one output is finished. Go on until there are `enough`.",
        ),
        Misconception(
            "one more than enough",
            wrong.one_too_many,
            "enough",
            "You go on until more than `enough` outputs are finished. As many are enough.",
        ),
        Misconception(
            "never enough",
            wrong.to_the_end,
            "enough",
            "You always go on to `max_length`. Stop when `enough` outputs are finished.",
        ),
        Misconception(
            "counted step by step",
            wrong.enough_at_once,
            "enough",
            "You count the outputs that finish in one step. Count those of all steps together.",
        ),
        Misconception(
            "k is enough",
            wrong.k_for_enough,
            "enough",
            "You stop at k finished outputs. Stop at `enough`, which may be another number.",
        ),
        Misconception(
            "cut to enough",
            wrong.cut_to_enough,
            "enough",
            "You return `enough` outputs at most. In the last step more may finish: return them all.",
        ),
        Misconception(
            "one step too many",
            wrong.one_more,
            "length",
            "Some of your outputs are one word longer than `max_length`.",
        ),
        Misconception(
            "one step too few",
            wrong.one_less,
            "length",
            "You stop one word before `max_length`. EOS may be the last of the `max_length` words.",
        ),
        Misconception(
            "unfinished outputs, too",
            wrong.with_unfinished,
            "unfinished",
            "You return unfinished outputs beside finished ones. Return them only if none is finished.",
        ),
        Misconception(
            "nothing where nothing finished",
            wrong.finished_only,
            "unfinished",
            "You return nothing where no output is finished in time. Return the live ones then.",
        ),
        Misconception(
            "in the order of finishing",
            wrong.in_order_of_finishing,
            "order",
            "Your outputs stand in the order in which they finished, the short ones first. The most probable one comes "
            "first, short or long.",
        ),
        Misconception(
            "ranked by the mean",
            wrong.by_mean,
            "order",
            "You rank outputs by log p divided by their length. Here the sum itself ranks them.",
        ),
    ),
    forbidden=("course_lib.search.beam.beam",),
)
