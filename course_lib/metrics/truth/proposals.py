"""The changes of a meaning that the words of an output suggest, a part of the meaning each."""

from collections.abc import Iterator
from typing import Any

from course_lib.corpora.grammar.lexicon import COMPOUNDS, NOUNS
from course_lib.corpora.grammar.meaning import (
    CHILDREN,
    Both,
    Clause,
    Entity,
    Gap,
    Joined,
    Named,
    Node,
    Participant,
    Place,
    Pronoun,
    Property,
    Speaker,
    Utterance,
    nodes,
    topic,
)
from course_lib.metrics.truth.clues import countable
from course_lib.metrics.truth.suggestions import Suggested, fields
from course_lib.metrics.truth.valency import valency

Change = dict[int, dict[str, Any]]  # node identity -> its other fields
TENSES = ("present", "past", "future", "ongoing", "habit")
MODALS = (None, "can", "must", "want")
RELATIONS = ("at", "to", "in", "on", "under", "behind", "in_front_of", "next_to")
CONJUNCTIONS = ("and", "but", "because", "while", "when")
SPEAKERS = (Speaker(1), Speaker(2), Speaker(1, True))
STRANGERS = tuple(Pronoun(Entity(n, plural)) for n, plural in (("man", 0), ("woman", 0), ("child", 0), ("man", 1)))
ROLES = ("subject", "object", "recipient")


def proposals(meaning: Utterance, near: set[int], above: set[int], suggested: Suggested) -> Iterator[Change]:
    """Changes of the nodes whose words are `near` a difference, and of those `above` them (identities)."""
    found = nodes(meaning)
    inside = {id(node): _reached(node) for node in found if isinstance(node, (Entity, Named, Both))}
    for node in found:
        if isinstance(node, Utterance):
            yield {id(node): {"question": None if node.question else "whether"}}
        elif isinstance(node, Joined):
            yield from _joined(node, found)
        if id(node) not in above:
            continue
        people = [who for who in found if id(who) in inside and id(node) not in inside[id(who)]]
        if isinstance(node, Clause):
            yield from _clause(node, found, suggested, people, id(node) in near)
        elif isinstance(node, Entity):
            yield from _entity(node, suggested, people, id(node) in near)
        elif isinstance(node, Both):
            for name in ("first", "second"):
                for other in (*suggested.nouns, *suggested.names):
                    yield {id(node): {name: other}}
        elif isinstance(node, Named):
            for name in suggested.towns if node.gender == "t" else suggested.names:
                yield {id(node): {"name": name.name, "gender": name.gender, "title": name.title}}
        elif isinstance(node, Speaker):
            for other in SPEAKERS:
                yield {id(node): {"person": other.person, "plural": other.plural}}
        elif isinstance(node, Pronoun):
            for other in people:
                if other is not node.antecedent:
                    yield {id(node): {"antecedent": other}}
            for stranger in STRANGERS:
                yield {id(node): {"antecedent": stranger.antecedent}}
        elif isinstance(node, Property):
            yield from _property(node, suggested)
        elif isinstance(node, Place):
            for relation in RELATIONS:
                yield {id(node): {"relation": relation}}
            for town in suggested.towns:
                yield {id(node): {"ground": town}}
            for np in suggested.nouns if isinstance(node.ground, Named) else ():
                yield {id(node): {"ground": np}}


def _reached(node: Node) -> set[int]:
    """What is below a node, and below the antecedents of the pronouns there: none of it can be said by its pronoun."""
    reached: set[int] = set()
    left = [node]
    while left:
        for below in nodes(left.pop()):
            if id(below) not in reached:
                reached.add(id(below))
                if isinstance(below, Pronoun):
                    left.append(below.antecedent)
    return reached


def instead(found: list[Node], node: Node, other: Node) -> Change:
    """The change that puts `other` in the place of `node`."""
    for parent in found:
        for name in CHILDREN.get(type(parent), ()):
            if getattr(parent, name) is node:
                return {id(parent): {name: other}}
    return {}


def _joined(j: Joined, found: list[Node]) -> Iterator[Change]:
    for conjunction in CONJUNCTIONS:
        if conjunction != j.conjunction:
            first = j.second_first and conjunction not in ("and", "but")
            yield {id(j): {"conjunction": conjunction, "second_first": first}}
    if j.conjunction in ("because", "while", "when"):
        yield {id(j): {"second_first": not j.second_first}}
    yield {id(j): {"first": j.second, "second": j.first}} if isinstance(j.first, Clause) else {}
    yield instead(found, j, j.first)
    yield instead(found, j, j.second)


