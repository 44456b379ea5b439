"""German word forms: declension of articles, adjectives and nouns, conjugation of verbs."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from course_lib.corpora.grammar.lexicon import ADJECTIVES, NOUNS, VERBS
from course_lib.corpora.grammar.meaning import Both, Entity, Gap, Named, Participant, Pronoun, Speaker

NOM, ACC, DAT, GEN = range(4)
GENDERS = "mfnp"  # masculine, feminine, neuter, plural
# endings in the order of GENDERS, a row for each case; "-" is none
STRONG = ("er e es e", "en e es e", "em er em en", "en er en er")
WEAK = ("e e e en", "en e e en", "en en en en", "en en en en")
MIXED = ("er e es en", "en e es en", "en en en en", "en en en en")
DER = ("der die das die", "den die das die", "dem der dem den", "des der des der")
DIES = ("er e es e", "en e es e", "em er em en", "es er es er")
EIN = ("- e - e", "en e - e", "em er em en", "es er es er")
ENDINGS = {
    name: [dict(zip(GENDERS, row.replace("-", "").split(" "), strict=True)) for row in table]
    for name, table in {"strong": STRONG, "weak": WEAK, "mixed": MIXED, "d": DER, "dies": DIES, "ein": EIN}.items()
}
PRONOUNS = {"m": ("er", "ihn", "ihm", "sein"), "f": ("sie", "sie", "ihr", "ihr"), "n": ("es", "es", "ihm", "sein")}
PRONOUNS |= {"p": ("sie", "sie", "ihnen", "ihr")}
SPEAKERS = {(1, False): ("ich", "mich", "mir", "mein"), (2, False): ("du", "dich", "dir", "dein")}
SPEAKERS |= {(1, True): ("wir", "uns", "uns", "unser")}
STEMS = {"hoch": "hoh", "teuer": "teur", "sauer": "saur", "dunkel": "dunkl", "müde": "müd"}
UMLAUTS = {"alt", "jung", "groß", "klug", "kurz", "lang", "stark", "schwach", "kalt", "hart", "arm", "schwarz"}
COMPARATIVES = {"gut": "besser", "hoch": "höher"}
UNPREFIXED = ("be", "ver", "er", "ent", "emp", "über", "zer")  # no ge- in the participle
# infinitive: singular 1 2 3, plural 1 3, then the preterite's stem
IRREGULAR = {
    "sein": "bin bist ist sind sind war",
    "haben": "habe hast hat haben haben hatte",
    "werden": "werde wirst wird werden werden wurde",
    "wissen": "weiß weißt weiß wissen wissen wusste",
    "können": "kann kannst kann können können konnte",
    "müssen": "muss musst muss müssen müssen musste",
    "wollen": "will willst will wollen wollen wollte",
}
PERSONS = {(1, False): 0, (2, False): 1, (3, False): 2, (1, True): 3, (3, True): 4}


class VerbForms(NamedTuple):
    """What a verb's cell says: parts of the verb, its auxiliary, and its object's preposition and case."""

    stem: str
    particle: str
    infinitive: str
    third: str
    participle: str
    preterite: str
    auxiliary: str
    preposition: str
    case: int


def ending(declension: str, gender: str, case: int) -> str:
    """The ending of an attributive adjective: "strong" without article, "weak" after der, "mixed" after ein."""
    return ENDINGS[declension][case][gender]


def determiner(stem: str, gender: str, case: int) -> str:
    """The form of der ("d"), dieser ("dies"), ein, kein or a possessive."""
    if stem == "d":
        return ENDINGS["d"][case][gender]
    return stem + ENDINGS["dies" if stem == "dies" else "ein"][case][gender]


@cache
def noun_forms(concept: str) -> tuple[str, str, str, str, str, str, bool]:
    """Gender, singular, plural, first part of a compound, prepositions of place and goal, weak declension."""
    cells = NOUNS[concept].cells["de"].split()
    place, goal = cells.pop()[1:].split(",") if cells[-1].startswith("@") else ("in", "in")
    gender, singular, plural, *linking = cells
    return gender[0], singular, plural, linking[0] if linking else "", place, goal, gender.endswith("*")


@cache
def noun(concept: str, plural: bool, case: int) -> str:
    """The noun in a number and a case."""
    gender, one, many, *_, weak = noun_forms(concept)
    if plural:
        return many + "n" if case == DAT and many.endswith(("e", "el", "er")) else many
    if weak and case != NOM:
        return many
    return genitive(one, many) if case == GEN and gender in "mn" else one


def genitive(one: str, many: str) -> str:
    """The genitive of a strong masculine or neuter noun: -es after one syllable and after s, -ses beside a -se."""
    vowels = "".join(letter if letter in "aeiouyäöüé" else " " for letter in one.lower())
    syllables = vowels.replace("io", "i o").replace("eie", "ei e").split()
    if many == one + "se" and len(syllables) > 1 and one.endswith("us"):
        return one  # des Zirkus
    if many == one + "se":
        return one + "ses"
    if one.endswith(("s", "ß", "z", "x", "zt")):
        return one if many == one else one + "es"
    if many.endswith("s") or len(syllables) > 1 or one[-1] in "aeiouyäöüé":
        return one + "s"
    return one + "es"


@cache
def adjective(concept: str, suffix: str = "", degree: str = "plain") -> str:
    """The adjective, inflected with `suffix`, in the comparative if `degree` is "more"."""
    word = ADJECTIVES[concept].cells["de"]
    if degree == "more":
        if word in COMPARATIVES:
            return COMPARATIVES[word]
        stem = STEMS.get(word, word)
        if word in UMLAUTS:
            first = min(i for i, letter in enumerate(stem) if letter in "aou")
            stem = stem[:first] + stem[first].translate(str.maketrans("aou", "äöü")) + stem[first + 1 :]
        return stem + "er"
    return STEMS.get(word, word) + suffix if suffix else word


def agreement(np: Participant, head: Entity | None = None) -> tuple[int, bool, str]:
    """(person, plural, gender) of a participant; a gap has those of its `head`."""
    if isinstance(np, Gap):
        np = head
    if isinstance(np, Speaker):
        return np.person, np.plural, "m"
    if isinstance(np, Pronoun):
        return agreement(np.antecedent)
    if isinstance(np, Entity):
        return 3, np.plural, noun_forms(np.noun)[0]
    return 3, isinstance(np, Both), np.gender if isinstance(np, Named) else "m"


def pronoun(np: Pronoun | Speaker, case: int) -> str:
    """The personal pronoun in a case; for GEN, the stem of the possessive."""
    if isinstance(np, Speaker):
        return SPEAKERS[np.person, np.plural][case]
    _, plural, gender = agreement(np.antecedent)
    return PRONOUNS["p" if plural else gender][case]


@cache
def verb_forms(concept: str) -> VerbForms:
    """The principal parts of a verb, the regular ones by rule."""
    cells = VERBS[concept].cells["de"].split()
    auxiliary = "sein" if cells[1:] and cells[-1] == "sein" else "haben"
    if auxiliary == "sein":
        cells.pop()
    head, _, government = cells[0].partition("@")
    preposition, _, case = government.rpartition("+")
    particle, _, infinitive = head.rpartition("-")
    third, participle, preterite = (cells[1:] + ["-"] * 3)[:3]
    stem = infinitive[:-2] if infinitive.endswith("en") else infinitive[:-1]
    e = "e" if stem.endswith(("t", "d", "chn")) or (stem[-1] in "nm" and stem[-2] not in "aeiouäöürlhmn") else ""
    if participle == "-":
        ge = "" if infinitive.startswith(UNPREFIXED) or infinitive.endswith("ieren") else "ge"
        participle = ge + stem + e + "t"
    return VerbForms(
        stem,
        particle,
        particle + infinitive,
        stem + e + "t" if third == "-" else third,
        particle + participle,
        stem + e + "te" if preterite == "-" else preterite,
        auxiliary,
        preposition,
        {"acc": ACC, "dat": DAT, "": ACC}[case],
    )


@cache
def finite(verb: str, person: int, plural: bool, past: bool = False) -> str:
    """The finite form of a concept's verb or of an auxiliary, without its particle; past is the preterite."""
    forms = verb_forms(verb) if verb in VERBS else None
    infinitive = forms.infinitive.removeprefix(forms.particle) if forms else verb
    if past:
        stem = forms.preterite if forms else IRREGULAR[verb].split()[5]
        if plural:
            return stem + ("n" if stem.endswith("e") else "en")
        return stem if person != 2 else stem + "st"
    if infinitive in IRREGULAR:
        return IRREGULAR[infinitive].split()[PERSONS[person, plural]]
    if plural:
        return infinitive
    if person == 1:
        return forms.stem[:-2] + "le" if infinitive.endswith("eln") else forms.stem + "e"
    if person == 2:
        strong = forms.stem.endswith("t") and not forms.third.endswith("tet")  # du hältst
        base = forms.third if strong else forms.third[:-1]
        return base + ("t" if base.endswith(("s", "ß", "z", "x")) else "st")
    return forms.third


