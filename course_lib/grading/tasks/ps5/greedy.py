"""ps5.greedy: the most probable word, step after step (the course's search/greedy.py)."""

from collections.abc import Callable
from functools import partial
from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.cases.probes import called
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Criterion, Misconception, Parts, Task
from course_lib.grading.tasks.ps5 import wrong_greedy as wrong
from course_lib.grading.tasks.ps5.table_model import searched
from course_lib.grading.tasks.ps5.tables import (
    EOS,
    Hypothesis,
    Model,
    early,
    even_row,
    is_finished,
    log_p,
    never,
    part,
    ranked_clearly,
    size_of,
    table,
)
from course_lib.search import greedy


def reference(model: Model, max_length: int) -> Hypothesis:
    """ŷ_t = argmax_y log p(y | ŷ_1 … ŷ_{t−1}) until EOS, which belongs to the words, or `max_length`; and Σ log p."""
    (found,) = searched(greedy.greedy, model, max_length)
    words = (*found, EOS)[:max_length]
    return words, log_p(model, words)


# Cases

CHOICE = (wrong.last_word_only, wrong.first_row_only, wrong.least_probable, wrong.first_words_only)
END = (wrong.without_eos, wrong.never_ending)
LENGTH = (wrong.one_more, wrong.one_less, wrong.closed)
TIE = (wrong.last_tie,)
SCORE = (wrong.eos_unscored, wrong.probability, wrong.mean, wrong.product, wrong.last_score)

NAMES = "words score"
words_seen, score_seen = part(NAMES, "words"), part(NAMES, "score")


def without_eos(function: Callable, case: Case) -> Parts:
    """The probe that looks at the words, whether EOS stands behind them or not."""
    words = called(function, case.arguments, NAMES.split())["words"]
    if not isinstance(words, (list, tuple)):
        raise StudentError(f"words is {kind(words)}, not a tuple of whole numbers")
    return Parts({"words, without EOS,": words[:-1] if is_finished(tuple(words)) else words})


def case(model: Model, max_length: int) -> Case:
    return Case((model, max_length), f"{size_of(model)}, at most {max_length} long")


shows = isolating(wrong.defined, (*CHOICE, *END, *LENGTH, *TIE, *SCORE), case)


def ends(model: Model, max_length: int) -> bool:
    """Whether greedy search ends in EOS, and not at its last step."""
    return ranked_clearly(model) and len(wrong.defined(model, max_length)[0]) < max_length


@shows(*CHOICE, free=(*END, *LENGTH), apart=False, probe=without_eos, when=ends)
def draw_words(rng: Random, size: int) -> tuple:
    return table(rng, 3 + size % 2, 4, early), 4


@shows(*END, free=CHOICE, probe=words_seen, when=ends)
def draw_end(rng: Random, size: int) -> tuple:
    return table(rng, 2, 5, early), 4


@shows(wrong.one_less, free=(*CHOICE, *END), probe=words_seen, when=lambda model, _: ranked_clearly(model))
def draw_just_in_time(rng: Random, size: int) -> tuple:
    """EOS is the last word that there may be."""
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, lambda beginning: 30.0 if len(beginning) == most - 1 else 0.001), most


@shows(*LENGTH, free=(*CHOICE, *END), probe=words_seen, when=lambda model, _: ranked_clearly(model))
def draw_unfinished(rng: Random, size: int) -> tuple:
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, never), most


@shows(*TIE, free=(*CHOICE, *END), probe=words_seen)
def draw_ties(rng: Random, size: int) -> tuple:
    return table(rng, 2, 5, draw=even_row), 4


@shows(*SCORE, free=(*CHOICE, *END), probe=score_seen, when=ends)
def draw_score(rng: Random, size: int) -> tuple:
    return table(rng, 2, 5, early), 4


@shows(
    wrong.unfinished_impossible,
    free=(*CHOICE, *END, *LENGTH, *SCORE),
    probe=score_seen,
    when=lambda model, _: ranked_clearly(model),
)
def draw_score_of_unfinished(rng: Random, size: int) -> tuple:
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, never), most


Few = partial(Criterion, visible=4, graded=6)

TASK = Task(
    name="ps5.greedy",
    title="Greedy search",
    reference=reference,
    criteria=(
        Few("words", 1, "At each step the most probable word after all words so far.", draw_words, probe=without_eos),
        Few(
            "end",
            1,
            "EOS is the last word, and ends the search.",
            alternate(draw_end, draw_just_in_time),
            probe=words_seen,
        ),
        Few("length", 0.5, "There are at most `max_length` words, EOS counted.", draw_unfinished, probe=words_seen),
        Few("ties", 0.5, "Of equally probable words the one with the lowest number.", draw_ties, probe=words_seen),
        Few(
            "score",
            0.5,
            "The score is the sum of the log-probabilities of all words, EOS too, whether the output ends or not.",
            alternate(draw_score, draw_score_of_unfinished),
            probe=score_seen,
        ),
        Few("arguments", 0.5, "The model is afterwards as it was.", draw_end, probe=leaving("model max_length")),
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
