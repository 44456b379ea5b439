"""ps5.diagnose: whether the search or the model is to blame (Stahlberg and Byrne 2019), by every output there is."""

from collections.abc import Callable
from functools import partial
from math import inf

from course_lib.grading.cases.isolate import Draw, alternate, isolating
from course_lib.grading.cases.numbers import count
from course_lib.grading.declare import Row, arguments, criterion, mistake, task, versions
from course_lib.grading.faults import ONE_FAULT_ONLY, about, the_first_alone
from course_lib.grading.task import Case
from course_lib.problem_sets.ps5 import beam_search, lent
from course_lib.problem_sets.ps5.searches import better_beyond, means, missed_by_beams, with_equals, with_faults
from course_lib.problem_sets.ps5.table_model import searched
from course_lib.problem_sets.ps5.tables import EMPTIED, EOS, Hypothesis, Model, Words, emptying, log_p, outputs, size_of
from course_lib.search import exhaustive
from course_lib.search.hypothesis import power

NEAR = 1e-6


def reference(model: Model, max_length: int, output: Hypothesis, reference: Words) -> set[str]:
    """ "score", "search", "model" or "length": what is wrong with a search that gave `output` for `reference`."""
    words, reported = output
    (best,) = searched(exhaustive.exhaustive, model, max_length)
    (best_by_mean,) = searched(exhaustive.exhaustive, model, max_length, normalise=power(1.0))
    found = {"score"} if abs(reported - log_p(model, words)) > NEAR else set()
    log_p_of_best = log_p(model, (*best.words, EOS))
    mean_of_best = log_p(model, (*best_by_mean.words, EOS)) / (len(best_by_mean.words) + 1)
    if log_p_of_best > log_p(model, words):
        found.add("search")
    if log_p_of_best > log_p(model, reference):
        mean = log_p(model, reference) / len(reference)
        found.add("model" if mean_of_best > mean + NEAR else "length")
    return found


# Mistakes: `scores` holds log p of every output


def best_of(scores, words):
    """Whether none is better than this."""
    return max(scores.values()) - scores[words] < NEAR


def defined(
    model,
    max_length,
    output,
    reference,
    every=outputs,
    expected=lambda scores, words, log_p: log_p,
    tolerance=NEAR,
    missed=lambda scores, words, reference, reported: not best_of(scores, words),
    beaten=lambda scores, words, reference: not best_of(scores, reference),
    mended=lambda scores, words, reference: best_of(means(scores), reference),
    returned=lambda found: found,
):
    words, reported = output
    scores, found = dict(every(model, max_length)), set()
    if abs(reported - expected(scores, words, log_p(model, words))) > tolerance:
        found.add("score")
    if missed(scores, words, reference, reported):
        found.add("search")
    if beaten(scores, words, reference):
        found.add("length" if mended(scores, words, reference) else "model")
    return returned(found)


wrong = versions(defined)
only_the_reference_looked_for = wrong(
    "search", missed=lambda scores, words, reference, reported: scores[reference] - scores[words] > NEAR
)("You report 'search' only where the reference is more probable than what was found. Any output may be: try them all.")
A_LITTLE = 0.1  # what a score may not be off by
BARELY = 2**-12  # no two sums are nearer to each other
only_what_is_much_better_found = wrong(
    "search", missed=lambda scores, words, reference, reported: max(scores.values()) - scores[words] > A_LITTLE
)(
    "You report 'search' only where an output is clearly better. Any larger log p counts: allow for rounding alone, "
    "by 1e-6, say."
)
only_what_beats_the_reference_by_much = wrong(
    "model", beaten=lambda scores, words, reference: max(scores.values()) - scores[reference] > A_LITTLE
)(
    "You report 'model' and 'length' only where an output clearly beats the reference. Any larger log p counts: allow "
    "for rounding alone, by 1e-6, say."
)
every_other_output_a_search_error = wrong(
    "search", missed=lambda scores, words, reference, reported: words != reference
)(
    "You report 'search' wherever the output is not the reference. The search is to find what is most probable, and "
    "does not know the reference."
)


@mistake("model")
def every_other_output_a_model_error(model, max_length, output, reference):
    """You report 'model' wherever the output is not the reference. If the reference is the most probable output, the
    model is right."""
    found = defined(model, max_length, output, reference)
    return found if found & {"model", "length"} or output[0] == reference else found | {"model"}


def alone(scores, *words):
    return {each: scores[each] for each in words}


def mean_beats_output(scores, words, reference):
    return best_of(means(alone(scores, words, reference)), reference)


