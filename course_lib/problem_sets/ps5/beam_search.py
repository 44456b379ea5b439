"""ps5.beam_search: the whole search (the course's search/beam.py; Zhao, "Beam search")."""

from functools import partial

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, plainly
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps5 import wrong_beam_search as wrong
from course_lib.problem_sets.ps5.lent import beam_step
from course_lib.problem_sets.ps5.searches import (
    COUNT,
    OTHER_COUNT,
    draw_aside,
    draw_enough,
    draw_length,
    draw_none,
    draw_one_live,
    draw_one_word,
    draw_order,
    draw_order_of_unfinished,
    draw_some,
    draw_steps,
    finished,
    in_any_order,
)
from course_lib.problem_sets.ps5.table_model import as_pairs, searched
from course_lib.problem_sets.ps5.tables import Hypothesis, Model
from course_lib.search import beam


def reference(model: Model, k: int, max_length: int, enough: int) -> list[Hypothesis]:
    """Steps until `enough` outputs are finished, or `max_length`; all finished, else what lives, by Σ log p."""
    everything = k * max_length
    (found,) = searched(beam.beam, model, max_length, k, enough=enough, n_best=everything)
    return as_pairs(model, found)


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
            alternate(draw_enough(*COUNT), draw_enough(*OTHER_COUNT), draw_enough(wrong.cut_to_enough), draw_one_live),
            visible=8,
            graded=8,
        ),
        Few(
            "length",
            0.5,
            "No output has more than `max_length` words.",
            alternate(draw_length, draw_one_word),
            probe=finished,
        ),
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
        Few(
            "arguments",
            0.5,
            "The model is afterwards as it was.",
            draw_aside,
            probe=leaving("model k max_length enough"),
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
            "stopped at the first for k = 1",
            wrong.first_for_one,
            "enough",
            "With k = 1 you stop as soon as one output is finished. Go on until there are `enough`, whatever k is.",
        ),
        Misconception(
            "two words at least",
            wrong.two_at_least,
            "length",
            "Where `max_length` is 1 you take two steps. Take one: EOS alone is an output, too.",
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
        Misconception(
            "the model emptied",
            wrong.model_emptied,
            "arguments",
            "You empty the model that you are given. It belongs to the caller: leave it as it was.",
        ),
    ),
    forbidden=("course_lib.search.beam.beam",),
)
