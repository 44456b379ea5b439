"""Pairs of sentences with "it", whose German pronoun tells what it was taken for: "er", "sie" or "es".

- `clear_pairs`: "The man did not carry the suitcase | the box because it was too heavy." English says "he" of the man,
  so "it" can only be the thing: der Koffer … er, die Kiste … sie. One needs its gender.
- `winograd_pairs`: "The dog did not cross the street because it was too tired | too wide." Both nouns can be "it", and
  one adjective decides (Levesque et al. 2012): der Hund … er, die Straße … sie.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from course_lib.corpora.grammar import LANGUAGES, Example
from course_lib.corpora.grammar.de_forms import agreement
from course_lib.corpora.grammar.lexicon import NOUNS, VERBS, nouns_of
from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Pronoun, Property, Utterance
from course_lib.corpora.grammar.selection import REASONABLE, decides, pronominal
from course_lib.corpora.grammar.splits import admits_meaning, admits_sentence
from course_lib.corpora.grammar.words import positions

LIVING = ("person", "animal", "infant", "mass")  # and what is not counted
Meanings = tuple[Utterance, Utterance]  # of the two sentences of a pair


@dataclass(frozen=True)
class Anaphora:
    """A sentence with "it". For each language: its tokens, and where the pronoun, its antecedent, the other noun and
    the articles of both stand. `subject`: whether the antecedent is the subject of the first clause, or its object.

    The two sentences of a pair differ in one English word and share `pair`; their German pronouns differ.
    """

    words: dict[str, tuple[str, ...]]
    pronoun: dict[str, int]
    antecedent: dict[str, int]
    other: dict[str, int]
    article: dict[str, int]
    other_article: dict[str, int]
    subject: bool
    pair: int

    def text(self, language: str) -> str:
        """The sentence as running text."""
        return LANGUAGES[language].detokenise(list(self.words[language]))


def clear_pairs(n: int, seed: int = 0) -> list[Anaphora]:
    """`n` pairs, 2n sentences, no two alike, none of them in `train`; the same for the same seed.

    The subject is a person, "it" the object. Raises ValueError for a negative `n`.
    """
    return _first(n, _pairs(_clear(random.Random(seed))))


def winograd_pairs(n: int, seed: int = 0) -> list[Anaphora]:
    """`n` pairs, 2n sentences, no two alike, none of them in `train`; the same for the same seed.

    The first of a pair is that whose antecedent is the subject. What is antecedent in one is the other noun in the
    other. Raises ValueError for a negative `n`, and for more pairs than there are (between one and two hundred).
    """
    return _first(n, _pairs(_winograd(random.Random(seed))))


def _first(n: int, pairs: Iterator[tuple[Anaphora, Anaphora]]) -> list[Anaphora]:
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    found = list(islice(pairs, n))
    if len(found) < n:
        raise ValueError(f"n must be at most {len(found)}, got {n}")
    return [sentence for pair in found for sentence in pair]


def _pairs(drawn: Iterator[Meanings]) -> Iterator[tuple[Anaphora, Anaphora]]:
    """Those that training has not shown, in known forms, each sentence once."""
    seen: set[tuple[str, ...]] = set()
    for meanings in drawn:
        if any(admits_meaning("train", meaning) for meaning in meanings):
            continue
        first, second = (_sentence(meaning, len(seen) // 2) for meaning in meanings)
        new = {first.words["en"], second.words["en"]}
        if _admitted(first) and _admitted(second) and seen.isdisjoint(new):
            seen |= new
            yield first, second


def _clear(rng: random.Random) -> Iterator[Meanings]:
    """Two things that somebody did something with, or did not, for the same reason, which only the thing can have."""
    verbs = [VERBS[verb] for verb in REASONABLE if _of(VERBS[verb].objects, _thing)]
    while True:
        verb = rng.choice(verbs)
        reasons = [reason for reason in verb.reasons if reason[0] == "O"]
        people, things = _of(verb.subjects, _person), _of(verb.objects, _thing)
        if not reasons or not people or len(things) < 2:
            continue
        (_, positive, adjective), person, (one, other) = rng.choice(reasons), rng.choice(people), rng.sample(things, 2)
        tense = rng.choice(("past", "present"))
        if _gender(one) != _gender(other) and all(decides(adjective, thing, person) for thing in (one, other)):
            yield tuple(
                _because(verb.concept, positive, person, thing, False, adjective, tense) for thing in (one, other)
            )


def _winograd(rng: random.Random) -> Iterator[Meanings]:
    """Each story once, with both its reasons."""
    for verb, positive, (animal, of_animal), (thing, of_thing) in rng.sample(_stories(), len(_stories())):
        tense = rng.choice(("past", "present"))
        yield (
            _because(verb, positive, animal, thing, True, of_animal, tense),
            _because(verb, positive, animal, thing, False, of_thing, tense),
        )


@cache
def _stories() -> tuple[tuple[str, bool, tuple[str, str], tuple[str, str]], ...]:
    """Every animal that did something or not, with what, and a reason that only it can have, and one of the thing."""
    found = []
    for verb in map(VERBS.__getitem__, REASONABLE):
        animals, things = _of(verb.subjects, _animal), _of(verb.objects, _thing)
        for (role, positive, of_animal), (other, same, of_thing) in product(verb.reasons, repeat=2):
            if (role, other) == ("S", "O") and positive == same:
                found += [
                    (verb.concept, positive, (animal, of_animal), (thing, of_thing))
                    for animal, thing in product(animals, things)
                    if _gender(animal) != _gender(thing)
                    and decides(of_animal, animal, thing)
                    and decides(of_thing, thing, animal)
                ]
    return tuple(found)


def _of(classes: frozenset[str], kind: Callable[[str], bool]) -> list[str]:
    return [noun for noun in nouns_of(*classes) if kind(noun)]


def _animal(noun: str) -> bool:
    return "animal" in NOUNS[noun].classes


def _person(noun: str) -> bool:
    return "person" in NOUNS[noun].classes and pronominal(noun)


def _thing(noun: str) -> bool:
    return NOUNS[noun].classes.isdisjoint(LIVING)


def _gender(noun: str) -> str:
    return agreement(Entity(noun))[2]


def _because(verb: str, positive: bool, actor: str, thing: str, subject: bool, adjective: str, tense: str) -> Utterance:
    """What somebody did with a thing or did not, and that the `subject`, or else the thing, was (too) …"""
    tense = "past" if "past" in VERBS[verb].frame else tense
    both = Entity(actor), Entity(thing)
    degree = Property(adjective, "plain" if positive else "too")
    reason = Clause("be", Pronoun(both[0 if subject else 1]), property=degree, tense=tense)
    return Utterance(Joined("because", Clause(verb, *both, tense=tense, negated=not positive), reason))


def _sentence(meaning: Utterance, pair: int) -> Anaphora:
    example, main, it = Example.of(meaning), meaning.content.first, meaning.content.second.subject
    subject = it.antecedent is main.subject
    other = main.object if subject else main.subject

    def place(node: Entity | Pronoun, part: str) -> dict[str, int]:
        return {code: positions(example.words(code), node, part)[0] for code in LANGUAGES}

    return Anaphora(
        words=example.sentences,
        pronoun=place(it, "pronoun"),
        antecedent=place(it.antecedent, "noun"),
        other=place(other, "noun"),
        article=place(it.antecedent, "determiner"),
        other_article=place(other, "determiner"),
        subject=subject,
        pair=pair,
    )


def _admitted(sentence: Anaphora) -> bool:
    """Whether English says "it", and no language shows a form that is held out of training."""
    is_it = sentence.words["en"][sentence.pronoun["en"]] == "it"
    return is_it and all(admits_sentence("test", code, words) for code, words in sentence.words.items())
