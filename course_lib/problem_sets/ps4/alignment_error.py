"""ps4.alignment_error: how far attention is from an alignment by hand (Och and Ney 2003; lecture 01)."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from course_lib import alignment
from course_lib.grading.cases.isolate import alternate, isolating, until
from course_lib.grading.cases.numbers import count
from course_lib.grading.compare import is_tensor
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.hard_alignment import hard_alignment
from course_lib.problem_sets.ps4.links import Links, attention, chosen, clear, spans, spelled, table

Sentence = dict[str, Any]  # weights, source, target as hard_alignment takes them; sure and possible, sets of links


def reference(sentences: list[Sentence]) -> float:
    """AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), counted over all sentences; P = sure ∪ possible."""
    sure, possible = ([sentence[kind] for sentence in sentences] for kind in ("sure", "possible"))
    either = [s | p for s, p in zip(sure, possible, strict=True)]
    return alignment.alignment_error_rate([*map(linked, sentences)], sure, either)


def linked(sentence: Sentence) -> Links:
    return chosen(table(sentence["weights"], sentence["source"], sentence["target"]))


# Mistakes


def counts(sentence):
    """|A ∩ S|, |A ∩ P|, |A|, |S|, |P|."""
    a, s = linked(sentence), sentence["sure"]
    p = s | sentence["possible"]
    return len(a & s), len(a & p), len(a), len(s), len(p)


def same(value):
    return value


def defined(sentences, of=same, rate=lambda a_s, a_p, a, s, p: 1 - (a_s + a_p) / (a + s), after=same):
    return after(rate(*map(sum, zip(*map(counts, of(sentences)), strict=True))))


def where(holds):
    return lambda sentences: [sentence for sentence in sentences if holds(sentence)]


wrong = versions(defined)
agreement_in_place_of_error = wrong("sure", after=lambda rate: 1 - rate)(
    "Your number grows with the agreement. The error is 1 minus that."
)
each_hit_counted_once = wrong("sure", rate=lambda a_s, a_p, a, s, p: 1 - a_p / (a + s))(
    "A hit that is sure counts once in your sum. It counts twice, in |A ∩ S| and in |A ∩ P|: a sure link is possible, "
    "too, though `possible` does not list it."
)
recall_of_the_sure_links = wrong("sure", rate=lambda a_s, a_p, a, s, p: 1 - a_s / s)(
    "You return the share of sure links that were not found. Wrong links in A must cost something, too."
)
precision = wrong("sure", rate=lambda a_s, a_p, a, s, p: 1 - a_p / a if a else 1.0)(
    "You return the share of A that is not possible. Sure links that were not found must cost something, too."
)
possible_links_required = wrong("possible", rate=lambda a_s, a_p, a, s, p: 1 - (a_s + a_p) / (a + p))(
    "You divide by |A| + |P|: a possible link that is not found costs something. It is |A| + |S|."
)
possible_links_as_sure_ones = wrong("possible", rate=lambda a_s, a_p, a, s, p: 1 - 2 * a_p / (a + p))(
    "You treat possible links as sure ones. They may be found, and need not be: |S| counts the sure ones."
)
possible_links_left_out = wrong("possible", rate=lambda a_s, a_p, a, s, p: 1 - 2 * a_s / (a + s))(
    "You take a possible link for a mistake. A ∩ P counts those that are found."
)


@mistake("corpus")
def mean_of_the_sentences(sentences):
    """You take the mean of the sentences' error rates. Add up the counts of all sentences, then divide once."""
    return sum(defined([sentence]) for sentence in sentences) / len(sentences)


@mistake("corpus")
def one_set_of_links_for_all_sentences(sentences):
    """You put the links of all sentences into one set: a link such as (0, 0) counts once, and that of one sentence is
    found in another. Count in each sentence, then add."""
    a = set().union(*map(linked, sentences))
    s = set().union(*(sentence["sure"] for sentence in sentences))
    p = s.union(*(sentence["possible"] for sentence in sentences))
    return 1 - (len(a & s) + len(a & p)) / (len(a) + len(s))


@mistake("arguments")
def sure_links_put_into_the_possible_ones(sentences):
    """After your call, `possible` in the caller's sentences holds the sure links, too. Make a new set, sure | possible,
    and keep it in a variable of your own."""
    for sentence in sentences:
        sentence["possible"] |= sentence["sure"]
    return defined(sentences)


sentences_without_sure_links_left_out = wrong("corpus", of=where(lambda sentence: sentence["sure"]))(
    "You leave out sentences that have no sure link. What the attention links there counts in |A|, and in |A ∩ P| "
    "where it is possible."
)
sentences_without_links_by_hand_left_out = wrong(
    "corpus", of=where(lambda sentence: sentence["sure"] | sentence["possible"])
)("You leave out sentences in which people drew no link. What the attention links there counts in |A|.")
sentences_without_links_left_out = wrong("corpus", of=lambda sentences: where(linked)(sentences) or sentences)(
    "You leave out sentences in which the attention links nothing. Their sure links count in |S|."
)
no_error_where_nothing_is_linked = wrong(
    "sure", rate=lambda a_s, a_p, a, s, p: 1 - (a_s + a_p) / (a + s) if a else 0.0
)("You return 0 where the attention links nothing. There may be sure links, and none of them is found: the error is 1.")
rounded = wrong("sure", after=lambda rate: round(rate, 4))(
    "You round the rate to four digits. The example rounds what it prints, not what the function returns."
)
the_first_sentence_only = wrong("corpus", of=lambda sentences: sentences[:1])(
    "You return the first sentence's rate: does your `return` stand within the loop?"
)
the_last_sentence_only = wrong("corpus", of=lambda sentences: sentences[-1:])(
    "You return the last sentence's rate: are your counts set to 0 for each?"
)