compared_with_the_output_alone = wrong(
    "model",
    beaten=lambda scores, words, reference: not best_of(alone(scores, words, reference), reference),
    mended=mean_beats_output,
)("You compare the reference with what was found alone. What was missed may be more probable, too.")


@mistake("model")
def no_fault_where_the_output_is_right(model, max_length, output, reference):
    """You report nothing where the output is the reference. It may be found by luck: a search error can hide a model
    error."""
    return set() if output[0] == reference else defined(model, max_length, output, reference)


as_good_counted_as_better = wrong("search", missed=lambda *_: True, beaten=lambda *_: True, mended=lambda *_: False)(
    "You report 'search' and 'model' even where nothing is better. An output is as good as itself: is there a >= in "
    "place of a >?"
)


def one_best(pick):
    """The parts by which of equally good outputs only the one that `pick` takes is the best."""

    def best(scores):
        return pick([words for words in scores if best_of(scores, words)])

    return {
        "missed": lambda scores, words, reference, reported: words != best(scores),
        "beaten": lambda scores, words, reference: reference != best(scores),
        "mended": lambda scores, words, reference: reference == best(means(scores)),
    }


EQUALS = (
    "You report a fault where another output is as good. Of equals each is the best: compare the numbers, not the "
    "words."
)
another_that_is_as_good = wrong("search", **one_best(min))(EQUALS)
the_last_of_equals_alone = wrong("search", **one_best(max))(EQUALS)
a_small_difference_taken_for_rounding = wrong("score", tolerance=0.2)(
    "You hold a score that is off by a tenth to be right. Rounding changes the last digits only."
)
longer_outputs_tried = wrong("search", every=lambda model, max_length: outputs(model, max_length + 1))(
    "You try outputs of more than `max_length` words. A table may know more beginnings than are needed."
)
only_the_mean_of_the_most_probable_output = wrong(
    "length",
    mended=lambda scores, words, reference: mean_beats_output(scores, max(scores, key=scores.__getitem__), reference),
)(
    "You compare the reference's log p for each word with that of the most probable output alone. Another output may "
    "have a larger one: try them all."
)


def breaking_off(model, max_length):
    """What is unfinished at the end counted among the outputs."""
    unfinished = (
        (*beginning, word)
        for beginning in model
        if len(beginning) == max_length - 1
        for word in range(1, len(model[beginning]))
    )
    return *outputs(model, max_length), *((words, log_p(model, words)) for words in unfinished)


the_reference_better_than_itself = wrong("model", beaten=lambda *_: True)(
    "You report 'model' or 'length' even where no output is more probable than the reference. An output is as good as "
    "itself: is there a >= in place of a >?"
)
unfinished_outputs_counted = wrong("model", every=breaking_off)(
    "You count outputs that break off at `max_length`. Only those that end in EOS compete."
)
length_not_looked_for = wrong("length", mended=lambda *_: False)(
    "You never report 'length'. Divide log p by |y|: is the reference the best then?"
)
length_without_its_first_condition = wrong(
    "length",
    beaten=lambda scores, words, reference: best_of(means(scores), reference) or not best_of(scores, reference),
)(
    "You report 'length' wherever the reference is the best by log p divided by |y|. It is a fault only if some output "
    "has a larger log p than the reference."
)
model_beside_length = wrong("model", returned=lambda found: found | {"model"} if "length" in found else found)(
    "You report 'model' beside 'length'. It is one of them: 'length' if dividing by |y| mends it."
)
the_mean_compared_with_the_output_alone = wrong("length", mended=mean_beats_output)(
    "You compare the reference's log p for each word with that of the output alone. It must be the best."
)
a_shorter_output_a_fault_of_length = wrong(
    "length", mended=lambda scores, words, reference: len(words) < len(reference)
)("You report 'length' wherever the output is shorter. Divide log p by |y|: is the reference best then?")


def mended_without_eos(scores, words, reference):
    return best_of({each: score / max(len(each) - 1, 1) for each, score in scores.items()}, reference)


EOS_not_counted = wrong("length", mended=mended_without_eos)(
    "You do not count EOS in |y|. Its log-probability is in the sum, so it counts."
)


def mended_by_multiplying(scores, words, reference):
    return best_of({each: score * len(each) for each, score in scores.items()}, reference)


