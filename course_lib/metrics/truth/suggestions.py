"""What the words of an output suggest that it says: nouns with what belongs to them, names, verbs, adverbs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from course_lib.corpora.grammar.lexicon import ADVERBS, NOUNS
from course_lib.corpora.grammar.meaning import Entity, Named
from course_lib.corpora.grammar.names import FIRST
from course_lib.metrics.truth.clues import (
    Clue,
    adverb_kind,
    determiners,
    is_negation,
    is_pronoun,
    known,
    lexicon,
    numbers,
)

GENDERS = dict(FIRST)


class Suggested(NamedTuple):
    """What the tokens of an output that the meaning does not say yet can be."""

    nouns: tuple[Entity, ...]
    names: tuple[Named, ...]  # of people
    towns: tuple[Named, ...]
    verbs: tuple[Clue, ...]
    adjectives: tuple[str, ...]
    adverbs: tuple[Clue, ...]
    numbers: tuple[int, ...]
    pronouns: bool  # whether there is a pronoun among them
    negation: bool


def suggested(output: list[str], places: Sequence[int], language: str) -> Suggested:
    """What the tokens of `output` at these places can be; a noun with the words beside it that belong to it."""
    found: list[Clue] = []
    nouns: dict[Entity, None] = {}
    names: dict[Named, None] = {}
    towns: dict[Named, None] = {}
    counts: list[int] = []
    tokens = set(output)
    for concept, adverb in ADVERBS.items():
        if all(word.partition("/")[0] in tokens for word in adverb.cells[language].split()):
            found.append(Clue(adverb_kind(concept), concept))
    for j in places:
        token = output[j]
        for clue in lexicon(language).get(token, ()):
            found.append(clue)
            if clue.kind in ("noun", "modifier"):
                nouns[_noun_phrase(output, j, clue, language)] = None
        if token in numbers(language) or token.isdigit():
            counts.append(numbers(language).get(token) or int(token))
        if token in GENDERS:
            names[Named(token, GENDERS[token])] = None
        elif token[:1].isupper() and not known(token, language):
            before = output[j - 1] if j else ""
            if before in ("Frau", "Mrs", "madame"):
                names[Named(token, "f", True)] = None
            elif before in ("Herr", "Herrn", "Mr", "monsieur"):
                names[Named(token, "m", True)] = None
            else:
                towns[Named(token, "t")] = None

    def of(*kinds: str) -> tuple[Clue, ...]:
        return tuple(dict.fromkeys(clue for clue in found if clue.kind in kinds))

    adjectives = tuple(clue.concept for clue in of("adjective"))
    return Suggested(
        tuple(nouns),
        tuple(names),
        tuple(towns),
        of("verb"),
        adjectives,
        of("time", "frequency", "manner"),
        tuple(counts),
        any(is_pronoun(output[j], language) for j in places),
        any(is_negation(output[j], language) for j in places),
    )


def _noun_phrase(output: list[str], j: int, clue: Clue, language: str) -> Entity:
    """A noun with the adjectives, the number and the determiner that stand before it."""
    noun, _, modifier = clue.concept.partition(" ")
    adjectives, count, start = [], None, j
    while start:
        token = output[start - 1]
        adjective = next((c.concept for c in lexicon(language).get(token, ()) if c.kind == "adjective"), None)
        number = numbers(language).get(token) or (int(token) if token.isdigit() else None)
        if adjective:
            adjectives.insert(0, adjective)
        elif number:
            count = number
        else:
            break
        start -= 1
    determiner = determiners(language).get(output[start - 1] if start else "", "a")
    plural = (clue.slot == "plural" or bool(count)) and "mass" not in NOUNS[noun]
    if determiner in ("some", "many") and not plural:
        determiner = "a"
    return Entity(noun, plural, determiner, tuple(adjectives), count, modifier or None)


def fields(np: Entity) -> dict[str, Any]:
    """What a noun phrase of an output says of itself."""
    return {name: getattr(np, name) for name in ("noun", "plural", "determiner", "adjectives", "count", "modifier")}
