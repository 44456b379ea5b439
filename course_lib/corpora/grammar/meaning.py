"""The abstract syntax: who does what to whom, where, when and why, in no language.

A meaning is a tree of frozen dataclasses with an `Utterance` at its root. Nodes are told apart by identity: a
`Pronoun` points at the very object it stands for, and every word remembers the node that it came from.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
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
    usual); `modal` is "can", "must" or "want".
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


def nodes(node: Node | None) -> Iterator[Node]:
    """`node` and all below it, depth first; antecedents are not entered again."""
    left = [node]
    while left:
        if (node := left.pop()) is not None:
            yield node
            left += [getattr(node, name) for name in reversed(CHILDREN.get(type(node), ()))]


def rebuilt(tree: Node, changes: Mapping[int, Mapping[str, Any]]) -> Node:
    """`tree` with other fields in some of its nodes, given by their identity; pronouns follow their antecedents."""
    done: dict[int, Any] = {}

    def new(node: Any) -> Any:
        if not is_dataclass(node):
            return node
        if id(node) not in done:
            values = {field.name: new(getattr(node, field.name)) for field in fields(node)}
            done[id(node)] = replace(node, **values | dict(changes.get(id(node), {})))
        return done[id(node)]

    return new(tree)
