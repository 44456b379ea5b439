"""Minimal pairs: each differs from its sentence in the named part of the meaning, in every language."""

from dataclasses import fields

import pytest

from course_lib.corpora.grammar import LANGUAGES, Example, sample
from course_lib.corpora.grammar.contrasts import KINDS, contrasts
from course_lib.corpora.grammar.meaning import CHILDREN, Clause, Entity, Named, Place, Speaker, Utterance
from course_lib.corpora.grammar.rates import FULL

MAY_DIFFER = {  # kind -> the fields of the meaning that it changes
    "noun": {"noun"},
    "number": {"plural"},
    "determiner": {"determiner"},
    "count": {"count"},
    "adjective": {"adjectives"},
    "adjective added": {"adjectives"},
    "adjective lost": {"adjectives"},
    "modifier lost": {"modifier"},
    "name": {"name"},
    "verb": {"verb"},
    "tense": {"tense"},
    "modal": {"modal"},
    "negation added": {"negated"},
    "negation lost": {"negated"},
    "time": {"time"},
    "time lost": {"time", "time_first"},
    "place": {"noun"},
    "relation": {"relation"},
    "degree": {"degree"},
    "conjunction": {"conjunction"},
    "person": {"person", "plural"},
}
CONTENT = Clause(
    "see",
    Entity("man", adjectives=("old",)),
    Named("Eva", "f"),
    place=Place("at", Entity("park")),
    tense="past",
    time="on_sunday",
)


def said(node, path=""):
    """All fields of a meaning but its nodes, by where they stand."""
    found = {}
    for field in fields(node):
        value, here = getattr(node, field.name), f"{path}.{field.name}"
        if field.name in CHILDREN.get(type(node), ()):
            found |= said(value, here) if value is not None else {here: None}
        elif field.name != "antecedent":
            found[here] = value
    return found


@pytest.fixture(scope="module")
def drawn():
    return [
        (example, *variant)
        for split in ("train", "test")
        for example in sample(70, seed=6, split=split, rates=FULL)
        for variant in contrasts(example)
    ]


def test_every_kind_is_drawn(drawn):
    assert {kind for _, kind, _ in drawn} == set(KINDS)


def test_a_contrast_reads_otherwise_in_every_language(drawn):
    for example, kind, other in drawn:
        assert all(other.text(code) != example.text(code) for code in LANGUAGES), (kind, example.text("en"))


def test_a_contrast_differs_in_the_named_part_alone(drawn):
    for example, kind, other in drawn:
        if kind in MAY_DIFFER:
            one, two = said(example.meaning), said(other.meaning)
            differing = [path for path in one if one[path] != two[path]]
            assert one.keys() == two.keys() and {path.rpartition(".")[2] for path in differing} <= MAY_DIFFER[kind]


def test_what_is_lost_is_said_no_more(drawn):
    for example, kind, other in drawn:
        if kind in ("clause lost", "relative lost", "place lost", "owner lost", "modifier lost", "adjective lost"):
            assert len(other.sentences["en"]) <= len(example.sentences["en"]), (kind, other.text("en"))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("negation added", "The old man did not see Eva in the park on Sunday."),
        ("place lost", "The old man saw Eva on Sunday."),
        ("time lost", "The old man saw Eva in the park."),
        ("adjective lost", "The man saw Eva in the park on Sunday."),
    ],
)
def test_a_contrast_of_one_sentence(kind, expected):
    ((found, other),) = contrasts(Example.of(Utterance(CONTENT)), kinds=[kind])
    assert (found, other.text("en")) == (kind, expected)


def test_the_seed_decides_and_the_kinds_do_not_disturb_each_other():
    example = Example.of(Utterance(CONTENT))
    every = dict(contrasts(example, seed=3))
    assert dict(contrasts(example, seed=3)) == every
    assert dict(contrasts(example, seed=3, kinds=["name"])) == {"name": every["name"]}
    assert len({dict(contrasts(example, seed=s, kinds=["name"]))["name"].text("en") for s in range(20)}) > 5
    assert contrasts(Example.of(Utterance(Clause("sleep", Speaker(1)))), kinds=["noun", "place"]) == []


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kinds must be of noun, .* got 'colour'"):
        contrasts(Example.of(Utterance(CONTENT)), kinds=["colour"])
