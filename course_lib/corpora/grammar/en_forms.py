"""English word forms: plurals, the parts of verbs, comparatives."""

from collections.abc import Iterator
from functools import cache

from course_lib.corpora.grammar.lexicon import ADJECTIVES, NOUNS, VERBS

MATERIALS = {"wood": "wooden", "wool": "woollen"}
COMPARATIVES = {"good": "better", "clever": "cleverer"}
IRREGULAR = (
    "ate eaten, bit bitten, broke broken, chose chosen, drank drunk, drew drawn, drove driven, forgot forgotten, "
    "gave given, hid hidden, knew known, overtook overtaken, sang sung, saw seen, stole stolen, threw thrown, "
    "tore torn, woke woken, wore worn, wrote written"
)
PARTICIPLES = dict(pair.split() for pair in IRREGULAR.split(", "))  # where they are not the past
DOUBLED = {"run", "swim", "cut", "hit", "get", "sit", "stir", "plan", "knit", "win", "forget", "travel", "cancel"}


@cache
def noun_forms(concept: str) -> tuple[str, str, str]:
    """Singular, plural and preposition of place ("in" where the cell is silent)."""
    forms = NOUNS[concept].cells["en"].split()
    preposition = forms.pop()[1:] if forms[-1].startswith("@") else "in"
    return forms[0], forms[1] if len(forms) > 1 else _sibilant(forms[0]), preposition


def _sibilant(word: str) -> str:
    """`word` with the -s of plurals and of the third person."""
    if word.endswith(("s", "x", "z", "ch", "sh")) or word == "go":
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


@cache
def verb_forms(concept: str) -> dict[str, str]:
    """base, third, past, participle, progressive, and the preposition of the object ("" for none)."""
    forms = VERBS[concept].cells["en"].split()
    base, _, preposition = forms[0].partition("@")
    if len(forms) > 1:
        past = forms[1]
    elif base.endswith("e"):
        past = base + "d"
    elif base.endswith("y") and base[-2] not in "aeiou":
        past = base[:-1] + "ied"
    else:
        past = base + "ed"
    silent = base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be"
    stem = base[:-1] if silent else base + base[-1] if base in DOUBLED else base
    third = {"have": "has", "be": "is"}.get(base) or _sibilant(base)
    forms = {"base": base, "third": third, "past": past, "participle": PARTICIPLES.get(past, past)}
    return forms | {"progressive": stem + "ing", "preposition": preposition}


def adjective(concept: str, degree: str = "plain") -> str:
    """The adjective, in the comparative if `degree` is "more"."""
    word = ADJECTIVES[concept].cells["en"]
    if degree != "more":
        return word
    if concept in COMPARATIVES:
        return COMPARATIVES[concept]
    vowels = "".join(letter if letter in "aeiouy" else " " for letter in word.removesuffix("e")).split()
    if word.endswith("y") and word[-2] not in "aeiou" and len(vowels) <= 2:
        return word[:-1] + "ier"
    if len(vowels) > 1:
        return "more " + word
    if word.endswith("e"):
        return word + "r"
    return word + word[-1] + "er" if word in ("big", "hot", "wet", "sad", "red") else word + "er"


def regular(concept: tuple[str, str]) -> bool:
    """Whether a rule gives the plural of the noun or the past of the verb, so that a reader can tell it unseen."""
    kind, name = concept
    cell = (NOUNS if kind == "noun" else VERBS)[name].cells["en"]
    return len(cell.partition(" @")[0].split()) == 1


def inventory() -> Iterator[tuple[tuple[str, str], str, list[str]]]:
    """((kind, concept), slot, forms) of every content word: what a token can be a form of."""
    for concept in NOUNS:
        singular, plural, _ = noun_forms(concept)
        yield (
            ("noun", concept),
            "singular",
            [*singular.split("_"), *([MATERIALS[concept]] if concept in MATERIALS else [])],
        )
        if "mass" not in NOUNS[concept]:
            yield ("noun", concept), "plural", plural.split("_")
    for concept in ADJECTIVES:
        yield ("adjective", concept), "any", [adjective(concept), adjective(concept, "more").removeprefix("more ")]
    for concept in VERBS:
        forms = verb_forms(concept)
        yield ("verb", concept), "present", [forms["base"], forms["third"], forms["progressive"]]
        yield ("verb", concept), "past", [forms["past"], *({forms["participle"]} - {forms["past"]})]