multiplied_by_the_length = wrong("length", mended=mended_by_multiplying)(
    "You multiply log p by |y|, or prefer short outputs in another way. Divide log p by |y|: is the reference the best "
    "then?"
)
the_score_not_looked_at = wrong("score", tolerance=inf)(
    "You never report 'score'. Add up the log-probabilities of the output's words, EOS too, and compare."
)
the_reported_score_believed = wrong(
    "search", missed=lambda scores, words, reference, reported: max(scores.values()) - reported > NEAR
)("You look for a search error with the score that was reported. It may be wrong: use the model's own.")
the_score_compared_with_the_mean = wrong("score", expected=lambda scores, words, log_p: log_p / len(words))(
    "You compare the score with log p divided by |y|. It is said to be log p itself."
)
the_score_compared_with_the_best = wrong("score", expected=lambda scores, words, log_p: max(scores.values()))(
    "You compare the score with that of the most probable output. It is said to be that of what was found."
)


@mistake("score")
def the_score_compared_with_that_of_the_reference(model, max_length, output, reference):
    """You compare the score with log p of the reference. It is said to be that of what was found."""
    found = defined(model, max_length, output, reference) - {"score"}
    return found if abs(output[1] - log_p(model, reference)) < NEAR else found | {"score"}


OTHER = {"model": "length", "length": "model"}
model_and_length_exchanged = wrong("model", returned=lambda found: {OTHER.get(fault, fault) for fault in found})(
    "You report 'model' for 'length', and the other way round. 'length': by log p for each word the reference is the "
    "best."
)
equal_to_the_last_bit = wrong("score", tolerance=0.0)(
    "You take a difference in the last bits for a fault: allow for rounding."
)
the_search_judged_by_the_mean = wrong(
    "search", missed=lambda scores, words, reference, reported: not best_of(means(scores), words)
)("You look for a search error by log p divided by |y|. The search was for the largest log p.")
one_fault_only = mistake("several", ONE_FAULT_ONLY)(the_first_alone(defined, ("score", "search", "model", "length")))
the_model_emptied = mistake("arguments", EMPTIED)(emptying(defined))


def trying(every):
    """These outputs tried, and the two that are given."""

    def diagnosed(model, max_length, output, reference):
        given = [(words, log_p(model, words)) for words in (output[0], reference)]
        return defined(model, max_length, output, reference, every=lambda *_: [*every(model, max_length), *given])

    return diagnosed


def of_beam(k):
    return lambda model, max_length: beam_search.defined(model, k, max_length, enough=len(model))


def no_one_beats_both(scores, words, reference):
    """Whether no output beats the reference in sum and mean."""
    mean = means(scores)
    return not any(scores[y] > scores[reference] + NEAR and mean[y] > mean[reference] + NEAR for y in scores)


shorter_ones_only = trying(lambda model, max_length: outputs(model, max_length - 1))
beams = [trying(of_beam(k)) for k in (2, 3, 5)]


def another_beats(scores, words, reference, reported):
    """Whether an output that is not the reference beats what was found."""
    return any(scores[y] > scores[words] + NEAR for y in scores if y != reference)


def beaten_by_equals(scores, words, reference):
    """Whether another output is as good as the reference, or better."""
    return any(scores[y] > scores[reference] - NEAR for y in scores if y != reference)


small_vocabulary = trying(lambda model, max_length: ((y, s) for y, s in outputs(model, max_length) if max(y) < 3))
the_reference_left_out = partial(defined, missed=another_beats)
as_good_beats_the_reference = partial(defined, beaten=beaten_by_equals)
one_for_both = partial(defined, mended=no_one_beats_both)

# Cases


COMPARED_WITH_ANOTHER = the_score_compared_with_the_best, the_score_compared_with_that_of_the_reference


def case(model: Model, max_length: int, output: Hypothesis, reference: Words) -> Case:
    lengths = f"an output of {count(len(output[0]), 'word')}, a reference of {len(reference)}"
    return Case((model, max_length, output, reference), f"{size_of(model)}, at most {max_length} long, {lengths}")


showing = partial(isolating(defined, (), case), apart=False)


def draw(
    asked: str, *faults: str, shows: tuple[Callable, ...] = (), when: Callable[..., bool] | None = None, **given
) -> Draw:
    """Cases with these faults that show some mistakes in the answer to whether the fault `asked` is there."""
    return showing(*shows, probe=about(asked), when=when)(
        lambda rng, size: with_faults(rng, set(faults), defined, **given)
    )


def eos_alone(model: Model, max_length: int, output: Hypothesis, reference: Words) -> bool:
    """Whether the output is EOS alone: its log p and its log p divided by |y| are the same."""
    return output[0] == (EOS,)


