"""The stories are aligned, clean, and long enough to learn subwords from."""

import re
import unicodedata
from pathlib import Path

import pytest

from course_lib.corpora import stories as module
from course_lib.corpora.stories import LANGUAGES, stories

TEXTS = {
    language: (Path(module.__file__).parent / "story_texts" / f"{language}.txt").read_text(encoding="utf-8")
    for language in LANGUAGES
}
OWN_LETTERS = {"en": "", "de": "äöüßÄÖÜ", "tr": "çğıöşüİâÇĞÖŞÜ"}
QUOTED = "łéıü"  # letters of names and words quoted from other languages


def test_the_languages_are_aligned_line_by_line():
    blank = {language: [i for i, line in enumerate(text.split("\n")) if not line] for language, text in TEXTS.items()}
    assert blank["en"] == blank["de"] == blank["tr"] and len(blank["en"]) == 11
    assert len(stories("en")) == len(stories("de")) == len(stories("tr")) == 419


@pytest.mark.parametrize("language", LANGUAGES)
def test_about_thirty_kilobytes_each(language):
    assert 28_000 < len(TEXTS[language].encode()) < 34_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_clean(language):
    text = TEXTS[language]
    assert text == unicodedata.normalize("NFC", text)
    assert not re.search(r"  | \n|\n |\n\n\n|[\t\r“”‘’„–—]", text)
    assert not [
        character for character in text if unicodedata.category(character).startswith("C") and character != "\n"
    ]
    letters = {character for character in text if character.isalpha() and not character.isascii()}
    assert letters <= set(OWN_LETTERS[language] + QUOTED), letters


@pytest.mark.parametrize("language", ["de", "tr"])
def test_translations_are_of_like_length(language):
    for english, other in zip(stories("en"), stories(language), strict=True):
        assert 0.4 < len(other) / len(english) < 2.5, (english, other)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_stands_twice(language):
    assert len(set(stories(language))) == len(stories(language))


def test_an_unknown_language_is_named():
    with pytest.raises(ValueError, match="language must be one of en, de, tr, got 'fi'"):
        stories("fi")
