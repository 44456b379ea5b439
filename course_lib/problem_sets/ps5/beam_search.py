"""ps5.beam_search: the whole search (the course's search/beam.py; Zhao, "Beam search")."""

from collections.abc import Callable
from functools import partial
from math import inf
from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import alternate, isolating, plainly
from course_lib.grading.compare import kind
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion, Parts
from course_lib.problem_sets.ps5 import beam_step as one_step
from course_lib.problem_sets.ps5.lent import beam_step, rank
from course_lib.problem_sets.ps5.table_model import as_pairs, searched
from course_lib.problem_sets.ps5.tables import (
    EMPTIED,
    Hypothesis,
    Model,
    Words,
    beginnings,
    best_first,
    clear,
    early,
    emptying,
    ended,
    is_finished,
    never,
    size_of,
    table,
)
from course_lib.search import beam


def reference(model: Model, k: int, max_length: int, enough: int) -> list[Hypothesis]:
    """Steps until `enough` outputs are finished, or `max_length`; all finished, else what lives, by Σ log p."""
    everything = k * max_length
    (found,) = searched(beam.beam, model, max_length, k, enough=enough, n_best=everything)
    return as_pairs(model, found)


# Mistakes

START = [((), 0.0)]


def defined(
    model,
    k,
    max_length,
    enough,
    start=lambda k: START,
    step=one_step.defined,
    most=lambda max_length: max_length,
    width=lambda k, finished: k,
    stop=lambda outputs, new, enough, k: len(outputs) >= enough,
    settled=lambda outputs, live: True,
    keep=lambda outputs, new: outputs + new,
    result=lambda outputs, live: outputs or live,
    order=best_first,
):
    live, new, outputs = start(k), [], []
    for _ in range(most(max_length)):
        if not live or (outputs and stop(outputs, new, enough, k) and settled(outputs, live)):
            break
        live, new = step(model, live, width(k, len(outputs)))
        outputs = keep(outputs, new)
    return order(result(outputs, live))


wrong = versions(defined)
greedy_search = wrong("steps", width=lambda k, finished: 1)(
    "You follow one hypothesis only. Keep k of them after every step."
)
k_copies_at_the_start = wrong("steps", start=lambda k: START * k)(
    "You begin with k empty hypotheses: all go the same way, and the beam holds copies. Begin with one."
)


@mistake("steps")
def outputs_of_the_last_step_lost(model, k, max_length, enough):
    """You lose the outputs that finish in the last step: you leave the loop before you add them to the others."""
    live, outputs = START, []
    for _ in range(max_length):
        live, new = one_step.defined(model, live, k)
        if len(outputs) + len(new) >= enough or not live:
            break
        outputs += new
    return best_first(outputs or live)


the_best_output_alone = wrong("steps", order=lambda found: best_first(found)[:1])(
    "You return the best output only. Return all that finished."
)
a_smaller_beam = wrong("aside", width=lambda k, finished: max(k - finished, 0))(
    "Your beam gets smaller by each output that finishes. Here k hypotheses go on."
)
places_left_empty = wrong("aside", step=one_step.places_of_finished_hypotheses_left_empty)(
    "After an output finishes, its place in the beam is empty for a step. Here k hypotheses go on."
)
earlier_outputs_forgotten = wrong("aside", keep=lambda outputs, new: new or outputs)(
    "You return what finished last. What finished earlier is an output, too: collect them."
)
stopped_at_the_first = wrong("enough", stop=lambda *_: True)(
    "You stop as soon as one output is finished. Go on until there are `enough`."
)
stopped_at_the_first_where_k_is_1 = wrong(
    "enough", stop=lambda outputs, new, enough, k: k == 1 or len(outputs) >= enough
)("With k = 1 you stop as soon as one output is finished. Go on until there are `enough`, whatever k is.")
two_words_at_least = wrong("length", most=lambda max_length: max(max_length, 2))(
    "Where `max_length` is 1 you take two steps. Take one: EOS alone is an output, too."
)
one_more_than_enough = wrong("enough", stop=lambda outputs, new, enough, k: len(outputs) > enough)(
    "You go on until more than `enough` outputs are finished. As many are enough."
)
one_step_after_enough = wrong("enough", stop=lambda outputs, new, enough, k: len(outputs) - len(new) >= enough)(
    "You take one step more after `enough` outputs are finished. Count them after a step, with those that have just "
    "finished, before you go on."
)
never_enough = wrong("enough", stop=lambda *_: False)(
    "You always go on to `max_length`. Stop when `enough` outputs are finished."
)
counted_step_by_step = wrong("enough", stop=lambda outputs, new, enough, k: len(new) >= enough)(
    "You count the outputs that finish in one step. Count those of all steps together."
)
stopped_only_if_an_output_is_the_best = wrong(
    "enough", settled=lambda outputs, live: max(score for _, score in outputs) >= live[0][1]
)(
    "You go on while a live hypothesis is better than all outputs. Here the search stops once `enough` outputs are "
    "finished, whatever is live."
)
k_is_enough = wrong("enough", stop=lambda outputs, new, enough, k: len(outputs) >= k)(
    "You stop at k finished outputs. Stop at `enough`, which may be another number."
)


