"""Pairs of sentences in which one adjective decides what "it" is (after Levesque et al. 2012).

"The dog did not cross the street because it was too tired | too wide": German says "er" of the tired dog and "sie" of
the wide street. Whoever translates must know the antecedent: both nouns can be "it", and their genders differ.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from course_lib.corpora.grammar import LANGUAGES, Example
from course_lib.corpora.grammar.de_forms import agreement
from course_lib.corpora.grammar.lexicon import NOUNS, VERBS, nouns_of
from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Pronoun, Property, Utterance
from course_lib.corpora.grammar.selection import REASONABLE, decides
from course_lib.corpora.grammar.splits import admits_meaning, admits_sentence
from course_lib.corpora.grammar.words import positions

LIVING = ("person", "animal", "infant", "mass")  # and what is not counted: no antecedents of a second "it"
Story = tuple[str, bool, tuple[str, str], tuple[str, str]]  # verb, whether it happened, animal and thing with reasons


@dataclass(frozen=True)
class Winograd:
    """A sentence with "it". For each language: its tokens, and where the pronoun, its antecedent, and the other noun
    that English might mean stand. `subject`: whether the antecedent is the subject of the first clause, or its object.

    The two sentences of a pair differ in the adjective alone, and what is antecedent in one is the other noun in the
    other. They share `pair`.
    """

    words: dict[str, tuple[str, ...]]
    pronoun: dict[str, int]
    antecedent: dict[str, int]
    other: dict[str, int]
    subject: bool
    pair: int

    def text(self, language: str) -> str:
        """The sentence as running text."""
        return LANGUAGES[language].detokenise(list(self.words[language]))


def winograd_pairs(n: int, seed: int = 0) -> list[Winograd]:
    """`n` pairs, 2n sentences, no two alike, none of them in `train`; the same for the same seed.

    The first of a pair is that whose antecedent is the subject. Raises ValueError for a negative `n`, and for more
    pairs than there are (between one and two hundred).
    """
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    pairs = list(islice(_pairs(random.Random(seed)), n))
    if len(pairs) < n:
        raise ValueError(f"n must be at most {len(pairs)}, got {n}")
    return [sentence for pair in pairs for sentence in pair]


def _pairs(rng: random.Random) -> Iterator[tuple[Winograd, Winograd]]:
    seen: set[tuple[str, ...]] = set()
    for story in rng.sample(_stories(), len(_stories())):
        meanings = _meanings(story, rng.choice(("past", "present")))
        if any(admits_meaning("train", meaning) for meaning in meanings):
            continue
        first, second = (_sentence(meaning, k == 0, len(seen) // 2) for k, meaning in enumerate(meanings))
        new = {first.words["en"], second.words["en"]}
        if _admitted(first) and _admitted(second) and seen.isdisjoint(new):
            seen |= new
            yield first, second


@cache
def _stories() -> tuple[Story, ...]:
    """Every animal that did something or not, with what, and a reason that only it can have, and one of the thing."""
    found = []
    for verb in map(VERBS.__getitem__, REASONABLE):
        animals = [noun for noun in nouns_of(*verb.subjects) if "animal" in NOUNS[noun].classes]
        things = [noun for noun in nouns_of(*verb.objects) if NOUNS[noun].classes.isdisjoint(LIVING)]
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


def _gender(noun: str) -> str:
    return agreement(Entity(noun))[2]


def _meanings(story: Story, tense: str) -> list[Utterance]:
    verb, positive, (animal, of_animal), (thing, of_thing) = story
    tense = "past" if "past" in VERBS[verb].frame else tense
    subject, target = Entity(animal), Entity(thing)
    main = Clause(verb, subject, target, tense=tense, negated=not positive)
    degree = "plain" if positive else "too"
    reasons = [
        Clause("be", Pronoun(antecedent), property=Property(adjective, degree), tense=tense)
        for antecedent, adjective in ((subject, of_animal), (target, of_thing))
    ]
    return [Utterance(Joined("because", main, reason)) for reason in reasons]


def _sentence(meaning: Utterance, subject: bool, pair: int) -> Winograd:
    example, main = Example.of(meaning), meaning.content.first
    other = main.object if subject else main.subject
    found = {code: example.coreference(code) for code in LANGUAGES}
    return Winograd(
        example.sentences,
        {code: pairs[0][0] for code, pairs in found.items()},
        {code: pairs[0][1] for code, pairs in found.items()},
        {code: positions(example.words(code), other, "noun")[0] for code in LANGUAGES},
        subject,
        pair,
    )


def _admitted(sentence: Winograd) -> bool:
    """Whether English says "it", and shows no form that is held out of training in any language."""
    is_it = sentence.words["en"][sentence.pronoun["en"]] == "it"
    return is_it and all(admits_sentence("test", code, words) for code, words in sentence.words.items())
