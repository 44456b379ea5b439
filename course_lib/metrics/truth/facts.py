"""What a meaning says, fact by fact, each with the sources of the words that say it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Named, Participant, Speaker, Wh
from course_lib.metrics.truth.clues import countable
from course_lib.metrics.truth.pairing import Unit, comparison, key, members, roles

SPEAKERS = {(1, False): "I", (2, False): "you", (1, True): "we"}


class Fact(NamedTuple):
    """A part of a unit of one meaning; a link has its `target`, the other end."""

    name: str
    value: Any
    sources: tuple[tuple[int, str], ...]  # of the words that say it
    target: Any = None


def facts(unit: Unit | None) -> list[Fact]:
    """The parts of a clause or a participant."""
    if unit is None:
        return []
    node, me = unit.node, id(unit.node)
    if isinstance(node, Clause):
        return list(_clause_facts(unit))
    if isinstance(node, Entity):
        return list(_entity_facts(node))
    if isinstance(node, Named):
        title = [Fact("title", True, ((me, "title"),))] if node.title else []
        return [Fact("name", node.name, ((me, "noun"),)), *title]
    if isinstance(node, Speaker):
        return [Fact("person", label(node), ((me, "pronoun"),))]
    if isinstance(node, Wh):
        return [Fact("asked", node.word, ((me, "wh"),))]
    return [Fact("pronoun", key(node)[-1], ((me, "pronoun"),), node.antecedent)]


def _clause_facts(unit: Unit) -> Iterator[Fact]:
    c, me = unit.node, id(unit.node)
    if c.property is None and c.verb != "be":
        yield Fact("verb", c.verb, ((me, "verb"),))
    yield Fact("tense", c.tense, ((me, "tense"), (me, "tense:verb")))
    for name in ("modal", "time", "frequency", "manner"):
        if value := getattr(c, name):
            yield Fact(name, value, ((me, name),))
    if c.negated:
        yield Fact("negation", True, ((me, "negation"),))
    if c.property:
        p = id(c.property)
        yield Fact("adjective", comparison(c)[0], ((p, "adjective"),))
        if c.property.degree != "plain":
            yield Fact("degree", c.property.degree, ((p, "degree"), (p, "than")))
    for name, nodes_ in roles(unit).items():
        for node in nodes_:
            value = (c.place.relation, label(node)) if name == "place" else label(node)
            said = ((id(c.place), "preposition"),) if name == "place" else ()
            yield Fact(name, value, (*said, *head_of(node)), node)
    if unit.head is not None:
        yield Fact("relative", unit.head.noun, ((me, "relative"),), unit.head)
    for content in mains(c.content):
        yield Fact("that", content.verb, ((me, "that"),), content)


def _entity_facts(np: Entity) -> Iterator[Fact]:
    me = id(np)
    noun = ((me, "noun"),)
    yield Fact("noun", np.noun, noun)
    if countable(np.noun):
        yield Fact("number", "plural" if np.plural else "singular", noun)
    if np.owner is None:
        yield Fact("determiner", np.determiner, ((me, "determiner"), (me, "determiner:bare")))
    if np.count:
        yield Fact("count", np.count, ((me, "count"),))
    for adjective in np.adjectives:
        yield Fact("adjective", adjective, ((me, adjective),))
    if np.modifier:
        yield Fact("modifier", np.modifier, ((me, "modifier"),))
    for owner in members(np.owner):
        yield Fact("owner", label(owner), head_of(owner), owner)
    if np.place:
        for ground in members(np.place.ground):
            said = ((id(np.place), "preposition"),)
            yield Fact("place", (np.place.relation, label(ground)), (*said, *head_of(ground)), ground)


def head_of(node: Participant) -> tuple[tuple[int, str], ...]:
    """The sources of the word that a participant is known by."""
    return tuple((id(node), part) for part in ("noun", "pronoun", "wh"))


def mains(content: Clause | Joined | None) -> list[Clause]:
    """The clause that a content begins with; none of None."""
    if content is None:
        return []
    return [content] if isinstance(content, Clause) else mains(content.first)


def label(node: Clause | Participant) -> str:
    """What a clause or a participant is called to a reader."""
    if isinstance(node, Speaker):
        return SPEAKERS[node.person, node.plural]
    return node.verb if isinstance(node, Clause) else str(key(node)[-1])
