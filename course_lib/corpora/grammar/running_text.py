"""From running text to the tokens of the grammar: what `detokenise` has joined is cut again."""

import re
from functools import cache

from course_lib.corpora.grammar.languages import LANGUAGES
from course_lib.corpora.grammar.lexicon import function_words

TOKENS = {  # a token; whatever else is not whitespace is one too
    "en": r"'s\b|can(?=not\b)|(?<=can)not\b|[\w-]+|\S",
    "de": r"[\w-]+|\S",
    "fr": r"[Aa]ujourd'hui\b|[\w-]+'|[\w-]+|\S",
}


def tokenise(text: str, language: str) -> list[str]:
    """ "Is the boy's dog old?" → is the boy 's dog old ? — the first word as it is written inside a sentence.

    A first word is made small where the grammar knows its small form; so one that is written both ways (German "Essen",
    "essen") is taken for the small one. Raises ValueError for a language that is not in TOKENS.
    """
    if language not in TOKENS:
        raise ValueError(f"language must be one of {', '.join(TOKENS)}, got {language!r}")
    tokens = re.findall(TOKENS[language], text)
    if tokens and (small := tokens[0][0].lower() + tokens[0][1:]) in _known(language):
        tokens[0] = small
    return tokens


@cache
def _known(language: str) -> frozenset[str]:
    forms = {form for _, _, forms in LANGUAGES[language].inventory() for form in forms}
    return function_words(language) | forms
