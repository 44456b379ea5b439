"""German: four cases, strong, weak and mixed adjective endings, the verb second or last, compounds in one word.

Cells. Nouns: gender (`*` for the weak declension), singular, plural (`-` for none), form as the first part of a
compound, `@preposition,preposition` of place and of goal. Verbs: infinitive (`an-rufen` is separable, `helfen@dat`
takes another case, `warten@auf+acc` a preposition), third person, participle, preterite (`-` or nothing where regular),
`sein`.
"""

import re

from course_lib.corpora.grammar.de_forms import (
    adjective,
    agreement,
    determiner,
    ending,
    finite,
    inventory,
    noun,
    noun_forms,
    pronoun,
    regular,
    verb_forms,
)
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
)
from course_lib.corpora.grammar.words import Source, Word, aside, phrase, tidy

__all__ = ["compound", "detokenise", "inventory", "linearise", "regular"]

NOM, ACC, DAT, GEN = range(4)
CASES = {"acc": ACC, "dat": DAT}
NUMBERS = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"]
PREPOSITIONS = {"in": "in", "on": "auf", "under": "unter", "behind": "hinter", "in_front_of": "vor", "next_to": "neben"}
CONTRACTIONS = {("in", "dem"): "im", ("an", "dem"): "am", ("zu", "dem"): "zum", ("zu", "der"): "zur"}
CONTRACTIONS |= {("in", "das"): "ins", ("an", "das"): "ans"}
CONJUNCTIONS = {"and": "und", "but": "aber", "because": "weil", "while": "während"}
MODALS = {"can": "können", "must": "müssen", "want": "wollen"}
QUESTIONS = {"why": "warum", "where": "wo"}
WHO = ("wer", "wen", "wem")
COMMA: Word = (",", ())
QUANTIFIERS = {"some": "einige", "many": "viele"}
FUSED = {("tree", "pear"): "Birn"}  # the first part where it is not the usual one


def noun_phrase(np: Participant, case: int, negation: Source | None = None) -> list[Word]:
    """The words of a participant; with `negation`, "ein" and no article become "kein"."""
    me = id(np)
    if isinstance(np, Entity):
        return entity(np, case, negation)
    if isinstance(np, Named):
        title = "Frau" if np.gender == "f" else "Herr" if case == NOM else "Herrn"
        return [*(phrase(title, (me, "title")) if np.title else []), (np.name, ((me, "noun"),))]
    if isinstance(np, Both):
        return [*noun_phrase(np.first, case), ("und", ((me, "and"),)), *noun_phrase(np.second, case)]
    if isinstance(np, Wh):
        return [(WHO[case] if np.word == "who" else "was", ((me, "wh"),))]
    if isinstance(np, Gap):
        return []
    return [(pronoun(np, case), ((me, "pronoun"),))]


def entity(np: Entity, case: int, negation: Source | None) -> list[Word]:
    """Determiner, number, adjectives, (compound) noun, and what follows them."""
    me = id(np)
    gender = "p" if np.plural else noun_forms(np.noun)[0]
    words: list[Word] = []
    declension = "weak"
    article = (me, "determiner")
    if isinstance(np.owner, Pronoun | Speaker):
        words.append((determiner(pronoun(np.owner, GEN), gender, case), ((id(np.owner), "pronoun"),)))
        declension = "mixed"
    elif np.owner or np.determiner in ("the", "this"):
        words.append((determiner("dies" if np.determiner == "this" else "d", gender, case), (article,)))
    elif negation:
        words.append((determiner("kein", gender, case), (article, negation)))
        declension = "mixed"
    elif np.determiner in QUANTIFIERS:
        words.append((QUANTIFIERS[np.determiner][:-1] + ending("strong", gender, case), (article,)))
        declension = "strong"
    elif np.plural or "mass" in NOUNS[np.noun]:
        declension = "strong"
    else:
        words.append((determiner("ein", gender, case), (article,)))
        declension = "mixed"
    if np.count:
        words.append(((NUMBERS[np.count] if np.count < len(NUMBERS) else str(np.count)), ((me, "count"),)))
    suffix = ending(declension, gender, case)
    words += [(adjective(concept, suffix), ((me, concept),)) for concept in np.adjectives]
    head = noun(np.noun, np.plural, case)
    if np.modifier:
        words.append((first_part(np.noun, np.modifier) + head.lower(), ((me, "modifier"), (me, "noun"))))
    else:
        words.append((head, ((me, "noun"),)))
    if isinstance(np.owner, Named):
        words += [("von", ((me, "of"),)), *noun_phrase(np.owner, DAT)]
    elif isinstance(np.owner, Entity):
        owner = noun_phrase(np.owner, GEN)
        words += [(owner[0][0], (*owner[0][1], (me, "of:genitive"))), *owner[1:]]
    if np.place:
        words += place(np.place)
    if np.relative:
        words += relative(np.relative, np)
    return words


