"""Minimal pairs: sentences that differ from a sentence in one named part of its meaning.

Where a foil of `variants.py` says something else with the same words, a contrast has another word, or one more, or one
less: another noun, verb, adjective, name, number, tense, place, time or conjunction; a negation or an adjective that is
added or lost; another determiner; the roles swapped.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from course_lib.corpora.grammar import LANGUAGES, Example
from course_lib.corpora.grammar.lexicon import ADJECTIVES, ADVERBS, NOUNS, VERBS, selects
from course_lib.corpora.grammar.meaning import (
    Clause,
    Entity,
    Gap,
    Joined,
    Named,
    Place,
    Property,
    Speaker,
    Utterance,
    nodes,
    rebuilt,
)
from course_lib.corpora.grammar.names import FIRST
from course_lib.corpora.grammar.readable import readable
from course_lib.corpora.grammar.readings import homonyms
from course_lib.corpora.grammar.selection import adjectives_of
from course_lib.corpora.grammar.variants import Change, Variant, role_swaps

KINDS = (
    *("noun", "number", "determiner", "count", "adjective", "adjective added", "adjective lost", "modifier lost"),
    *("owner lost", "name", "verb", "tense", "modal", "negation added", "negation lost", "time", "time lost", "place"),
    *("place lost", "relation", "roles", "degree", "conjunction", "clause lost", "relative lost", "person"),
)
SPEAKERS = (Speaker(1), Speaker(2), Speaker(1, True))


def contrasts(example: Example, seed: int = 0, kinds: Sequence[str] = KINDS) -> list[Variant]:
    """One contrast of each of `kinds` that the sentence admits, which reads otherwise in every language.

    Drawn by `seed`, the same for the same seed. Each differs in that part alone: "verb" keeps the tense and who does
    it, "noun" the number. Raises ValueError for a kind that is not in KINDS.
    """
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise ValueError(f"kinds must be of {', '.join(KINDS)}, got {unknown[0]!r}")
    found = []
    options = _by_kind(example.meaning)
    for kind in kinds:
        changes = options.get(kind, [])
        random.Random(f"{seed} {kind} {example.sentences['en']}").shuffle(changes)
        for change in changes:
            other = rebuilt(example.meaning, change)
            if readable(other) is not other:
                continue
            made = Example.of(other)
            if all(made.sentences[code] != example.sentences[code] for code in LANGUAGES):
                found.append(Variant(kind, made))
                break
    return found


def _by_kind(meaning: Utterance) -> dict[str, list[Change]]:
    options: dict[str, list[Change]] = {}
    for kind, change in _changes(meaning):
        options.setdefault(kind, []).append(change)
    return options


def _changes(meaning: Utterance) -> Iterator[tuple[str, Change]]:
    found = nodes(meaning)
    for change in role_swaps(meaning):
        yield "roles", change
    for node in found:
        if isinstance(node, Entity):
            changes = _of_noun_phrase(node)
        elif isinstance(node, Clause):
            changes = _of_clause(node)
        elif isinstance(node, Joined):
            changes = _of_joined(node, found)
        else:
            changes = _of_others(node)
        for kind, fields in changes:
            yield kind, fields if isinstance(next(iter(fields)), int) else {id(node): fields}


def _of_noun_phrase(np: Entity) -> Iterator[tuple[str, dict[str, Any]]]:
    classes = NOUNS[np.noun].classes
    if np.modifier is None:
        for noun in _siblings(np.noun):
            if all(selects(adjective, noun) for adjective in np.adjectives):
                yield "noun", {"noun": noun}
    if np.count is None and classes.isdisjoint(("mass", "paired", "one")) and np.determiner in ("the", "this"):
        yield "number", {"plural": not np.plural}
    if np.count and np.noun != "euro":
        yield "count", {"count": np.count + 1}
    if np.owner is None and np.determiner in ("the", "a") and not np.place:
        yield "determiner", {"determiner": "a" if np.determiner == "the" else "the"}
    for k, adjective in enumerate(np.adjectives):
        yield "adjective lost", {"adjectives": np.adjectives[:k] + np.adjectives[k + 1 :]}
        for other in adjectives_of(np.noun):
            if other not in np.adjectives and ADJECTIVES[other].rank == ADJECTIVES[adjective].rank:
                yield "adjective", {"adjectives": (*np.adjectives[:k], other, *np.adjectives[k + 1 :])}
    if not np.adjectives and not np.modifier:
        for adjective in adjectives_of(np.noun):
            yield "adjective added", {"adjectives": (adjective,)}
    if np.modifier:
        yield "modifier lost", {"modifier": None}
    if np.owner and classes.isdisjoint(("kin", "relation")):
        yield "owner lost", {"owner": None, "determiner": "the"}
    if np.relative:
        yield "relative lost", {"relative": None}


def _of_clause(c: Clause) -> Iterator[tuple[str, dict[str, Any]]]:
    frame = VERBS[c.verb].frame
    for verb in _peers(c.verb):
        yield "verb", {"verb": verb}
    tenses = {"present": ("past", "future"), "habit": ("past", "future"), "past": ("present", "future")}
    adverbs = [ADVERBS[adverb].tenses for adverb in (c.time, c.frequency) if adverb]
    for tense in tenses.get(c.tense, ()) if not c.modal and c.content is None else ():
        if all({tense, "any"} & admitted for admitted in adverbs) and not (tense == "present" and "past" in frame):
            yield "tense", {"tense": tense}
    if c.modal:
        for modal in ("can", "must", "want"):
            if modal != c.modal and not (modal == "want" and c.passive) and not (modal == "must" and c.negated):
                yield "modal", {"modal": modal}
    if c.frequency != "never":
        yield ("negation lost" if c.negated else "negation added"), {"negated": not c.negated}
    if c.time:
        yield "time lost", {"time": None, "time_first": False}
        for time, adverb in ADVERBS.items():
            if time != c.time and adverb.kinds == ADVERBS[c.time].kinds and adverb.tenses & {c.tense, "any"}:
                yield "time", {"time": time}
    if c.place and not isinstance(c.place.ground, Gap):
        if c.verb not in ("be", "exist") and frame.isdisjoint(("goal", "place", "still")):
            yield "place lost", {"place": None, "place_first": False}
        if isinstance(c.place.ground, Entity) and not c.place.ground.modifier:
            for noun in _siblings(c.place.ground.noun):
                if all(selects(adjective, noun) for adjective in c.place.ground.adjectives):
                    yield "place", {id(c.place.ground): {"noun": noun}}


def _of_joined(j: Joined, found: list) -> Iterator[tuple[str, dict]]:
    others = ("and", "but") if j.conjunction in ("and", "but") else ("because", "while", "when")
    for other in others:
        if other != j.conjunction:
            yield "conjunction", {"conjunction": other}
    parent = next(node for node in found if j in (getattr(node, name, None) for name in ("content", "first")))
    name = "content" if getattr(parent, "content", None) is j else "first"
    if not (isinstance(parent, Clause) and not isinstance(j.first, Clause)):
        yield "clause lost", {id(parent): {name: j.first}}


def _of_others(node: object) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, Named) and not node.rare:
        for name, gender in FIRST:
            if gender == node.gender and name != node.name:
                yield "name", {"name": name}
    elif isinstance(node, Place) and node.relation in ("behind", "in_front_of", "next_to"):
        for relation in ("behind", "in_front_of", "next_to"):
            if relation != node.relation:
                yield "relation", {"relation": relation}
    elif isinstance(node, Property) and node.than is None:
        for degree in ("plain", "very"):
            if degree != node.degree:
                yield "degree", {"degree": degree}
    elif isinstance(node, Speaker):
        for other in SPEAKERS:
            if (other.person, other.plural) != (node.person, node.plural):
                yield "person", {"person": other.person, "plural": other.plural}


def _siblings(noun: str) -> list[str]:
    """The nouns of the same kinds, none that shares a form with it."""
    classes = NOUNS[noun].classes - {noun}
    alike = {noun, *homonyms(noun)}
    return [other for other, row in NOUNS.items() if other not in alike and row.classes - {other} == classes]


def _peers(verb: str) -> list[str]:
    """The verbs with the same subjects, objects and frame."""
    row = VERBS[verb]
    if verb in ("be", "exist"):
        return []
    same = (row.subjects, row.objects, row.frame)
    return [v for v, other in VERBS.items() if v != verb and (other.subjects, other.objects, other.frame) == same]
