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
    inventory,
    noun,
    noun_forms,
    pronoun,
    regular,
    verb_forms,
)
from course_lib.corpora.grammar.de_verbs import verb_group
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
from course_lib.corpora.grammar.words import Source, Word, also, aside, bare, phrase, tidy

__all__ = ["compound", "detokenise", "inventory", "linearise", "regular"]

NOM, ACC, DAT, GEN = range(4)
CASES = {"acc": ACC, "dat": DAT}
NUMBERS = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"]
PREPOSITIONS = {"in": "in", "on": "auf", "under": "unter", "behind": "hinter", "in_front_of": "vor", "next_to": "neben"}
CONTRACTIONS = {("in", "dem"): "im", ("an", "dem"): "am", ("zu", "dem"): "zum", ("zu", "der"): "zur"}
CONTRACTIONS |= {("in", "das"): "ins", ("an", "das"): "ans", ("von", "dem"): "vom"}
CONJUNCTIONS = {"and": "und", "but": "aber", "because": "weil", "while": "während"}
QUESTIONS = {"why": "warum", "where": "wo"}
WHO = ("wer", "wen", "wem")
COMMA: Word = (",", ())
QUANTIFIERS = {"some": "einige", "many": "viele"}
FUSED = {("tree", "pear"): "Birn"}  # the first part where it is not the usual one


def noun_phrase(np: Participant, case: int, negation: Source | None = None, whole: bool = True) -> list[Word]:
    """The words of a participant, without its relative clause unless `whole`; `negation` makes "kein" of "ein" and of
    no article."""
    me = id(np)
    if isinstance(np, Entity):
        return entity(np, case, negation, whole)
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


def entity(np: Entity, case: int, negation: Source | None, whole: bool) -> list[Word]:
    """Determiner, number, adjectives, (compound) noun, and what follows them."""
    me = id(np)
    gender = "p" if np.plural else noun_forms(np.noun)[0]
    words: list[Word] = []
    declension = "weak"
    article = (me, "determiner")
    if isinstance(np.owner, (Pronoun, Speaker)):
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
    if declension == "strong" and np.determiner not in QUANTIFIERS:
        words = also(words, aside(article, "bare"), at=-1)
    if isinstance(np.owner, Named):
        words += [("von", ((me, "of"),)), *noun_phrase(np.owner, DAT)]
    elif isinstance(np.owner, Entity):
        words += also(noun_phrase(np.owner, GEN), (me, "of:genitive"))
    if np.place:
        words += place(np.place)
    if np.relative and whole:
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


def place(where: Place, whole: bool = True) -> list[Word]:
    """A prepositional phrase: the dative for a place, the accusative for most goals.

    im and zur are contracted, but not before a relative clause: "in dem Haus, das du kennst".
    """
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
    return preposed(preposition, (id(where), "preposition"), ground, case, whole)


def preposed(preposition: str, source: Source, np: Participant, case: int, whole: bool) -> list[Word]:
    """A participant after a preposition."""
    words = noun_phrase(np, case, whole=whole)
    contracted = CONTRACTIONS.get((preposition, words[0][0]))
    if contracted and not getattr(np, "relative", None):
        return [(contracted, (source, *words[0][1])), *words[1:]]
    return [(preposition, (source,)), *words]


def clause(c: Clause, order: str = "second", head: Entity | None = None, front: list[Word] | None = None) -> list[Word]:
    """A clause with its finite verb "first", "second" (after `front`, if given) or "last"."""
    me = id(c)
    person, plural, _ = agreement(topic(c), head)
    time = phrase(ADVERBS[c.time].cells["de"], (me, "time")) if c.time else []
    if c.verb == "exist":
        subject, words = place(c.place), noun_phrase(c.subject, NOM, (me, "negation") if c.negated else None)
    else:
        subject, words = noun_phrase(topic(c), NOM), []
    place_first = c.place_first and order == "second" and not front
    if place_first:
        front = place(c.place)
    elif order == "second" and not front:
        front, subject, time = (time, subject, []) if c.time_first else (subject, [], time)
    tail: list[Word] = []
    if c.verb != "exist":
        words, tail = middle(c, time, None if place_first else c.place)
    verbs = verb_group(c, person, plural, order == "last")
    if order == "last":
        words = [*subject, *words, *verbs, *tail]
    else:
        words = [*(front or []), verbs[0], *subject, *words, *verbs[1:], *tail]
    if c.content:
        words += [COMMA, ("dass", ((me, "that"),)), *joined(c.content, order="last"), COMMA]
    return words


def middle(c: Clause, time: list[Word], at: Place | None) -> tuple[list[Word], list[Word]]:
    """What stands between the subject and the last verbs; and the relative clause of the last noun, which follows them.

    Pronouns (es ihm), time, frequency, recipient, then definite objects before place and manner, indefinite ones after;
    "nicht" before manner, place and predicate, unless a "kein" has taken it up.
    """
    me = id(c)
    negation = (me, "negation") if c.negated else None
    forms = verb_forms(c.verb)
    np = None if c.passive else c.object
    short = isinstance(np, (Pronoun, Speaker)) and not forms.preposition
    indefinite = isinstance(np, Entity) and np.determiner == "a" and np.owner is None and not forms.preposition
    adverb = phrase(ADVERBS[c.frequency].cells["de"], (me, "frequency")) if c.frequency else []
    no: list[Word] = []
    if negation and (adverb or not indefinite or np.count):
        no, adverb = [("nicht", (negation,)), *adverb], []
    kein = negation if indefinite and not no else None
    ground = at.ground if at and not isinstance(at.ground, Gap) else None
    agent = c.subject if c.passive else None
    last = ground if ground and not indefinite and not forms.preposition else agent or np
    words = [] if np is None or isinstance(np, Wh) else noun_phrase(np, forms.case, kein, whole=np is not last)
    tail = relative(last.relative, last) if isinstance(last, Entity) and last.relative else []
    if forms.preposition:
        words = [(forms.preposition, ((me, "verb:preposition"),)), *words]
    if "bare" in VERBS[c.verb].frame:
        words = bare(words, np)  # "Geige spielen"
    manner = phrase(ADVERBS[c.manner].cells["de"], (me, "manner")) if c.manner else []
    where = place(at, whole=ground is not last) if at else []
    recipient = [] if c.recipient is None else also(noun_phrase(c.recipient, DAT), (me, "to:dative"))
    weak = isinstance(c.recipient, (Pronoun, Speaker))  # "gibt es ihm heute", but "gibt heute dem Kind das Buch"
    early, late = (recipient, []) if weak else ([], recipient)
    start = [*(words if short else []), *early, *time, *adverb, *late]
    words = [] if short else words
    if forms.preposition:
        return [*start, *no, *manner, *where, *words], tail
    if agent is not None:
        words = preposed("von", (me, "agent"), agent, DAT, whole=agent is not last)
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
