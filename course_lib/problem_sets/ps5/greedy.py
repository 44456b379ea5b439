"""ps5.greedy: the most probable word, step after step (the course's search/greedy.py)."""

from functools import partial

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps5 import greedy_cases as cases
from course_lib.problem_sets.ps5 import wrong_greedy as wrong
from course_lib.problem_sets.ps5.greedy_cases import score_seen, without_eos, words_seen
from course_lib.problem_sets.ps5.table_model import searched
from course_lib.problem_sets.ps5.tables import EOS, Hypothesis, Model, log_p
from course_lib.search import greedy


def reference(model: Model, max_length: int) -> Hypothesis:
    """ŷ_t = argmax_y log p(y | ŷ_1 … ŷ_{t−1}) until EOS, which belongs to the words, or `max_length`; and Σ log p."""
    (found,) = searched(greedy.greedy, model, max_length)
    words = (*found, EOS)[:max_length]
    return words, log_p(model, words)


Few = partial(Criterion, visible=4, graded=6)

TASK = Task(
    name="ps5.greedy",
    title="Greedy search",
    reference=reference,
    criteria=(
        Few(
            "words",
            1,
            "At each step the most probable word after all words so far.",
            alternate(cases.draw_words, cases.draw_close, cases.draw_nearly_equal),
            probe=without_eos,
        ),
        Few(
            "end",
            1,
            "EOS is the last word, and ends the search.",
            alternate(cases.draw_end, cases.draw_just_in_time),
            probe=words_seen,
        ),
        Few(
            "length",
            0.5,
            "There are at most `max_length` words, EOS counted.",
            alternate(cases.draw_unfinished, cases.draw_just_too_late, cases.draw_one_word),
            probe=words_seen,
        ),
        Few(
            "ties",
            0.5,
            "Of equally probable words the one with the lowest number.",
            alternate(cases.draw_ties, cases.draw_ties_with_eos),
            probe=words_seen,
        ),
        Few(
            "score",
            0.5,
            "The score is the sum of the log-probabilities of all words, EOS too, whether the output ends or not.",
            alternate(cases.draw_score, cases.draw_score_of_unfinished),
            probe=score_seen,
        ),
        Few("arguments", 0.5, "The model is afterwards as it was.", cases.draw_end, probe=leaving("model max_length")),
    ),
    misconceptions=(
        Misconception(
            "only the last word looked at",
            wrong.last_word_only,
            "words",
            "You look up what follows the last word alone. The model's distribution depends on all words so far.",
        ),
        Misconception(
            "the first distribution at every step",
            wrong.first_row_only,
            "words",
            "You use the distribution of the first word at every step. Look up the words so far each time.",
        ),
        Misconception(
            "the least probable word",
            wrong.least_probable,
            "words",
            "You take the smallest log-probability. They are negative: the most probable word's is nearest to 0.",
        ),
        Misconception(
            "EOS left out of the words",
            wrong.without_eos,
            "end",
            "You return the words without EOS. Here EOS belongs to a finished output.",
        ),
        Misconception(
            "going on after EOS",
            wrong.going_on,
            "end",
            "You go on after EOS, and no table knows what follows it. When EOS is chosen, the output is finished: "
            "stop.",
        ),
        Misconception(
            "words 1 and 2 only",
            wrong.first_words_only,
            "words",
            "You choose among EOS, word 1 and word 2 only. A model may have more words: look at the whole list.",
        ),
        Misconception(
            "EOS never chosen",
            wrong.never_ending,
            "end",
            "You never choose EOS. It is a word like any other: when it is the most probable one, the output ends.",
        ),
        Misconception(
            "one word too many",
            wrong.one_more,
            "length",
            "Some of your outputs are one word longer than `max_length`.",
        ),
        Misconception(
            "one word too few",
            wrong.one_less,
            "length",
            "You stop one word before `max_length`. EOS may be the last of the `max_length` words.",
        ),
        Misconception(
            "EOS put behind an unfinished output",
            wrong.closed,
            "length",
            "You put EOS behind an output that has reached `max_length`. The model did not choose it: leave it out.",
        ),
        Misconception(
            "EOS not counted",
            wrong.eos_not_counted,
            "length",
            "You do not count EOS: it may follow `max_length` other words. It is one of the `max_length`.",
        ),
        Misconception(
            "probabilities rounded",
            wrong.rounded,
            "words",
            "You compare probabilities that are rounded to a digit. Compare them as they are, or their logarithms.",
        ),
        Misconception(
            "nearly equal taken for equal",
            wrong.to_three_digits,
            "words",
            "You take words for equal that are nearly equally probable. Compare the log-probabilities as they are.",
        ),
        Misconception(
            "two words at least",
            wrong.two_at_least,
            "length",
            "Where `max_length` is 1 you return two words. One word is an output, too.",
        ),
        Misconception(
            "EOS behind its equals",
            wrong.eos_last_of_equals,
            "ties",
            "Where EOS is as probable as another word you take the other. EOS is word 0, the lowest number.",
        ),
        Misconception(
            "last of equally probable words",
            wrong.last_tie,
            "ties",
            "Of equally probable words you take the one with the highest number. Take the lowest.",
        ),
        Misconception(
            "EOS not scored",
            wrong.eos_unscored,
            "score",
            "Your score lacks the log-probability of EOS. To stop is a decision, too, and has its probability.",
        ),
        Misconception(
            "probability for log-probability",
            wrong.probability,
            "score",
            "You return the probability of the output. The score is its logarithm, the sum of log-probabilities.",
        ),
        Misconception(
            "mean for sum",
            wrong.mean,
            "score",
            "You divide the score by the number of words. Here it is the sum itself.",
        ),
        Misconception(
            "log-probabilities multiplied",
            wrong.product,
            "score",
            "You multiply log-probabilities. Probabilities are multiplied, their logarithms added.",
        ),
        Misconception(
            "score of the last word alone",
            wrong.last_score,
            "score",
            "Your score is that of the last word alone. Add up those of all words.",
        ),
        Misconception(
            "the model emptied",
            wrong.model_emptied,
            "arguments",
            "You empty the model that you are given. It belongs to the caller: leave it as it was.",
        ),
    ),
    forbidden=("course_lib.search.greedy.greedy",),
)
