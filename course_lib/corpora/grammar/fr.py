"""French: articles and partitives, adjectives before and after the noun, ne … pas, agreeing participles.

Cells. Nouns: gender, singular (`*` before an aspirated h), plural if irregular, `@preposition,preposition` of place and
of goal, perhaps that of the noun without article (en ville). Adjectives: masculine (`^` if it stands before the noun,
then `*` as in nouns), feminine if irregular, masculine before a vowel. Verbs: infinitive, `être` if that is the
auxiliary; `jouer@de` has a preposition.
"""

import re

from course_lib.corpora.grammar.fr_forms import (
    adjective,
    agreement,
    comparative,
    finite,
    inventory,
    join,
    noun_forms,
    possessive,
    pronoun,
    regular,
    verb_forms,
)
from course_lib.corpora.grammar.fr_verbs import verb_group
from course_lib.corpora.grammar.lexicon import ADVERBS, NOUNS, rows
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
from course_lib.corpora.grammar.readable import relative_after_verb
from course_lib.corpora.grammar.words import Source, Word, aside, bare, phrase, tidy

__all__ = ["compound", "detokenise", "inventory", "linearise", "regular"]

NUMBERS = ["zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "*huit", "neuf", "dix", "*onze", "douze"]
TITLES = {"m": "monsieur", "f": "madame"}
PREPOSITIONS = {"in": "dans", "on": "sur", "under": "sous", "behind": "derrière", "in_front_of": "devant"}
PREPOSITIONS |= {"next_to": "à côté de"}
CONJUNCTIONS = {"and": "et", "but": "mais", "because": "parce que", "while": "pendant que", "when": "quand"}
QUANTIFIERS = {"some": "quelques", "many": "beaucoup de"}
QUESTIONS = {"why": "pourquoi", "where": "où"}
COMPOUND = {row["head"]: row["fr"] for row in rows("compounds")}
FUSED = {"apple": "pommier", "pear": "poirier", "cherry": "cerisier", "lemon": "citronnier", "orange": "oranger"}
FUSED |= {"plum": "prunier", "peach": "pêcher", "fig": "figuier", "apricot": "abricotier"}


def noun_phrase(np: Participant, negation: Source | None = None) -> list[Word]:
    """The words of a participant (pronouns: the subject form); with `negation`, an indefinite article becomes "de"."""
    me = id(np)
    if isinstance(np, Entity):
        return entity(np, negation)
    if isinstance(np, Named):
        title = phrase(TITLES[np.gender], (me, "title")) if np.title else []
        return [*title, (np.name, ((me, "noun"),))]
    if isinstance(np, Both):
        return [*noun_phrase(np.first), ("et", ((me, "and"),)), *noun_phrase(np.second)]
    if isinstance(np, Wh):
        return [("qui" if np.word == "who" else "que", ((me, "wh"),))]
    if isinstance(np, Gap):
        return []
    return [(pronoun(np, "subject"), ((me, "pronoun"),))]


def entity(np: Entity, negation: Source | None) -> list[Word]:
    """Determiner, number, adjectives on both sides of the noun, its modifier, and what follows."""
    me = id(np)
    gender = noun_forms(np.noun).gender
    words = head(np)
    before = False
    for concept in reversed(np.adjectives):
        form, prenominal, special = adjective(concept, gender, np.plural)
        if prenominal:
            vowel = join([("le", ()), words[0]])[0][0] == "l'"
            words.insert(0, (special if vowel else form, ((me, concept),)))
            before = True
    after = []
    for concept in np.adjectives:
        form, prenominal, _ = adjective(concept, gender, np.plural)
        if not prenominal:
            after.append((form, ((me, concept),)))
    end = len(words) - (2 if np.modifier and "material" in NOUNS[np.modifier] else 0)  # a round table "en bois"
    words[end:end] = after
    if np.count:
        words.insert(0, ((NUMBERS[np.count] if np.count < len(NUMBERS) else str(np.count)), ((me, "count"),)))
    words = determiner(np, gender, before, negation) + words
    if np.owner and not isinstance(np.owner, (Pronoun, Speaker)):
        words += [("de", ((me, "of"),)), *noun_phrase(np.owner)]
    if np.place:
        words += place(np.place)
    if np.relative:
        words += relative(np.relative, np)
    return words


def head(np: Entity) -> list[Word]:
    """The noun and what makes it a compound: table de cuisine, bague en or, pommier."""
    me, forms = id(np), noun_forms(np.noun)
    source, modifier = (me, "noun"), (me, "modifier")
    if np.modifier and np.noun == "tree":
        return [(FUSED[np.modifier] + ("s" if np.plural else ""), (modifier, source))]
    words = phrase(forms.plural if np.plural else forms.singular, source)
    if not np.modifier:
        return words
    other = noun_forms(np.modifier)
    if "material" in NOUNS[np.modifier]:
        return words + phrase(f"en {other.singular}", modifier, head=1)
    preposition, _, number = COMPOUND[np.noun].partition("+")
    beside = [preposition, "les"] if preposition == "à" else [preposition]
    words += [(word, (aside(modifier, word),)) for word in beside]
    return words + phrase(other.plural if number else other.singular, modifier)


def determiner(np: Entity, gender: str, prenominal: bool, negation: Source | None) -> list[Word]:
    """Article, demonstrative, possessive or partitive."""
    source = (id(np), "determiner")
    definite = "les" if np.plural else "la" if gender == "f" else "le"
    if isinstance(np.owner, (Pronoun, Speaker)):
        return [(possessive(np.owner, gender, np.plural), ((id(np.owner), "pronoun"),))]
    if np.owner or np.determiner == "the":
        return [(definite, (source,))]
    if np.determiner == "this":
        return [("ces" if np.plural else "cette" if gender == "f" else "ce", (source,))]
    if np.count:
        return []
    if np.determiner in QUANTIFIERS:
        return phrase(QUANTIFIERS[np.determiner], source)
    if negation:
        return [("de", (source,))]
    if np.plural:
        return [("de" if prenominal else "des", (source,))]
    if "mass" in NOUNS[np.noun]:
        return [("de", (aside(source, "de"),)), (definite, (source,))]
    return [("une" if gender == "f" else "un", (source,))]


def relative(c: Clause, np: Entity) -> list[Word]:
    """A relative clause with its pronoun: qui, que, où."""
    word = "qui" if isinstance(c.subject, Gap) else "que" if isinstance(c.object, Gap) else "où"
    return [(word, ((id(c), "relative"),)), *clause(c, np)]


def place(where: Place, goal: str = "") -> list[Word]:
    """A prepositional phrase; `goal` is the preposition of a verb that does not take the noun's own."""
    ground = where.ground
    if isinstance(ground, Gap):
        return []
    if where.relation == "to" and goal:
        preposition = goal
    elif where.relation not in ("at", "to"):
        preposition = PREPOSITIONS[where.relation]
    elif isinstance(ground, Named):
        preposition = "à"
    else:
        forms = noun_forms(ground.noun)
        if forms.alone and ground == Entity(ground.noun):
            return [(forms.alone, ((id(where), "preposition"),)), *bare(noun_phrase(ground), ground)]
        preposition = forms.goal if where.relation == "to" else forms.place
    head = 1 if preposition == "à côté de" else 0
    return [*phrase(preposition, (id(where), "preposition"), head=head), *noun_phrase(ground)]


def clause(c: Clause, np: Entity | None = None) -> list[Word]:
    """Subject, (ne) verb (pas), objects, place, time; `np` is the head of a relative clause."""
    me = id(c)
    forms = verb_forms(c.verb)
    negation = (me, "negation") if c.negated else None
    if c.verb == "exist":
        verb = finite("avoir", 3, False, c.tense == "past")
        subject, group, rest = (
            [("il", ((me, "verb:there"),))],
            [("y", ((me, "verb:y"),)), (verb, ((me, "verb"), (me, "tense:verb")))],
            [],
        )
        after = noun_phrase(c.subject, negation)
    else:
        subject = noun_phrase(topic(c))
        group, rest = verb_group(c, np)
        after = []
    frequency = phrase(ADVERBS[c.frequency].cells["fr"], (me, "frequency")) if c.frequency else []
    manner = phrase(ADVERBS[c.manner].cells["fr"], (me, "manner")) if c.manner else []
    if negation:
        group = [("ne", (aside(negation, "ne"),)), *group, ("pas", (negation,))]
    elif c.frequency == "never":
        group = [("ne", ((me, "frequency:ne"),)), *group]
    early, late = ([], manner) if c.modal or c.tense == "future" else (manner, [])
    words = [*subject, *group, *frequency, *early, *rest, *late, *after]
    if c.property:
        words += predicate(c, np)
    if c.object is not None and not c.passive and not isinstance(c.object, (Pronoun, Speaker, Wh)):
        absent = negation or ((me, "frequency") if c.frequency == "never" else None)
        preposition = phrase(forms.preposition, (me, "verb:preposition"))
        words += preposition + noun_phrase(c.object, None if preposition else absent)
    if c.recipient is not None and not isinstance(c.recipient, (Pronoun, Speaker)):
        words += [("à", ((me, "to"),)), *noun_phrase(c.recipient)]
    if c.passive:
        words += [("par", ((me, "agent"),)), *noun_phrase(c.subject)]
    if c.place and not c.place_first:
        words += place(c.place, forms.goal)
    if c.time:
        time = phrase(ADVERBS[c.time].cells["fr"], (me, "time"))
        words = [*time, (",", ((me, "comma"),)), *words] if c.time_first else words + time
    if c.place_first:
        words = [*place(c.place), (",", ((me, "comma"),)), *words]
    if c.content:
        words += [("que", ((id(c), "that"),)), *joined(c.content)]
    return words


def predicate(c: Clause, np: Entity | None) -> list[Word]:
    """The adjective after être, agreeing with the subject, with très, trop or a comparison."""
    p, me = c.property, id(c.property)
    _, plural, gender = agreement(c.subject, np)
    degree = phrase({"very": "très", "too": "trop"}.get(p.degree, ""), (me, "degree"))
    form = comparative if p.degree == "more" else lambda *features: adjective(*features)[0]
    said = form(p.adjective, gender, plural).replace("plus ", "plus/degree ")
    words = degree + phrase(said, (me, "adjective"), head=-1)
    return words + [("que", ((me, "than"),)), *noun_phrase(p.than)] if p.than else words


def joined(j: Clause | Joined) -> list[Word]:
    """Clauses with their conjunctions; a comma before "et" tells where a relative clause ends."""
    if isinstance(j, Clause):
        return clause(j)
    link, comma = phrase(CONJUNCTIONS[j.conjunction], (id(j), "conjunction")), (",", ((id(j), "comma"),))
    if j.second_first:
        return [*link, *clause(j.second), comma, *joined(j.first)]
    before = j.first
    while isinstance(before, Joined):
        before = before.first if before.second_first else before.second
    ends = j.conjunction == "and" and relative_after_verb(before)
    return [*joined(j.first), *([comma] if ends or j.conjunction == "but" else []), *link, *clause(j.second)]


def linearise(u: Utterance) -> list[Word]:
    """The words of a sentence."""
    c, end = u.content, ((id(u), "end"),)
    if u.question is None:
        return tidy(join([*joined(c), (".", end)]))
    ask = phrase("est-ce que", (id(c), "do:ask"))
    if u.question in QUESTIONS:
        front = [(QUESTIONS[u.question], ((id(u), "question"),)), *ask]
    elif isinstance(c.object, Wh):
        front = [*noun_phrase(c.object), *ask]
    elif isinstance(c.subject, Wh):
        front = [] if c.subject.word == "who" else [*noun_phrase(c.subject), *ask]
    else:
        front = ask
    return tidy(join([*front, *clause(c), ("?", end)]))


def detokenise(tokens: list[str]) -> str:
    """Running text: nothing after an apostrophe, a no-break space before the question mark, a capital first."""
    text = re.sub(r" (?=[,.])|(?<=') ", "", " ".join(tokens)).replace(" ?", "\u00a0?")
    return text[0].upper() + text[1:]


def compound(head_: str, modifier: str) -> list[tuple[str, ...]]:
    """The token sequences that show a compound, in all its forms."""
    return [tuple(word for word, _ in join(head(Entity(head_, plural, modifier=modifier)))) for plural in (False, True)]
