"""ps5.rank: outputs of different length compared (the course's search/hypothesis.py; Wu et al. 2016, equation 14)."""

from collections.abc import Callable
from functools import partial
from operator import truediv
from random import Random

from course_lib.grading.cases.isolate import Draw, alternate, isolating
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion
from course_lib.problem_sets.ps5.tables import EOS, Hypothesis, Words, best_first, decided, ended, exact, left
from course_lib.search import hypothesis


def reference(hypotheses: list[Hypothesis], penalty: str, alpha: float) -> list[Hypothesis]:
    """log p(y) / |y|^α ("power") or log p(y) / ((5 + |y|) / 6)^α ("gnmt") of what is finished, the best first."""
    normalise = {"power": hypothesis.power, "gnmt": hypothesis.gnmt}[penalty](alpha)
    found = [
        hypothesis.Hypothesis(words[: len(words) - done], log_p, normalise(log_p, len(words)), done)
        for words, log_p in hypotheses
        for done in [words[-1] == EOS]
    ]
    best = hypothesis.ranked([each for each in found if each.finished] or found)
    return [(each.words + (EOS,) * each.finished, each.score) for each in best]


# Mistakes


def power(length, alpha):
    return length**alpha


def gnmt(length, alpha):
    return ((5 + length) / 6) ** alpha


def finished(hypotheses):
    return list(filter(ended, hypotheses))


def as_it_is(hypotheses):
    return hypotheses


def defined(
    hypotheses,
    penalty,
    alpha,
    power=power,
    gnmt=gnmt,
    length=len,
    exponent=lambda alpha, hypotheses: alpha,
    divide=truediv,
    choose=lambda hypotheses: finished(hypotheses) or hypotheses,
    order=best_first,
):
    by, alpha = {"power": power, "gnmt": gnmt}[penalty], exponent(alpha, hypotheses)
    return order([(words, divide(score, by(length(words), alpha))) for words, score in choose(hypotheses)])


wrong = versions(defined)
not_sorted = wrong("power", order=as_it_is)(
    "Your outputs stand in the order in which they came. The best one comes first."
)
the_worst_first = wrong("power", order=lambda each: sorted(each, key=lambda h: h[1]))(
    "Your list begins with the smallest score. The largest, nearest to 0, is the best."
)
sorted_by_the_sums = wrong("power", choose=lambda each: best_first(finished(each) or each), order=as_it_is)(
    "You sort by log p and divide afterwards. Sort by what you divided."
)
EOS_not_counted = wrong("power", length=lambda words: len(words) - (words[-1] == EOS))(
    "You do not count EOS in |y|. It is a word of the output, and its log-probability is in the sum."
)
one_word_too_few_counted = wrong("power", length=lambda words: len(words) - 1)(
    "Your |y| is smaller by one than the number of words. EOS is a word of the output, too."
)
one_word_too_many_counted = wrong("power", length=lambda words: len(words) + 1)(
    "Your |y| is larger by one than the number of words."
)
multiplied = wrong("power", divide=lambda score, by: score * by)(
    "You multiply by the penalty: long outputs, which are less probable already, lose twice. Divide by it."
)


@mistake("power")
def sums_returned(hypotheses, *others):
    """The order is right, but the scores that you return are not divided."""
    scores = dict(hypotheses)
    return [(words, scores[words]) for words, _ in defined(hypotheses, *others)]


