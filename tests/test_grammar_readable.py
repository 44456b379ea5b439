"""Sentences as one writes them: what readers of `train`, `test` and `long` have found wrong, each with its rule."""

import pytest

from course_lib.corpora.grammar import LANGUAGES, Example, sample
from course_lib.corpora.grammar.de import CONTRACTIONS
from course_lib.corpora.grammar.lexicon import NOUNS
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
    nodes,
)
from course_lib.corpora.grammar.readable import nesting, readable, relatives_of
from course_lib.corpora.grammar.words import positions

EVA, MAN, WOMAN = Named("Eva", "f"), Entity("man"), Entity("woman")
WE = Speaker(1, True)
SEEN = Entity("fence", relative=Clause("see", WOMAN, Gap()))
CLEANED = Clause("clean", EVA, Gap(), tense="past")
STAYED = Clause("stay", WOMAN, place=Place("at", Gap()), tense="past")


@pytest.fixture(scope="module")
def read():
    return [*sample(1500, seed=3), *sample(250, seed=3, split="test"), *sample(120, seed=3, split="long")]


def clauses(example):
    return [node for node in nodes(example.meaning) if isinstance(node, Clause)]


def say(*parts, **more):
    return Example.of(Utterance(Clause(*parts, **more)))


@pytest.mark.parametrize(
    ("content", "language", "text"),
    [
        (Clause("sell", Entity("mother"), Entity("house", relative=STAYED), tense="past"), "de",
         "Die Mutter hat das Haus verkauft, in dem die Frau geblieben ist."),
        (Clause("prepare", MAN, Entity("soup"), place=Place("at", Entity("kitchen", relative=CLEANED))), "de",
         "Der Mann bereitet die Suppe in der Küche zu, die Eva geputzt hat."),
        (Clause("think", EVA, content=Clause("paint_thing", MAN, SEEN)), "de",
         "Eva glaubt, dass der Mann den Zaun streicht, den die Frau sieht."),
        (Clause("eat", MAN, Entity("soup", relative=Clause("prepare", EVA, Gap(), tense="past")),
                place=Place("at", Entity("garden"))), "de",
         "Der Mann isst die Suppe, die Eva zubereitet hat, im Garten."),
        (Clause("sleep", MAN, place=Place("at", Entity("living_room", relative=CLEANED))), "de",
         "Der Mann schläft in dem Wohnzimmer, das Eva geputzt hat."),
        (Clause("sleep", MAN, place=Place("at", Entity("living_room"))), "de", "Der Mann schläft im Wohnzimmer."),
        (Clause("understand", WE, Entity("letter"), tense="past"), "fr", "Nous avons compris la lettre."),
        (Clause("understand", WE, Entity("letter"), tense="past"), "de", "Wir haben den Brief verstanden."),
        (Clause("love", MAN, EVA, tense="past"), "fr", "L'homme aimait Eva."),
        (Clause("fly", Entity("owl"), modal="can", tense="past", time="on_monday"), "fr", "Le hibou a pu voler lundi."),
        (Clause("fly", Entity("owl"), modal="can", tense="past"), "fr", "Le hibou pouvait voler."),
        (Clause("come_back", MAN, place=Place("to", Entity("city")), tense="past"), "fr",
         "L'homme est retourné en ville."),
        (Clause("buy", MAN, Entity("vase"), place=Place("at", Entity("city")), tense="past"), "fr",
         "L'homme a acheté le vase en ville."),
        (Clause("buy", MAN, Entity("vase"), place=Place("at", Entity("city", adjectives=("big",))), tense="past"), "fr",
         "L'homme a acheté le vase dans la grande ville."),
        (Clause("paint", MAN, Entity("castle"), manner="thoroughly"), "en",
         "The man is painting the castle carefully."),
        (Clause("paint", MAN, Entity("castle"), manner="thoroughly"), "de", "Der Mann malt das Schloss sorgfältig."),
        (Clause("paint", MAN, Entity("castle"), manner="thoroughly"), "fr", "L'homme peint soigneusement le château."),
        (Clause("open", MAN, Entity("box"), manner="carefully"), "fr", "L'homme ouvre prudemment la caisse."),
        (Clause("claim", MAN, content=Clause("sleep", EVA)), "en", "The man claims that Eva is sleeping."),
        (Joined("and", Clause("push", MAN, Entity("box", relative=CLEANED), tense="past"), Clause("sing", WOMAN)), "fr",
         "L'homme a poussé la caisse qu'Eva a nettoyée, et la femme chante."),
        (Joined("and", Clause("laugh", MAN), Clause("sing", WOMAN)), "fr", "L'homme rit et la femme chante."),
    ],
)  # fmt: skip
def test_the_sentence_of_a_meaning(content, language, text):
    assert Example.of(Utterance(content)).text(language) == text


def test_an_heir_and_an_honest_hunter():
    for noun, row in NOUNS.items():
        word = row.cells["en"].split()[0]
        if word.startswith("h") and "mass" not in row:
            silent = word.startswith(("heir", "hour", "honour"))
            assert say("see", MAN, Entity(noun, determiner="a")).sentences["en"][3] == ("an" if silent else "a"), word
    honest = Entity("hunter_m", determiner="a", adjectives=("honest",))
    assert say("see", MAN, honest).text("en") == "The man sees an honest hunter."