def draw_equals(asked: str, *faults: str) -> tuple[Draw, ...]:
    """Cases in which another output is as good: one that comes before the one that is asked about, and one after it."""
    return tuple(
        showing(each, probe=about(asked))(lambda rng, size: with_equals(rng, set(faults), defined, asked))
        for each in (another_that_is_as_good, the_last_of_equals_alone)
    )


def draw_barely_better(asked: str, *faults: str, shows: Callable) -> Draw:
    """Cases in which another output of the same length is better, as little as it can be."""
    return showing(shows, probe=about(asked))(
        lambda rng, size: with_equals(rng, set(faults), defined, asked, apart=BARELY)
    )


def draw_several(*faults: str) -> Draw:
    return lambda rng, size: case(*with_faults(rng, set(faults), defined))


def one(name: str, points: float, says: str, *draws: Draw) -> Row:
    """The criterion that asks for the fault of that name, whatever else is reported: each kind of case twice."""
    twice = 2 * len(draws)
    return criterion(name, points, alternate(*draws), about(name), visible=twice, graded=twice)(f"{name!r}, {says}")


TASK = task(
    __name__,
    "The search or the model?",
    criteria=(
        one(
            "search",
            1,
            "where any output is more probable than the one that was found.",
            draw("search", "model", shows=(every_other_output_a_search_error, the_search_judged_by_the_mean)),
            draw("search", "search", "model", shows=(only_the_reference_looked_for,)),
            draw("search", "search", "model", shows=(shorter_ones_only,)),
            draw_barely_better("search", "search", "model", shows=only_what_is_much_better_found),
            draw(
                "search",
                "score",
                "search",
                shows=(the_reported_score_believed, the_reference_left_out),
                off_by=(2.0, 3.0),
            ),
            showing(*beams, small_vocabulary, probe=about("search"))(missed_by_beams),
            showing(longer_outputs_tried, probe=about("search"))(better_beyond),
            *draw_equals("search", "model"),
        ),
        one(
            "model",
            0.5,
            "where any output is more probable than the reference, and more probable for each word.",
            draw("model", "search", shows=(every_other_output_a_model_error,)),
            draw("model", "length", shows=(model_beside_length,)),
            draw("model", "search", "model", shows=(compared_with_the_output_alone,)),
            draw("model", "search", "model", shows=(no_fault_where_the_output_is_right,)),
            draw("model", shows=(unfinished_outputs_counted,)),
            draw_barely_better("model", "model", shows=only_what_beats_the_reference_by_much),
            draw("model", "search", shows=(the_reference_better_than_itself,)),
            *draw_equals("model", "search"),
        ),
        one(
            "length",
            1,
            "in place of 'model', where log p for each word makes the reference the best.",
            draw("length", "length", shows=(length_not_looked_for,)),
            draw("length", "model", shows=(the_mean_compared_with_the_output_alone,)),
            draw("length", "model", shows=(a_shorter_output_a_fault_of_length,)),
            draw("length", "model", shows=(EOS_not_counted,)),
            draw("length", "model", shows=(multiplied_by_the_length,)),
            draw("length", "model", shows=(one_for_both,)),
            draw("length", shows=(length_without_its_first_condition,)),
            draw("length", "search", shows=(length_without_its_first_condition,)),
            *draw_equals("length", "search", "length"),
            showing(as_good_beats_the_reference, probe=about("length"))(
                lambda rng, size: with_equals(rng, {"search"}, defined, "length")
            ),
        ),
        one(
            "score",
            0.5,
            "where the score that came with the output is not its log p, and rounding is not to blame.",
            draw("score", "score", shows=(a_small_difference_taken_for_rounding,), off_by=(0.11, 0.13)),
            draw("score", "score", "search", off_by=(2.0, 3.0)),
            draw("score", "search", shows=COMPARED_WITH_ANOTHER, when=eos_alone),
            draw(
                *("score", "model"),
                shows=(
                    *(equal_to_the_last_bit, the_score_compared_with_the_mean),
                    the_score_compared_with_that_of_the_reference,
                ),
                rounding=4e-15,
            ),
            draw("score", shows=(the_score_compared_with_the_mean,)),
        ),
        criterion(
            "several",
            0.5,
            alternate(
                draw_several("search", "length"),
                draw_several("score", "model"),
                draw_several("score", "search", "length"),
                draw_several("score", "search", "model"),
            ),
            visible=8,
            graded=8,
        )("Several faults at once."),
        arguments(0.5, draw_several("model"), visible=6, graded=6)("The model is afterwards as it was."),
    ),
    lent=(lent.beam_step, lent.rank, lent.beam_search),
    forbidden=("course_lib.search.exhaustive.exhaustive", "course_lib.search.best_first.best_first"),
)
