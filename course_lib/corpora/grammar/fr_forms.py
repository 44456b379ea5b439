"""French word forms: plurals, agreement of adjectives and participles, conjugation, elision and contraction."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from course_lib.corpora.grammar.lexicon import ADJECTIVES, NOUNS, VERBS, function_words
from course_lib.corpora.grammar.meaning import Both, Entity, Gap, Named, Participant, Pronoun, Speaker
from course_lib.corpora.grammar.words import Word

PERSONS = {(1, False): 0, (2, False): 1, (3, False): 2, (1, True): 3, (3, True): 4}
IMPERFECT = ["ais", "ais", "ait", "ions", "aient"]
# singular 1 2 3, plural 1 3, past participle
IRREGULAR = {
    "être": "suis es est sommes sont été",
    "avoir": "ai as a avons ont eu",
    "aller": "vais vas va allons vont allé",
    "pouvoir": "peux peux peut pouvons peuvent pu",
    "devoir": "dois dois doit devons doivent dû",
    "vouloir": "veux veux veut voulons veulent voulu",
    "savoir": "sais sais sait savons savent su",
    "voir": "vois vois voit voyons voient vu",
    "croire": "crois crois croit croyons croient cru",
    "boire": "bois bois boit buvons boivent bu",
    "dire": "dis dis dit disons disent dit",
    "lire": "lis lis lit lisons lisent lu",
    "écrire": "écris écris écrit écrivons écrivent écrit",
    "rire": "ris ris rit rions rient ri",
    "sourire": "souris souris sourit sourions sourient souri",
    "dormir": "dors dors dort dormons dorment dormi",
    "courir": "cours cours court courons courent couru",
    "ouvrir": "ouvre ouvres ouvre ouvrons ouvrent ouvert",
    "cueillir": "cueille cueilles cueille cueillons cueillent cueilli",
    "tenir": "tiens tiens tient tenons tiennent tenu",
    "connaître": "connais connais connaît connaissons connaissent connu",
    "peindre": "peins peins peint peignons peignent peint",
    "conduire": "conduis conduis conduit conduisons conduisent conduit",
    "construire": "construis construis construit construisons construisent construit",
    "suivre": "suis suis suit suivons suivent suivi",
    "poursuivre": "poursuis poursuis poursuit poursuivons poursuivent poursuivi",
    "disparaître": "disparais disparais disparaît disparaissons disparaissent disparu",
    "reconnaître": "reconnais reconnais reconnaît reconnaissons reconnaissent reconnu",
    "partir": "pars pars part partons partent parti",
    "découvrir": "découvre découvres découvre découvrons découvrent découvert",
    "offrir": "offre offres offre offrons offrent offert",
    "comprendre": "comprends comprends comprend comprenons comprennent compris",
    "apprendre": "apprends apprends apprend apprenons apprennent appris",
    "résoudre": "résous résous résout résolvons résolvent résolu",
    "coudre": "couds couds coud cousons cousent cousu",
    "craindre": "crains crains craint craignons craignent craint",
    "atteindre": "atteins atteins atteint atteignons atteignent atteint",
    "recevoir": "reçois reçois reçoit recevons reçoivent reçu",
    "interrompre": "interromps interromps interrompt interrompons interrompent interrompu",
    "traduire": "traduis traduis traduit traduisons traduisent traduit",
    "détruire": "détruis détruis détruit détruisons détruisent détruit",
    "décrire": "décris décris décrit décrivons décrivent décrit",
}
DOUBLING = {"appeler": "appell", "acheter": "achèt", "espérer": "espèr", "peser": "pès", "soulever": "soulèv"}
DOUBLING["protéger"] = "protèg"  # the stem before a silent ending
OWNED = {(1, False): "mon ma mes", (2, False): "ton ta tes", (1, True): "notre notre nos"}
CLITICS = {(1, False): "me", (2, False): "te", (1, True): "nous"}
SUBJECTS = {(1, False): "je", (2, False): "tu", (1, True): "nous"}
VOWELS = "aeiouyhâàéèêëîïôöûùœ"
ELIDED = {"le": "l'", "la": "l'", "je": "j'", "me": "m'", "te": "t'", "ne": "n'", "que": "qu'", "de": "d'"}
LIAISON = {"ce": "cet", "ma": "mon", "ta": "ton", "sa": "son"}
CONTRACTED = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}
JOINING = {*ELIDED, *LIAISON, *(first for first, _ in CONTRACTED)}


class NounForms(NamedTuple):
    """Gender, singular, plural, prepositions of place and goal, and that of the noun with no article ("" for none).

    An aspirated h is marked by a leading *.
    """

    gender: str
    singular: str
    plural: str
    place: str
    goal: str
    alone: str


class VerbForms(NamedTuple):
    """Infinitive, auxiliary, and the prepositions of the object and of a goal ("" for none, the goal's own)."""

    infinitive: str
    auxiliary: str
    preposition: str
    goal: str


def pluralise(word: str) -> str:
    """The regular plural: -s, -x after -au and -eu, -aux for -al, nothing after s, x and z."""
    if word[-1] in "sxz":
        return word
    if word.endswith(("au", "eu")):
        return word + ("s" if word == "bleu" else "x")
    return word[:-2] + "aux" if word.endswith("al") else word + "s"


@cache
def noun_forms(concept: str) -> NounForms:
    """The forms that the noun's cell gives or implies; of several words the first takes the plural."""
    cells = NOUNS[concept].cells["fr"].split()
    place, goal, *alone = cells.pop()[1:].split(",") if cells[-1].startswith("@") else ("dans", "dans")
    gender, singular, *plural = cells
    first, *others = singular.split("_")
    many = plural[0] if plural else "_".join([pluralise(first), *others])
    return NounForms(gender, singular, many, place, goal, "".join(alone))


@cache
def adjective(concept: str, gender: str, plural: bool) -> tuple[str, bool, str]:
    """(form, whether it stands before the noun, form before a vowel)."""
    cells = ADJECTIVES[concept].cells["fr"].split()
    masculine = cells[0].removeprefix("^")
    feminine = cells[1] if len(cells) > 1 else feminise(masculine)
    form = feminine if gender == "f" else masculine
    special = cells[2] if len(cells) > 2 and gender == "m" and not plural else None
    form = pluralise(form) if plural else form
    return form, cells[0].startswith("^"), special or form


def comparative(concept: str, gender: str, plural: bool) -> str:
    """The predicative comparative: "plus" and the adjective, but "meilleur"."""
    if concept == "good":
        return "meilleur" + ("e" if gender == "f" else "") + ("s" if plural else "")
    return "plus " + adjective(concept, gender, plural)[0]


def feminise(word: str) -> str:
    """The regular feminine of an adjective or participle."""
    for masculine, feminine in (("eux", "euse"), ("er", "ère"), ("f", "ve"), ("el", "elle"), ("e", "e")):
        if word.endswith(masculine):
            return word[: -len(masculine)] + feminine
    return word + "e"


def agreement(np: Participant, head: Entity | None = None) -> tuple[int, bool, str]:
    """(person, plural, gender) of a participant; a gap has those of its `head`; one "m" makes a group "m"."""
    if isinstance(np, Gap):
        np = head
    if isinstance(np, Speaker):
        return np.person, np.plural, np.gender
    if isinstance(np, Pronoun):
        return agreement(np.antecedent)
    if isinstance(np, Both):
        return 3, True, max(agreement(np.first)[2], agreement(np.second)[2])
    if isinstance(np, Entity):
        return 3, np.plural, noun_forms(np.noun).gender
    return 3, False, np.gender if isinstance(np, Named) else "m"


def pronoun(np: Pronoun | Speaker, role: str) -> str:
    """The clitic pronoun: `role` is "subject", "object" or "recipient"."""
    person, plural, gender = agreement(np)
    if person < 3:
        return SUBJECTS[person, plural] if role == "subject" else CLITICS[person, plural]
    if role == "subject":
        return ("elle" if gender == "f" else "il") + ("s" if plural else "")
    if role == "recipient":
        return "leur" if plural else "lui"
    return "les" if plural else "la" if gender == "f" else "le"


def possessive(owner: Pronoun | Speaker, gender: str, plural: bool) -> str:
    """My, your, his … before a noun of a gender and number."""
    person, many, _ = agreement(owner)
    forms = OWNED.get((person, many)) or ("leur leur leurs" if many else "son sa ses")
    return forms.split()[2 if plural else 1 if gender == "f" else 0]


@cache
def verb_forms(concept: str) -> VerbForms:
    """What the verb's cell says."""
    head, *others = VERBS[concept].cells["fr"].split()
    infinitive, _, preposition = head.partition("@")
    goal = " ".join(word for word in others if word != "être")
    return VerbForms(infinitive, "être" if "être" in others else "avoir", preposition, goal.replace("'", "' "))


@cache
def finite(infinitive: str, person: int, plural: bool, past: bool = False) -> str:
    """The present, or the imperfect if `past`."""
    slot = PERSONS[person, plural]
    if past:
        stem = "ét" if infinitive == "être" else finite(infinitive, 1, True).removesuffix("ons")
        if slot == 3:  # mangeais, but mangions
            stem = stem[:-1] if stem.endswith("ge") else stem[:-1] + "c" if stem.endswith("ç") else stem
        return stem + IMPERFECT[slot]
    if infinitive in IRREGULAR:
        return IRREGULAR[infinitive].split()[slot]
    stem = infinitive[:-2]
    if infinitive.endswith("er"):
        if slot == 3:
            stem += "e" if stem.endswith("g") else ""
            stem = stem[:-1] + "ç" if stem.endswith("c") else stem
        else:
            stem = DOUBLING.get(infinitive, stem)
            stem = stem[:-1] + "i" if stem.endswith(("ay", "oy", "uy")) else stem
        return stem + ("e", "es", "e", "ons", "ent")[slot]
    endings = ("is", "is", "it", "issons", "issent") if infinitive.endswith("ir") else ("s", "s", "", "ons", "ent")
    return stem + endings[slot]


@cache
def participle(infinitive: str, gender: str = "m", plural: bool = False) -> str:
    """The past participle in a gender and number."""
    if infinitive in IRREGULAR:
        form = IRREGULAR[infinitive].split()[5]
    else:
        form = infinitive[:-2] + {"er": "é", "ir": "i", "re": "u"}[infinitive[-2:]]
    return form + ("e" if gender == "f" else "") + ("s" if plural and form[-1] != "s" else "")


def join(words: list[Word]) -> list[Word]:
    """Elision (l', qu', n'), liaison (cet, mon) and contraction (du, aux); a contraction has both words' sources."""
    joined: list[Word] = []
    for word in reversed(words):
        text, sources = word
        if text in JOINING and joined:
            following = joined[-1][0].lower()
            if following[0] in VOWELS and (following[0] != "y" or following == "y"):
                word = (ELIDED.get(text) or LIAISON.get(text, text), sources)
            elif (text, following) in CONTRACTED:
                word = (CONTRACTED[text, following], (*sources, *joined.pop()[1]))
        joined.append(word)
    joined.reverse()
    return [(word[0][1:], word[1]) if word[0][0] == "*" else word for word in joined]


def regular(concept: tuple[str, str]) -> bool:
    """Whether a rule gives the plural of the noun or the past of the verb, so that a reader can tell it unseen."""
    kind, name = concept
    if kind == "verb":
        return verb_forms(name).infinitive.endswith("er")
    forms = noun_forms(name)
    return forms.plural == forms.singular + "s"


def inventory() -> Iterator[tuple[tuple[str, str], str, list[str]]]:
    """((kind, concept), slot, forms) of every content word: what a token can be a form of."""
    for concept in NOUNS:
        forms = noun_forms(concept)
        for slot, form in (("singular", forms.singular), ("plural", forms.plural))[
            : 1 if "mass" in NOUNS[concept] else 2
        ]:
            words = form.removeprefix("*").split("_")
            said = [word for word in words if word not in function_words("fr")] if words[1:] else words
            yield ("noun", concept), slot, said
    for concept in ADJECTIVES:
        forms: list[str] = []
        for gender, plural in (("m", False), ("m", True), ("f", False), ("f", True)):
            form, _, special = adjective(concept, gender, plural)
            forms += [form, special, comparative(concept, gender, plural).removeprefix("plus ")]
        yield ("adjective", concept), "any", [form.removeprefix("*") for form in forms]
    for concept in VERBS:
        infinitive = verb_forms(concept).infinitive.removeprefix("*")
        present, past = ([finite(infinitive, *person, past) for person in PERSONS] for past in (False, True))
        agreeing = VERBS[concept].objects or verb_forms(concept).auxiliary == "être"
        genders = "mf" if agreeing else "m"
        participles = [participle(infinitive, gender, many) for gender in genders for many in (False, agreeing)]
        yield ("verb", concept), "present", [infinitive, *present]
        yield ("verb", concept), "past", [*past, *participles]
