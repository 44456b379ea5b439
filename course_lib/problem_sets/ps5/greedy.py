"""ps5.greedy: the most probable word, step after step (the course's search/greedy.py)."""

from collections.abc import Callable
from functools import partial
from math import exp, inf
from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.cases.probes import returned_values
from course_lib.grading.compare import kind
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion, Parts
from course_lib.problem_sets.ps5.table_model import searched
from course_lib.problem_sets.ps5.tables import (
    EMPTIED,
    EOS,
    Hypothesis,
    Model,
    close_row,
    decided,
    early,
    emptying,
    even_row,
    is_finished,
    log_p,
    never,
    row,
    size_of,
    table,
)
from course_lib.search import greedy


def reference(model: Model, max_length: int) -> Hypothesis:
    """ŷ_t = argmax_y log p(y | ŷ_1 … ŷ_{t−1}) until EOS, which belongs to the words, or `max_length`; and Σ log p."""
    (found,) = searched(greedy.greedy, model, max_length)
    words = (*found, EOS)[:max_length]
    return words, log_p(model, words)


# Mistakes


def first_best(row):
    return max(range(len(row)), key=row.__getitem__)


def defined(
    model,
    max_length,
    choose=first_best,
    look=lambda words: words,
    start=0.0,
    add=lambda score, log_p: score + log_p,
    most=lambda max_length: max_length,
    ends=is_finished,
    returned=lambda model, words, score: (words, score),
):
    words, score = (), start
    while len(words) < most(max_length) and not ends(words):
        row = model[look(words)]
        word = choose(row)
        words, score = (*words, word), add(score, row[word])
    return returned(model, words, score)


wrong = versions(defined)
only_the_last_word_looked_at = wrong("words", look=lambda words: words[-1:])(
    "You look up what follows the last word alone. The model's distribution depends on all words so far."
)
the_first_distribution_at_every_step = wrong("words", look=lambda words: ())(
    "You use the distribution of the first word at every step. Look up the words so far each time."
)
the_least_probable_word = wrong("words", choose=lambda row: first_best([-log_p for log_p in row]))(
    "You take the smallest log-probability. They are negative: the most probable word's is nearest to 0."
)
EOS_left_out_of_the_words = wrong(
    "end", returned=lambda model, words, score: (tuple(word for word in words if word != EOS), score)
)("You return the words without EOS. Here EOS belongs to a finished output.")
going_on_after_EOS = wrong("end", ends=lambda words: False)(
    "You go on after EOS, and no table knows what follows it. When EOS is chosen, the output is finished: stop."
)


@mistake("end")
def on_to_the_end_of_the_table(model, max_length):
    """You stop where the table knows no more. It may know what follows EOS, too: stop when EOS is chosen."""
    words, score = (), 0.0
    while len(words) < max_length and words in model:
        row = model[words]
        words, score = (*words, first_best(row)), score + max(row)
    return words, score


words_1_and_2_only = wrong("words", choose=lambda row: first_best(row[:3]))(
    "You choose among EOS, word 1 and word 2 only. A model may have more words: look at the whole list."
)
EOS_never_chosen = wrong("end", choose=lambda row: first_best([-inf, *row[1:]]))(
    "You never choose EOS. It is a word like any other: when it is the most probable one, the output ends."
)


@mistake("end")
def EOS_never_the_first_word(model, max_length):
    """You never choose EOS as the first word. Where it is the most probable one, the output is EOS alone."""
    return defined(model | {(): [-inf, *model[()][1:]]}, max_length)


one_word_too_many = wrong("length", most=lambda max_length: max_length + 1)(
    "Some of your outputs are one word longer than `max_length`."
)
one_word_too_few = wrong("length", most=lambda max_length: max_length - 1)(
    "You stop one word before `max_length`. EOS may be the last of the `max_length` words."
)
EOS_put_behind_an_unfinished_output = wrong(
    "length", returned=lambda model, words, score: (words if is_finished(words) else (*words, EOS), score)
)("You put EOS behind an output that has reached `max_length`. The model did not choose it: leave it out.")


@mistake("length")
def EOS_not_counted(model, max_length):
    """You do not count EOS: it may follow `max_length` other words. It is one of the `max_length`."""
    words, score = defined(model, max_length)
    if is_finished(words) or first_best(model.get(words, [-inf, 0.0])) != EOS:
        return words, score
    return (*words, EOS), score + model[words][EOS]


