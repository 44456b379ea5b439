"""Scenes: sentences that say what can be seen where, and the record from which a picture of it can be drawn.

"There are three red balls under the table" is one `Placing`: three red balls, "under", one table.
"""

from dataclasses import dataclass

from course_lib.corpora.grammar.lexicon import selects
from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Place, Utterance
from course_lib.corpora.grammar.participants import Participants

COLOURS = ("red", "blue", "green", "yellow", "white", "black", "brown", "grey")
SIZES = ("big", "bulky", "small")
THINGS = ("ball", "box", "cup", "hat", "book", "key", "lamp", "apple", "pear", "lemon", "flower", "candle", "umbrella")
ANIMALS = ("cat", "dog", "horse", "duck", "rabbit", "cow", "mouse", "bird")
GROUNDS = {
    "on": ("table", "chair", "bed", "bench", "sofa"),
    "under": ("table", "chair", "bed", "bench", "tree"),
    "in": ("box", "basket"),
    "behind": ("tree", "house", "car", "wall", "table", "boat"),
    "in_front_of": ("tree", "house", "car", "wall", "table", "boat"),
    "next_to": ("tree", "house", "car", "chair", "table", "boat"),
}
SMALL = ("ball", "key", "apple", "pear", "lemon", "candle", "mouse")  # what fits into a box
LARGE = ("horse", "cow")  # they are not under tables
FURNITURE = ("table", "chair", "bed", "bench", "sofa")
MOST = 5  # of a kind


@dataclass(frozen=True)
class Item:
    """So many things of a kind, with their colour and size where these are said ("" where not)."""

    noun: str
    count: int
    colour: str
    size: str


@dataclass(frozen=True)
class Placing:
    """An item and where it is: `relation` ("on", "under", "in", "behind", "in_front_of", "next_to") to the ground."""

    item: Item
    relation: str
    ground: Item


class SceneSampler(Participants):
    """Draws scenes of one or two placings."""

    def utterance(self) -> Utterance:
        """A sentence that can be drawn."""
        first = self.placed()
        return Utterance(Joined("and", first, self.placed(first.subject.noun)) if self.chance(0.5) else first)

    def placed(self, other: str = "") -> Clause:
        """There is something, not the `other`, somewhere; something is somewhere."""
        relation = self.pick(tuple(GROUNDS))
        ground = self.pick(GROUNDS[relation])
        options = SMALL if relation == "in" else THINGS + ANIMALS
        unfit = {ground, other, *(LARGE if relation in ("on", "under") and ground in FURNITURE else ())}
        noun = self.pick(tuple(noun for noun in options if noun not in unfit))
        count = 1 if self.chance(0.6) else 2 + int(self.random() * (MOST - 1))
        exists = count > 1 or self.chance(0.6)
        item = Entity(noun, count > 1, "a" if exists else "the", self.looks(noun), count if count > 1 else None)
        where = Place(relation, Entity(ground, adjectives=self.looks(ground)))
        return Clause("exist" if exists else "be", item, place=where)

    def looks(self, noun: str) -> tuple[str, ...]:
        """A size, a colour, both or neither."""
        found = []
        for adjectives in (SIZES, COLOURS):
            options = tuple(adjective for adjective in adjectives if selects(adjective, noun))
            if options and self.chance(0.4):
                found.append(self.pick(options))
        return tuple(found)


def scene(meaning: Utterance) -> tuple[Placing, ...]:
    """What a sentence shows and where, in its order; () if it says anything that cannot be drawn."""
    content = meaning.content
    clauses = (content.first, content.second) if isinstance(content, Joined) else (content,)
    if meaning.question or not all(map(_drawable, clauses)):
        return ()
    return tuple(Placing(_item(c.subject), c.place.relation, _item(c.place.ground)) for c in clauses)


def _drawable(c: Clause | Joined) -> bool:
    if not isinstance(c, Clause) or c.verb not in ("be", "exist") or c.negated or c.place is None:
        return False
    ends = (c.subject, c.place.ground)
    return c.place.relation in GROUNDS and all(
        isinstance(np, Entity)
        and np.noun in {*THINGS, *ANIMALS, *GROUNDS[c.place.relation]}
        and {*np.adjectives} <= {*SIZES, *COLOURS}
        and not (np.owner or np.relative or np.modifier or np.place)
        and (np.count is not None or not np.plural)
        for np in ends
    )


def _item(np: Entity) -> Item:
    size = next((adjective for adjective in np.adjectives if adjective in SIZES), "")
    colour = next((adjective for adjective in np.adjectives if adjective in COLOURS), "")
    return Item(np.noun, np.count or 1, colour, "big" if size == "bulky" else size)
