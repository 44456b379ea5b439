"""ps4.alignment_error: how far attention is from an alignment by hand (Och and Ney 2003; lecture 01)."""

from collections.abc import Callable
from random import Random
from typing import Any

from course_lib import alignment
from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps4 import links
from course_lib.grading.tasks.ps4.hard_alignment import attention, clear, hard_alignment, spelled
from course_lib.grading.tasks.ps4.links import Links
from course_lib.grading.tasks.ps4.states import count

Sentence = dict[str, Any]  # weights, source, target as hard_alignment takes them; sure and possible, sets of links


def reference(sentences: list[Sentence]) -> float:
    """AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), counted over all sentences; P = sure ∪ possible."""
    predicted = [linked(sentence) for sentence in sentences]
    sure, possible = ([sentence[kind] for sentence in sentences] for kind in ("sure", "possible"))
    return alignment.alignment_error_rate(predicted, sure, [s | p for s, p in zip(sure, possible, strict=True)])


def linked(sentence: Sentence) -> Links:
    return links.defined(sentence["weights"], sentence["source"], sentence["target"])


Counts = tuple[int, int, int, int, int]  # |A ∩ S|, |A ∩ P|, |A|, |S|, |P|


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


# Cases

OF_ONE = (agreement, recall_of_sure, lack_of_precision, once)
OF_POSSIBLE = (possible_required, all_sure, sure_only)
OF_MANY = (mean_of_sentences, first_sentence, last_sentence, one_set_for_all)


def case(sentences: list[Sentence]) -> Case:
    a, s, p = (sum(numbers) for numbers in list(zip(*map(counts, sentences), strict=True))[2:])
    words = f"{count(len(sentences), 'sentence')}: {count(a, 'link')} of attention, {s} sure, {p - s} more possible"
    return Case((sentences,), words)


shows = isolating(defined, (*OF_ONE, *OF_POSSIBLE, *OF_MANY), case)


def sentence(rng: Random, most: int, possible: bool) -> Sentence:
    """A sentence pair whose attention is right in some of its words; `possible`: with links that are possible only."""
    source, target = (spelled(rng, words := rng.randint(2, most), words + rng.randint(0, 2)) for _ in range(2))
    weights = attention(rng, target, source, eos=0.5)
    while not clear(weights, source, target):
        weights = attention(rng, target, source, eos=0.5)
    x, y = (len(links.spans(pieces)) for pieces in (source, target))
    found = links.defined(weights, source, target)
    every = [(j, i) for j in range(x) for i in range(y)]
    sure = {link for link in every if rng.random() < (0.7 if link in found else 0.2)} or {rng.choice(every)}
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


@shows(*OF_MANY, free=(*OF_ONE, *OF_POSSIBLE), apart=False)
def draw_many(rng: Random, size: int) -> tuple:
    return ([sentence(rng, 2 + 2 * k, possible=k == 1) for k in rng.sample(range(3), 2 + size % 2)],)


TASK = Task(
    name="ps4.alignment_error",
    title="How far attention is from an alignment",
    reference=reference,
    lent=(hard_alignment,),
    criteria=(
        Criterion("sure", 0.5, "One sentence, all of whose links are sure.", draw_sure, 4),
        Criterion("possible", 1, "Links that are possible only: they may be found, and need not be.", draw_possible, 4),
        Criterion("corpus", 1, "Several sentences, counted together.", draw_many, 4),
        Criterion(
            "arguments", 0.5, "The sentences are afterwards as they were.", draw_many, 4, probe=leaving("sentences")
        ),
    ),
    misconceptions=(
        Misconception(
            "agreement in place of error",
            agreement,
            "sure",
            "Your number grows with the agreement. The error is 1 minus that.",
        ),
        Misconception(
            "each hit counted once",
            once,
            "sure",
            "A hit that is sure counts once in your sum. It counts twice, in |A ∩ S| and in |A ∩ P|: a sure link is "
            "possible, too, though `possible` does not list it.",
        ),
        Misconception(
            "recall of the sure links",
            recall_of_sure,
            "sure",
            "You return the share of sure links that were not found. Wrong links in A must cost something, too.",
        ),
        Misconception(
            "precision",
            lack_of_precision,
            "sure",
            "You return the share of A that is not possible. Sure links that were not found must cost something, too.",
        ),
        Misconception(
            "possible links required",
            possible_required,
            "possible",
            "You divide by |A| + |P|: a possible link that is not found costs something. It is |A| + |S|.",
        ),
        Misconception(
            "possible links as sure ones",
            all_sure,
            "possible",
            "You treat possible links as sure ones. They may be found, and need not be: |S| counts the sure ones.",
        ),
        Misconception(
            "possible links left out",
            sure_only,
            "possible",
            "You take a possible link for a mistake. A ∩ P counts those that are found.",
        ),
        Misconception(
            "mean of the sentences",
            mean_of_sentences,
            "corpus",
            "You take the mean of the sentences' error rates. Add up the counts of all sentences, then divide once.",
        ),
        Misconception(
            "one set of links for all sentences",
            one_set_for_all,
            "corpus",
            "You put the links of all sentences into one set: a link such as (0, 0) counts once, and that of one "
            "sentence is found in another. Count in each sentence, then add.",
        ),
        Misconception(
            "sure links added to the caller's set",
            sure_ones_added,
            "arguments",
            "You add the sure links to the caller's own set `possible`, by |= or update. Make a new set: sure | "
            "possible.",
        ),
        Misconception(
            "the first sentence only",
            first_sentence,
            "corpus",
            "You return the first sentence's rate: does your `return` stand within the loop?",
        ),
        Misconception(
            "the last sentence only",
            last_sentence,
            "corpus",
            "You return the last sentence's rate: are your counts set to 0 for each?",
        ),
    ),
    forbidden=(
        "course_lib.alignment.alignment_error_rate",
        "nltk.translate.metrics.alignment_error_rate",
        "nltk.translate.alignment_error_rate",
    ),
)
