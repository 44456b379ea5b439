"""Pairs in which an adjective decides what "it" is: what is promised of each sentence holds of its words."""

import pytest

from course_lib.corpora.grammar import LANGUAGES, sample
from course_lib.corpora.grammar.de_forms import noun_forms
from course_lib.corpora.grammar.lexicon import NOUNS
from course_lib.corpora.winograd import winograd_pairs

SENTENCES = winograd_pairs(80)
PAIRS = list(zip(SENTENCES[::2], SENTENCES[1::2], strict=True))
PRONOUNS = {"m": "er", "f": "sie", "n": "es"}
GENDERS = {}  # of the German nouns, as they stand in a sentence
for _noun in NOUNS:
    GENDERS.setdefault(noun_forms(_noun)[1], set()).add(noun_forms(_noun)[0])


def test_a_pair_differs_in_one_english_word_and_its_two_nouns_change_places():
    assert len({one.words["en"] for one in SENTENCES}) == 2 * len(PAIRS) == 160
    for k, (first, second) in enumerate(PAIRS):
        assert first.pair == second.pair == k
        assert first.subject and not second.subject
        differ = [
            n for n, pair in enumerate(zip(first.words["en"], second.words["en"], strict=True)) if len({*pair}) > 1
        ]
        assert differ == [len(first.words["en"]) - 2]
        for code in LANGUAGES:
            assert (first.antecedent[code], first.other[code]) == (second.other[code], second.antecedent[code])
            assert first.antecedent[code] < first.other[code] < first.pronoun[code] == second.pronoun[code]


def test_english_says_it_and_german_agrees_with_the_antecedent():
    for first, second in PAIRS:
        assert first.words["en"][first.pronoun["en"]] == "it"
        pronouns = [one.words["de"][one.pronoun["de"]] for one in (first, second)]
        assert pronouns[0] != pronouns[1]
        for one, pronoun in zip((first, second), pronouns, strict=True):
            noun = one.words["de"][one.antecedent["de"]]
            assert pronoun in {PRONOUNS[gender] for gender in GENDERS[noun]}, one
    assert {one.words["de"][one.pronoun["de"]] for one in SENTENCES} == {"er", "sie", "es"}


def test_none_of_them_was_learnt_from():
    learnt = {example.sentences["en"] for example in sample(3000, split="train")}
    assert learnt.isdisjoint(one.words["en"] for one in SENTENCES)


def test_the_draw_is_by_seed_and_its_text_is_running_text():
    assert SENTENCES[:20] == winograd_pairs(10) != winograd_pairs(10, seed=1)
    assert winograd_pairs(0) == []
    text = SENTENCES[0].text("de")
    assert text[0].isupper() and text.endswith(".") and ", weil" in text


@pytest.mark.parametrize("n", [-1, 10_000])
def test_a_number_that_cannot_be_is_refused(n):
    with pytest.raises(ValueError, match="^n must"):
        winograd_pairs(n)