alpha_ignored = wrong("power", exponent=lambda alpha, _: 1.0)(
    "You divide by |y|, or by (5 + |y|) / 6, whatever α is. Take it to the power of α first."
)
alpha_ignored_in_power = wrong("power", power=lambda length, alpha: length)(
    'For "power" you divide by |y| whatever α is. Divide by |y| to the power of α.'
)
penalties_exchanged = wrong("power", power=gnmt, gnmt=power)(
    'You take the penalty "gnmt" for "power", and "power" for "gnmt".'
)
alpha_as_a_factor = wrong("power", power=lambda length, alpha: length * alpha)("You divide by α |y|. α is an exponent.")
alpha_above_1_taken_for_1 = wrong("power", exponent=lambda alpha, _: min(alpha, 1.0))(
    "Where α is above 1 you take it for 1. It may be any number ≥ 0."
)
GNMT_without_the_5 = wrong("gnmt", gnmt=lambda length, alpha: (length / 6) ** alpha)(
    'Your penalty "gnmt" lacks the 5, which makes it 1 for an output of one word.'
)
the_6_outside_of_the_power = wrong("gnmt", gnmt=lambda length, alpha: (5 + length) ** alpha / 6)(
    "You divide by 6 after taking the power. The whole fraction (5 + |y|) / 6 is taken to the power of α."
)
the_5_outside_of_the_power = wrong("gnmt", gnmt=lambda length, alpha: 5 + (length / 6) ** alpha)(
    "You add 5 after taking the power. The whole fraction (5 + |y|) / 6 is taken to the power of α."
)
GNMT_without_the_6 = wrong("gnmt", gnmt=lambda length, alpha: (5 + length) ** alpha)(
    'Your penalty "gnmt" lacks the division by 6, which makes it 1 for an output of one word.'
)
the_power_for_both = wrong("gnmt", gnmt=power)('You divide by |y|^α for "gnmt", too.')
unfinished_outputs_among_the_finished = wrong("finished", choose=as_it_is)(
    "You rank unfinished outputs among the finished ones. Leave them out."
)
unfinished_outputs_behind_the_finished = wrong(
    "finished", choose=as_it_is, order=lambda each: sorted(best_first(each), key=lambda h: not ended(h))
)("You put unfinished outputs behind the finished ones. Where one output is finished, leave them out.")
nothing_where_nothing_is_finished = wrong("finished", choose=finished)(
    "You return nothing where no output is finished. A translation that breaks off is better than none."
)


@mistake("finished")
def unfinished_outputs_by_the_power(hypotheses, penalty, alpha):
    """Where nothing is finished you divide by |y|^α for "gnmt", too. Rank unfinished outputs as finished ones."""
    return defined(hypotheses, penalty if finished(hypotheses) else "power", alpha)


EOS_alone_taken_for_unfinished = wrong(
    "finished", choose=lambda each: [h for h in finished(each) if len(h[0]) > 1] or each
)("You take an output of EOS alone for unfinished. Its last word is EOS, so it is finished.")


def unfinished_by_gnmt(hypotheses, penalty, alpha):
    return defined(hypotheses, penalty if finished(hypotheses) else "gnmt", alpha)


alpha_ignored_where_nothing_is_finished = wrong(
    "finished", exponent=lambda alpha, hypotheses: alpha if finished(hypotheses) else 1.0
)("Where nothing is finished you take α for 1. Rank unfinished outputs as finished ones.")
the_last_of_equal_unfinished_ones = wrong("ties", choose=lambda each: finished(each) or each[::-1])(
    "Of equal unfinished outputs you put the last one first. Keep the order in which they came."
)
the_last_of_equals = wrong("ties", order=lambda each: best_first(each[::-1]))(
    "Of equal scores you put the last one first. Keep the order in which they came."
)
tuples_sorted_backwards = wrong("ties", order=lambda each: sorted(each, key=lambda h: h[::-1], reverse=True))(
    "You sort pairs (score, words) in reverse: of equal scores the larger words win. Sort by the score alone, in a way "
    "that keeps the order of equals."
)
shorter_of_equals_first = wrong("ties", order=lambda each: sorted(each, key=lambda h: (-h[1], len(h[0]))))(
    "Of equal scores you put the shorter output first. Keep the order in which they came, short or long."
)
longer_of_equals_first = wrong("ties", order=lambda each: sorted(each, key=lambda h: (-h[1], -len(h[0]))))(
    "Of equal scores you put the longer output first. Keep the order in which they came, short or long."
)
more_probable_of_equals_first = wrong("ties", choose=lambda each: best_first(finished(each) or each))(
    "Of equal scores you put the output with the larger log p first. Keep the order in which they came: nothing but "
    "the divided score ranks them."
)
less_probable_of_equals_first = partial(defined, choose=lambda each: best_first(finished(each) or each)[::-1])


@changing("arguments", defined)
def the_list_sorted_in_place(hypotheses, *others):
    """You sort the list that you are given. It belongs to the caller: make a new one, as sorted(…) does."""
    hypotheses.sort(key=lambda h: h[1])


def best_put_first_in_place(hypotheses, *others):
    found = defined(hypotheses, *others)
    hypotheses[:] = [(words, dict(hypotheses)[words]) for words, _ in defined(hypotheses, *others, choose=as_it_is)]
    return found