def regular(concept: tuple[str, str]) -> bool:
    """Whether a rule gives the plural of the noun or the past of the verb, so that a reader can tell it unseen.

    Feminine nouns in -e take -n, those in -in take -nen; the others in -er, -el and -en take nothing; all in -a, -i, -o
    take -s.
    """
    kind, name = concept
    if kind == "verb":
        return all(cell in ("-", "sein") for cell in VERBS[name].cells["de"].split()[1:])
    gender, one, many, *_ = noun_forms(name)
    ends = (("e", "n"), ("in", "nen"), ("ung", "en")) if gender == "f" else (("er", ""), ("el", ""), ("en", ""))
    ending = next((plural for end, plural in (*ends, ("a", "s"), ("i", "s"), ("o", "s")) if one.endswith(end)), None)
    return ending is not None and many == one + ending


def inventory() -> Iterator[tuple[tuple[str, str], str, list[str]]]:
    """((kind, concept), slot, forms) of every content word: what a token can be a form of."""
    for concept in NOUNS:
        for slot, plural in (("singular", False), ("plural", True))[: 1 if "mass" in NOUNS[concept] else 2]:
            yield ("noun", concept), slot, [noun(concept, plural, case) for case in range(4)]
    for concept in ADJECTIVES:
        forms = [adjective(concept, suffix) for suffix in ("", "e", "er", "es", "en", "em")]
        yield ("adjective", concept), "any", [*forms, adjective(concept, degree="more")]
    for concept in VERBS:
        forms = verb_forms(concept)
        present, past = ([finite(concept, *person, past) for person in PERSONS] for past in (False, True))
        yield ("verb", concept), "present", [*present, *(forms.particle + form for form in present), forms.infinitive]
        preterite = past if "state" in VERBS[concept].frame else []  # of other verbs only the perfect is used
        yield ("verb", concept), "past", [forms.participle, *preterite]
