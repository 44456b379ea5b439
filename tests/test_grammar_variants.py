"""Paraphrases and foils of one meaning, and what FULL draws more often than RATES."""

from dataclasses import asdict

import pytest

from course_lib.corpora.grammar import LANGUAGES, Example, sample
from course_lib.corpora.grammar.lexicon import VERBS
from course_lib.corpora.grammar.meaning import (
    Clause,
    Entity,
    Joined,
    Named,
    Place,
    Pronoun,
    Property,
    Speaker,
    Utterance,
    nodes,
)
from course_lib.corpora.grammar.rates import FULL, RATES
from course_lib.corpora.grammar.selection import SEPARABLE
from course_lib.corpora.grammar.splits import key
from course_lib.corpora.grammar.variants import foils, paraphrases
from course_lib.corpora.grammar.words import positions

EVA, MAN, WOMAN, BOOK = Named("Eva", "f"), Entity("man"), Entity("woman"), Entity("book")
KITCHEN = Place("at", Entity("kitchen"))
SANG = Clause("sing", EVA, place=KITCHEN, tense="past", time="on_sunday")
SEES = Clause("see", Entity("man", adjectives=("old",)), WOMAN)


@pytest.fixture(scope="module")
def full():
    return sample(800, seed=4, rates=FULL)


def texts(variants):
    return [(kind, *(example.text(code) for code in LANGUAGES)) for kind, example in variants]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (SANG, [
            ("time", "On Sunday, Eva sang in the kitchen.", "Am Sonntag hat Eva in der Küche gesungen.",
             "Dimanche, Eva a chanté dans la cuisine."),
            ("place", "In the kitchen, Eva sang on Sunday.", "In der Küche hat Eva am Sonntag gesungen.",
             "Dans la cuisine, Eva a chanté dimanche."),
        ]),
        (Joined("while", Clause("laugh", MAN), Clause("sing", EVA)), [
            ("order", "While Eva is singing, the man is laughing.", "Während Eva singt, lacht der Mann.",
             "Pendant qu'Eva chante, l'homme rit."),
        ]),
        (Joined("while", Clause("laugh", MAN), Clause("sing", Pronoun(MAN))), []),
        (Clause("be", MAN, property=Property("old", "more", WOMAN)), [
            ("converse", "The woman is younger than the man.", "Die Frau ist jünger als der Mann.",
             "La femme est plus jeune que l'homme."),
        ]),
        (Clause("go", EVA, place=Place("to", Entity("station"))), []),
        (Clause("stay", EVA, place=KITCHEN), []),
    ],
)  # fmt: skip
def test_paraphrases(content, expected):
    assert texts(paraphrases(Example.of(Utterance(content)))) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (SEES, [
            ("roles", "The woman sees the old man.", "Die Frau sieht den alten Mann.", "La femme voit le vieil homme."),
            ("adjective", "The man sees the old woman.", "Der Mann sieht die alte Frau.",
             "L'homme voit la vieille femme."),
        ]),
        (Joined("and", Clause("laugh", MAN, negated=True), Clause("sing", EVA)), [
            ("negation", "The man is laughing, and Eva is not singing.", "Der Mann lacht und Eva singt nicht.",
             "L'homme rit et Eva ne chante pas."),
        ]),
        (Clause("eat", MAN, Entity("apple")), []),
    ],
)  # fmt: skip
def test_foils(content, expected):
    assert texts(foils(Example.of(Utterance(content)))) == expected


def test_variants_of_drawn_sentences_have_the_words_of_the_sentence_and_read_otherwise(full):
    kinds = set()
    for example in full[:300]:
        for variants in (paraphrases(example), foils(example)):
            for kind, other in variants:
                kinds.add(kind)
                assert kind == "converse" or key(other.meaning) == key(example.meaning)
                assert all(other.sentences[code] != example.sentences[code] for code in LANGUAGES)
    assert kinds >= {"time", "place", "order", "voice", "roles", "negation", "adjective"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (Clause("give", EVA, Pronoun(BOOK), Pronoun(MAN), tense="past", time="today"),
         ("Eva gave it to him today.", "Eva hat es ihm heute gegeben.", "Eva le lui a donné aujourd'hui.")),
        (Clause("give", EVA, Pronoun(BOOK), Speaker(1), tense="future"),
         ("Eva will give it to me.", "Eva wird es mir geben.", "Eva va me le donner.")),
        (Clause("give", EVA, BOOK, Speaker(2), negated=True, tense="habit", time="today"),
         ("Eva does not give the book to you today.", "Eva gibt dir heute das Buch nicht.",
          "Eva ne te donne pas le livre aujourd'hui.")),
        (Clause("give", EVA, Pronoun(Entity("pear", True)), Pronoun(Entity("child", True)), tense="past"),
         ("Eva gave them to them.", "Eva hat sie ihnen gegeben.", "Eva les leur a données.")),
    ],
)  # fmt: skip
def test_pronouns_as_recipients(content, expected):
    example = Example.of(Utterance(content))
    assert tuple(example.text(code) for code in LANGUAGES) == expected
    for source, target in (("en", "de"), ("en", "fr"), ("de", "fr")):
        (i,), (j,) = (positions(example.words(code), content.recipient, "pronoun") for code in (source, target))
        assert (i, j) in example.alignment(source, target)
    (to,) = positions(example.words("en"), content, "to")
    assert {(to, j) for j in positions(example.words("fr"), content.recipient, "pronoun")} <= example.possible(
        "en", "fr"
    )


