"""English: do-support, progressive and simple tenses, a and an.

Cells. Nouns: singular, plural if irregular, `@preposition` of place. Verbs: base, past if irregular; `look@at` takes
its object with a preposition. Words of one cell's unit are joined by underscores.
"""

import re
from collections.abc import Iterator
from functools import cache

from course_lib.corpora.grammar.lexicon import ADJECTIVES, ADVERBS, NOUNS, VERBS
from course_lib.corpora.grammar.meaning import (
    Both,
    Clause,
    Entity,
    Gap,
    Joined,
    Named,
    Participant,
    Place,
    Pronoun,
    Speaker,
    Utterance,
    Wh,
)
from course_lib.corpora.grammar.words import Source, Word, phrase, tidy

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
TITLES = {"m": "Mr", "f": "Mrs"}
PREPOSITIONS = {"in": "in", "on": "on", "under": "under", "behind": "behind", "in_front_of": "in front of"}
PREPOSITIONS |= {"next_to": "next to"}
PRONOUNS = {"it": ("it", "it", "its"), "m": ("he", "him", "his"), "f": ("she", "her", "her")}
PRONOUNS |= {"they": ("they", "them", "their")}
SPEAKERS = {(1, False): ("I", "me", "my"), (2, False): ("you", "you", "your"), (1, True): ("we", "us", "our")}
CONJUNCTIONS = {"and": ", and", "but": ", but", "because": "because", "while": "while", "when": "when"}
MATERIALS = {"wood": "wooden"}
COMPARATIVES = {"good": "better"}
DOUBLED = {"run", "swim", "cut", "hit", "get", "sit"}


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
    """base, third, past, progressive, and the preposition of the object ("" for none)."""
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
    stem = base[:-1] if base.endswith("e") and base != "be" else base + base[-1] if base in DOUBLED else base
    third = "has" if base == "have" else _sibilant(base)
    return {"base": base, "third": third, "past": past, "progressive": stem + "ing", "preposition": preposition}


def adjective(concept: str, degree: str = "plain") -> str:
    """The adjective, in the comparative if `degree` is "more"."""
    word = ADJECTIVES[concept].cells["en"]
    if degree != "more":
        return word
    if concept in COMPARATIVES:
        return COMPARATIVES[concept]
    vowels = "".join(letter if letter in "aeiouy" else " " for letter in word.removesuffix("e")).split()
    if word.endswith("y") and len(vowels) <= 2:
        return word[:-1] + "ier"
    if len(vowels) > 1:
        return "more " + word
    if word.endswith("e"):
        return word + "r"
    return word + word[-1] + "er" if word in ("big", "hot", "wet", "sad", "thin") else word + "er"


def agreement(np: Participant, head: Entity | None = None) -> tuple[int, bool]:
    """(person, plural) of a subject; a gap has those of its `head`."""
    if isinstance(np, Gap):
        np = head
    if isinstance(np, Speaker):
        return np.person, np.plural
    if isinstance(np, Pronoun):
        return agreement(np.antecedent)
    return 3, isinstance(np, Both) or (isinstance(np, Entity) and np.plural)


def pronoun(np: Pronoun | Speaker) -> tuple[str, str, str]:
    """Subject, object and possessive form."""
    if isinstance(np, Speaker):
        return SPEAKERS[np.person, np.plural]
    antecedent = np.antecedent
    if agreement(antecedent)[1]:
        return PRONOUNS["they"]
    if isinstance(antecedent, Named):
        return PRONOUNS[antecedent.gender]
    noun = NOUNS[antecedent.noun]
    return PRONOUNS["m" if "male" in noun else "f" if "female" in noun else "it"]


def noun_phrase(np: Participant, case: int = 1, negation: Source | None = None) -> list[Word]:
    """The words of a participant; `case` is 0 for a subject and 1 for an object; with `negation`, "a" becomes "no"."""
    me = id(np)
    if isinstance(np, Entity):
        return entity(np, negation)
    if isinstance(np, Named):
        title = phrase(TITLES[np.gender], (me, "title")) if np.title else []
        return [*title, (np.name, ((me, "noun"),))]
    if isinstance(np, Both):
        return [*noun_phrase(np.first, case), ("and", ((me, "and"),)), *noun_phrase(np.second, case)]
    if isinstance(np, Wh):
        return [(np.word, ((me, "wh"),))]
    if isinstance(np, Gap):
        return []
    return [(pronoun(np)[case], ((me, "pronoun"),))]