probabilities_rounded = wrong("words", choose=lambda row: first_best([round(exp(log_p), 1) for log_p in row]))(
    "You compare probabilities that are rounded to a digit. Compare them as they are, or their logarithms."
)
nearly_equal_taken_for_equal = wrong("words", choose=lambda row: first_best([round(log_p, 3) for log_p in row]))(
    "You take words for equal that are nearly equally probable. Compare the log-probabilities as they are."
)
near_the_best = partial(defined, choose=lambda row: [log_p > max(row) - 0.01 for log_p in row].index(True))
two_words_at_least = wrong("length", most=lambda max_length: max(max_length, 2))(
    "Where `max_length` is 1 you return two words. One word is an output, too."
)
EOS_behind_its_equals = wrong("ties", choose=lambda row: max([*range(1, len(row)), EOS], key=row.__getitem__))(
    "Where EOS is as probable as another word you take the other. EOS is word 0, the lowest number."
)
last_of_equally_probable_words = wrong("ties", choose=lambda row: len(row) - 1 - first_best(row[::-1]))(
    "Of equally probable words you take the one with the highest number. Take the lowest."
)
EOS_not_scored = wrong(
    "score",
    returned=lambda model, words, score: (words, score - model[words[:-1]][EOS] if is_finished(words) else score),
)("Your score lacks the log-probability of EOS. To stop is a decision, too, and has its probability.")
probability_for_log_probability = wrong("score", returned=lambda model, words, score: (words, exp(score)))(
    "You return the probability of the output. The score is its logarithm, the sum of log-probabilities."
)
mean_for_sum = wrong("score", returned=lambda model, words, score: (words, score / len(words)))(
    "You divide the score by the number of words. Here it is the sum itself."
)
log_probabilities_multiplied = wrong("score", start=1.0, add=lambda score, log_p: score * log_p)(
    "You multiply log-probabilities. Probabilities are multiplied, their logarithms added."
)
score_of_the_last_word_alone = wrong("score", add=lambda score, log_p: log_p)(
    "Your score is that of the last word alone. Add up those of all words."
)
unfinished_impossible = partial(
    defined, returned=lambda model, words, score: (words, score if is_finished(words) else -inf)
)
the_model_emptied = mistake("arguments", EMPTIED)(emptying(defined))


# Cases

CHOICE = only_the_last_word_looked_at, the_first_distribution_at_every_step, the_least_probable_word, words_1_and_2_only
END = EOS_left_out_of_the_words, EOS_never_chosen
LENGTH = one_word_too_many, one_word_too_few, EOS_put_behind_an_unfinished_output
TIE = last_of_equally_probable_words, EOS_behind_its_equals
SCORE = (
    *(EOS_not_scored, probability_for_log_probability, mean_for_sum, log_probabilities_multiplied),
    score_of_the_last_word_alone,
)


