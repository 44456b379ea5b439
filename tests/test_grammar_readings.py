"""Readings of ambiguous sentences: each reads the same in the source language, and all of them are found."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from course_lib.corpora.grammar import LANGUAGES, Example, reference_streams, sample
from course_lib.corpora.grammar.meaning import (
    Clause,
    Entity,
    Gap,
    Joined,
    Named,
    Place,
    Pronoun,
    Property,
    Speaker,
    Utterance,
)
from course_lib.corpora.grammar.readings import MOST, readings
from course_lib.corpora.grammar.sampling import Sampler

DOG, TEACHER = Entity("dog"), Entity("teacher_m")
GAP, GARDEN = Gap(), Place("at", Entity("garden"))
TIRED = Joined("and", Clause("eat", DOG, tense="past"), Clause("sleep", Pronoun(DOG), tense="past"))


def sought(doer, thing):
    return Entity("girl", relative=Clause("look_for", doer, thing, tense="past"))


drawn = st.builds(lambda seed: Sampler(random.Random(seed), 1).utterance(), st.integers(0, 2**32))


@pytest.mark.parametrize(
    ("clause", "source", "target", "expected"),
    [
        (Clause("sleep", TEACHER, tense="past"), "en", "de",
         {"Der Lehrer hat geschlafen.", "Die Lehrerin hat geschlafen."}),
        (Clause("sleep", TEACHER, tense="past"), "de", "en", {"The teacher slept.", "The teacher was sleeping."}),
        (Clause("sleep", TEACHER, tense="past"), "fr", "en", {"The teacher slept."}),
        (Clause("sleep", Entity("boy")), "fr", "en", {"The boy is sleeping.", "The boy sleeps."}),
        (Clause("sleep", Entity("boy"), time="now"), "de", "en", {"The boy is sleeping now."}),
        (Clause("arrive", Speaker(1), tense="past"), "en", "fr", {"Je suis arrivé.", "Je suis arrivée."}),
        (Clause("sleep", Entity("sheep"), tense="past"), "en", "de",
         {"Das Schaf hat geschlafen.", "Die Schafe haben geschlafen."}),
        (Clause("see", Speaker(1), Entity("sack"), tense="habit"), "fr", "en",
         {"I see the sack.", "I see the bag."}),
        (Clause("be", sought(Named("Olga", "f"), GAP), property=Property("old")), "de", "en",
         {"The girl that Olga looked for is old.", "The girl that Olga was looking for is old.",
          "The girl who looked for Olga is old.", "The girl who was looking for Olga is old."}),
        (Clause("be", sought(GAP, Named("Olga", "f")), property=Property("old")), "de", "fr",
         {"La fille qui a cherché Olga est vieille.", "La fille qui cherchait Olga est vieille.",
          "La fille qu'Olga a cherchée est vieille.", "La fille qu'Olga cherchait est vieille."}),
        (Clause("be", sought(Named("Olga", "f"), GAP), property=Property("old")), "en", "fr",
         {"La fille qu'Olga a cherchée est vieille."}),
        (Clause("be", Entity("newspaper", relative=Clause("read", Entity("woman"), GAP, tense="past", negated=True)),
                property=Property("old")), "de", "en",
         {"The newspaper that the woman did not read is old.", "The newspaper that the woman was not reading is old."}),
        (Clause("be", Entity("banana", relative=Clause("buy", Entity("woman"), GAP, tense="past")),
                property=Property("small")), "de", "fr",
         {"La banane que la femme a achetée est petite."}),
        (Clause("sing", Entity("boy"), modal="must", tense="past"), "en", "fr",
         {"Le garçon a dû chanter.", "Le garçon devait chanter."}),
        (Clause("see", Entity("boy"), Entity("cat", place=GARDEN), tense="past", negated=True), "en", "de",
         {"Der Junge hat die Katze im Garten nicht gesehen.", "Der Junge hat die Katze nicht im Garten gesehen."}),
        (Clause("see", Entity("boy"), Entity("cat"), place=GARDEN, tense="past", negated=True), "en", "de",
         {"Der Junge hat die Katze nicht im Garten gesehen.", "Der Junge hat die Katze im Garten nicht gesehen."}),
        (TIRED, "fr", "en",
         {f"The dog ate, and {pronoun} slept." for pronoun in ("it", "he", "she")}),
    ],
)  # fmt: skip
def test_the_readings_of_sentences_that_read_alike(clause, source, target, expected):
    assert set(Example.of(Utterance(clause)).references(source, target)) == expected


@given(drawn)
@settings(max_examples=40)
def test_every_reading_is_of_the_same_sentence(meaning):
    example = Example.of(meaning)
    for source in LANGUAGES:
        found = list(readings(meaning, source))
        assert found[0] == meaning and 1 <= len(found) <= MOST
        assert {Example.of(other).sentences[source] for other in found} == {example.sentences[source]}
        for target in LANGUAGES:
            references = example.references(source, target)
            assert references[0] == example.text(target) and len(set(references)) == len(references)
            assert source != target or references == [example.text(source)]


def test_any_reading_scores_100():
    examples = sample(30, seed=2, split="test")
    streams = reference_streams(examples, "de", "en")
    assert all(len(stream) == 30 for stream in streams) and None not in streams[0]
    last = [example.references("de", "en")[-1] for example in examples]
    assert BLEU().corpus_score(last, streams).score == pytest.approx(100)
    assert BLEU().corpus_score(last, streams[:1]).score < 100
    assert reference_streams([], "de", "en") == []


def test_unknown_languages_are_named():
    with pytest.raises(ValueError, match="language must be one of en, de, fr, got 'xx'"):
        sample(1)[0].references("xx", "en")


def test_a_compound_is_no_other_noun_that_makes_none():
    clock = Entity("clock", modifier="kitchen")
    for source in LANGUAGES:
        found = list(readings(Utterance(Clause("see", Speaker(1), clock, tense="past")), source))
        assert {reading.content.object.noun for reading in found} == {"clock"}
