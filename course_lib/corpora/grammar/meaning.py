"""The abstract syntax: who does what to whom, where, when and why, in no language.

A meaning is a tree of frozen dataclasses with an `Utterance` at its root. Nodes are told apart by identity: a
`Pronoun` points at the very object it stands for, and every word remembers the node that it came from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Union


@dataclass(frozen=True, slots=True)
class Entity:
    """A noun phrase: "the two old kitchen tables of the king in the garden that the boy is painting".

    `determiner` is "the", "a" (bare in the plural and of masses), "this", and in the plural also "some" or "many"; an
    `owner` takes its place. `sex` ("m" or "f") is for an animal that English calls he or she.
    """

    noun: str
    plural: bool = False
    determiner: str = "the"
    adjectives: tuple[str, ...] = ()
    count: int | None = None
    modifier: str | None = None
    owner: Union["Entity", "Named", "Pronoun", "Speaker", None] = None
    place: Union["Place", None] = None
    relative: Union["Clause", None] = None
    sex: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody (gender "m" or "f", perhaps with a title: "Mrs Torvik") or some town (gender "t")."""

    name: str
    gender: str
    title: bool = False

    @property
    def rare(self) -> bool:
        """Whether the name is of the open list of rare ones: those of towns and of people with a title."""
        return self.title or self.gender == "t"


@dataclass(frozen=True, slots=True)
class Speaker:
    """I (1), you (2), or we (1, plural); the gender shows in French participles only."""

    person: int
    plural: bool = False
    gender: str = "m"


@dataclass(frozen=True, slots=True)
class Pronoun:
    """He, she, it or they: agrees in each language with the noun that language has for `antecedent`."""

    antecedent: Union[Entity, Named, "Both"]


@dataclass(frozen=True, slots=True)
class Both:
    """Two participants at once: "the dog and Anna"."""

    first: Entity | Named
    second: Entity | Named


@dataclass(frozen=True, slots=True)
class Wh:
    """What is asked for: "who" or "what"."""

    word: str


@dataclass(frozen=True, slots=True)
class Gap:
    """The place of the head noun inside its relative clause."""


@dataclass(frozen=True, slots=True)
class Place:
    """`relation` is "at", "to" (each noun knows its own preposition), "in", "on", "under", "behind", "in_front_of",
    "next_to"."""

    relation: str
    ground: Entity | Named | Gap


@dataclass(frozen=True, slots=True)
class Property:
    """A predicate adjective: `degree` is "plain", "very", "too" or "more" (`than` something)."""

    adjective: str
    degree: str = "plain"
    than: Entity | Named | None = None


Participant = Entity | Named | Speaker | Pronoun | Both | Wh | Gap


@dataclass(frozen=True, slots=True)
class Clause:
    """One predicate with its participants.

    `tense` is "present", "past", "ongoing" (past, of what was going on), "future" or "habit" (present, of what is
    usual); `modal` is "can", "must" or "want". `passive`: "the apple is eaten by the girl" of the girl who eats it.
    """

    verb: str
    subject: Participant
    object: Participant | None = None
    recipient: Participant | None = None
    place: Place | None = None
    property: Property | None = None
    content: Union["Clause", "Joined", None] = None
    time: str | None = None
    frequency: str | None = None
    manner: str | None = None
    tense: str = "present"
    modal: str | None = None
    negated: bool = False
    time_first: bool = False
    place_first: bool = False
    passive: bool = False


@dataclass(frozen=True, slots=True)
class Joined:
    """Two clauses: "and", "but" coordinate; "because", "while", "when" subordinate the second, which may come first."""

    conjunction: str
    first: Union[Clause, "Joined"]
    second: Clause
    second_first: bool = False


@dataclass(frozen=True, slots=True)
class Utterance:
    """A whole sentence: a statement, or a question: "whether", "wh" (the clause has a `Wh`), "why", "where"."""

    content: Clause | Joined
    question: str | None = None


def topic(c: Clause) -> Participant | None:
    """What the verb agrees with: the subject, in the passive the object."""
    return c.object if c.passive else c.subject


Node = Utterance | Joined | Clause | Property | Place | Participant
CHILDREN = {
    Entity: ("owner", "place", "relative"),
    Clause: ("subject", "object", "recipient", "property", "place", "content"),
    Joined: ("first", "second"),
    Both: ("first", "second"),
    Place: ("ground",),
    Property: ("than",),
    Utterance: ("content",),
}


_NODES = CHILDREN | {Pronoun: ("antecedent",)}
_LAST_FIRST = {kind: attrgetter("__class__", *reversed(names)) for kind, names in CHILDREN.items()}


def nodes(node: Node | None) -> list[Node]:
    """`node` and all below it, depth first; antecedents are not entered again."""
    found, left = [], [node]
    while left:
        if (node := left.pop()) is not None:
            found.append(node)
            if children := _LAST_FIRST.get(type(node)):
                left.extend(children(node)[1:])
    return found


def rebuilt(tree: Node, changes: Mapping[int, Mapping[str, Any]]) -> Node:
    """`tree` with other fields in some of its nodes, given by their identity; pronouns follow their antecedents.

    A field may be given another node of the tree: it is rebuilt there. What nothing changes in stays the node it is.
    """
    done: dict[int, Any] = {}

    def new(node: Any) -> Any:
        if id(node) not in done:
            asked = changes.get(id(node), {})
            values = {name: new(value) for name, value in asked.items()}
            for name in _NODES.get(type(node), ()):
                if name not in asked and (value := new(old := getattr(node, name))) is not old:
                    values[name] = value
            done[id(node)] = replace(node, **values) if values else node
        return done[id(node)]

    return new(tree)