def _clause(c: Clause, found: list[Node], suggested: Suggested, people: list, near: bool) -> Iterator[Change]:
    me = id(c)
    if near or suggested.negation:
        yield {me: {"negated": not c.negated}}
    if near:
        yield from _verb_group(c)
    for clue in suggested.verbs:
        fitting = valency(c, clue.concept, suggested)
        if fitting is not None:
            tenses = ("past", "ongoing") if clue.slot == "past" else ("present", "future")
            for tense in dict.fromkeys((c.tense, *tenses)):
                yield {me: {"verb": clue.concept, "tense": tense, **fitting}}
            if c.modal:
                yield {me: {"verb": clue.concept, "modal": None, "tense": tenses[0], **fitting}}
    for a, b in (("subject", "object"), ("subject", "recipient"), ("object", "recipient")):
        if getattr(c, a) is not None and getattr(c, b) is not None:
            yield {me: {a: getattr(c, b), b: getattr(c, a)}}
    for clue in suggested.adverbs:
        if getattr(c, clue.kind) != clue.concept:
            yield {me: {clue.kind: clue.concept}}
            if clue.kind == "time":
                yield {me: {"time": clue.concept, "time_first": True, "place_first": False}}
    if c.place and not isinstance(c.place.ground, Gap):
        yield {me: {"place": None, "place_first": False}}
    if c.place is None and c.verb not in ("be", "exist"):
        for np in (*suggested.nouns, *suggested.towns):
            yield {me: {"place": Place("at", np)}}
    if c.content:
        yield instead(found, c, c.content)
    for role in ROLES:
        if (np := getattr(c, role)) is not None and not isinstance(np, Gap):
            yield from ({me: {role: other}} for other in _others(np, suggested, people))


def _verb_group(c: Clause) -> Iterator[Change]:
    """Another tense or modal, the other voice, no adverb."""
    me = id(c)
    for tense in TENSES:
        if tense != c.tense:
            yield {me: {"tense": tense}}
    for modal in MODALS:
        if modal != c.modal:
            yield {me: {"modal": modal}}
            yield {me: {"modal": modal, "tense": "present" if c.tense in ("past", "ongoing") else "past"}}
    for name in ("time", "frequency", "manner"):
        if getattr(c, name):
            yield {me: {name: None, "time_first": c.time_first and name != "time"}}
    if c.object is not None:
        yield {me: {"passive": not c.passive}}
    if isinstance(who := topic(c), Entity) and who.count is None and countable(who.noun):
        yield {id(who): {"plural": not who.plural}}


def _others(np: Participant, suggested: Suggested, people: list) -> Iterator[Participant]:
    """Who may be instead of a participant, or beside it."""
    if suggested.pronouns:
        yield from (*SPEAKERS, *(Pronoun(who) for who in people if who is not np), *STRANGERS)
    yield from (*suggested.nouns, *suggested.names)
    if isinstance(np, Both):
        yield from (np.first, np.second)
    elif isinstance(np, (Entity, Named)):
        yield from (Both(np, other) for other in (*suggested.nouns, *suggested.names))
    elif isinstance(np, Pronoun) and isinstance(np.antecedent, (Entity, Named)):
        who = np.antecedent
        yield Entity(who.noun, who.plural) if isinstance(who, Entity) else who


def _entity(np: Entity, suggested: Suggested, people: list, near: bool) -> Iterator[Change]:
    me = id(np)
    if near and countable(np.noun):
        determiner = "a" if np.determiner in ("some", "many") else np.determiner
        yield {me: {"plural": not np.plural, "count": None, "determiner": determiner}}
    if near and np.owner is None:
        for determiner in ("the", "a", "this", *(("some", "many") if np.plural else ())):
            if determiner != np.determiner:
                yield {me: {"determiner": determiner}}
    for adjective in np.adjectives:
        left = tuple(a for a in np.adjectives if a != adjective)
        yield {me: {"adjectives": left}}
        for other in suggested.adjectives:
            yield {me: {"adjectives": tuple(other if a == adjective else a for a in np.adjectives)}}
    for other in suggested.adjectives:
        if other not in np.adjectives:
            yield {me: {"adjectives": (*np.adjectives, other)}}
            if np.adjectives:
                yield {me: {"adjectives": (other, *np.adjectives)}}
    if np.count:
        yield {me: {"count": None}}
    for count in suggested.numbers:
        if "mass" not in NOUNS[np.noun]:
            yield {me: {"count": count, "plural": True}}
            yield {me: {"count": count, "plural": True, "determiner": "the" if np.determiner == "a" else "a"}}
    if np.modifier:
        yield {me: {"modifier": None}}
    for other in COMPOUNDS.get(np.noun, ()):
        if any(thing.noun == other for thing in suggested.nouns):
            yield {me: {"modifier": other}}
    for other in suggested.nouns:
        yield {me: fields(other)}
        yield {
            me: {
                "noun": other.noun,
                "plural": other.plural or (np.plural and countable(other.noun)),
                "modifier": other.modifier,
            }
        }
        if other.modifier:
            yield {me: {"noun": other.noun, "modifier": other.modifier, "plural": other.plural}}
    for name in ("owner", "place", "relative"):
        if getattr(np, name) is not None:
            yield {me: {name: None}}
    if np.owner:
        yield {me: {"owner": None, "determiner": "a"}}
    spoken = (*SPEAKERS, *(Pronoun(who) for who in people if who is not np)) if suggested.pronouns else ()
    for owner in (*spoken, *suggested.names, *suggested.nouns):
        yield {me: {"owner": owner, "determiner": "the", "count": None}}


def _property(p: Property, suggested: Suggested) -> Iterator[Change]:
    for adjective in suggested.adjectives:
        yield {id(p): {"adjective": adjective}}
    for degree in ("plain", "very", "too"):
        if degree != p.degree:
            yield {id(p): {"degree": degree, "than": None}}
    for than in (*suggested.nouns, *suggested.names):
        yield {id(p): {"degree": "more", "than": than}}
