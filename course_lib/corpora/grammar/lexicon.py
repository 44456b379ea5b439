"""The concepts of the grammar: what each one is, what it may go with, and its cell in every language.

`nouns_….tsv` (a field each), `adjectives.tsv`, `verbs.tsv` and `adverbs.tsv` hold one concept a row and one language a
column, so that a reader sees dog, Hund and chien side by side. What a cell says is defined by its language's module.

The rows stand in the order of how often they are drawn. Frequencies follow the law of Zipf and Mandelbrot: the word at
rank r has the weight (r + b)^-a. A few words are everywhere, most are rare; the rarest share a least weight.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True)
class Noun:
    """A noun, with the semantic classes that verbs and adjectives select, and the weight with which it is drawn."""

    concept: str
    classes: frozenset[str]
    cells: dict[str, str]
    weight: float

    def __contains__(self, kind: str) -> bool:
        return kind in self.classes


@dataclass(frozen=True)
class Adjective:
    """An adjective; `rank` orders it before the noun, from 1 (opinion) to 5 (colour)."""

    concept: str
    rank: int
    selects: frozenset[str]
    cells: dict[str, str]
    weight: float


@dataclass(frozen=True)
class Verb:
    """A verb: the classes of its subject and object, its frame, and plausible reasons for it.

    A reason is (role, polarity, adjective): ("O", False, "wide") says that one may *not* do it because the object is
    *too* wide, ("S", True, "thirsty") that one may do it because the subject is thirsty.
    """

    concept: str
    subjects: tuple[str, ...]
    objects: tuple[str, ...]
    frame: frozenset[str]
    places: tuple[str, ...]
    reasons: tuple[tuple[str, bool, str], ...]
    cells: dict[str, str]
    weight: float

    @property
    def lasts(self) -> bool:
        """Whether its past is a state as well: liebte, aimait; but hat verstanden, a compris."""
        return "state" in self.frame and "grasp" not in self.frame


@dataclass(frozen=True)
class Adverb:
    """An adverb or a fixed phrase; `kinds` are "time", "period", "frequency" or frame tags of the verbs it suits."""

    concept: str
    kinds: frozenset[str]
    tenses: frozenset[str]
    cells: dict[str, str]


FIELDS = ("people", "animals", "food", "things", "places", "ideas")
NOUN_LAW = (40, 10, 3.4e-20)  # shift, exponent, least weight: for the nouns of each field
VERB_LAW = (40, 8, 5e-17)
ADJECTIVE_LAW = (20, 4)


def rows(table: str) -> list[dict[str, str]]:
    """The rows of a table of this package, as dictionaries from column to cell."""
    text = resources.files(__package__).joinpath(f"{table}.tsv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def _words(cell: str) -> tuple[str, ...]:
    return () if cell == "-" else tuple(cell.split())


def zipf_mandelbrot(rank: int, shift: float, exponent: float, least: float = 0) -> float:
    """The weight (rank + shift)^-exponent of the word at `rank`, from 0 (Mandelbrot 1953), but `least` or more."""
    return max((rank + shift) ** -exponent, least)


def _nouns() -> dict[str, Noun]:
    nouns = {}
    for field in FIELDS:
        for rank, row in enumerate(rows(f"nouns_{field}")):
            concept, classes = row.pop("concept"), row.pop("classes")
            weight = zipf_mandelbrot(rank, *NOUN_LAW)
            nouns[concept] = Noun(concept, frozenset([concept, *classes.split()]), row, weight)
    return nouns


def _adjectives() -> dict[str, Adjective]:
    adjectives = {}
    for place, row in enumerate(rows("adjectives")):
        concept, rank, selects = row.pop("concept"), int(row.pop("rank")), frozenset(_words(row.pop("selects")))
        adjectives[concept] = Adjective(concept, rank, selects, row, zipf_mandelbrot(place, *ADJECTIVE_LAW))
    return adjectives


def _verbs() -> dict[str, Verb]:
    verbs = {}
    for rank, row in enumerate(rows("verbs")):
        concept, frame = row.pop("concept"), _words(row.pop("frame"))
        places = [tag[3:].split(",") for tag in frame if tag.startswith("at:")]
        reasons = tuple((tag[0], tag[1] == "+", tag[2:]) for tag in _words(row.pop("reasons")) if len(tag) > 2)
        verbs[concept] = Verb(
            concept,
            _words(row.pop("subject")),
            _words(row.pop("object")),
            frozenset(tag for tag in frame if not tag.startswith("at:")),
            tuple(places[0]) if places else (),
            reasons,
            row,
            zipf_mandelbrot(rank, *VERB_LAW),
        )
    return verbs


def _adverbs() -> dict[str, Adverb]:
    adverbs = {}
    for row in rows("adverbs"):
        concept, kinds, tenses = row.pop("concept"), row.pop("kind").split(), row.pop("tense").split()
        adverbs[concept] = Adverb(concept, frozenset(kinds), frozenset(tenses), row)
    return adverbs


NOUNS = _nouns()
ADJECTIVES = _adjectives()
VERBS = _verbs()
ADVERBS = _adverbs()
# head → its possible modifiers ("kitchen table", "Küchentisch", "table de cuisine")
COMPOUNDS = {row["head"]: tuple(row["modifiers"].split()) for row in rows("compounds")}


@cache
def nouns_of(*classes: str) -> tuple[str, ...]:
    """The noun concepts that belong to one of `classes`, in the order of the table."""
    return tuple(concept for concept, noun in NOUNS.items() if not noun.classes.isdisjoint(classes))


def selects(adjective: str, noun: str) -> bool:
    """Whether `noun` can sensibly be called `adjective`: rivers are wide, dogs are tired."""
    return not ADJECTIVES[adjective].selects.isdisjoint(NOUNS[noun].classes)


@cache
def function_words(language: str) -> frozenset[str]:
    """The words of a language that say little of the matter: articles, pronouns, auxiliaries, numbers, adverbs."""
    cells = [row["words"] for row in rows("function_words") if row["language"] == language]
    cells += [adverb.cells.get(language, "") for adverb in ADVERBS.values()]
    return frozenset(word.partition("/")[0] for cell in cells for word in cell.split())