def first_part(head: str, modifier: str) -> str:
    """The modifier as the first part of a compound."""
    return FUSED.get((head, modifier)) or noun_forms(modifier)[3]


def relative(c: Clause, head: Entity) -> list[Word]:
    """A relative clause between its commas, its pronoun in the case of its own verb or preposition."""
    gender = "p" if head.plural else noun_forms(head.noun)[0]
    source = (id(c), "relative")
    words: list[Word] = []
    if isinstance(c.place, Place) and isinstance(c.place.ground, Gap):
        words, case = [(noun_forms(head.noun)[4], (aside(source, "in"),))], DAT
    else:
        case = NOM if isinstance(c.subject, Gap) else verb_forms(c.verb).case
    word = "denen" if (gender, case) == ("p", DAT) else determiner("d", gender, case)
    return [COMMA, *words, (word, (source,)), *clause(c, "last", head), COMMA]


def place(where: Place) -> list[Word]:
    """A prepositional phrase: the dative for a place, the accusative for most goals, im and zur contracted."""
    ground = where.ground
    if isinstance(ground, Gap):
        return []
    goal = where.relation == "to"
    if where.relation not in ("at", "to"):
        preposition = PREPOSITIONS[where.relation]
    elif isinstance(ground, Named):
        preposition = "nach" if goal else "in"
    else:
        preposition = noun_forms(ground.noun)[5 if goal else 4]
    case = ACC if goal and preposition not in ("zu", "nach") else DAT
    source = (id(where), "preposition")
    words = noun_phrase(ground, case)
    contracted = CONTRACTIONS.get((preposition, words[0][0]))
    if contracted:
        return [(contracted, (source, *words[0][1])), *words[1:]]
    return [(preposition, (source,)), *words]


def verb_group(c: Clause, person: int, plural: bool, last: bool) -> list[Word]:
    """The verbs: the finite one first, its companions after it; in the order of the sentence's end if `last`."""
    tense, main = (id(c), "tense"), (id(c), "verb")
    forms = verb_forms(c.verb)
    past = c.tense in ("past", "ongoing")
    if c.modal:
        modal = (id(c), "modal")
        auxiliary, rest = (
            (finite(MODALS[c.modal], person, plural, past), (aside(tense, "verb"), modal)),
            forms.infinitive,
        )
    elif c.tense == "future":
        auxiliary, rest = (finite("werden", person, plural), (tense,)), forms.infinitive
    elif past and "state" not in VERBS[c.verb].frame:
        auxiliary, rest = (finite(forms.auxiliary, person, plural), (tense,)), forms.participle
    else:
        word, source = finite(c.verb, person, plural, past), (aside(tense, "verb"), main)
        if last:
            return [(forms.particle + word, source)]
        return [(word, source), *([(forms.particle, (aside(main, "particle"),))] if forms.particle else [])]
    return [(rest, (main,)), auxiliary] if last else [auxiliary, (rest, (main,))]


def clause(c: Clause, order: str = "second", head: Entity | None = None, front: list[Word] | None = None) -> list[Word]:
    """A clause with its finite verb "first", "second" (after `front`, if given) or "last"."""
    me = id(c)
    person, plural, _ = agreement(c.subject, head)
    time = phrase(ADVERBS[c.time].cells["de"], (me, "time")) if c.time else []
    if c.verb == "exist":
        subject, words = place(c.place), noun_phrase(c.subject, NOM, (me, "negation") if c.negated else None)
    else:
        subject, words = noun_phrase(c.subject, NOM), []
    if order == "second" and not front:
        front, subject, time = (time, subject, []) if c.time_first else (subject, [], time)
    tail: list[Word] = []
    if c.verb != "exist":
        words, tail = middle(c, time, detach=order != "last")
    verbs = verb_group(c, person, plural, order == "last")
    if order == "last":
        words = [*subject, *words, *verbs]
    else:
        words = [*(front or []), verbs[0], *subject, *words, *verbs[1:], *tail]
    if c.content:
        words += [COMMA, ("dass", ((me, "that"),)), *joined(c.content, order="last"), COMMA]
    return words