def entity(np: Entity, negation: Source | None = None) -> list[Word]:
    """Determiner, number, adjectives, modifier and noun, and what follows them."""
    me = id(np)
    singular, plural, _ = noun_forms(np.noun)
    words = [(NUMBERS[np.count], ((me, "count"),))] if np.count else []
    for concept in np.adjectives:
        words += phrase(adjective(concept), (me, concept))
    if np.modifier:
        words += phrase(MATERIALS.get(np.modifier) or noun_forms(np.modifier)[0], (me, "modifier"))
    words += phrase(plural if np.plural else singular, (me, "noun"))
    determiner = (me, "determiner")
    if isinstance(np.owner, Pronoun | Speaker):
        words.insert(0, (pronoun(np.owner)[2], ((id(np.owner), "pronoun"),)))
    elif np.owner:
        plural_s = isinstance(np.owner, Entity) and np.owner.plural and noun_phrase(np.owner)[-1][0].endswith("s")
        words = [*noun_phrase(np.owner), ("'" if plural_s else "'s", ((me, "of"),)), *words]
    elif np.determiner == "this":
        words.insert(0, ("these" if np.plural else "this", (determiner,)))
    elif np.determiner == "the":
        words.insert(0, ("the", (determiner,)))
    elif negation:
        words.insert(0, ("no", (negation, determiner)))
    elif not (np.plural or "mass" in NOUNS[np.noun]):
        words.insert(0, ("an" if words[0][0][0] in "aeiou" else "a", (determiner,)))
    if np.place:
        words += place(np.place)
    if np.relative:
        words += relative(np.relative, np)
    return words


def relative(clause_: Clause, head: Entity) -> list[Word]:
    """A relative clause with its pronoun: who, that, where."""
    if isinstance(clause_.subject, Gap):
        word = "who" if "person" in NOUNS[head.noun] else "that"
    else:
        word = "that" if isinstance(clause_.object, Gap) else "where"
    return [(word, ((id(clause_), "relative"),)), *clause(clause_, head=head)]


def place(where: Place) -> list[Word]:
    """A prepositional phrase."""
    if isinstance(where.ground, Gap):
        return []
    if where.relation == "to":
        preposition = "to"
    elif where.relation == "at":
        preposition = "in" if isinstance(where.ground, Named) else noun_forms(where.ground.noun)[2]
    else:
        preposition = PREPOSITIONS[where.relation]
    return [*phrase(preposition, (id(where), "preposition")), *noun_phrase(where.ground)]


def be(person: int, plural: bool, past: bool) -> str:
    """A finite form of the verb be."""
    if past:
        return "were" if plural or person == 2 else "was"
    return "are" if plural or person == 2 else "am" if person == 1 else "is"


def verb_group(c: Clause, person: int, plural: bool, support: bool) -> tuple[list[Word], list[Word]]:
    """(auxiliary, the rest); with `support` (negation, inversion) there is always an auxiliary, if need be do."""
    tense, main, modal = (id(c), "tense"), (id(c), "verb"), (id(c), "modal")
    past = c.tense in ("past", "ongoing")
    forms = verb_forms(c.verb)
    third = person == 3 and not plural
    base = [(forms["base"], (main,))]
    if c.modal == "can":
        return [("could" if past else "can", (tense, modal))], base
    if c.modal == "must":
        return ([], phrase("had to", tense, modal) + base) if past else ([("must", (tense, modal))], base)
    if c.tense == "future":
        return [("will", (tense,))], base
    if c.modal == "want":
        base = [("to", (modal,)), *base]
        third_form, past_form, simple, source = "wants", "wanted", "want", modal
    else:
        if forms["base"] == "be":
            return [(be(person, plural, past), (tense, main))], []
        if c.tense in ("present", "ongoing") and VERBS[c.verb].frame.isdisjoint(("state", "simple")):
            return [(be(person, plural, past), (tense,))], [(forms["progressive"], (main,))]
        third_form, past_form, simple, source, base = forms["third"], forms["past"], forms["base"], main, []
    if support:
        do = "did" if past else "does" if third else "do"
        return [(do, (tense, (id(c), "do")))], [(simple, (source,)), *base]
    return [], [(past_form if past else third_form if third else simple, (tense, source)), *base]


