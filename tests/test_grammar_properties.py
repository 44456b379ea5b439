"""What must hold of every sentence, whatever the seed."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.corpora.grammar import LANGUAGES, Example, sample, together
from course_lib.corpora.grammar.fr_forms import noun_forms
from course_lib.corpora.grammar.lexicon import (
    ADJECTIVES,
    COMPOUNDS,
    NOUNS,
    VERBS,
    function_words,
    nouns_of,
    selects,
)
from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Named, Pronoun, nodes
from course_lib.corpora.grammar.sampling import Sampler
from course_lib.corpora.grammar.selection import decides
from course_lib.corpora.grammar.together import BESIDE, SOUNDS
from course_lib.corpora.grammar.words import positions

drawn = st.builds(
    lambda seed, depth: Example.of(Sampler(random.Random(seed), depth).utterance()),
    st.integers(0, 2**32),
    st.integers(0, 4),
)
pairs = [(source, target) for source in LANGUAGES for target in LANGUAGES if source != target]


ASPIRATED = ("hibou", "hérisson", "haut", "hamster", "hache", "hall", "hangar", "haie", "hêtre", "harpe", "héron")
ASPIRATED += ("haricot", "hurl", "henni", "hamburger", "huppe")


def gender(concept, language):
    return NOUNS[concept].cells[language][0]


def words_of(example, language):
    return example.words(language), list(example.sentences[language])


@given(drawn)
def test_links_lie_inside_and_reverse(example):
    for source, target in pairs:
        links = example.alignment(source, target)
        assert {(j, i) for i, j in links} == example.alignment(target, source)
        assert all(i in range(len(example.sentences[source])) for i, _ in links)


@given(drawn)
def test_every_content_word_is_linked(example):
    function = {code: function_words(code) for code in LANGUAGES}
    for source, target in pairs:
        sure, possible = example.alignment(source, target), example.possible(source, target)
        assert sure <= possible
        linked = {i for i, _ in possible}
        for i, token in enumerate(example.sentences[source]):
            assert i in linked or token in function[source], (token, source, target)


@given(drawn)
def test_french_elides_and_contracts(example):
    tokens = example.sentences["fr"]
    for left, right in zip(tokens, tokens[1:], strict=False):
        vowel = right[0].lower() in "aàeiouéèêâôîûhœ" or right == "y"
        aspirated = right.startswith(ASPIRATED) or right in ("onze", "huit", "héros")
        assert (
            not (left in ("le", "la", "je", "ne", "que", "de", "me", "te", "ce", "ma", "ta", "sa") and vowel)
            or aspirated
        )
        assert not (left.endswith("'") and (not vowel or aspirated))
        assert (left, right) not in {("de", "le"), ("de", "les"), ("à", "le"), ("à", "les")}


@given(drawn)
def test_german_subordinate_clauses_end_with_their_finite_verb(example):
    words, tokens = words_of(example, "de")
    subordinate = []
    for node in nodes(example.meaning):
        if isinstance(node, Entity) and node.relative:
            subordinate.append(node.relative)
        elif isinstance(node, Clause) and node.content:
            subordinate += [node.content] if isinstance(node.content, Clause) else [node.content.first]
        elif isinstance(node, Joined) and node.conjunction in ("because", "while", "when"):
            subordinate.append(node.second)
    for clause in subordinate:
        finite = positions(words, clause, "tense", "tense:verb")[-1]
        assert tokens[finite + 1] in (",", ".", "?", "und"), (tokens[finite], tokens)
        assert finite > max(positions(words, clause, "verb", "modal", "negation", "manner", "time"), default=-1) - 1


@given(drawn)
def test_german_and_french_articles_agree_with_their_noun(example):
    german = {
        "m": "der den dem des im am zum",
        "f": "die der zur",
        "n": "das dem des im am zum ins ans",
        "p": "die den der",
    }
    french = {"m": "le l' du au", "f": "la l'", "p": "les des aux"}
    for code, table in (("de", german), ("fr", french)):
        words, tokens = words_of(example, code)
        for node in nodes(example.meaning):
            if isinstance(node, Entity) and node.determiner == "the" and node.owner is None:
                found = positions(words, node, "determiner")
                if not found:  # "Geige spielen", "en ville"
                    assert "instrument" in NOUNS[node.noun] if code == "de" else noun_forms(node.noun).alone
                    continue
                article = tokens[found[0]]
                assert article in table["p" if node.plural else gender(node.noun, code)].split()


@given(drawn)
def test_french_adjectives_agree_with_their_noun(example):
    words, tokens = words_of(example, "fr")
    for node in nodes(example.meaning):
        if isinstance(node, Entity):
            for concept in node.adjectives:
                form = tokens[positions(words, node, concept)[0]]
                assert form[-1] in "sx" or not node.plural
                masculine = ADJECTIVES[concept].cells["fr"].split()[0].removeprefix("^")
                if gender(node.noun, "fr") == "f":
                    assert form.removesuffix("s").endswith("e") and (form != masculine or masculine.endswith("e"))


@given(drawn)
def test_pronouns_have_the_gender_of_their_antecedent(example):
    subjects = {"de": {"m": "er", "f": "sie", "n": "es"}, "fr": {"m": "il", "f": "elle"}}
    for code, table in subjects.items():
        words, tokens = words_of(example, code)
        for node in nodes(example.meaning):
            if (
                isinstance(node, Clause)
                and isinstance(node.subject, Pronoun)
                and isinstance(node.subject.antecedent, Entity)
            ):
                antecedent = node.subject.antecedent
                (place,) = positions(words, node.subject, "pronoun")
                assert (place, positions(words, antecedent, "noun")[0]) in example.coreference(code)
                plural = {"de": "sie", "fr": table[gender(antecedent.noun, code)] + "s"}[code]
                assert tokens[place] == (plural if antecedent.plural else table[gender(antecedent.noun, code)])


@given(drawn)
def test_the_reason_tells_what_it_stands_for(example):
    for node in nodes(example.meaning):
        if isinstance(node, Joined) and node.conjunction == "because":
            one, two = node.first.subject, node.first.object
            antecedent = node.second.subject.antecedent
            if isinstance(one, Entity) and isinstance(two, Entity):
                other = two if antecedent is one else one
                assert decides(node.second.property.adjective, antecedent.noun, other.noun)


@given(drawn)
def test_nothing_is_said_of_a_thing_twice(example):
    for node in nodes(example.meaning):
        if isinstance(node, Clause) and node.property:
            subject = node.subject.antecedent if isinstance(node.subject, Pronoun) else node.subject
            if isinstance(subject, Entity):
                assert node.property.adjective not in subject.adjectives
                assert not (subject.relative and subject.relative.property)


@given(drawn)
def test_one_subject_does_what_goes_together(example):
    for node in nodes(example.meaning):
        if (
            isinstance(node, Joined)
            and node.conjunction in ("and", "while")
            and isinstance(node.second.subject, Pronoun)
        ):
            assert node.first.verb in BESIDE and node.second.verb in SOUNDS


@given(drawn)
def test_names_are_copied(example):
    for node in nodes(example.meaning):
        if isinstance(node, Named):
            for source, target in pairs:
                (i,) = positions(example.words(source), node, "noun")
                (j,) = positions(example.words(target), node, "noun")
                assert example.sentences[source][i] == example.sentences[target][j]
                assert (i, j) in example.alignment(source, target)


@given(drawn)
def test_verbs_get_the_participants_they_select(example):
    for node in nodes(example.meaning):
        if isinstance(node, Clause):
            for np, kinds in ((node.subject, VERBS[node.verb].subjects), (node.object, VERBS[node.verb].objects)):
                if isinstance(np, Entity) and kinds:
                    assert np.noun in nouns_of(*kinds)
        elif isinstance(node, Entity):
            assert all(selects(adjective, node.noun) for adjective in node.adjectives)


def test_the_tables_are_closed():
    """No class without a noun, no reason that can never be given, no compound without a German first part."""
    classes = {kind for noun in NOUNS.values() for kind in noun.classes}
    for verb in VERBS.values():
        assert {*verb.subjects, *verb.objects, *verb.places} - {"-"} <= classes, verb.concept
        subjects, objects = nouns_of(*verb.subjects), nouns_of(*verb.objects) or (None,)
        for role, _, adjective in verb.reasons:
            two = [(s, o) if role == "S" else (o, s) for s in subjects for o in objects]
            assert any(decides(adjective, *both) for both in two), (verb.concept, adjective)
    for adjective in ADJECTIVES.values():
        assert adjective.selects <= classes, adjective.concept
    for head, modifiers in COMPOUNDS.items():
        assert head in NOUNS
        for modifier in modifiers:
            (fused,) = {forms[0] for forms in LANGUAGES["de"].compound(head, modifier)[:1]}
            assert not fused.startswith(NOUNS[head].cells["de"].split()[1].lower()), fused


def test_what_goes_together_is_told_of_verbs():
    for name, verbs in vars(together).items():
        if name.isupper():
            assert {*verbs} <= VERBS.keys(), name


def test_at_least_250_lemmas():
    for code in LANGUAGES:
        cells = {
            table[concept].cells[code].split()[0 if code == "en" else 0]
            for table in (ADJECTIVES, VERBS)
            for concept in table
        }
        nouns = {" ".join(noun.cells[code].split()[: 1 if code == "en" else 2]) for noun in NOUNS.values()}
        assert len(cells | nouns) >= 250


FEATURES = ["question", "relative", "object relative", "because", "while", "when", "and", "but", "that", "negation"]
FEATURES += ["plural", "number", "compound", "adjectives", "possessive", "names", "pronoun", "coordination", "place"]
FEATURES += ["comparison", "present", "past", "ongoing", "future", "habit", "can", "must", "want"]


@pytest.fixture(scope="module")
def many():
    return [example.features for example in sample(2500, seed=11)]


@pytest.mark.xdist_group("grammar-features")
@pytest.mark.parametrize("feature", FEATURES)
def test_each_feature_is_frequent_enough_to_learn(many, feature):
    assert sum(feature in features for features in many) >= 20