def sure_hits_of_last(sentences):
    """|A ∩ S| is that of the last sentence: not added up."""
    last = counts(sentences[-1])[0]
    return defined(sentences, rate=lambda a_s, a_p, a, s, p: 1 - (last + a_p) / (a + s))


def equal_sentences_once(sentences):
    """What comes twice with the same words counts once."""
    return defined([*{str((each["source"], each["target"])): each for each in sentences}.values()])


# Cases

OF_ONE = agreement_in_place_of_error, recall_of_the_sure_links, precision, each_hit_counted_once
OF_POSSIBLE = possible_links_required, possible_links_as_sure_ones, possible_links_left_out
OF_MANY = (
    mean_of_the_sentences,
    the_first_sentence_only,
    the_last_sentence_only,
    one_set_of_links_for_all_sentences,
    sentences_without_sure_links_left_out,
    sentences_without_links_left_out,
)
OF_SOME = sentences_without_links_by_hand_left_out, sure_hits_of_last, equal_sentences_once
ROUNDED = 6e-5  # how far off a number of four digits may be


def case(sentences: list[Sentence]) -> Case:
    a, s, p = (sum(numbers) for numbers in list(zip(*map(counts, sentences), strict=True))[2:])
    words = f"{count(len(sentences), 'sentence')}: {count(a, 'link')} of attention, {s} sure, {p - s} more possible"
    return Case((sentences,), words)


shows = isolating(defined, (*OF_ONE, *OF_POSSIBLE, *OF_MANY, *OF_SOME), case)


def sentence(rng: Random, most: int, possible: bool, sure: bool = True, linked: bool = True) -> Sentence:
    """A sentence pair whose attention is right in some of its words; `possible`: with links that are possible only.

    Without `sure` no link is sure; where it is not `linked` the attention gives no link.
    """
    source, target = (spelled(rng, words := rng.randint(2, most), words + rng.randint(0, 2)) for _ in range(2))

    def weigh() -> tuple:
        return attention(rng, target, source, eos=0.5 if linked else 20.0), source, target

    (weights, *_) = until(weigh, lambda *given: clear(*given) and bool(chosen(table(*given))) == linked)
    found = chosen(table(weights, source, target))
    every = [(j, i) for j in range(len(spans(source))) for i in range(len(spans(target)))]
    drawn = {link for link in every if rng.random() < (0.7 if link in found else 0.2)} or {rng.choice(every)}
    by_hand = drawn if sure else set()
    more = {link for link in every if link not in by_hand and rng.random() < 0.4}
    given = {"weights": weights, "source": source, "target": target}
    return given | {"sure": by_hand, "possible": more if possible else set()}


@shows(*OF_ONE, rounded, apart=False)
def draw_sure(rng: Random, size: int) -> tuple:
    return ([sentence(rng, 4, possible=False)],)


@shows(no_error_where_nothing_is_linked, free=OF_ONE)
def draw_nothing_linked(rng: Random, size: int) -> tuple:
    return ([sentence(rng, 4, possible=False, linked=False)],)


@shows(*OF_POSSIBLE, free=OF_ONE, apart=False)
def draw_possible(rng: Random, size: int) -> tuple:
    return ([sentence(rng, 4, possible=True)],)


def draw_many(rng: Random, size: int) -> Case:
    """Two sentences, or five, of which one comes twice; one has no sure link, or none by hand at all, and one none of
    the attention."""
    several, unmarked = size % 2 == 1, size % 4 == 3
    kinds = [{"possible": not unmarked, "sure": False}, {"possible": False, "linked": False}]
    kinds += [{"possible": True}] * (2 if several else 0)

    def sentences(rng: Random, size: int) -> tuple:
        made = [sentence(rng, rng.choice((2, 4, 6)), **kind) for kind in kinds]
        again = [deepcopy(made[-1])] if several else []
        return (rng.sample(made + again, len(made + again)),)

    some = [each for each, there in zip(OF_SOME, (unmarked, several, several), strict=True) if there]
    decorate = shows(*OF_MANY, *some, free=(*OF_ONE, *OF_POSSIBLE), apart=False, probe=together)
    return decorate(sentences)(rng, size)


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
    return nearly(function, case, each_hit_counted_once)


TASK = task(
    __name__,
    "How far attention is from an alignment",
    lent=(hard_alignment,),
    criteria=(
        criterion("sure", 0.5, alternate(draw_sure, draw_nothing_linked), visible=4)(
            "One sentence, all of whose links are sure; a float, not rounded."
        ),
        criterion("possible", 1, draw_possible, nearly, visible=4)(
            "Links that are possible only: they may be found, and need not be."
        ),
        criterion("corpus", 1, draw_many, together, visible=4)("Several sentences, counted together."),
        arguments(0.5, draw_many, visible=4)("The sentences are afterwards as they were."),
    ),
    forbidden=(
        "course_lib.alignment.alignment_error_rate",
        "nltk.translate.metrics.alignment_error_rate",
        "nltk.translate.alignment_error_rate",
    ),
)