def test_a_relative_clause_stands_behind_a_comma_and_not_before_the_verb_of_its_noun(read):
    """Not "hat das Haus, verkauft in dem …", not "bereitet die Suppe in der Küche, die Eva geputzt hat, zu"."""
    found = 0
    for example in read:
        words = example.words("de")
        for clause in clauses(example):
            if example.meaning.question or clause.verb == "exist":
                continue
            for np in (clause.object, clause.place and clause.place.ground):
                if not isinstance(np, Entity) or np.relative is None:
                    continue
                found += 1
                start = min(positions(words, np.relative, "relative", "relative:in"))
                assert words[start - 1][0] == ",", example.text("de")
                inside = [i for node in nodes(np.relative) for i in positions(words, node, "noun", "verb", "tense")]
                end = max([i for i in inside if i > start] + positions(words, np.relative, "tense:verb")) + 1
                verb = max(positions(words, clause, "verb", "verb:particle", "tense", "tense:verb", "modal"))
                nouns = {i for node in nodes(clause) for i in positions(words, node, "noun", "pronoun")}
                assert verb < start or any(end < i < verb for i in nouns), example.text("de")
    assert found > 200


def test_no_article_is_contracted_before_a_relative_clause(read):
    found = 0
    for example in read:
        words = example.words("de")
        for place in nodes(example.meaning):
            if isinstance(place, Place) and isinstance(place.ground, Entity) and place.ground.relative:
                found += 1
                (at,) = positions(words, place, "preposition")
                assert words[at][0] not in CONTRACTIONS.values(), example.text("de")
    assert found > 50


def test_what_somebody_had_to_do_is_told_as_a_reason_in_the_imparfait(read):
    reason = Clause("work", Pronoun(EVA), modal="must", tense="ongoing")
    went = Clause("come_back", EVA, place=Place("to", Entity("hotel")), tense="past")
    example = Example.of(Utterance(Joined("because", went, reason)))
    assert example.text("fr") == "Eva est retournée à l'hôtel parce qu'elle devait travailler."
    assert example.text("en") == "Eva returned to the hotel because she had to work."
    for example in read:
        for node in nodes(example.meaning):
            if isinstance(node, Joined) and node.conjunction == "because" and node.second.modal:
                assert node.second.tense in ("present", "ongoing"), example.text("fr")


def test_what_is_said_is_said_in_the_simple_tense(read):
    assert not any({"saying", "claiming", "thinking"} & {*example.sentences["en"]} for example in read)
    assert sum("says" in example.sentences["en"] for example in read) > 5


def test_relative_clauses_are_nested_once_at_most_in_one_place_and_never_in_the_middle(read):
    for example in read:
        assert nesting(example.meaning) <= 2
        deep = [(np.relative, inner) for np in relatives_of(example.meaning) for inner in relatives_of(np.relative)]
        assert len(deep) <= 1 and all(inner is not outer.subject for outer, inner in deep), example.text("en")
    assert sum(nesting(example.meaning) == 2 for example in read) > 20


def test_no_time_stands_behind_a_relative_clause_that_it_does_not_belong_to(read):
    for example in read:
        for code in ("en", "fr"):
            words = example.words(code)
            for clause in clauses(example):
                verb, time = positions(words, clause, "verb")[-1], max(positions(words, clause, "time"), default=0)
                inner = {
                    i
                    for np in (clause.object, clause.place, clause.recipient)
                    for node in nodes(np)
                    if isinstance(node, Clause)
                    for i in positions(words, node, "relative")
                }
                assert not any(verb < i < time for i in inner), example.text(code)


def test_a_time_after_a_relative_clause_stands_first_or_is_left_out():
    apples = Entity("apple", plural=True, relative=Clause("buy", EVA, Gap(), tense="past"))
    ate = Clause("eat", MAN, apples, tense="past", time="on_sunday")
    example = Example.of(readable(Utterance(ate)))
    assert example.text("en") == "On Sunday, the man ate the apples that Eva bought."
    example = Example.of(readable(Utterance(Clause("think", WOMAN, content=ate))))
    assert example.text("en") == "The woman thinks that the man ate the apples that Eva bought."
    own = Entity("apple", relative=Clause("buy", EVA, Gap(), tense="past", time="on_sunday"))
    meaning = Utterance(Clause("eat", MAN, own, tense="past"))
    assert readable(meaning) is meaning


def test_the_deepest_relative_clauses_are_cut():
    def seen(np, inner):
        return Entity(np, relative=Clause("see", Gap(), inner))

    meaning = Utterance(Clause("hear", seen("boy", seen("girl", seen("woman", EVA))), seen("dog", seen("cat", EVA))))
    cut = Example.of(readable(meaning))
    assert cut.text("en") == "The boy who sees the girl who sees the woman hears the dog that sees the cat."
    assert (nesting(meaning), nesting(cut.meaning)) == (3, 2)
    middle = Entity("apple", relative=Clause("eat", Entity("woman", relative=Clause("see", MAN, Gap())), Gap()))
    meaning = Utterance(Clause("be", middle, property=Property("red")))
    assert Example.of(readable(meaning)).text("en") == "The apple that the woman is eating is red."


def test_long_sentences_are_of_several_clauses():
    for example in sample(60, seed=9, split="long"):
        assert len(clauses(example)) >= 4
        assert all(len(example.sentences[code]) > 35 for code in LANGUAGES)