EATEN = [
    ("present", None, "The pears are being eaten by the man.", "Die Birnen werden vom Mann gegessen.",
     "Les poires sont mangées par l'homme."),
    ("habit", None, "The pears are eaten by the man.", "Die Birnen werden vom Mann gegessen.",
     "Les poires sont mangées par l'homme."),
    ("past", None, "The pears were eaten by the man.", "Die Birnen wurden vom Mann gegessen.",
     "Les poires ont été mangées par l'homme."),
    ("ongoing", None, "The pears were being eaten by the man.", "Die Birnen wurden vom Mann gegessen.",
     "Les poires étaient mangées par l'homme."),
    ("future", None, "The pears will be eaten by the man.", "Die Birnen werden vom Mann gegessen werden.",
     "Les poires vont être mangées par l'homme."),
    ("present", "can", "The pears can be eaten by the man.", "Die Birnen können vom Mann gegessen werden.",
     "Les poires peuvent être mangées par l'homme."),
    ("past", "must", "The pears had to be eaten by the man.", "Die Birnen mussten vom Mann gegessen werden.",
     "Les poires ont dû être mangées par l'homme."),
]  # fmt: skip


@pytest.mark.parametrize(("tense", "modal", *LANGUAGES), EATEN)
def test_the_passive_in_every_tense(tense, modal, en, de, fr):
    content = Clause("eat", MAN, Entity("pear", True), tense=tense, modal=modal, passive=True)
    example = Example.of(Utterance(content))
    assert [example.text(code) for code in LANGUAGES] == [en, de, fr]
    for code in LANGUAGES:
        ((subject, verb, plural),) = example.agreement(code)
        assert (subject, verb, plural) == (1, 2, True)
    for source, target in (("en", "de"), ("en", "fr"), ("de", "fr")):
        links = example.alignment(source, target)
        for part in ("agent", "verb"):
            (i,), (j,) = (positions(example.words(code), content, part) for code in (source, target))
            assert (i, j) in links
    voice = [other for kind, other in paraphrases(example) if kind == "voice"]
    assert [clause.passive for other in voice for clause in nodes(other.meaning) if isinstance(clause, Clause)] == [
        False
    ]


@pytest.mark.parametrize(
    "content",
    [
        Clause("love", MAN, WOMAN),
        Clause("wait_for", MAN, WOMAN),
        Clause("help", MAN, WOMAN),
        Clause("eat", MAN, Entity("pear", determiner="a"), negated=True),
        Clause("eat", MAN, Entity("pear"), modal="want"),
        Clause("wash", EVA, Entity("car", owner=Pronoun(EVA))),
        Clause("eat", Speaker(1), Entity("pear")),
    ],
)
def test_what_has_no_passive(content):
    assert not [kind for kind, _ in paraphrases(Example.of(Utterance(content))) if kind == "voice"]


def test_the_passive_in_a_subordinate_clause_with_a_separable_verb():
    called = Clause("call", MAN, EVA, tense="past", passive=True)
    example = Example.of(Utterance(Clause("think", WOMAN, content=called)))
    assert example.text("de") == "Die Frau glaubt, dass Eva vom Mann angerufen wurde."
    assert example.text("fr") == "La femme pense qu'Eva a été appelée par l'homme."


def test_a_place_in_front_is_followed_by_the_german_verb_and_linked():
    content = Clause("call", EVA, MAN, place=KITCHEN, tense="present", place_first=True)
    example = Example.of(Utterance(content))
    assert example.text("de") == "In der Küche ruft Eva den Mann an."
    assert example.alignment("en", "de") >= {(0, 0), (1, 1), (2, 2)}


def test_full_draws_what_the_default_leaves_out(full):
    plain = sample(800, seed=4)

    def share(examples, shows):
        clauses = ([node for node in nodes(e.meaning) if isinstance(node, Clause)] for e in examples)
        return sum(any(map(shows, found)) for found in clauses) / len(examples)

    for shows, least in (
        (lambda c: c.time_first or c.place_first, 0.12),
        (lambda c: c.passive, 0.03),
        (lambda c: c.recipient is not None, 0.05),
        (lambda c: isinstance(c.recipient, Pronoun | Speaker), 0.02),
        (lambda c: c.verb in SEPARABLE, 0.10),
    ):
        assert share(full, shows) > max(least, share(plain, shows))
    assert share(plain, lambda c: c.place_first or c.passive or isinstance(c.recipient, Pronoun | Speaker)) == 0
    assert asdict(RATES) == asdict(RATES) | {"times": 1.0, "time_first": 0.4, "place_first": 0.0}
    assert all(
        "to" in VERBS[c.verb].frame for e in full for c in nodes(e.meaning) if isinstance(c, Clause) and c.recipient
    )