@changing("arguments", defined)
def unfinished_outputs_removed_in_place(hypotheses, *others):
    """You take the unfinished outputs out of the list that you are given. It belongs to the caller: make a new one of
    those that you want."""
    hypotheses[:] = finished(hypotheses) or hypotheses


# Cases

ORDER = not_sorted, the_worst_first, sorted_by_the_sums
OF_BOTH = (
    *(EOS_not_counted, one_word_too_few_counted, one_word_too_many_counted, multiplied, sums_returned),
    *(alpha_ignored, penalties_exchanged),
)
OF_POWER = alpha_ignored_in_power, alpha_as_a_factor
OF_GNMT = (
    *(GNMT_without_the_5, the_6_outside_of_the_power, the_5_outside_of_the_power, GNMT_without_the_6),
    the_power_for_both,
)
FINISHED = unfinished_outputs_among_the_finished, unfinished_outputs_behind_the_finished
TIES = the_last_of_equals, tuples_sorted_backwards
BY_LENGTH = shorter_of_equals_first, longer_of_equals_first
BY_LOG_P = more_probable_of_equals_first, less_probable_of_equals_first
ALL = (*ORDER, *OF_BOTH, *OF_POWER, *OF_GNMT, *FINISHED, nothing_where_nothing_is_finished, *TIES)


def case(hypotheses: list[Hypothesis], penalty: str, alpha: float) -> Case:
    lengths = ", ".join(str(len(words)) for words, _ in hypotheses)
    words = f"{len(hypotheses)} outputs, their lengths {lengths}; {penalty}, α = {alpha}"
    return Case((hypotheses, penalty, alpha), words)


def clear(hypotheses: list[Hypothesis], *others) -> bool:
    """Whether sums, and sums divided, decide which output is the better one."""
    divided = defined(hypotheses, *others, choose=as_it_is)
    return decided(score for _, score in hypotheses) and decided(score for _, score in divided)


def tied_alike(hypotheses: list[Hypothesis], *others) -> bool:
    """Whether equals have equal sums and lengths, so that they are equal however one divides, and all others differ."""
    divided = {score for _, score in defined(hypotheses, *others, choose=as_it_is)}
    return len(divided) == len({(score, len(words)) for words, score in hypotheses}) and decided(divided)


def tied_exactly(hypotheses: list[Hypothesis], *others) -> bool:
    """Whether the divided scores are two numbers, which lie apart."""
    divided = {score for _, score in defined(hypotheses, *others, choose=as_it_is)}
    return len(divided) == 2 and decided(divided)


def output(rng: Random, length: int, done: bool = True) -> Hypothesis:
    """Random words and a score that suits their number."""
    words: Words = tuple(rng.randint(1, 9) for _ in range(length - done)) + (EOS,) * done
    return words, exact(-sum(rng.uniform(0.3, 1.2) for _ in range(length)))


def outputs(rng: Random, count: int, done: Callable[[], bool] = lambda: True) -> list[Hypothesis]:
    return [output(rng, length, done()) for length in rng.sample(range(2, 10), count)]


