"""Alignment error rates: right, and wrong in the ways that people get them wrong; cases that tell them apart."""

from collections.abc import Callable
from random import Random
from typing import Any

from course_lib.grading.cases.isolate import isolating, until
from course_lib.grading.compare import is_tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4 import links
from course_lib.problem_sets.ps4.cases_hard_alignment import attention, clear, spelled
from course_lib.problem_sets.ps4.links import Links
from course_lib.problem_sets.ps4.states import count

Sentence = dict[str, Any]  # weights, source, target as hard_alignment takes them; sure and possible, sets of links


Counts = tuple[int, int, int, int, int]  # |A ∩ S|, |A ∩ P|, |A|, |S|, |P|


def linked(sentence: Sentence) -> Links:
    return links.defined(sentence["weights"], sentence["source"], sentence["target"])


def counts(sentence: Sentence) -> Counts:
    a, s = linked(sentence), sentence["sure"]
    p = s | sentence["possible"]
    return len(a & s), len(a & p), len(a), len(s), len(p)


def defined(
    sentences: list[Sentence],
    rate: Callable[..., float] = lambda a_s, a_p, a, s, p: 1 - (a_s + a_p) / (a + s),
    count: Callable[[Sentence], Counts] = counts,
) -> float:
    return rate(*map(sum, zip(*map(count, sentences), strict=True)))


# Wrong versions


def agreement(sentences: list[Sentence]) -> float:
    return 1 - defined(sentences)


def recall_of_sure(sentences: list[Sentence]) -> float:
    return defined(sentences, rate=lambda a_s, a_p, a, s, p: 1 - a_s / s)


def lack_of_precision(sentences: list[Sentence]) -> float:
    return defined(sentences, rate=lambda a_s, a_p, a, s, p: 1 - a_p / a if a else 1.0)


def once(sentences: list[Sentence]) -> float:
    return defined(sentences, rate=lambda a_s, a_p, a, s, p: 1 - a_p / (a + s))


def possible_required(sentences: list[Sentence]) -> float:
    return defined(sentences, rate=lambda a_s, a_p, a, s, p: 1 - (a_s + a_p) / (a + p))


def all_sure(sentences: list[Sentence]) -> float:
    return defined(sentences, rate=lambda a_s, a_p, a, s, p: 1 - 2 * a_p / (a + p))


def sure_only(sentences: list[Sentence]) -> float:
    return defined(sentences, rate=lambda a_s, a_p, a, s, p: 1 - 2 * a_s / (a + s))


def one_set_for_all(sentences: list[Sentence]) -> float:
    """The links of all sentences in one set."""
    a, s, p = (
        set().union(*each)
        for each in zip(*((linked(q), q["sure"], q["sure"] | q["possible"]) for q in sentences), strict=True)
    )
    return 1 - (len(a & s) + len(a & p)) / (len(a) + len(s))


def sure_ones_added(sentences: list[Sentence]) -> float:
    for sentence in sentences:
        sentence["possible"] |= sentence["sure"]
    return defined(sentences)


def mean_of_sentences(sentences: list[Sentence]) -> float:
    return sum(defined([sentence]) for sentence in sentences) / len(sentences)


def first_sentence(sentences: list[Sentence]) -> float:
    return defined(sentences[:1])


def last_sentence(sentences: list[Sentence]) -> float:
    return defined(sentences[-1:])


def sure_hits_of_last(sentences: list[Sentence]) -> float:
    """|A ∩ S| is that of the last sentence: not added up."""
    last = counts(sentences[-1])[0]
    return defined(sentences, rate=lambda a_s, a_p, a, s, p: 1 - (last + a_p) / (a + s))


def unsure_left_out(sentences: list[Sentence]) -> float:
    return defined([sentence for sentence in sentences if sentence["sure"]])


def unmarked_left_out(sentences: list[Sentence]) -> float:
    return defined([sentence for sentence in sentences if sentence["sure"] | sentence["possible"]])


def empty_left_out(sentences: list[Sentence]) -> float:
    return defined([sentence for sentence in sentences if linked(sentence)])


