"""The judge that knows the meaning, with the grammar as its oracle: what is said of a meaning is known before."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk import edit_distance

from course_lib.corpora.grammar import LANGUAGES, Example, sample
from course_lib.corpora.grammar.contrasts import contrasts
from course_lib.corpora.grammar.meaning import (
    Clause,
    Entity,
    Gap,
    Joined,
    Named,
    Place,
    Pronoun,
    Property,
    Utterance,
    nodes,
)
from course_lib.corpora.grammar.rates import FULL
from course_lib.corpora.grammar.variants import foils, paraphrases
from course_lib.metrics.truth import Judge
from course_lib.metrics.truth.distance import Distance, aligned

EXPECTED = {
    "noun": "changed noun",
    "number": "changed number",
    "determiner": "changed determiner",
    "count": "changed count",
    "adjective": "changed adjective",
    "adjective added": "added adjective",
    "adjective lost": "lost adjective",
    "modifier lost": "lost modifier",
    "name": "changed name",
    "verb": "changed verb",
    "tense": "changed tense",
    "modal": "changed modal",
    "negation added": "added negation",
    "negation lost": "lost negation",
    "time": "changed time",
    "time lost": "lost time",
    "place": "changed noun",
    "relation": "changed place",
    "degree": None,
    "conjunction": "changed conjunction",
    "person": "changed person",
}
MAN, DOG, EVA = Entity("man"), Entity("dog"), Named("Eva", "f")
SEES = Example.of(Utterance(Clause("see", Entity("man", adjectives=("old",)), DOG, place=Place("at", Entity("park")))))


def judge(content, source="en", target="de"):
    return Judge(Example.of(Utterance(content)), source, target)


def marks(judgement):
    return sorted(f"{part.verdict} {part.name}" for part in judgement.wrong)


def of(language):
    return "de" if language == "en" else "en"


@pytest.mark.parametrize(("split", "n"), [("train", 700), ("test", 200), ("long", 25), ("names", 60)])
def test_every_reference_keeps_the_whole_meaning_and_is_fluent(split, n):
    for example in sample(n, seed=31, split=split):
        judged = Judge(example, "en", "de")
        for text in example.references("en", "de")[:4]:
            found = judged(text)
            assert (found.adequacy, found.fluency, found.wrong) == (1, 1, []), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paraphrase_keeps_the_whole_meaning_and_is_fluent(language):
    for example in sample(120 if language == "de" else 50, seed=32, split="test", rates=FULL):
        judged = Judge(example, of(language), language)
        for kind, other in paraphrases(example):
            found = judged(other.text(language))
            assert (found.adequacy, found.fluency) == (1, 1), (kind, other.text(language), found.wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_contrast_is_fluent_and_has_just_its_own_part_marked(language):
    judged = 0
    for split, n in (("train", 90), ("test", 40)) if language == "de" else (("test", 25),):
        for example in sample(n, seed=33, split=split):
            judge_ = Judge(example, of(language), language)
            for kind, other in contrasts(example, seed=1, kinds=tuple(EXPECTED)):
                found = judge_(other.text(language))
                expected = EXPECTED[kind]
                assert found.fluent, (kind, example.text(language), other.text(language), found)
                assert marks(found) == [expected] if expected else len(found.wrong) == 1, (kind, other, found.wrong)
                judged += 1
    assert judged > 200


def test_a_foil_has_its_roles_its_negations_or_its_adjectives_marked():
    parts = {"roles": {"who", "whom"}, "negation": {"negation"}, "adjective": {"adjective"}}
    kinds = Counter()
    for example in sample(90, seed=34, split="test", rates=FULL):
        judged = Judge(example, "en", "de")
        for kind, other in foils(example):
            found = judged(other.text("de"))
            names = {part.name for part in found.wrong}
            assert found.fluent and parts[kind] <= names <= parts[kind] | {"owner"}, (kind, other.text("de"), found)
            kinds[kind] += 1
    assert min(kinds[kind] for kind in parts) >= 3


def test_two_changes_are_two_parts():
    pairs = [("noun", "tense"), ("adjective added", "negation added"), ("verb", "number"), ("person", "conjunction")]
    right = wrong = 0
    for example in sample(60, seed=35):
        judged = Judge(example, "en", "de")
        for first, second in pairs:
            for _, once in contrasts(example, seed=2, kinds=[first]):
                for _, twice in contrasts(once, seed=2, kinds=[second]):
                    exact = marks(judged(twice.text("de"))) == sorted((EXPECTED[first], EXPECTED[second]))
                    right, wrong = right + exact, wrong + (not exact)
    assert right > 60 and wrong <= 0.05 * right


@pytest.mark.parametrize(
    ("output", "edits", "wrong"),
    [
        ("Der alte Mann sieht den Hund im Park.", 0, []),
        ("Im Park sieht der alte Mann den Hund.", 0, []),
        ("Der Hund wird vom alten Mann im Park gesehen.", 0, []),
        ("Der Hund sieht den alten Mann im Park.", 0, ["changed who", "changed whom"]),
        ("Der Mann sieht den alten Hund im Park.", 0, ["added adjective", "lost adjective"]),
        ("Der alte Mann sieht den Hund nicht im Park.", 0, ["added negation"]),
        ("Der alte Mann sieht im Park keinen Hund.", 0, ["added negation", "changed determiner"]),
        ("Der alten Mann sieht dem Hund im Park.", 2, []),  # endings
        ("Die alte Mann sieht das Hund im Park.", 2, []),  # genders
        ("Der alte Mann sehen den Hund im Park.", 1, []),  # agreement
        ("Der alte Mann sieht den Flurg im Park.", 1, ["lost noun"]),  # no word
        ("Der alte Mann sieht den Hund.", 0, ["lost determiner", "lost noun", "lost number", "lost place"]),
    ],
)
def test_what_a_sentence_does_to_its_parts(output, edits, wrong):
    found = Judge(SEES, "en", "de")(output)
    assert (marks(found), found.edits) == (wrong, edits)
    assert (found.fluency < 1) == (edits > 0)


def test_an_empty_output_keeps_nothing():
    found = Judge(SEES, "en", "de")("")
    assert (found.adequacy, found.fluency, {part.verdict for part in found.parts}) == (0, 0, {"lost"})


@pytest.mark.parametrize("output", ["{0} {1}", "{0} {1} {1}", "{0} im Park.", "{0} Hund Hund Hund"])
def test_what_is_said_twice_is_added_and_all_else_is_kept(output):
    text = SEES.text("de")
    found = Judge(SEES, "en", "de")(output.format(text, text[0].lower() + text[1:]))
    assert found.wrong and {part.verdict for part in found.wrong} == {"added"}
    assert found.adequacy < 0.85 and found.fluency < 1


def test_a_salad_of_the_words_is_neither_fluent_nor_adequate():
    rng = random.Random(5)
    for example in sample(40, seed=36, split="test"):
        tokens = list(example.sentences["de"])
        if len(tokens) < 12:
            continue
        found = Judge(example, "en", "de").tokens(rng.sample(tokens, len(tokens)))
        assert found.fluency < 0.7 and found.adequacy < 0.8


def test_a_sentence_with_wrong_articles_is_adequate_and_not_fluent():
    wrong = dict(zip(("der", "die", "das", "den", "dem"), ("die", "der", "den", "das", "den"), strict=True))
    right = total = 0
    for example in sample(80, seed=37):
        tokens = [wrong.get(token, token) for token in example.sentences["de"]]
        if tokens == list(example.sentences["de"]):
            continue
        found = Judge(example, "en", "de").tokens(tokens)
        total += 1
        right += not found.fluent and found.adequacy > 0.85
    assert total > 40 and right > 0.9 * total


def test_a_cut_sentence_loses_the_words_that_are_cut_off_and_keeps_the_others():
    names = ("noun", "name", "adjective", "verb")
    agree = Counter()
    for example in sample(60, seed=38, split="test"):
        tokens, judged = example.sentences["de"], Judge(example, "en", "de")
        for share in (0.3, 0.6, 0.8):
            cut = tokens[: max(1, round(share * len(tokens)))]
            said = Counter(part for part in _words_said(example, len(cut)) if part[0] in names)
            kept = Counter((p.name, p.said) for p in judged.tokens(list(cut)).parts if p.verdict == "kept")
            for part in {*said, *(p for p in kept if p[0] in names)}:
                agree[said[part] == kept[part]] += 1
    assert agree[True] > 500 and agree[False] < 0.1 * agree[True]


def _words_said(example, length):
    """The concepts of the first `length` German tokens, by what the grammar says each token comes from."""
    known = {id(node): node for node in nodes(example.meaning)}
    for _, sources in example.words("de")[:length]:
        for node, part in sources:
            found = known.get(node)
            if isinstance(found, Entity) and part == "noun":
                yield "noun", found.noun
            elif isinstance(found, Entity) and part in found.adjectives:
                yield "adjective", part
            elif isinstance(found, Named) and part == "noun":
                yield "name", found.name
            elif isinstance(found, Clause) and part == "verb" and found.verb not in ("be", "exist"):
                yield "verb", found.verb
            elif isinstance(found, Property) and part == "adjective":
                yield "adjective", found.adjective


def test_german_may_keep_a_relative_clause_before_the_verb_and_contract_its_article():
    ball = Entity("ball", relative=Clause("look_for", EVA, Gap()))
    found = judge(Joined("while", Clause("laugh", MAN), Clause("roll_it", EVA, ball)))(
        "Der Mann lacht, während Eva den Ball, den Eva sucht, rollt."
    )
    assert found.fluent and found.adequacy == 1


def test_a_noun_for_a_pronoun_keeps_the_meaning():
    judged = judge(Joined("because", Clause("sleep", MAN), Clause("be", Pronoun(MAN), property=Property("tired"))))
    assert judged("Der Mann schläft, weil der Mann müde ist.").adequacy == 1
    assert marks(judged("Der Mann schläft, weil sie müde ist.")) == ["changed pronoun"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("abcd"), max_size=9), st.lists(st.sampled_from("abcd"), max_size=9))
def test_the_distance_is_levenshteins(x, y):
    assert Distance(y)(x) == edit_distance(x, y)
    assert sum(i is None or j is None or x[i] != y[j] for i, j in aligned(x, y)) == edit_distance(x, y)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_any_output_has_scores_between_0_and_1_and_the_same_ones_again(seed, other):
    (example,), (unrelated,) = sample(1, seed=seed), sample(1, seed=other)
    judged = Judge(example, "en", "de")
    tokens = list(unrelated.sentences["de"])
    found = judged.tokens(tokens)
    assert found == judged.tokens(tokens)
    assert 0 <= found.adequacy <= 1 and 0 <= found.fluency <= 1
    assert (found.adequacy == 1) == (not found.wrong) and found.fluent == (found.fluency == 1)