@mistake("enough")
def cut_to_enough(model, k, max_length, enough):
    """You return `enough` outputs at most. In the last step more may finish: return them all."""
    found = defined(model, k, max_length, enough)
    return found[:enough] if found and ended(found[0]) else found


one_step_too_many = wrong("length", most=lambda max_length: max_length + 1)(
    "Some of your outputs are one word longer than `max_length`."
)
one_step_too_few = wrong("length", most=lambda max_length: max_length - 1)(
    "You stop one word before `max_length`. EOS may be the last of the `max_length` words."
)
unfinished_outputs_too = wrong("unfinished", result=lambda outputs, live: outputs + live)(
    "You return unfinished outputs beside finished ones. Return them only if none is finished."
)
nothing_where_nothing_finished = wrong("unfinished", result=lambda outputs, live: outputs)(
    "You return nothing where no output is finished in time. Return the live ones then."
)
in_the_order_of_finishing = wrong("order", order=lambda found: found)(
    "Your outputs stand in the order in which they finished, the short ones first. The most probable one comes first, "
    "short or long."
)
ranked_by_the_mean = wrong("order", order=lambda found: sorted(found, key=lambda h: -h[1] / max(len(h[0]), 1)))(
    "You rank outputs by log p divided by their length. Here the sum itself ranks them."
)
unfinished_worst_first = partial(
    defined, order=lambda found: best_first(found) if found and ended(found[0]) else best_first(found)[::-1]
)
unfinished_by_their_words = partial(
    defined, order=lambda found: best_first(found) if found and ended(found[0]) else sorted(found)
)
the_model_emptied = mistake("arguments", EMPTIED)(emptying(defined))


# Cases

STEPS = greedy_search, k_copies_at_the_start, the_best_output_alone
ASIDE = a_smaller_beam, places_left_empty, earlier_outputs_forgotten
COUNT = stopped_at_the_first, one_more_than_enough, never_enough
OTHER_COUNT = counted_step_by_step, k_is_enough
LENGTH = one_step_too_many, one_step_too_few
ORDER = in_the_order_of_finishing, ranked_by_the_mean
EARLIER = (*STEPS, *ASIDE, *COUNT, *OTHER_COUNT)
CUT = cut_to_enough, unfinished_outputs_too
ALL = (*EARLIER, *CUT, *LENGTH, *ORDER, nothing_where_nothing_finished)


def case(model: Model, k: int, max_length: int, enough: int) -> Case:
    words = f"{size_of(model)}, k = {k}, at most {max_length} long, enough = {enough}"
    return Case((model, k, max_length, enough), words)


def outputs_of(function: Callable, case: Case) -> list:
    """What it returns; raises StudentError if these are no pairs of words and a score."""
    found = function(*case.arguments)
    if not isinstance(found, (list, tuple)) or not all(isinstance(e, (list, tuple)) and len(e) == 2 for e in found):
        raise StudentError(f"it returned {kind(found)}, not a list of pairs (words, score)")
    for words, _ in found:
        if not isinstance(words, (list, tuple)) or not all(type(word) is int for word in words):
            raise StudentError(f"the words of an output are {kind(words)}, not a tuple of whole numbers")
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


def closing(rng: Random, words: int, length: int, eos: Callable[[Words], float] = early) -> Model:
    """A model whose outputs have at most `length` words: EOS is certain then. It knows one beginning more."""
    model = table(rng, words, length - 1, eos)
    certain = [0.0] + [-inf] * words
    return model | {each: certain for each in beginnings(words, length + 1) if len(each) >= length - 1}


