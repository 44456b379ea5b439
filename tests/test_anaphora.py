"""Pairs of sentences with "it": what is promised of each sentence holds of its words."""

import pytest

from course_lib.corpora.anaphora import clear_pairs, winograd_pairs
from course_lib.corpora.grammar import LANGUAGES, sample
from course_lib.corpora.grammar.de_forms import noun_forms
from course_lib.corpora.grammar.lexicon import NOUNS

DRAWN = {clear_pairs: clear_pairs(60), winograd_pairs: winograd_pairs(60)}
PRONOUNS = {"m": "er", "f": "sie", "n": "es"}
GENDERS = {}  # of the German nouns, as they stand in a sentence
for _noun in NOUNS:
    GENDERS.setdefault(noun_forms(_noun)[1], set()).add(noun_forms(_noun)[0])

BOTH = pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)


def in_pairs(sentences):
    return list(zip(sentences[::2], sentences[1::2], strict=True))


@BOTH
def test_a_pair_differs_in_what_it_promises(draw):
    pairs = in_pairs(DRAWN[draw])
    assert len({one.words["en"] for one in DRAWN[draw]}) == 2 * len(pairs) == 120
    for k, (first, second) in enumerate(pairs):
        assert first.pair == second.pair == k
        if draw is winograd_pairs:
            assert first.subject and not second.subject
            words = zip(first.words["en"], second.words["en"], strict=True)
            assert [n for n, (a, b) in enumerate(words) if a != b] == [len(first.words["en"]) - 2]
            for code in LANGUAGES:
                assert (first.antecedent[code], first.other[code]) == (second.other[code], second.antecedent[code])
        else:
            assert not first.subject and not second.subject
            nouns = [" ".join(one.words["en"][one.antecedent["en"] + 1 :]) for one in (first, second)]
            assert nouns[0] == nouns[1]  # behind the thing all is the same
            assert first.words["en"][: first.other["en"] + 1] == second.words["en"][: second.other["en"] + 1]


@BOTH
def test_english_says_it_and_german_agrees_with_the_antecedent(draw):
    for pair in in_pairs(DRAWN[draw]):
        assert all(one.words["en"][one.pronoun["en"]] == "it" for one in pair)
        pronouns = [one.words["de"][one.pronoun["de"]] for one in pair]
        assert pronouns[0] != pronouns[1]
        for one, pronoun in zip(pair, pronouns, strict=True):
            noun = one.words["de"][one.antecedent["de"]]
            assert pronoun in {PRONOUNS[gender] for gender in GENDERS[noun]}, one
            assert (
                one.antecedent["de"] != one.other["de"]
                and max(one.antecedent["de"], one.other["de"]) < one.pronoun["de"]
            )
    assert {one.words["de"][one.pronoun["de"]] for one in DRAWN[draw]} == {"er", "sie", "es"}


@BOTH
def test_articles_stand_before_their_nouns(draw):
    for one in DRAWN[draw]:
        for article, noun in ((one.article, one.antecedent), (one.other_article, one.other)):
            assert one.words["en"][article["en"]] == "the" and one.words["de"][article["de"]] in (
                "der",
                "die",
                "das",
                "den",
                "dem",
            )
            assert article["de"] == noun["de"] - 1 and article["en"] < noun["en"]


@BOTH
def test_none_of_them_was_learnt_from(draw):
    learnt = {example.sentences["en"] for example in sample(2000, split="train")}
    assert learnt.isdisjoint(one.words["en"] for one in DRAWN[draw])


@BOTH
def test_the_draw_is_by_seed_and_its_text_is_running_text(draw):
    assert DRAWN[draw][:10] == draw(5) != draw(5, seed=1)
    assert draw(0) == []
    text = DRAWN[draw][0].text("de")
    assert text[0].isupper() and text.endswith(".") and ", weil" in text
    with pytest.raises(ValueError, match="n must not be negative, got -1"):
        draw(-1)


def test_more_pairs_than_there_are_are_refused():
    with pytest.raises(ValueError, match="n must be at most 1.., got 10000"):
        winograd_pairs(10_000)
