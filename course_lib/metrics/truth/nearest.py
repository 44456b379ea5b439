"""The sentence of the grammar nearest to an output, found by changing a meaning until it is said as the output is.

Analysis by synthesis: say the meaning, see where the output says something else, and take the changes of the meaning
(`proposals.py`) that bring the sentence nearer. Only what the grammar says is ever a step, so a sentence at distance 0
is proven to be grammatical. The search is greedy: another sentence may be nearer than the one found.
"""

from collections.abc import Iterable
from functools import cache
from itertools import chain, islice
from typing import NamedTuple

from course_lib.corpora.grammar import LANGUAGES, LONGEST, sample
from course_lib.corpora.grammar.meaning import CHILDREN, Clause, Pronoun, Utterance, nodes, rebuilt
from course_lib.corpora.grammar.variants import other_forms
from course_lib.corpora.grammar.words import Word
from course_lib.metrics.truth.distance import Distance, aligned
from course_lib.metrics.truth.proposals import Change, proposals
from course_lib.metrics.truth.suggestions import suggested
from course_lib.metrics.truth.valency import sayable
from course_lib.metrics.truth.ways import split, ways

ROUNDS = 8
MOST = 300  # changes tried in a round
FAR = 0.25  # edits a token of the output from which on it is compared with other sentences of the grammar,
POOL, SEED, STRANGERS = 1000, 0, 2  # so many drawn by this seed, and so many of the nearest tried


class Nearest(NamedTuple):
    """A meaning, its words, how many edits of tokens they are from the output, and where the search began."""

    meaning: Utterance
    words: list[Word]
    distance: int
    start: Utterance


def said(meaning: Utterance, language: str) -> list[Word] | None:
    """The words of a meaning; None if the grammar cannot say it."""
    if not all(sayable(node) for node in nodes(meaning) if isinstance(node, Clause)):
        return None
    try:
        return LANGUAGES[language].linearise(meaning)
    except (AttributeError, IndexError, KeyError, StopIteration, TypeError):
        return None


def nearest(output: list[str], starts: Iterable[tuple[Utterance, list[Word]]], language: str) -> list[Nearest]:
    """The nearest sentences found: from the nearest of `starts`, meanings with their words, or from the first of them;
    and if that is far, the nearest one found from other sentences of the grammar, where that is nearer."""
    distance = Distance(output)
    found = [closest(meaning, words, distance, meaning, language) for meaning, words in starts]
    best = min(found, key=lambda start: start.distance)
    reached = _climb(best, output, distance, language)
    if reached.distance and best is not found[0]:
        reached = min(reached, _climb(found[0], output, distance, language), key=lambda end: end.distance)
    ends = [reached]
    if len(output) <= LONGEST and reached.distance > FAR * len(output):
        others = sorted((distance(tokens), k) for k, (_, tokens) in enumerate(drawn(language)))[:STRANGERS]
        for _, k in others:
            meaning = drawn(language)[k][0]
            other = closest(meaning, LANGUAGES[language].linearise(meaning), distance, reached.start, language)
            ends.append(_climb(other, output, distance, language))
    least = min(ends, key=lambda end: end.distance)
    return [reached] if least is reached else [reached, least]


@cache
def drawn(language: str) -> list[tuple[Utterance, list[str]]]:
    """Meanings of the grammar with their tokens, for outputs that are far from all that their source says."""
    meanings = [example.meaning for example in sample(POOL, seed=SEED)]
    return [(m, split(_tokens(LANGUAGES[language].linearise(m)), language)) for m in meanings]


def _climb(best: Nearest, output: list[str], distance: Distance, language: str) -> Nearest:
    for _ in range(ROUNDS):
        if best.distance == 0:
            break
        better = _round(best, output, distance, language)
        if better is None:
            break
        best = better
    return best


def closest(meaning: Utterance, words: list[Word], distance: Distance, start: Utterance, language: str) -> Nearest:
    """A meaning said the way that is nearest to the output."""
    found = [(distance(_tokens(way)), k, way) for k, way in enumerate(ways(meaning, words, language))]
    least, _, way = min(found, key=lambda item: item[:2])
    return Nearest(meaning, way, least, start)


def _tokens(words: list[Word]) -> list[str]:
    return [word for word, _ in words]


def _round(best: Nearest, output: list[str], distance: Distance, language: str) -> Nearest | None:
    """The best change, and with it the others that help beside it; None if none brings the sentence nearer."""
    pairs = aligned(_tokens(best.words), output)
    missed, near, above = _differences(best, pairs, output)
    gains: list[tuple[int, int, Change]] = []
    forms = (change for _, change in other_forms(best.meaning))
    parts = proposals(best.meaning, near, above, suggested(output, missed, language))
    for order, change in enumerate(islice(chain(forms, parts), MOST)):
        made = _made(best, change, distance, language)
        if made and made.distance == 0:
            return made
        if made and made.distance < best.distance:
            gains.append((made.distance, order, change))
    gains.sort(key=lambda gain: gain[:2])
    taken: Change = {}
    reached = None
    for _, _, change in gains:
        if any(not taken.get(node, {}).keys().isdisjoint(new) for node, new in change.items()):
            continue
        if taken and any(isinstance(value, Pronoun) for new in change.values() for value in new.values()):
            continue  # two new pronouns could stand for each other
        merged = {node: {**taken.get(node, {}), **change.get(node, {})} for node in (*taken, *change)}
        made = _made(best, merged, distance, language)
        if made and made.distance < (reached or best).distance:
            taken, reached = merged, made
    return reached


def _made(best: Nearest, change: Change, distance: Distance, language: str) -> Nearest | None:
    if not change:
        return None
    other = rebuilt(best.meaning, change)
    words = said(other, language)
    return words and closest(other, words, distance, best.start, language)


def _differences(best: Nearest, pairs, output: list[str]) -> tuple[list[int], set[int], set[int]]:
    """The places of the output that the words do not say, the nodes of the words at and beside a difference, and those
    that they stand in."""
    missed, near = [], set()
    last = -1
    for i, j in pairs:
        if i is not None and j is not None and best.words[i][0] == output[j]:
            last = i
            continue
        if j is not None:
            missed.append(j)
        beside = (i,) if j is not None and i is not None else (last, last + 1, last + 2)
        near |= {node for k in beside if 0 <= k < len(best.words) for node, _ in best.words[k][1]}
        last = i if i is not None else last
    return missed, near, _above(best.meaning, near)


def _above(meaning: Utterance, near: set[int]) -> set[int]:
    """The nodes, and what they stand in, up to their clause and beyond it."""
    parents = {
        id(child): node
        for node in nodes(meaning)
        for name in CHILDREN.get(type(node), ())
        if (child := getattr(node, name)) is not None
    }
    found = set()
    for node in near:
        while True:
            found.add(node)
            if node not in parents:
                break
            parent = parents[node]
            node = id(parent)
            if isinstance(parent, Clause):
                found.add(node)
                break
    return found