def values_probe(wanted: str) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at the words, or at the score."""
    return lambda function, case: Parts({wanted: returned_values(function, case.arguments, ["words", "score"])[wanted]})


def without_eos(function: Callable, case: Case) -> Parts:
    """The probe that looks at the words, whether EOS stands behind them or not."""
    words = values_probe("words")(function, case)["words"]
    if not isinstance(words, (list, tuple)):
        raise StudentError(f"words is {kind(words)}, not a tuple of whole numbers")
    return Parts({"words, without EOS,": words[:-1] if is_finished(tuple(words)) else words})


def case(model: Model, max_length: int) -> Case:
    return Case((model, max_length), f"{size_of(model)}, at most {max_length} long")


def distinct(model: Model, max_length: int) -> bool:
    """Whether no two words are nearly equally probable after any beginning."""
    return all(map(decided, model.values()))


def ends(model: Model, max_length: int) -> bool:
    """Whether greedy search ends in EOS, and not at its last step."""
    return distinct(model, max_length) and len(defined(model, max_length)[0]) < max_length


shows = isolating(defined, (*CHOICE, *END, *LENGTH, EOS_never_the_first_word, EOS_not_counted, *TIE, *SCORE), case)
shows_choice = partial(shows, free=(*CHOICE, *END, *LENGTH), probe=without_eos, when=ends)
shows_words = partial(shows, free=(*CHOICE, *END), probe=values_probe("words"))


def eos_behind(more: float) -> Callable[[Random, int], tuple]:
    """Tables in which EOS is the most probable word behind `max_length` + `more` others, and behind no others."""

    def draw(rng: Random, size: int) -> tuple:
        most = rng.randint(2, 3)
        return table(rng, 2, most + 1, lambda beginning: 30.0 if len(beginning) == most + more else 0.001), most

    return draw


def ties(rng: Random, size: int) -> tuple:
    return table(rng, 2, 4, draw=even_row), 3


def two_close(rng: Random, size: int) -> tuple:
    """Two words differ by the least that they may."""
    eos = (0.2, 0.5, 5.0, 1.0)
    return table(rng, 3, 4, lambda beginning: eos[len(beginning)], draw=close_row), 4


def known_behind_eos(rng: Random, size: int) -> tuple:
    """The table knows what follows a word behind EOS."""
    model = table(rng, 2, 4, early)
    return model | {(*beginning, EOS): row(rng, 2) for beginning in model}, 4


draw_words = shows_choice(*CHOICE, apart=False)(lambda rng, size: (table(rng, 3 + size % 2, 4, early), 4))
draw_close = shows_choice(probabilities_rounded)(lambda rng, size: (table(rng, 3, 4, early), 4))
draw_nearly_equal = shows_choice(nearly_equal_taken_for_equal, near_the_best, apart=False)(two_close)
draw_end = shows_words(*END, free=CHOICE, when=ends)(lambda rng, size: (table(rng, 2, 5, early), 4))
draw_behind_eos = shows_words(on_to_the_end_of_the_table, free=(*CHOICE, *END), when=ends)(known_behind_eos)
draw_eos_alone = shows_words(EOS_never_the_first_word, free=(*CHOICE, *END, *LENGTH), when=ends)(
    lambda rng, size: (table(rng, 2, 3, lambda beginning: 1.0 if beginning else 6.0), 3)
)
draw_just_in_time = shows_words(one_word_too_few, when=distinct)(eos_behind(-1))
draw_unfinished = shows_words(*LENGTH, when=distinct)(eos_behind(inf))
draw_just_too_late = shows_words(
    *(one_word_too_many, EOS_put_behind_an_unfinished_output, EOS_not_counted),
    free=(*CHOICE, *END, *LENGTH),
    apart=False,
)(eos_behind(0))
draw_one_word = shows_words(*LENGTH, two_words_at_least, apart=False, when=distinct)(
    lambda rng, size: (table(rng, 2, 2, never), 1)
)
draw_ties = shows_words(last_of_equally_probable_words)(ties)
draw_ties_with_eos = shows_words(EOS_behind_its_equals, free=(*CHOICE, *END, *TIE))(ties)
draw_score = shows(*SCORE, free=(*CHOICE, *END), probe=values_probe("score"), when=ends)(
    lambda rng, size: (table(rng, 2, 5, early), 4)
)
draw_score_of_unfinished = shows(
    unfinished_impossible, free=(*CHOICE, *END, *LENGTH, *SCORE), probe=values_probe("score"), when=distinct
)(eos_behind(inf))
TASK = task(
    __name__,
    "Greedy search",
    kind=partial(Criterion, visible=4, graded=6),
    criteria=(
        criterion("words", 1, alternate(draw_words, draw_close, draw_nearly_equal), without_eos)(
            "At each step the most probable word after all words so far."
        ),
        criterion(
            "end", 1, alternate(draw_end, draw_just_in_time, draw_behind_eos, draw_eos_alone), values_probe("words")
        )("EOS is the last word, and ends the search."),
        criterion("length", 0.5, alternate(draw_unfinished, draw_just_too_late, draw_one_word), values_probe("words"))(
            "There are at most `max_length` words, EOS counted."
        ),
        criterion("ties", 0.5, alternate(draw_ties, draw_ties_with_eos), values_probe("words"))(
            "Of equally probable words the one with the lowest number."
        ),
        criterion("score", 0.5, alternate(draw_score, draw_score_of_unfinished), values_probe("score"))(
            "The score is the sum of the log-probabilities of all words, EOS too, whether the output ends or not."
        ),
        arguments(0.5, draw_end)("The model is afterwards as it was."),
    ),
    forbidden=("course_lib.search.greedy.greedy", "course_lib.search.definition.beam_by_definition"),
)