def endless(rng: Random, size: int) -> tuple:
    """Nothing is finished in time."""
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, never), 2, most, rng.randint(1, 3)


def counted(rng: Random, size: int) -> tuple:
    return closing(rng, 2, 4), 2 + size % 2, 5, 1 + rng.randint(0, 2)


shows = partial(
    isolating(defined, ALL, case),
    apart=False,
    when=lambda model, k, max_length, enough: clear(model, max_length),
    probe=in_any_order,
)
shows_count = partial(shows, free=(*EARLIER, *CUT))
shows_length = partial(shows, *LENGTH, free=EARLIER, probe=finished)
draw_steps = shows(*STEPS)(  # all outputs end in the same step, and then nothing goes on
    lambda rng, size: (closing(rng, 3, 3, lambda _: 0.0), 2 + size % 2, 4 + size % 3, 10)
)
draw_aside = shows(*ASIDE, free=(*STEPS, *COUNT, *OTHER_COUNT))(
    lambda rng, size: (closing(rng, 2 + size % 2, 4 - size % 2), 2, 5, 10)
)
shows_jump = partial(  # one step passes `enough`: a search that waits for more than that stops there, too
    shows, free=(*(each for each in EARLIER if each not in (one_more_than_enough, counted_step_by_step)), *CUT)
)
draw_late = shows_jump(one_step_after_enough, never_enough, apart=True)(lambda rng, size: (closing(rng, 2, 4), 2, 5, 1))
draw_of_two_steps = shows_jump(counted_step_by_step)(lambda rng, size: (closing(rng, 2, 4), 2, 5, 3))
draw_unsettled = shows_count(stopped_only_if_an_output_is_the_best)(counted)
draw_one_live = shows_count(stopped_at_the_first, stopped_at_the_first_where_k_is_1, the_best_output_alone)(
    lambda rng, size: (closing(rng, 2, 4), 1, 5, 2)
)
draw_length = shows_length()(lambda rng, size: (table(rng, 2, 5, early), 2, rng.randint(2, 3), 10))
draw_one_word = shows_length(two_words_at_least)(lambda rng, size: (table(rng, 2, 3, lambda _: 1.5), 2, 1, 10))
draw_none = shows(nothing_where_nothing_finished, free=(*STEPS, *LENGTH))(endless)
draw_some = shows(unfinished_outputs_too, free=(*EARLIER, *LENGTH))(
    lambda rng, size: (table(rng, 2, 4, early), 2, rng.randint(2, 3), 10)
)
draw_order = shows(*ORDER, free=EARLIER, probe=plainly)(
    lambda rng, size: (closing(rng, 2, 4), 2 + size // 2 % 2, 5, 10)
)
draw_order_of_unfinished = shows(
    unfinished_worst_first,
    unfinished_by_their_words,
    free=(*STEPS, *LENGTH, nothing_where_nothing_finished),
    probe=plainly,
)(endless)
TASK = task(
    __name__,
    "Beam search",
    kind=partial(Criterion, visible=4, graded=6),
    criteria=(
        criterion("steps", 1.5, draw_steps, in_any_order)(
            "From the empty hypothesis, step after step: outputs that end together."
        ),
        criterion("aside", 1.5, draw_aside, in_any_order)(
            "What finishes earlier is kept, and the search goes on with k others."
        ),
        criterion(
            "enough",
            1,
            alternate(
                *(shows_count(*wanted)(counted) for wanted in (COUNT, OTHER_COUNT, (cut_to_enough,))),
                *(draw_one_live, draw_late, draw_of_two_steps, draw_unsettled),
            ),
            in_any_order,
            visible=14,
            graded=14,
        )("No further step once `enough` outputs are finished, those of all steps together; all of them count."),
        criterion("length", 0.5, alternate(draw_length, draw_one_word), finished)(
            "No output has more than `max_length` words."
        ),
        criterion("unfinished", 1, alternate(draw_none, draw_some), in_any_order)(
            "Unfinished outputs are returned only if none is finished."
        ),
        criterion("order", 1, alternate(draw_order, draw_order_of_unfinished))(
            "The best first, whenever it finished; of unfinished ones, too."
        ),
        arguments(0.5, draw_aside)("The model is afterwards as it was."),
    ),
    lent=(beam_step, rank),
    forbidden=("course_lib.search.beam.beam", "course_lib.search.definition.beam_by_definition"),
)
