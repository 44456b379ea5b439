"""ps5.diagnose: whether the search or the model is to blame (Stahlberg and Byrne 2019), by every output there is."""

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.faults import about
from course_lib.grading.cases.isolate import Draw, alternate
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps5 import wrong_diagnose as wrong
from course_lib.problem_sets.ps5.blame import (
    draw,
    draw_better_beyond,
    draw_equals,
    draw_missed_by_beams,
    draw_several,
)
from course_lib.problem_sets.ps5.table_model import searched
from course_lib.problem_sets.ps5.tables import EOS, Hypothesis, Model, Words, log_p
from course_lib.search import exhaustive
from course_lib.search.hypothesis import power


def reference(model: Model, max_length: int, output: Hypothesis, reference: Words) -> set[str]:
    """ "score", "search", "model" or "length": what is wrong with a search that gave `output` for `reference`."""
    words, reported = output
    (best,) = searched(exhaustive.exhaustive, model, max_length)
    (best_by_mean,) = searched(exhaustive.exhaustive, model, max_length, normalise=power(1.0))
    found = {"score"} if abs(reported - log_p(model, words)) > wrong.NEAR else set()
    log_p_of_best = log_p(model, (*best.words, EOS))
    mean_of_best = log_p(model, (*best_by_mean.words, EOS)) / (len(best_by_mean.words) + 1)
    if log_p_of_best > log_p(model, words):
        found.add("search")
    if log_p_of_best > log_p(model, reference):
        mean = log_p(model, reference) / len(reference)
        found.add("model" if mean_of_best > mean + wrong.NEAR else "length")
    return found


def one(name: str, points: float, says: str, *draws: Draw) -> Criterion:
    """The criterion that asks for the fault of that name, whatever else is reported: each kind of case twice."""
    return Criterion(
        name, points, f"{name!r}, {says}", alternate(*draws), 2 * len(draws), 2 * len(draws), probe=about(name)
    )


SEVERAL = (("search", "length"), ("score", "model"), ("score", "search", "length"), ("score", "search", "model"))