def clause(c: Clause, inverted: bool = False, head: Entity | None = None) -> list[Word]:
    """Subject, verb, objects, manner, place, time; `inverted` puts the auxiliary first."""
    me = id(c)
    person, plural = agreement(c.subject, head)
    auxiliary, rest = verb_group(c, person, plural, inverted or c.negated)
    exists = c.verb == "exist"
    if exists:
        no = (me, "negation") if c.negated else None
        subject, complement = phrase("there", (me, "verb")), noun_phrase(c.subject, 1, no)
    else:
        subject, complement = noun_phrase(c.subject, 0), []
    adverb = phrase(ADVERBS[c.frequency].cells["en"], (me, "frequency")) if c.frequency else []
    middle = ([("not", ((me, "negation"),))] if c.negated and not exists else []) + adverb
    words = [*auxiliary, *subject] if inverted else [*subject, *auxiliary]
    words += middle + rest + complement
    if c.property:
        words += predicate(c)
    if c.object is not None:
        words += phrase(verb_forms(c.verb)["preposition"], (me, "verb")) + noun_phrase(c.object)
    if c.recipient is not None:
        words += [("to", ((me, "to"),)), *noun_phrase(c.recipient)]
    if c.manner:
        words += phrase(ADVERBS[c.manner].cells["en"], (me, "manner"))
    if c.place:
        words += place(c.place)
    if c.time:
        time = phrase(ADVERBS[c.time].cells["en"], (me, "time"))
        words = time + [(",", ()), *words] if c.time_first else words + time
    if c.content:
        words += [("that", ((me, "that"),)), *clause(c.content)]
    return words


def predicate(c: Clause) -> list[Word]:
    """The adjective after be, with very, too or a comparison."""
    p, me = c.property, id(c.property)
    degree = [(p.degree, ((me, "degree"),))] if p.degree in ("very", "too") else []
    words = degree + phrase(adjective(p.adjective, p.degree), (me, "adjective"))
    return words + [("than", ((me, "than"),)), *noun_phrase(p.than)] if p.than else words


def joined(j: Clause | Joined) -> list[Word]:
    """Clauses with their conjunctions."""
    if isinstance(j, Clause):
        return clause(j)
    link = phrase(CONJUNCTIONS[j.conjunction], (id(j), "conjunction"))
    if j.second_first:
        return [*link, *clause(j.second), (",", ()), *joined(j.first)]
    return [*joined(j.first), *link, *clause(j.second)]


def linearise(u: Utterance) -> list[Word]:
    """The words of a sentence."""
    c, end = u.content, ((id(u), "end"),)
    if u.question is None:
        return tidy([*joined(c), (".", end)])
    front: list[Word] = []
    if u.question in ("why", "where"):
        front = [(u.question, ((id(u), "question"),))]
    elif isinstance(c.object, Wh):
        front = noun_phrase(c.object)
    if isinstance(c.subject, Wh):
        return [*clause(c), ("?", end)]
    words = clause(c, inverted=True)
    if isinstance(c.object, Wh):
        words = [word for word in words if word not in front]
    return [*front, *words, ("?", end)]


def detokenise(tokens: list[str]) -> str:
    """Running text: no space before marks and 's, "cannot" in one word, a capital first."""
    text = re.sub(r" (?=[,.?]|'s? )", "", " ".join(tokens)).replace("can not", "cannot")
    return text[0].upper() + text[1:]


def inventory() -> Iterator[tuple[tuple[str, str], str, list[str]]]:
    """((kind, concept), slot, forms) of every content word: what a token can be a form of."""
    for concept in NOUNS:
        singular, plural, _ = noun_forms(concept)
        yield ("noun", concept), "singular", [*singular.split("_"), MATERIALS.get(concept, singular.split("_")[0])]
        if "mass" not in NOUNS[concept]:
            yield ("noun", concept), "plural", [plural]
    for concept in ADJECTIVES:
        yield ("adjective", concept), "any", [adjective(concept), adjective(concept, "more").removeprefix("more ")]
    for concept in VERBS:
        forms = verb_forms(concept)
        yield ("verb", concept), "present", [forms["base"], forms["third"], forms["progressive"]]
        yield ("verb", concept), "past", [forms["past"]]


def compound(head: str, modifier: str) -> list[tuple[str, ...]]:
    """The token sequences that show a compound, in all its forms."""
    return [tuple(word for word, _ in entity(Entity(head, plural, modifier=modifier))[1:]) for plural in (False, True)]
