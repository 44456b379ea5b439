"""Every form of every lemma against dictionaries that we did not write: simplemma's and lemminflect's."""

import lemminflect
import pytest
import simplemma

from course_lib.corpora.grammar import LANGUAGES
from course_lib.corpora.grammar.de_forms import finite, genitive, noun, noun_forms
from course_lib.corpora.grammar.en_forms import noun_forms as english_noun
from course_lib.corpora.grammar.en_forms import verb_forms as english_verb
from course_lib.corpora.grammar.lexicon import ADJECTIVES, NOUNS, VERBS, function_words

# Right, but not in simplemma's lists; read by hand.
UNLISTED = {
    "en": "",
    "de": "Kohlkopfs Lauchstange Lauchstangen Sportwagens gemiaut",
    "fr": "professeures héros ingénieure ingénieures soldates compositrices sculptrices chirurgiennes ours bœuf bœufs "
    "rhinocéros lynx ver riz noix jus os ananas pois radis tournevis matelas rubis sèche-cheveux lave-vaisselle dos "
    "œillet œillets palais tournoi gris précieux "
    "potières programmeuses sénatrices perdrix chamois porte-monnaie hautbois cyprès "
    "cacatoès catamaran catamarans choucas crocus garde-manger grille-pain iris lilas marais mille-pattes minibus "
    "mozzarella oasis parka parkas smartphone smartphones tofu wok woks xérès yo-yo",
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_form_is_a_word_of_its_language(code):
    known = function_words(code) | set(UNLISTED[code].split())
    forms = {form for _, _, found in LANGUAGES[code].inventory() for form in found} - known
    assert len(forms) > 1500
    assert {form for form in forms if not simplemma.is_known(form, lang=code)} == set()


def test_english_forms_are_those_of_another_inflector():
    other = {"oxen": "oxes", "knitted": "knit"}  # the forms that lemminflect prefers
    for concept in NOUNS:
        singular, plural, _ = english_noun(concept)
        if "mass" not in NOUNS[concept]:
            word = plural.split("_")[-1]
            assert other.get(word, word) in lemminflect.getInflection(singular.split("_")[-1], "NNS"), plural
    for concept in VERBS:
        forms = english_verb(concept)
        for slot, tag in (("past", "VBD"), ("progressive", "VBG"), ("third", "VBZ")):
            word = forms[slot]
            found = lemminflect.getInflection(forms["base"], tag)
            assert other.get(word, word) in found or (forms["base"] == "be" and word == "was"), (word, found)


def test_the_forms_that_were_wrong_once():
    assert [finite("play", 1, False), finite("smile", 1, False)] == ["spiele", "lächle"]
    assert english_verb("see")["progressive"] == "seeing"
    assert [noun("euro", True, 2), noun("bus", False, 3)] == ["Euro", "Busses"]


@pytest.mark.parametrize(
    ("concept", "form"),
    [("bus", "Busses"), ("circus", "Zirkus"), ("prison", "Gefängnisses"), ("pumpkin", "Kürbisses"), ("house", "Hauses"),
     ("clown", "Clowns"), ("zoo", "Zoos"), ("cafe", "Cafés"), ("count", "Grafen"), ("spy_m", "Spions"),
     ("veil", "Schleiers"), ("dentist_m", "Zahnarztes"), ("director_m", "Direktors"), ("tree", "Baumes"),
     ("knife", "Messers"), ("ghost", "Geistes")],
)  # fmt: skip
def test_german_genitives(concept, form):
    assert noun(concept, False, 3) == form
    gender, one, many, *_, weak = noun_forms(concept)
    assert weak or genitive(one, many) == form


def test_there_are_a_thousand_nouns_and_verbs_with_every_language():
    assert len(NOUNS) + len(VERBS) >= 1000
    for table in (NOUNS, VERBS, ADJECTIVES):
        for word in table.values():
            assert set(word.cells) == set(LANGUAGES) and all(word.cells.values()), word
            assert word.weight > 0