TASK = Task(
    name="ps5.diagnose",
    title="The search or the model?",
    reference=reference,
    criteria=(
        one(
            "search",
            1,
            "where any output is more probable than the one that was found.",
            draw("search", "model", shows=(wrong.other_than_reference, wrong.searched_by_mean)),
            draw("search", "search", "model", shows=(wrong.reference_missed,)),
            draw("search", "search", "model", shows=(wrong.shorter_ones_only,)),
            draw("search", "score", "search", shows=(wrong.report_believed,), off_by=(2.0, 3.0)),
            draw_missed_by_beams,
            draw_better_beyond,
            *draw_equals("search", "model"),
        ),
        one(
            "model",
            0.5,
            "where any output is more probable than the reference, and more probable for each word.",
            draw("model", "search", shows=(wrong.different_is_wrong,)),
            draw("model", "length", shows=(wrong.length_and_model,)),
            draw("model", "search", "model", shows=(wrong.compared_with_output,)),
            draw("model", "search", "model", shows=(wrong.right_output_no_fault,)),
            draw("model", shows=(wrong.unfinished_counted,)),
            *draw_equals("model", "search"),
        ),
        one(
            "length",
            1,
            "in place of 'model', where log p for each word makes the reference the best.",
            draw("length", "length", shows=(wrong.length_not_looked_at,)),
            draw("length", "model", shows=(wrong.mean_of_output,)),
            draw("length", "model", shows=(wrong.shorter_output,)),
            draw("length", "model", shows=(wrong.eos_not_counted,)),
            draw("length", "model", shows=(wrong.one_for_both,)),
            *draw_equals("length", "search", "length"),
        ),
        one(
            "score",
            0.5,
            "where the score that came with the output is not its log p, and rounding is not to blame.",
            draw("score", "score", shows=(wrong.off_by_little,), off_by=(0.11, 0.13)),
            draw("score", "score", "search", off_by=(2.0, 3.0)),
            draw("score", "search", shows=(wrong.score_of_best,)),
            draw("score", "model", shows=(wrong.to_the_bit, wrong.divided_by_length), rounding=4e-15),
        ),
        Criterion(
            "several",
            0.5,
            "Several faults at once.",
            alternate(*(draw_several(*faults) for faults in SEVERAL)),
            visible=8,
            graded=8,
        ),
        Criterion(
            "arguments",
            0.5,
            "The model is afterwards as it was.",
            draw_several("model"),
            visible=6,
            graded=6,
            probe=leaving("model max_length output reference"),
        ),
    ),
    misconceptions=(
        Misconception(
            "only the reference looked for",
            wrong.reference_missed,
            "search",
            "You report 'search' only where the reference is more probable than what was found. Any output may be: "
            "try them all.",
        ),
        Misconception(
            "every other output a search error",
            wrong.other_than_reference,
            "search",
            "You report 'search' wherever the output is not the reference. The search is to find what is most "
            "probable, and does not know the reference.",
        ),
        Misconception(
            "every other output a model error",
            wrong.different_is_wrong,
            "model",
            "You report 'model' wherever the output is not the reference. If the reference is the most probable "
            "output, the model is right.",
        ),
        Misconception(
            "compared with the output alone",
            wrong.compared_with_output,
            "model",
            "You compare the reference with what was found alone. What was missed may be more probable, too.",
        ),
        Misconception(
            "no fault where the output is right",
            wrong.right_output_no_fault,
            "model",
            "You report nothing where the output is the reference. It may be found by luck: a search error can hide a "
            "model error.",
        ),
        Misconception(
            "as good counted as better",
            wrong.as_good_is_better,
            "search",
            "You report 'search' and 'model' even where nothing is better. An output is as good as itself: is there a "
            ">= in place of a >?",
        ),
        Misconception(
            "another that is as good",
            wrong.first_best,
            "search",
            "You report a fault where another output is as good. Of equals each is the best: compare the numbers, not "
            "the words.",
        ),
        Misconception(
            "the last of equals alone",
            wrong.last_best,
            "search",
            "You report a fault where another output is as good. Of equals each is the best: compare the numbers, not "
            "the words.",
        ),
        Misconception(
            "a small difference taken for rounding",
            wrong.off_by_little,
            "score",
            "You hold a score that is off by a tenth to be right. Rounding changes the last digits only.",
        ),
        Misconception(
            "longer outputs tried",
            wrong.longer_ones_too,
            "search",
            "You try outputs of more than `max_length` words. A table may know more beginnings than are needed.",
        ),
        Misconception(
            "only the mean of the most probable output",
            wrong.mean_of_best,
            "length",
            "You compare the reference's log p for each word with that of the most probable output alone. Another "
            "output may have a larger one: try them all.",
        ),
        Misconception(
            "unfinished outputs counted",
            wrong.unfinished_counted,
            "model",
            "You count outputs that break off at `max_length`. Only those that end in EOS compete.",
        ),
        Misconception(
            "'length' not looked for",
            wrong.length_not_looked_at,
            "length",
            "You never report 'length'. Divide log p by |y|: is the reference the best then?",
        ),
        Misconception(
            "'model' beside 'length'",
            wrong.length_and_model,
            "model",
            "You report 'model' beside 'length'. It is one of them: 'length' if dividing by |y| mends it.",
        ),
        Misconception(
            "the mean compared with the output alone",
            wrong.mean_of_output,
            "length",
            "You compare the reference's log p for each word with that of the output alone. It must be the best.",
        ),
        Misconception(
            "a shorter output a fault of length",
            wrong.shorter_output,
            "length",
            "You report 'length' wherever the output is shorter. Divide log p by |y|: is the reference best then?",
        ),
        Misconception(
            "EOS not counted",
            wrong.eos_not_counted,
            "length",
            "You do not count EOS in |y|. Its log-probability is in the sum, so it counts.",
        ),
        Misconception(
            "the score not looked at",
            wrong.score_not_looked_at,
            "score",
            "You never report 'score'. Add up the log-probabilities of the output's words, EOS too, and compare.",
        ),
        Misconception(
            "the reported score believed",
            wrong.report_believed,
            "search",
            "You look for a search error with the score that was reported. It may be wrong: use the model's own.",
        ),
        Misconception(
            "the score compared with the mean",
            wrong.divided_by_length,
            "score",
            "You compare the score with log p divided by |y|. It is said to be log p itself.",
        ),
        Misconception(
            "the score compared with the best",
            wrong.score_of_best,
            "score",
            "You compare the score with that of the most probable output. It is said to be that of what was found.",
        ),
        Misconception(
            "'model' and 'length' exchanged",
            wrong.names_exchanged,
            "model",
            "You report 'model' for 'length', and the other way round. 'length': by log p for each word the reference "
            "is the best.",
        ),
        Misconception(
            "equal to the last bit",
            wrong.to_the_bit,
            "score",
            "You take a difference in the last bits for a fault: allow for rounding.",
        ),
        Misconception(
            "the search judged by the mean",
            wrong.searched_by_mean,
            "search",
            "You look for a search error by log p divided by |y|. The search was for the largest log p.",
        ),
        Misconception(
            "one fault only",
            wrong.only_the_first,
            "several",
            "You stop at the first fault that you find. There can be several: return them all.",
        ),
        Misconception(
            "the model emptied",
            wrong.model_emptied,
            "arguments",
            "You empty the model that you are given. It belongs to the caller: leave it as it was.",
        ),
    ),
    forbidden=("course_lib.search.exhaustive.exhaustive", "course_lib.search.best_first.best_first"),
)
