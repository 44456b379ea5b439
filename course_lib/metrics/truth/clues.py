"""What a token can be: the lexicon read from its forms to its concepts, and the forms of function words."""

from functools import cache
from typing import NamedTuple

from course_lib.corpora.grammar.languages import LANGUAGES
from course_lib.corpora.grammar.lexicon import ADVERBS, COMPOUNDS, NOUNS, function_words

# rows of function words that are forms of one word
FORMS = {
    "de": """der die das den dem des | Herr Herrn
ein eine einen einem einer eines | kein keine keinen keinem keiner keines
dieser diese dieses diesen diesem | einige einigen einiger | viele vielen vieler
mein meine meinen meinem meiner meines | dein deine deinen deinem deiner deines
sein seine seinen seinem seiner seines | ihr ihre ihren ihrem ihrer ihres
unser unsere unseren unserem unserer unseres | ich mich mir | du dich dir | wir uns
er ihn ihm | sie ihr ihnen | es ihm | wer wen wem | der die das den dem denen
bin bist ist sind | war warst waren | habe hast hat haben | hatte hattest hatten
werde wirst wird werden | wurde wurdest wurden | kann kannst können | konnte konntest konnten
muss musst müssen | musste musstest mussten | will willst wollen | wollte wolltest wollten | wenn als""",
    "en": """a an | this these | am is are | was were | have has | do does did | want wants | want wanted
I me | we us | he him | she her | they them | who that | 's '""",
    "fr": """le la les l' du des au aux | un une des | de d' du des | à au aux | ce cet cette ces | mon ma mes
ton ta tes | son sa ses | notre nos | leur leurs | je j' me m' | tu te t' | il le l' lui | elle la l' lui
ils elles les leur | que qu' qui | ne n' | suis es est sommes sont | étais était étions étaient
ai as a avons ont | avais avait avions avaient | vais vas va allons vont
peux peut pouvons peuvent | pouvais pouvait pouvions pouvaient | dois doit devons doivent
devais devait devions devaient | veux veut voulons veulent | voulais voulait voulions voulaient""",
}
DETERMINERS = {
    "de": "the der die das den dem des | this dieser diese dieses diesen diesem"
    " | some einige einigen einiger | many viele vielen vieler",
    "en": "the the | this this these | some some | many many",
    "fr": "the le la les l' du des au aux | this ce cet cette ces | some quelques | many beaucoup",
}
PRONOUNS = {
    "de": "ich mich mir du dich dir wir uns er sie es ihn ihm ihr ihnen mein dein sein unser",
    "en": "I you we he she it they me us him her them my your our his its their",
    "fr": "je j' tu il elle nous ils elles me m' te t' lui le la l' les leur leurs mon ma mes ton ta tes son sa ses"
    " notre nos",
}
NEGATIONS = {"de": "nicht kein", "en": "not no a an", "fr": "ne n' pas de d' un une des"}


class Clue(NamedTuple):
    """What a token may be: a "noun" in the "singular" or "plural", a "verb" in the "present" or "past", an "adjective",
    a "modifier" (concept: head and modifier), a "time", "frequency" or "manner"."""

    kind: str
    concept: str
    slot: str = ""


@cache
def lexicon(language: str) -> dict[str, tuple[Clue, ...]]:
    """From each form to all that it can be."""
    found: dict[str, dict[Clue, None]] = {}
    module = LANGUAGES[language]
    for (kind, concept), slot, forms in module.inventory():
        for form in forms:
            found.setdefault(form, {})[Clue(kind, concept, slot)] = None
    for head, modifier in ((head, modifier) for head, modifiers in COMPOUNDS.items() for modifier in modifiers):
        forms = module.compound(head, modifier)  # as many of the singular as of the plural
        for k, words in enumerate(forms):
            if len(words) == 1:  # of several words, each is a noun's form
                slot = "singular" if k < len(forms) // 2 else "plural"
                clues = found.setdefault(words[0], {})
                if Clue("modifier", f"{head} {modifier}", "singular") not in clues:
                    clues[Clue("modifier", f"{head} {modifier}", slot)] = None
    for concept, adverb in ADVERBS.items():
        for word in adverb.cells[language].split():
            found.setdefault(word.partition("/")[0], {})[Clue(adverb_kind(concept), concept)] = None
    return {form: tuple(clues) for form, clues in found.items()}


def adverb_kind(concept: str) -> str:
    """The field of a clause that an adverb fills."""
    kinds = ADVERBS[concept].kinds
    return "time" if kinds & {"time", "period"} else "frequency" if "frequency" in kinds else "manner"


@cache
def spelt(kind: str, concept: str, language: str) -> tuple[str, ...]:
    """All forms of a concept: two concepts that have the same ones are one word of the language ("big", "bulky")."""
    return tuple(_forms(language).get((kind, concept), (concept,)))


@cache
def _forms(language: str) -> dict[tuple[str, str], list[str]]:
    forms: dict[tuple[str, str], list[str]] = {}
    for concept, _, words in LANGUAGES[language].inventory():
        forms.setdefault(concept, []).extend(words)
    return forms


@cache
def numbers(language: str) -> dict[str, int]:
    """The number words."""
    words = [word.lstrip("*") for word in LANGUAGES[language].NUMBERS]
    return {word: k for k, word in enumerate(words) if k > 1}


@cache
def determiners(language: str) -> dict[str, str]:
    """From the forms of articles and their like to the determiner of a meaning."""
    rows = [row.split() for row in DETERMINERS[language].split("|")]
    return {form: row[0] for row in rows for form in row[1:]}


@cache
def _groups(language: str) -> dict[str, frozenset[str]]:
    rows = [row.split() for line in FORMS[language].splitlines() for row in line.split("|")]
    groups: dict[str, set[str]] = {}
    for k, row in enumerate(rows):
        for form in row:
            groups.setdefault(form, set()).add(f"form {k}")
    return {form: frozenset(names) for form, names in groups.items()}


@cache
def lemmas(token: str, language: str) -> frozenset:
    """The words that a token can be a form of."""
    content = {(clue.kind, clue.concept) for clue in lexicon(language).get(token, ())}
    return frozenset(content) | _groups(language).get(token, frozenset()) | {token}


@cache
def is_pronoun(token: str, language: str) -> bool:
    """Whether a token can be a personal or a possessive pronoun."""
    stems = PRONOUNS[language].split()
    return token in stems or not stems_of(token, language).isdisjoint(stems)


@cache
def is_negation(token: str, language: str) -> bool:
    """Whether a token can negate, or stand where another negates: "kein", "a" beside "no"."""
    stems = NEGATIONS[language].split()
    return token in stems or not stems_of(token, language).isdisjoint(stems)


def stems_of(token: str, language: str) -> set[str]:
    """The first forms of the function words that a token is a form of."""
    rows = [row.split() for line in FORMS[language].splitlines() for row in line.split("|")]
    return {row[0] for row in rows if token in row}


@cache
def content(token: str, language: str) -> bool:
    """Whether a token says something of the matter: a word of the lexicon, a number, a name, or an unknown word."""
    return token not in function_words(language) and any(letter.isalnum() for letter in token)


def known(token: str, language: str) -> bool:
    """Whether the grammar has the word; names it takes as they come."""
    return token in lexicon(language) or token in function_words(language) or token.isdigit()


def countable(noun: str) -> bool:
    """Whether a noun has a singular and a plural."""
    return NOUNS[noun].classes.isdisjoint(("mass", "paired", "one"))