shows = partial(isolating(defined, ALL, case), apart=False, when=clear)
draw_power = shows(*ORDER, *OF_BOTH, *OF_POWER)(
    lambda rng, size: (outputs(rng, 3 + size % 2), "power", (0.5, 1.2, 0.6, 0.8)[size % 4])
)
draw_gnmt = shows(*OF_GNMT, free=(*ORDER, *OF_BOTH))(
    lambda rng, size: (outputs(rng, 3 + size % 2), "gnmt", (1.2, 0.6, 0.8)[size // 2 % 3])
)
draw_sums = shows(free=(*ORDER, *OF_BOTH, *OF_GNMT))(lambda rng, size: (outputs(rng, 3), "gnmt", 0.0))
draw_some = shows(*FINISHED, free=(*ORDER, *OF_BOTH))(
    lambda rng, size: (outputs(rng, 4, lambda: rng.random() < 0.5), "power", 1.0)
)


def draw_none(penalty: str, alpha: float, *wanted: Callable) -> Draw:
    """Nothing is finished."""
    made = shows(nothing_where_nothing_is_finished, *wanted, free=(*ORDER, *OF_BOTH, *OF_POWER, *OF_GNMT))
    return made(lambda rng, size: (outputs(rng, 3, lambda: False), penalty, alpha))


FREE = (*ORDER, *OF_BOTH, *OF_POWER, *OF_GNMT, nothing_where_nothing_is_finished)
shows_ties = partial(shows, free=FREE)


def draw_ties(done: bool, penalty: str, alpha: float, *wanted: Callable) -> Draw:
    """Two pairs of outputs that have the same length and the same sum."""

    @shows_ties(*TIES, *wanted, when=tied_alike)
    def draw(rng: Random, size: int) -> tuple:
        different: dict[Words, float] = {}
        for length in rng.sample(range(2, 10), 2):
            words, score = output(rng, length, done)
            twin = words
            while twin == words:
                twin, _ = output(rng, length, done)
            different |= {words: score, twin: score}
        return rng.sample(sorted(different.items()), 4), penalty, alpha

    return draw


def draw_unlike(done: bool, penalty: str, alpha: float, *wanted: Callable) -> Draw:
    """Two pairs of outputs of 2 and 4 words that are equal exactly if divided: by |y| if α is 1, by 1 if it is 0.

    Of the one pair the shorter output comes first, of the other one the longer.
    """

    @shows_ties(*BY_LENGTH, *wanted, free=(*FREE, *TIES), when=tied_exactly)
    def draw(rng: Random, size: int) -> tuple:
        different: dict[Words, float] = {}
        while len(different) < 4:
            _, score = output(rng, 1)
            different |= {output(rng, length, done)[0]: score * length**alpha for length in (2, 4)}
        return rng.sample(sorted(different.items()), 4), penalty, alpha

    return draw


@shows(EOS_alone_taken_for_unfinished, free=(*ORDER, *OF_BOTH, *OF_GNMT, *FINISHED))
def draw_EOS_alone(rng: Random, size: int) -> tuple:
    """EOS alone, and others, of which some are finished in every second case."""
    others = outputs(rng, 3, lambda: size // 5 % 2 == 1 and rng.random() < 0.5)
    return rng.sample([output(rng, 1), *others], 4), "gnmt", 1.0


@shows(the_list_sorted_in_place, best_put_first_in_place, unfinished_outputs_removed_in_place, free=ALL, probe=left)
def draw_arguments(rng: Random, size: int) -> tuple:
    """Some finished, and in an order that no sorting leaves as it is."""
    return outputs(rng, 4, lambda: rng.random() < 0.6), "power", 1.0


TASK = task(
    __name__,
    "Outputs of different length",
    kind=partial(Criterion, visible=4, graded=6),
    criteria=(
        criterion("power", 1, draw_power)("The best first, by log p divided by |y|^α."),
        criterion("gnmt", 1.5, alternate(draw_gnmt, draw_sums))(
            "The same by log p divided by ((5 + |y|) / 6)^α; α = 0 changes nothing."
        ),
        criterion(
            "finished",
            1.5,
            alternate(
                draw_some,
                draw_none("gnmt", 0.6, unfinished_outputs_by_the_power, alpha_ignored_where_nothing_is_finished),
                draw_some,
                draw_none("power", 0.5, unfinished_by_gnmt, alpha_ignored_where_nothing_is_finished),
                draw_EOS_alone,
            ),
            visible=5,
            graded=10,
        )("Unfinished outputs are left out, unless all are unfinished."),
        criterion(
            "ties",
            0.5,
            alternate(
                draw_ties(True, "power", 1.0),
                draw_ties(False, "gnmt", 0.6, the_last_of_equal_unfinished_ones),
                draw_ties(True, "gnmt", 0.6),
                draw_ties(False, "power", 1.0, the_last_of_equal_unfinished_ones),
                draw_unlike(True, "power", 1.0, *BY_LOG_P),
                draw_unlike(False, "power", 1.0, *BY_LOG_P),
                draw_unlike(True, "gnmt", 0.0),
                draw_unlike(False, "power", 0.0),
            ),
            visible=8,
            graded=8,
        )("Of equals the one that came first."),
        arguments(0.5, draw_arguments)("The list is afterwards as it was."),
    ),
    forbidden=tuple(f"course_lib.search.hypothesis.{name}" for name in ("power", "gnmt", "ranked")),
)
