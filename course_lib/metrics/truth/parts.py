"""The parts of a meaning, and which of them came over into another meaning.

A clause has its verb, tense, negation, modal, time, frequency, manner, its adjective and degree; and links: "who",
"whom", "to whom", "than", "place", "that" (what is said), "relative" (of what). A noun phrase has its noun, number,
determiner, count, adjectives, modifier, and links to its owner and its place; a name its name and title; a speaker the
person; a pronoun what it stands for. Two clauses have their conjunction, the sentence its question.
What is only form is no part: active or passive, what stands first, the converse ("older than", "younger than").
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from course_lib.corpora.grammar.meaning import (
    Clause,
    Entity,
    Joined,
    Named,
    Participant,
    Pronoun,
    Speaker,
    Utterance,
    Wh,
    nodes,
)
from course_lib.metrics.truth.clues import countable
from course_lib.metrics.truth.pairing import Pairing, Unit, comparison, key, members, roles


class Part(NamedTuple):
    """A part of a meaning: `verdict` is "kept", "lost", "changed" or "added"; `of` is the noun or verb that has it."""

    verdict: str
    name: str
    of: str
    said: Any = None  # in the source
    found: Any = None  # in the output


class Fact(NamedTuple):
    """A part of a unit of one meaning; a link has its `target`, the other end."""

    name: str
    value: Any
    sources: tuple[tuple[int, str], ...]  # of the words that say it
    target: Any = None


SPEAKERS = {(1, False): "I", (2, False): "you", (1, True): "we"}
Heard = Callable[[Fact], bool]


def compare(source: Utterance, output: Utterance, heard: Heard = lambda fact: True) -> list[Part]:
    """The parts of `source`, each kept, changed or lost in `output`, then those that `output` adds.

    `heard` tells whether the words of `output` that say a fact of its meaning are there: what is not heard is lost.
    """
    return list(_compare(Pairing(source, output), source, output, heard))


def _compare(pairing: Pairing, source: Utterance, output: Utterance, heard: Heard) -> Iterator[Part]:
    if source.question or output.question:
        yield from _single("question", "sentence", _question(source), _question(output), pairing, heard)
    answered = set()
    for k, unit in enumerate(pairing.left):
        other = pairing.pairs.get(k)
        if other:
            answered.add(other)
        yield from _unit(unit, other, pairing, heard)
    for unit in pairing.right:
        if unit not in answered:
            yield from _unit(None, unit, pairing, heard)
    yield from _conjunctions(source, output, pairing, heard)


def _question(meaning: Utterance) -> list[Fact]:
    return [Fact("question", meaning.question, ((id(meaning), "question"),))] if meaning.question else []


def _unit(unit: Unit | None, other: Unit | None, pairing: Pairing, heard: Heard) -> Iterator[Part]:
    ours, theirs = facts(unit, pairing.left), facts(other, pairing.right)
    label = _label((unit or other).node)
    if unit and other and isinstance(unit.node, Participant):
        p, q = unit.node, other.node
        if Pronoun in (type(p), type(q)) and type(p) is not type(q) and key(p) == key(q):
            known = [f for f in theirs if f.name in ("noun", "name", "person", "pronoun")]
            yield from (Part("kept" if heard(known[0]) else "lost", f.name, label, f.value) for f in ours)
            return
        if type(p) is not type(q):
            first, then = ours[0], theirs[0]
            ours, theirs = [first._replace(name="noun"), *ours[1:]], [then._replace(name="noun")]
            loose = ("number", "determiner", "title")
            ours = [f for f in ours if f.name not in loose]
    if unit and other and isinstance(unit.node, Entity) and isinstance(other.node, Entity):
        if not (countable(unit.node.noun) and countable(other.node.noun)):
            ours, theirs = ([f for f in side if f.name != "number"] for side in (ours, theirs))
        if bool(unit.node.owner) != bool(other.node.owner):  # whose it is takes the place of the article
            ours, theirs = ([f for f in side if f.name != "determiner"] for side in (ours, theirs))
    for name in dict.fromkeys(f.name for f in (*ours, *theirs)):
        yield from _single(
            name, label, [f for f in ours if f.name == name], [f for f in theirs if f.name == name], pairing, heard
        )


def _single(name: str, of: str, ours: list[Fact], theirs: list[Fact], pairing: Pairing, heard: Heard) -> Iterator[Part]:
    """The parts of one name: the same ones are kept, others are changed as long as there are any, the rest is lost."""
    left = []
    theirs = list(theirs)
    for fact in ours:
        same = next((f for f in theirs if _agree(fact, f, pairing)), None)
        if same is None:
            left.append(fact)
        else:
            theirs.remove(same)
            yield Part("kept" if heard(same) else "lost", name, of, fact.value, same.value if heard(same) else None)
    said = [f for f in theirs if heard(f)]
    for k, fact in enumerate(left):
        yield Part(
            *(("changed",) if k < len(said) else ("lost",)),
            name,
            of,
            fact.value,
            said[k].value if k < len(said) else None,
        )
    yield from (Part("added", name, of, None, f.value) for f in said[len(left) :])


def _agree(a: Fact, b: Fact, pairing: Pairing) -> bool:
    if a.target is None or b.target is None:
        return a.value == b.value
    if a.name == "place" and a.value[0] != b.value[0]:
        return False
    if (id(a.target), id(b.target)) in pairing.same:
        return True
    if isinstance(a.target, Clause) or isinstance(b.target, Clause):
        return False
    p, q = (t.antecedent if isinstance(t, Pronoun) else t for t in (a.target, b.target))
    return a.name == "pronoun" and key(p) == key(q) or (p, q) != (a.target, b.target) and key(p) == key(q)


def facts(unit: Unit | None, side: list[Unit]) -> list[Fact]:
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
        return [Fact("person", _label(node), ((me, "pronoun"),))]
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
            value = (c.place.relation, _label(node)) if name == "place" else _label(node)
            said = ((id(c.place), "preposition"),) if name == "place" else ()
            yield Fact(name, value, (*said, *head_of(node)), node)
    if unit.head is not None:
        yield Fact("relative", unit.head.noun, ((me, "relative"),), unit.head)
    for content in _mains(c.content):
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
        yield Fact("owner", _label(owner), head_of(owner), owner)
    if np.place:
        for ground in members(np.place.ground):
            said = ((id(np.place), "preposition"),)
            yield Fact("place", (np.place.relation, _label(ground)), (*said, *head_of(ground)), ground)


def head_of(node: Participant) -> tuple[tuple[int, str], ...]:
    """The sources of the word that a participant is known by."""
    return tuple((id(node), part) for part in ("noun", "pronoun", "wh"))


def _mains(content: Clause | Joined | None) -> list[Clause]:
    if content is None:
        return []
    return [content] if isinstance(content, Clause) else _mains(content.first)


def _conjunctions(source: Utterance, output: Utterance, pairing: Pairing, heard: Heard) -> Iterator[Part]:
    """What joins two clauses: the same clauses joined by another word are a change."""
    theirs = [node for node in nodes(output) if isinstance(node, Joined)]
    for j in (node for node in nodes(source) if isinstance(node, Joined)):
        found = next((other for other in theirs if _joins(j, other, pairing)), None)
        if found is None:
            yield Part("lost", "conjunction", "sentence", j.conjunction)
            continue
        theirs.remove(found)
        fact = Fact("conjunction", found.conjunction, ((id(found), "conjunction"),))
        same = found.conjunction == j.conjunction and _joins(j, found, pairing, j.conjunction in ("and", "but"))
        verdict = "lost" if not heard(fact) else "kept" if same else "changed"
        yield Part(verdict, "conjunction", "sentence", j.conjunction, found.conjunction)
    for other in theirs:
        if heard(Fact("conjunction", other.conjunction, ((id(other), "conjunction"),))):
            yield Part("added", "conjunction", "sentence", None, other.conjunction)


def _joins(j: Joined, other: Joined, pairing: Pairing, either: bool = True) -> bool:
    """Whether two conjunctions join the same clauses, in `either` order."""
    ends = [_mains(j.first)[0], j.second]
    orders = [[_mains(other.first)[0], other.second], [other.second, _mains(other.first)[0]]]
    return any(
        all((id(a), id(b)) in pairing.same for a, b in zip(ends, order, strict=True))
        for order in orders[: 2 if either else 1]
    )


def _label(node: Clause | Participant) -> str:
    if isinstance(node, Speaker):
        return SPEAKERS[node.person, node.plural]
    return node.verb if isinstance(node, Clause) else str(key(node)[-1])


def adequacy(parts: Iterable[Part]) -> float:
    """kept / (kept + changed + lost + added); 1 where there are no parts at all."""
    parts = list(parts)
    return sum(part.verdict == "kept" for part in parts) / len(parts) if parts else 1.0