def rounded(sentences: list[Sentence]) -> float:
    return round(defined(sentences), 4)


# Cases

OF_ONE = (agreement, recall_of_sure, lack_of_precision, once)
OF_POSSIBLE = (possible_required, all_sure, sure_only)
OF_MANY = (
    *(mean_of_sentences, first_sentence, last_sentence, one_set_for_all),
    *(unsure_left_out, empty_left_out),
)
ROUNDED = 6e-5  # how far off a number of four digits may be


def case(sentences: list[Sentence]) -> Case:
    a, s, p = (sum(numbers) for numbers in list(zip(*map(counts, sentences), strict=True))[2:])
    words = f"{count(len(sentences), 'sentence')}: {count(a, 'link')} of attention, {s} sure, {p - s} more possible"
    return Case((sentences,), words)


shows = isolating(defined, (*OF_ONE, *OF_POSSIBLE, *OF_MANY, unmarked_left_out, sure_hits_of_last), case)


def sentence(rng: Random, most: int, possible: bool, sure: bool = True, linked: bool = True) -> Sentence:
    """A sentence pair whose attention is right in some of its words; `possible`: with links that are possible only.

    Without `sure` no link is sure; where it is not `linked` the attention gives no link.
    """
    source, target = (spelled(rng, words := rng.randint(2, most), words + rng.randint(0, 2)) for _ in range(2))

    def weigh() -> tuple:
        return attention(rng, target, source, eos=0.5 if linked else 20.0), source, target

    (weights, *_) = until(weigh, lambda *given: clear(*given) and bool(links.defined(*given)) == linked)
    x, y = (len(links.spans(pieces)) for pieces in (source, target))
    found = links.defined(weights, source, target)
    every = [(j, i) for j in range(x) for i in range(y)]
    drawn = {link for link in every if rng.random() < (0.7 if link in found else 0.2)} or {rng.choice(every)}
    sure = drawn if sure else set()
    more = {link for link in every if link not in sure and rng.random() < 0.4}
    return {
        "weights": weights,
        "source": source,
        "target": target,
        "sure": sure,
        "possible": more if possible else set(),
    }


@shows(*OF_ONE, apart=False)
def draw_sure(rng: Random, size: int) -> tuple:
    return ([sentence(rng, 4, possible=False)],)


@shows(*OF_POSSIBLE, free=OF_ONE, apart=False)
def draw_possible(rng: Random, size: int) -> tuple:
    return ([sentence(rng, 4, possible=True)],)


def draw_many(rng: Random, size: int) -> Case:
    """Two or four sentences, of which one has no sure link, or none by hand at all, and one none of the attention."""
    several, unmarked = size % 2 == 1, size % 4 == 3
    kinds = [{"possible": not unmarked, "sure": False}, {"possible": False, "linked": False}]
    kinds += [{"possible": True}] * (2 if several else 0)

    def sentences(rng: Random, size: int) -> tuple:
        chosen = rng.sample(kinds, len(kinds))
        return ([sentence(rng, rng.choice((2, 4, 6)), **kind) for kind in chosen],)

    wanted = (*OF_MANY, *([unmarked_left_out] if unmarked else []), *([sure_hits_of_last] if several else []))
    return shows(*wanted, free=(*OF_ONE, *OF_POSSIBLE), apart=False, probe=together)(sentences)(rng, size)


def nearly(function: Callable, case: Case, *others: Callable) -> Any:
    """The probe that looks at the rate, in whatever form; how exact it is, and that it is a float, is for "sure".

    The rate that one of the `others` gives is taken for the right one.
    """
    given = function(*case.arguments)
    rate = given.item() if is_tensor(given) and given.numel() == 1 else given
    right = defined(*case.arguments)
    near = isinstance(rate, (int, float)) and any(
        abs(rate - accepted(*case.arguments)) <= ROUNDED for accepted in (defined, *others)
    )
    return right if near else rate


def together(function: Callable, case: Case) -> Any:
    """The probe that looks at how sentences are counted together; that P holds the sure links is for others."""
    return nearly(function, case, once)
