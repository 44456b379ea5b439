"""The diagnosis of a search as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable, Iterable

from course_lib.problem_sets.ps5 import beam_search as wrong_beam_search
from course_lib.problem_sets.ps5.tables import Hypothesis, Model, Words, log_p, outputs

Faults = set[str]
NAMES = ("score", "search", "model", "length")
NEAR = 1e-6
Scores = dict[Words, float]


def off(reported: float, real: float) -> bool:
    return abs(reported - real) > NEAR


def means(scores: Scores) -> Scores:
    return {words: score / len(words) for words, score in scores.items()}


def best_of(scores: Scores, words: Words) -> bool:
    """Whether none is better than this."""
    return max(scores.values()) - scores[words] < NEAR


def of_reference(scores: Scores, output: Words, reference: Words) -> Faults:
    if best_of(scores, reference):
        return set()
    return {"length"} if best_of(means(scores), reference) else {"model"}


def missed(scores: Scores, output: Words, reference: Words, reported: float) -> bool:
    return not best_of(scores, output)


def defined(
    model: Model,
    max_length: int,
    output: Hypothesis,
    reference: Words,
    wrong_score: Callable[[float, float], bool] = off,
    search: Callable[..., bool] = missed,
    of_reference: Callable[[Scores, Words, Words], Faults] = of_reference,
    every: Callable[[Model, int], Iterable[Hypothesis]] = outputs,
) -> Faults:
    words, reported = output
    scores = dict(every(model, max_length))
    found = {"score"} if wrong_score(reported, log_p(model, words)) else set()
    found |= {"search"} if search(scores, words, reference, reported) else set()
    return found | of_reference(scores, words, reference)


def reference_missed(*arguments) -> Faults:
    """A search error only where the reference is more probable than what was found."""
    return defined(*arguments, search=lambda scores, words, reference, _: scores[reference] - scores[words] > NEAR)


def other_than_reference(*arguments) -> Faults:
    return defined(*arguments, search=lambda scores, words, reference, _: words != reference)


def report_believed(*arguments) -> Faults:
    return defined(*arguments, search=lambda scores, words, reference, reported: max(scores.values()) - reported > NEAR)


def searched_by_mean(*arguments) -> Faults:
    return defined(*arguments, search=lambda scores, words, *_: not best_of(means(scores), words))


def judged(rule: Callable[[Scores, Words, Words], Faults]) -> Callable[..., Faults]:
    return lambda *arguments: defined(*arguments, of_reference=rule)


def with_output_alone(scores: Scores, output: Words, reference: Words) -> Faults:
    """The reference compared with what was found, and with nothing else."""
    return of_reference({words: scores[words] for words in (output, reference)}, output, reference)


def output_by_mean(scores: Scores, output: Words, reference: Words) -> Faults:
    """Only the mean compared with what was found alone."""
    if best_of(scores, reference):
        return set()
    mean = means(scores)
    return {"length"} if mean[reference] - mean[output] > -NEAR else {"model"}


def shorter(scores: Scores, output: Words, reference: Words) -> Faults:
    if best_of(scores, reference):
        return set()
    return {"length"} if len(output) < len(reference) else {"model"}


def both(scores: Scores, output: Words, reference: Words) -> Faults:
    found = of_reference(scores, output, reference)
    return found | {"model"} if found else found


def any_difference(scores: Scores, output: Words, reference: Words) -> Faults:
    found = of_reference(scores, output, reference)
    return found or ({"model"} if output != reference else set())


def no_length(scores: Scores, output: Words, reference: Words) -> Faults:
    return set() if best_of(scores, reference) else {"model"}


def without_eos(scores: Scores, output: Words, reference: Words) -> Faults:
    """The mean over the words without EOS."""
    if best_of(scores, reference):
        return set()
    mean = {words: score / max(len(words) - 1, 1) for words, score in scores.items()}
    return {"length"} if best_of(mean, reference) else {"model"}


compared_with_output = judged(with_output_alone)
mean_of_output = judged(output_by_mean)
shorter_output = judged(shorter)
length_and_model = judged(both)
different_is_wrong = judged(any_difference)
length_not_looked_at = judged(no_length)
eos_not_counted = judged(without_eos)


def score_not_looked_at(*arguments) -> Faults:
    return defined(*arguments, wrong_score=lambda *_: False)


def to_the_bit(*arguments) -> Faults:
    return defined(*arguments, wrong_score=lambda reported, real: reported != real)


def divided_by_length(model: Model, max_length: int, output: Hypothesis, *arguments) -> Faults:
    """The reported score compared with log p / |y|."""
    return defined(
        *(model, max_length, output, *arguments),
        wrong_score=lambda reported, real: off(reported, real / len(output[0])),
    )


def score_of_best(model: Model, max_length: int, output: Hypothesis, *arguments) -> Faults:
    """The reported score compared with that of the most probable output."""
    best = max(score for _, score in outputs(model, max_length))
    return defined(model, max_length, output, *arguments, wrong_score=lambda reported, real: off(reported, best))


def names_exchanged(*arguments) -> Faults:
    other = {"model": "length", "length": "model"}
    return {other.get(fault, fault) for fault in defined(*arguments)}


def right_output_no_fault(model: Model, max_length: int, output: Hypothesis, reference: Words) -> Faults:
    return set() if output[0] == reference else defined(model, max_length, output, reference)


def breaking_off(model: Model, max_length: int) -> Iterable[Hypothesis]:
    """What is unfinished at the end counted among the outputs."""
    yield from outputs(model, max_length)
    for beginning, log_probs in model.items():
        if len(beginning) == max_length - 1:
            yield from (
                ((*beginning, word), log_p(model, beginning) + log_probs[word]) for word in range(1, len(log_probs))
            )


def unfinished_counted(*arguments) -> Faults:
    return defined(*arguments, every=breaking_off)


def only_the_first(*arguments) -> Faults:
    return set(sorted(defined(*arguments), key=NAMES.index)[:1])


def some_only(every: Callable[[Model, int], Iterable[Hypothesis]]) -> Callable[..., Faults]:
    """These outputs tried, with the two that are given."""

    def diagnose(model: Model, max_length: int, output: Hypothesis, reference: Words) -> Faults:
        given = [(words, log_p(model, words)) for words in (output[0], reference)]
        return defined(model, max_length, output, reference, every=lambda *_: [*every(model, max_length), *given])

    return diagnose


def of_beam(k: int) -> Callable[[Model, int], Iterable[Hypothesis]]:
    return lambda model, max_length: wrong_beam_search.defined(model, k, max_length, enough=len(model))


def one_beats_both(scores: Scores, output: Words, reference: Words) -> Faults:
    """A fault of the model only where one and the same output beats the reference in sum and mean."""
    if best_of(scores, reference):
        return set()
    mean = means(scores)
    better = [y for y in scores if scores[y] > scores[reference] + NEAR and mean[y] > mean[reference] + NEAR]
    return {"model"} if better else {"length"}


def mean_of_best_alone(scores: Scores, output: Words, reference: Words) -> Faults:
    """The mean of the most probable output compared with the reference's, and no other's."""
    if best_of(scores, reference):
        return set()
    best = max(scores, key=scores.__getitem__)
    return of_reference({words: scores[words] for words in (best, reference)}, best, reference)


def longer_ones_too(*arguments) -> Faults:
    """Every output that the table knows tried, of whatever length."""
    return defined(*arguments, every=lambda model, max_length: outputs(model, max_length + 1))


def one_best(pick: Callable[[Iterable[Words]], Words]) -> Callable[..., Faults]:
    """Of equally good outputs only the one that `pick` takes held to be the best."""

    def best(scores: Scores) -> Words:
        return pick([words for words in scores if best_of(scores, words)])

    def of_reference(scores: Scores, output: Words, reference: Words) -> Faults:
        if reference == best(scores):
            return set()
        return {"length"} if reference == best(means(scores)) else {"model"}

    return lambda *arguments: defined(
        *arguments, search=lambda scores, words, *_: words != best(scores), of_reference=of_reference
    )


def off_by_little(*arguments) -> Faults:
    """A score that is off by less than 0.2 held to be right."""
    return defined(*arguments, wrong_score=lambda reported, real: abs(reported - real) > 0.2)


def as_good_is_better(*arguments) -> Faults:
    """`>=` for `>`: an output is better than itself."""
    return defined(*arguments, search=lambda *_: True, of_reference=lambda *_: {"model"})


mean_of_best = judged(mean_of_best_alone)
one_for_both = judged(one_beats_both)
shorter_ones_only = some_only(lambda model, max_length: outputs(model, max_length - 1))
first_best, last_best = one_best(min), one_best(max)
beams = tuple(some_only(of_beam(k)) for k in (2, 3, 5))


def model_emptied(model: Model, *arguments) -> Faults:
    found = defined(model, *arguments)
    model.clear()
    return found
