"""Eleven short stories in English, German and Turkish, written for this course and aligned sentence by sentence.

Line i of each file in `story_texts/` says the same; a blank line ends a story, a story begins with its title. Turkish
builds long words from suffixes and German from compounds, so the three show what subwords are for. Licence: CC BY 4.0.
"""

from importlib.resources import files

LANGUAGES = ("en", "de", "tr")


def stories(language: str) -> list[str]:
    """The sentences of all stories in `language`, titles included, in order; line i means the same in each language.

    Raises ValueError for a language that is not one of `LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    text = files("course_lib.corpora").joinpath("story_texts", f"{language}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line]