def middle(c: Clause, time: list[Word], detach: bool) -> tuple[list[Word], list[Word]]:
    """What stands between the subject and the last verbs; and, if it is to `detach`, the object's relative clause.

    Pronouns, time, frequency, recipient, then definite objects before place and manner, indefinite ones after; "nicht"
    before manner, place and predicate, unless a "kein" has taken it up.
    """
    me = id(c)
    negation = (me, "negation") if c.negated else None
    forms = verb_forms(c.verb)
    np = c.object
    short = isinstance(np, Pronoun | Speaker) and not forms.preposition
    indefinite = isinstance(np, Entity) and np.determiner == "a" and np.owner is None and not forms.preposition
    adverb = phrase(ADVERBS[c.frequency].cells["de"], (me, "frequency")) if c.frequency else []
    no: list[Word] = []
    if negation and (adverb or not indefinite or np.count):
        no, adverb = [("nicht", (negation,)), *adverb], []
    kein = negation if indefinite and not no else None
    words = [] if np is None or isinstance(np, Wh) else noun_phrase(np, forms.case, kein)
    tail: list[Word] = []
    if detach and isinstance(np, Entity) and np.relative:
        source = (id(np.relative), "relative")
        start = next(i for i, (_, sources) in enumerate(words) if source in sources) - 1
        words, tail = words[:start], words[start:]
    if forms.preposition:
        words = [(forms.preposition, ((me, "verb:preposition"),)), *words]
    if "bare" in VERBS[c.verb].frame:
        words = words[1:]  # "Geige spielen", without article
    manner = phrase(ADVERBS[c.manner].cells["de"], (me, "manner")) if c.manner else []
    where = place(c.place) if c.place else []
    recipient = noun_phrase(c.recipient, DAT) if c.recipient is not None else []
    start = [*(words if short else []), *time, *adverb, *recipient]
    words = [] if short else words
    if forms.preposition:
        return [*start, *no, *manner, *where, *words], tail
    if indefinite:
        return [*start, *where, *manner, *no, *words], tail
    return [*start, *words, *no, *manner, *where, *predicate(c)], tail


def predicate(c: Clause) -> list[Word]:
    """The uninflected adjective after sein, with sehr, zu or a comparison."""
    p = c.property
    if p is None:
        return []
    me = id(p)
    degree = phrase({"very": "sehr", "too": "zu"}.get(p.degree, ""), (me, "degree"))
    words = [*degree, (adjective(p.adjective, degree=p.degree), ((me, "adjective"),))]
    return words + [("als", ((me, "than"),)), *noun_phrase(p.than, NOM)] if p.than else words


def joined(j: Clause | Joined, front: list[Word] | None = None, order: str = "second") -> list[Word]:
    """Clauses with their conjunctions; a subordinate clause in front counts as the first place."""
    if isinstance(j, Clause):
        return clause(j, order, front=front)
    word = CONJUNCTIONS.get(j.conjunction) or ("als" if j.second.tense == "past" else "wenn")
    link = (word, ((id(j), "conjunction"),))
    if j.conjunction == "and":
        return [*joined(j.first, front), link, *clause(j.second)]
    if j.conjunction == "but":
        return [*joined(j.first, front), (",", ((id(j), "comma"),)), link, *clause(j.second)]
    comma = (",", ((id(j), "comma"),)) if j.second_first else COMMA
    subordinate = [link, *clause(j.second, "last"), comma]
    if j.second_first and order == "second":
        return joined(j.first, subordinate)
    return [*joined(j.first, front, order), COMMA, *subordinate]


def linearise(u: Utterance) -> list[Word]:
    """The words of a sentence."""
    c, end = u.content, ((id(u), "end"),)
    if u.question is None:
        return tidy([*joined(c), (".", end)])
    if u.question in QUESTIONS:
        words = clause(c, front=[(QUESTIONS[u.question], ((id(u), "question"),))])
    elif isinstance(c.object, Wh):
        words = clause(c, front=noun_phrase(c.object, verb_forms(c.verb).case))
    else:
        words = clause(c, "first" if u.question == "whether" else "second")
    return tidy([*words, ("?", end)])


def detokenise(tokens: list[str]) -> str:
    """Running text: no space before marks, a capital first."""
    text = re.sub(r" (?=[,.?])", "", " ".join(tokens))
    return text[0].upper() + text[1:]


def compound(head: str, modifier: str) -> list[tuple[str, ...]]:
    """The token sequences that show a compound, in all its forms."""
    numbers = (False, True)
    return [(first_part(head, modifier) + noun(head, plural, case).lower(),) for plural in numbers for case in range(4)]
