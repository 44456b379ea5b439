"""Which clause and which participant of one meaning answers to which of another."""

from collections.abc import Iterator
from typing import NamedTuple

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
    Wh,
)
from course_lib.corpora.grammar.variants import CONVERSES
from course_lib.metrics.truth.clues import spelt

FALLING = frozenset(("small", "young", "short", "light", "weak", "poor"))  # "A smaller than B" is "B bigger than A"
OF_PARTICIPANTS = (Entity, Named, Speaker, Pronoun, Wh)


class Unit(NamedTuple):
    """A clause or a participant, where it stands ("content.first.subject"), and the head of its relative clause."""

    node: Clause | Participant
    path: str
    head: Entity | None = None


def units(meaning: Utterance) -> list[Unit]:
    """All clauses and participants, each once for each place where it stands."""
    return list(_units(meaning, "", None))


def _units(node: Node | None, path: str, head: Entity | None) -> Iterator[Unit]:
    if isinstance(node, (Clause, *OF_PARTICIPANTS)):
        yield Unit(node, path, head)
    for name in CHILDREN.get(type(node), ()):
        below = node if isinstance(node, Entity) and name == "relative" else head if isinstance(node, Place) else None
        below = head if isinstance(node, Clause) and name == "place" else below
        yield from _units(getattr(node, name), f"{path}.{name}", below)


def members(node: Participant | Clause | Joined | None, head: Entity | None = None) -> list:
    """The participants that a role speaks of: both of two, the head of a gap."""
    if isinstance(node, Both):
        return [*members(node.first), *members(node.second)]
    found = head if isinstance(node, Gap) else node
    return [] if found is None else [found]


def comparison(c: Clause) -> tuple[str, Participant, Participant | None]:
    """(adjective, who has more of it, than whom) of a clause with a property, its converse turned round."""
    p: Property = c.property
    if p.than is not None and p.adjective in FALLING:
        return CONVERSES[p.adjective], p.than, c.subject
    return p.adjective, c.subject, p.than


def roles(unit: Unit) -> dict[str, list]:
    """Who, whom, to whom, than whom, where: the participants of a clause."""
    c: Clause = unit.node
    subject, than = c.subject, None
    if c.property:
        _, subject, than = comparison(c)
    ground = c.place.ground if c.place else None
    found = {"who": subject, "whom": c.object, "to whom": c.recipient, "than": than, "place": ground}
    return {name: members(node, unit.head) for name, node in found.items() if node is not None}


def key(node: Participant) -> tuple:
    """What a participant is called, by its noun or name or as a speaker; a pronoun is called as its antecedent is."""
    if isinstance(node, Pronoun):
        return key(node.antecedent)
    if isinstance(node, Both):
        return ("both", *map(key, members(node)))
    if isinstance(node, Entity):
        return ("noun", node.noun)
    if isinstance(node, Named):
        return ("name", node.name)
    return ("speaker", node.person, node.plural) if isinstance(node, Speaker) else ("wh", node.word)


class Pairing:
    """The best pairs of units of two meanings: by what they are called, by their roles, by where they stand."""

    def __init__(self, source: Utterance, output: Utterance, language: str):
        self.language = language
        self.left, self.right = units(source), units(output)
        self.pairs: dict[int, Unit] = {}  # place in `left` -> unit of the output
        clauses = [[k for k, u in enumerate(side) if isinstance(u.node, Clause)] for side in (self.left, self.right)]
        self._assign(*clauses, _clauses_alike)
        self.context = [self._contexts(self.left, None), self._contexts(self.right, self.pairs)]
        others = [[k for k, u in enumerate(side) if not isinstance(u.node, Clause)] for side in (self.left, self.right)]
        self._assign(*others, self._participants_alike)
        self.same = {(id(self.left[k].node), id(unit.node)) for k, unit in self.pairs.items()}

    def one_word(self, kind: str, a: str, b: str) -> bool:
        """Whether the language has one word for two concepts."""
        return spelt(kind, a, self.language) == spelt(kind, b, self.language)

    def _assign(self, rows: list[int], columns: list[int], alike) -> None:
        """Pairs from the most alike on; of equally alike ones, the first in the order of the sentence."""
        scores = [(-alike(self.left[i], self.right[j]), i, j) for i in rows for j in columns]
        taken: set[int] = set()
        for score, i, j in sorted(scores):
            if score <= -1 and i not in self.pairs and j not in taken:
                self.pairs[i] = self.right[j]
                taken.add(j)

    def _contexts(self, side: list[Unit], pairs: dict[int, Unit] | None) -> dict[int, set]:
        """From a participant to its roles, each with its clause: by the clause of the output where there is one."""
        found: dict[int, set] = {}
        for k, unit in enumerate(side):
            if isinstance(unit.node, Clause):
                clause = unit.node if pairs is not None else self.pairs[k].node if k in self.pairs else None
                for name, nodes in roles(unit).items():
                    for node in nodes:
                        found.setdefault(id(node), set()).add((id(clause), name))
        return found

    def _participants_alike(self, a: Unit, b: Unit) -> float:
        p, q = a.node, b.node
        score = 6.0 if key(p) == key(q) else 0.0
        if self.context[0].get(id(p), set()) & self.context[1].get(id(q), set()):
            score += 2
        score += (a.path == b.path) + (p is q)
        if score and isinstance(p, Entity) and isinstance(q, Entity):
            score += 0.5 * len({*p.adjectives} & {*q.adjectives}) + 0.25 * (p.plural == q.plural)
            score += 0.25 * (p.determiner == q.determiner) + 0.25 * (p.count == q.count)
        return score + 0.5 * (score > 0 and type(p) is type(q))


def _clauses_alike(a: Unit, b: Unit) -> float:
    ours, theirs = ({name: set(map(key, nodes)) for name, nodes in roles(unit).items()} for unit in (a, b))
    score = 4.0 * (a.node.verb == b.node.verb) + (a.path == b.path) + (a.node is b.node)
    score += sum(2.0 for name in ours if ours[name] & theirs.get(name, set()))
    score += len(set().union(*ours.values()) & set().union(*theirs.values()))
    return score + (0.5 * (a.node.tense == b.node.tense) if score else 0)
