"""English: do-support, progressive and simple tenses, a and an.

Cells. Nouns: singular, plural if irregular, `@preposition` of place. Verbs: base, past if irregular; `look@at` takes
its object with a preposition. Words of one cell's unit are joined by underscores.
"""

import re

from course_lib.corpora.grammar.en_forms import MATERIALS, adjective, inventory, noun_forms, regular, verb_forms
from course_lib.corpora.grammar.lexicon import ADVERBS, NOUNS, VERBS
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
    topic,
)
from course_lib.corpora.grammar.words import Source, Word, also, aside, phrase, tidy

__all__ = ["compound", "detokenise", "inventory", "linearise", "regular"]

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
TITLES = {"m": "Mr", "f": "Mrs"}
PREPOSITIONS = {"in": "in", "on": "on", "under": "under", "behind": "behind", "in_front_of": "in front of"}
PREPOSITIONS |= {"next_to": "next to"}
PRONOUNS = {"it": ("it", "it", "its"), "m": ("he", "him", "his"), "f": ("she", "her", "her")}
PRONOUNS |= {"they": ("they", "them", "their")}
SPEAKERS = {(1, False): ("I", "me", "my"), (2, False): ("you", "you", "your"), (1, True): ("we", "us", "our")}
COORDINATING = ("and", "but")
NOT_VOWELS = ("uni", "eu", "use", "one")  # "a university"
SILENT = ("heir", "honest", "honour", "hour")  # "an heir"


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
    return PRONOUNS[antecedent.sex or ("m" if "male" in noun else "f" if "female" in noun else "it")]


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
    words = [((NUMBERS[np.count] if np.count < len(NUMBERS) else str(np.count)), ((me, "count"),))] if np.count else []
    for concept in np.adjectives:
        words += phrase(adjective(concept), (me, concept))
    if np.modifier:
        words += phrase(MATERIALS.get(np.modifier) or noun_forms(np.modifier)[0], (me, "modifier"), head=-1)
    determiner = (me, "determiner")
    words += phrase(plural if np.plural else singular, (me, "noun"), head=-1)
    if isinstance(np.owner, (Pronoun, Speaker)):
        words.insert(0, (pronoun(np.owner)[2], ((id(np.owner), "pronoun"),)))
    elif np.owner:
        plural_s = isinstance(np.owner, Entity) and np.owner.plural and noun_phrase(np.owner)[-1][0].endswith("s")
        words = [*noun_phrase(np.owner), ("'" if plural_s else "'s", ((me, "of"), aside(determiner, "of"))), *words]
    elif np.determiner == "this":
        words.insert(0, ("these" if np.plural else "this", (determiner,)))
    elif np.determiner in ("the", "some", "many"):
        words.insert(0, (np.determiner, (determiner,)))
    elif negation:
        words.insert(0, ("no", (negation, determiner)))
    elif np.plural or "mass" in NOUNS[np.noun]:
        words = also(words, aside(determiner, "bare"), at=-1)
    else:
        first = words[0][0]
        vowel = first.startswith(SILENT) or (first[0] in "aeiou" and not first.startswith(NOT_VOWELS))
        words.insert(0, ("an" if vowel else "a", (determiner,)))
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
    forms, finite = verb_forms(c.verb), aside(tense, "verb")
    third = person == 3 and not plural
    base = [(forms["base"], (main,))]
    progressive = c.tense in ("present", "ongoing") and VERBS[c.verb].frame.isdisjoint(("state", "simple"))
    if c.passive:
        base = [("be", (aside(tense, "be"),)), (forms["participle"], (main,))]
    if c.modal == "can":
        return [("could" if past else "can", (finite, modal))], base
    if c.modal == "must":
        if support and past:
            return [("did", (tense,))], [*phrase("have to", modal), *base]
        return ([], phrase("had to", finite, modal) + base) if past else ([("must", (finite, modal))], base)
    if c.tense == "future":
        return [("will", (tense,))], base
    if c.passive:
        being = [("being", (aside(tense, "being"),))] if progressive else []
        return [(be(person, plural, past), (tense,))], [*being, base[-1]]
    if c.modal == "want":
        base = [("to", (aside(modal, "to"),)), *base]
        third_form, past_form, simple, source = "wants", "wanted", "want", modal
    else:
        if forms["base"] == "be":
            return [(be(person, plural, past), (finite, main))], []
        if progressive:
            return [(be(person, plural, past), (tense,))], [(forms["progressive"], (main,))]
        third_form, past_form, simple, source, base = forms["third"], forms["past"], forms["base"], main, []
    if support:
        do = "did" if past else "does" if third else "do"
        return [(do, (tense, (id(c), "do:do")))], [(simple, (source,)), *base]
    return [], [(past_form if past else third_form if third else simple, (finite, source)), *base]


