"""Models as data: a list of log-probabilities for every beginning. How they are drawn, and what is computed of them."""

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from itertools import pairwise, product
from math import exp, inf, log
from random import Random

from course_lib.grading.cases.numbers import count
from course_lib.grading.task import Case

EOS = 0
Words = tuple[int, ...]
Model = dict[Words, list[float]]  # after these words: log p of each word, by its number
Hypothesis = tuple[Words, float]  # its words, the last one EOS if it is finished, and Σ log p of them
CLEAR = 1e-5  # two sums that are not meant to be equal differ by more


def log_p(model: Model, words: Words) -> float:
    """log p(y) = Σ_i log p(y_i | y_1 … y_{i−1}), added from the first word on."""
    return sum(model[words[:i]][word] for i, word in enumerate(words))


def is_finished(words: object) -> bool:
    """Whether what is given for words ends in EOS."""
    return isinstance(words, tuple) and bool(words) and type(words[-1]) is int and words[-1] == EOS


def ended(hypothesis: Hypothesis) -> bool:
    return is_finished(hypothesis[0])


def best_first(hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """The largest score first; of equals the one that came first."""
    return sorted(hypotheses, key=lambda hypothesis: -hypothesis[1])


def outputs(model: Model, max_length: int) -> Iterator[Hypothesis]:
    """Every possible output that ends within `max_length` words, EOS counted."""
    for beginning, log_probs in model.items():
        score = log_p(model, beginning) + log_probs[EOS]
        if len(beginning) < max_length and score > -inf:
            yield (*beginning, EOS), score


def beginnings(words: int, length: int) -> Iterator[Words]:
    """Every sequence of fewer than `length` of the words 1, 2, …, the shortest first."""
    for size in range(length):
        yield from product(range(1, words + 1), repeat=size)


# What is drawn


def exact(number: float) -> float:
    """The nearest multiple of 2⁻¹²: sums of these are exact in float64, in whatever order they are added."""
    return round(number * 2**12) / 2**12


def row(rng: Random, words: int, eos: float = 1.0, possible: float = 1.0) -> list[float]:
    """log p of EOS and so many words, multiples of 2⁻¹²; EOS weighs `eos` times what it would as any other word.

    A word is possible with probability `possible`, and one of them is in any case.
    """
    odds = [(rng.expovariate(1) + 0.02) * (rng.random() < possible) for _ in range(words + 1)]
    odds[EOS] *= eos
    if not any(odds):
        odds[rng.randint(1, words)] = 1.0
    return log_probs(odds)


def log_probs(odds: list[float]) -> list[float]:
    """Multiples of 2⁻¹² near the logarithms of probabilities in these proportions."""
    return [exact(log(each / sum(odds))) if each else -inf for each in odds]


def even_row(rng: Random, words: int, eos: float = 1.0) -> list[float]:
    """log p in quarters, whose sums are exact, of all but one word, which has the rest; `eos` 0: EOS is impossible."""
    while True:
        quarters = [-rng.randint(2, 9) / 4 for _ in range(words if eos else words - 1)]
        if (rest := 1 - sum(map(exp, quarters))) > 0.02:
            quarters.insert(rng.randint(0, len(quarters)), exact(log(rest)))
            return quarters if eos else [-inf, *quarters]


def close_row(rng: Random, words: int, eos: float = 1.0) -> list[float]:
    """Word 2 is the most probable of all but EOS, and word 1 follows it at 2⁻¹²; `eos` as in `row`."""
    odds = [rng.uniform(0.02, 0.9) for _ in range(words + 1)]
    odds[EOS] *= eos
    odds[1] = odds[2] = 1.0
    found = log_probs(odds)
    found[1] -= 2**-12
    return found


def table(
    rng: Random, words: int, length: int, eos: Callable[[Words], float] = lambda _: 1.0, draw: Callable = row
) -> Model:
    """A model of outputs of up to `length` words."""
    return {beginning: draw(rng, words, eos(beginning)) for beginning in beginnings(words, length)}


def early(beginning: Words) -> float:
    """EOS is likely after a few words."""
    return (0.2, 1.5, 2.0)[min(len(beginning), 2)]


def never(beginning: Words) -> float:
    """EOS is not among the best."""
    return 0.001


def decided(numbers: Iterable[float]) -> bool:
    """Whether honest sums cannot disagree on the order: numbers lie apart, or are equal, and exactly so."""
    ordered = sorted(each for each in numbers if each > -inf)
    return all(b - a > CLEAR or (a == b and (4 * a).is_integer()) for a, b in pairwise(ordered))


def clear(model: Model, max_length: int) -> bool:
    """Whether no rounding decides which of two beginnings of one length, or of two outputs, is the better one."""
    sums: list[list[float]] = [[] for _ in range(max_length)]
    for beginning, log_probs in model.items():
        if len(beginning) < max_length:
            sums[len(beginning)] += [log_p(model, beginning) + each for each in log_probs]
    return all(map(decided, sums)) and decided(score for _, score in outputs(model, max_length))


def size_of(model: Model) -> str:
    """What feedback says of a model."""
    return f"a model of {count(len(model[()]) - 1, 'word')} and EOS"


# What is seen, and a mistake


def left(function: Callable, case: Case) -> tuple:
    """The arguments as a call of one of our own functions leaves them: for drawing."""
    arguments = deepcopy(case.arguments)
    function(*arguments)
    return arguments


EMPTIED = "You empty the model that you are given. It belongs to the caller: leave it as it was."


def emptying(function: Callable) -> Callable:
    """The wrong version of `function` that throws the model away when the work is done."""

    def emptied(model: Model, *others: object) -> object:
        found = function(model, *others)
        model.clear()
        return found

    return emptied
