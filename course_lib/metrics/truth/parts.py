"""The parts of a meaning, and which of them came over into another meaning.

A clause has its verb, tense, negation, modal, time, frequency, manner, its adjective and degree; and links: "who",
"whom", "to whom", "than", "place", "that" (what is said), "relative" (of what). A noun phrase has its noun, number,
determiner, count, adjectives, modifier, and links to its owner and its place; a name its name and title; a speaker the
person; a pronoun what it stands for. Two clauses have their conjunction, the sentence its question.
What is only form is no part: active or passive, what stands first, the converse ("older than", "younger than").
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Participant, Pronoun, Utterance, nodes
from course_lib.metrics.truth.clues import countable
from course_lib.metrics.truth.facts import Fact, facts, label, mains
from course_lib.metrics.truth.pairing import Pairing, Unit, key


class Part(NamedTuple):
    """A part of a meaning: `verdict` is "kept", "lost", "changed" or "added"; `of` is the noun or verb that has it."""

    verdict: str
    name: str
    of: str
    said: Any = None  # in the source
    found: Any = None  # in the output


WORDS = {"noun": "noun", "modifier": "noun", "verb": "verb", "adjective": "adjective"}  # facts whose value is a concept
Heard = Callable[[Fact], bool]


def compare(source: Utterance, output: Utterance, language: str, heard: Heard = lambda fact: True) -> list[Part]:
    """The parts of `source`, each kept, changed or lost in `output`, then those that `output` adds.

    Two concepts that are one word in `language`, which the output is in, are the same there.

    `heard` tells whether the words of `output` that say a fact of its meaning are there: what is not heard is lost.
    """
    return list(_compare(Pairing(source, output, language), source, output, heard))


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
    ours, theirs = facts(unit), facts(other)
    name_of = label((unit or other).node)
    if unit and other and isinstance(unit.node, Participant):
        p, q = unit.node, other.node
        if Pronoun in (type(p), type(q)) and type(p) is not type(q) and key(p) == key(q):
            known = [f for f in theirs if f.name in ("noun", "name", "person", "pronoun")]
            yield from (Part("kept" if heard(known[0]) else "lost", f.name, name_of, f.value) for f in ours)
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
            name, name_of, [f for f in ours if f.name == name], [f for f in theirs if f.name == name], pairing, heard
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
        return a.value == b.value or (a.name in WORDS and pairing.one_word(WORDS[a.name], a.value, b.value))
    if a.name == "place" and a.value[0] != b.value[0]:
        return False
    if (id(a.target), id(b.target)) in pairing.same:
        return True
    if isinstance(a.target, Clause) or isinstance(b.target, Clause):
        return False
    p, q = (t.antecedent if isinstance(t, Pronoun) else t for t in (a.target, b.target))
    return a.name == "pronoun" and key(p) == key(q) or (p, q) != (a.target, b.target) and key(p) == key(q)


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
    ends = [mains(j.first)[0], j.second]
    orders = [[mains(other.first)[0], other.second], [other.second, mains(other.first)[0]]]
    return any(
        all((id(a), id(b)) in pairing.same for a, b in zip(ends, order, strict=True))
        for order in orders[: 2 if either else 1]
    )


def adequacy(parts: Iterable[Part]) -> float:
    """kept / (kept + changed + lost + added); 1 where there are no parts at all."""
    parts = list(parts)
    return sum(part.verdict == "kept" for part in parts) / len(parts) if parts else 1.0