def clause(c: Clause, inverted: bool = False, head: Entity | None = None) -> list[Word]:
    """Subject, verb, objects, manner, place, time; `inverted` puts the auxiliary first."""
    me = id(c)
    person, plural = agreement(topic(c), head)
    auxiliary, rest = verb_group(c, person, plural, inverted or c.negated)
    exists = c.verb == "exist"
    if exists:
        no = (me, "negation") if c.negated else None
        subject, complement = phrase("there", (me, "verb:there")), noun_phrase(c.subject, 1, no)
    else:
        subject, complement = noun_phrase(topic(c), 0), []
    adverb = phrase(ADVERBS[c.frequency].cells["en"], (me, "frequency")) if c.frequency else []
    middle = ([("not", ((me, "negation"),))] if c.negated and not exists else []) + adverb
    words = [*also(auxiliary, (me, "do:inverted")), *subject] if inverted else [*subject, *auxiliary]
    words += middle + rest + complement
    if c.property:
        words += predicate(c)
    if c.object is not None and not c.passive:
        words += phrase(verb_forms(c.verb)["preposition"], (me, "verb:preposition")) + noun_phrase(c.object)
    if c.recipient is not None:
        words += [("to", ((me, "to"),)), *noun_phrase(c.recipient)]
    if c.passive:
        words += [("by", ((me, "agent"),)), *noun_phrase(c.subject)]
    if c.manner:
        words += phrase(ADVERBS[c.manner].cells["en"], (me, "manner"))
    if c.place and not c.place_first:
        words += place(c.place)
    if c.time:
        time = phrase(ADVERBS[c.time].cells["en"], (me, "time"))
        words = time + [(",", ((me, "comma"),)), *words] if c.time_first else words + time
    if c.place_first:
        words = [*place(c.place), (",", ((me, "comma"),)), *words]
    if c.content:
        words += [("that", ((me, "that"),)), *joined(c.content)]
    return words


def predicate(c: Clause) -> list[Word]:
    """The adjective after be, with very, too or a comparison."""
    p, me = c.property, id(c.property)
    degree = [(p.degree, ((me, "degree"),))] if p.degree in ("very", "too") else []
    form = adjective(p.adjective, p.degree).replace("more ", "more/degree ")
    words = degree + phrase(form, (me, "adjective"), head=-1)
    return words + [("than", ((me, "than"),)), *noun_phrase(p.than)] if p.than else words


def joined(j: Clause | Joined) -> list[Word]:
    """Clauses with their conjunctions."""
    if isinstance(j, Clause):
        return clause(j)
    link, comma = (j.conjunction, ((id(j), "conjunction"),)), (",", ((id(j), "comma"),))
    if j.second_first:
        return [link, *clause(j.second), comma, *joined(j.first)]
    return [*joined(j.first), *([comma] if j.conjunction in COORDINATING else []), link, *clause(j.second)]


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


def compound(head: str, modifier: str) -> list[tuple[str, ...]]:
    """The token sequences that show a compound, in all its forms."""
    return [tuple(word for word, _ in entity(Entity(head, plural, modifier=modifier))[1:]) for plural in (False, True)]
