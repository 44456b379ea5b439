"""The readings of a sentence: other meanings that read the same in one language, and so its other translations.

"The teacher slept" is of a Lehrer or a Lehrerin, "der Hund schläft" is "the dog is sleeping" or "the dog sleeps", "er"
is he or, of a dog, it as well; "das Mädchen, das Olga gesucht hat" looked for Olga or was looked for; and "the cat in
the garden" may have been seen there. Each such choice is made for each node of the meaning on its own, or for all nodes
that speak of the same person.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from course_lib.corpora.grammar.languages import LANGUAGES
from course_lib.corpora.grammar.lexicon import ADVERBS, COMPOUNDS, NOUNS, VERBS, nouns_of
from course_lib.corpora.grammar.meaning import (
    Both,
    Clause,
    Entity,
    Gap,
    Named,
    Participant,
    Pronoun,
    Speaker,
    Utterance,
    nodes,
    rebuilt,
)
from course_lib.corpora.grammar.together import IN_PLACE

MOST = 64  # readings of one sentence
TENSES = {"present": "habit", "habit": "present", "past": "ongoing", "ongoing": "past"}
LOOSE = {"male", "female", "gift", "sendable", "made", "round", "heavy"}  # classes that homonyms need not share
Change = dict[int, dict[str, object]]  # node identity -> its other fields


def readings(meaning: Utterance, source: str) -> Iterator[Utterance]:
    """The meanings that read as this one does in `source`, itself first, then those that differ least; at most MOST."""
    tokens = _tokens(meaning, source)
    free = [change for change in _changes(meaning) if _tokens(rebuilt(meaning, change), source) == tokens]
    yield meaning
    found = 1
    for size in range(1, len(free) + 1):
        for chosen in combinations(free, size):
            touched = [
                (node, name, value) for change in chosen for node, new in change.items() for name, value in new.items()
            ]
            merged: Change = {}
            for node, name, value in touched:
                merged.setdefault(node, {})[name] = value
            if sum(map(len, merged.values())) < len(touched):
                continue  # one field cannot have two values
            other = rebuilt(meaning, merged)
            if size > 1 and _tokens(other, source) != tokens:
                continue
            yield other
            found += 1
            if found == MOST:
                return


def _tokens(meaning: Utterance, language: str) -> tuple[str, ...]:
    return tuple(word for word, _ in LANGUAGES[language].linearise(meaning))


def _changes(meaning: Utterance) -> Iterator[Change]:
    speakers: dict[tuple[int, bool], list[Speaker]] = {}
    seen: set[int] = set()
    for node in nodes(meaning):
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Speaker):
            speakers.setdefault((node.person, node.plural), []).append(node)
        elif isinstance(node, Entity):
            others = (
                noun for noun in homonyms(node.noun) if not node.modifier or node.modifier in COMPOUNDS.get(noun, ())
            )
            yield from ({id(node): {"noun": noun}} for noun in others)
            if "animal" in NOUNS[node.noun] and not node.plural:
                yield from ({id(node): {"sex": sex}} for sex in ("m", "f"))
            if node.count is None and NOUNS[node.noun].classes.isdisjoint(("mass", "paired")):
                yield {id(node): {"plural": not node.plural}}
            if node.relative and _reversible(node):
                c = node.relative
                yield {id(c): {"subject": c.object, "object": c.subject}}
        elif isinstance(node, Clause):
            if tense := _other_tense(node):
                yield {id(node): {"tense": tense}}
            yield from _other_place(node)
    for same in speakers.values():
        gender = "m" if same[0].gender == "f" else "f"
        yield {id(speaker): {"gender": gender} for speaker in same}


@cache
def homonyms(noun: str) -> tuple[str, ...]:
    """The other nouns of the same kind that share a form with this one in some language: teacher_f of teacher_m."""
    classes, forms = NOUNS[noun].classes - LOOSE - {noun}, _forms()
    return tuple(
        other
        for other in NOUNS
        if other != noun and forms[other] & forms[noun] and NOUNS[other].classes - LOOSE - {other} == classes
    )


@cache
def _forms() -> dict[str, set[tuple[str, str]]]:
    forms: dict[str, set[tuple[str, str]]] = {noun: set() for noun in NOUNS}
    for code, module in LANGUAGES.items():
        for (kind, concept), _, words in module.inventory():
            if kind == "noun":
                forms[concept].update((code, word) for word in words)
    return forms


def fits(np: Participant | None, classes: tuple[str, ...]) -> bool:
    """Whether a participant is of the kind that a verb selects."""
    if isinstance(np, Both):
        return fits(np.first, classes) and fits(np.second, classes)
    if isinstance(np, Pronoun):
        return fits(np.antecedent, classes)
    if isinstance(np, Named):
        return not {"m": {"man", "boy"}, "f": {"woman", "girl"}}.get(np.gender, set()).isdisjoint(nouns_of(*classes))
    return isinstance(np, Entity) and np.noun in nouns_of(*classes)


def _reversible(head: Entity) -> bool:
    """Whether the head of a relative clause could do to the other one what is done to it, or the other way round."""
    c = head.relative
    if not (isinstance(c.subject, Gap) or isinstance(c.object, Gap)):
        return False
    doer, thing = (c.object, head) if isinstance(c.subject, Gap) else (head, c.subject)
    return fits(doer, VERBS[c.verb].subjects) and fits(thing, VERBS[c.verb].objects)


def _other_place(c: Clause) -> Iterator[Change]:
    """Seeing the cat in the garden is seeing a cat that is there, or seeing it there."""
    np = c.object
    if not isinstance(np, Entity) or np.relative or np.determiner != "the" or c.verb not in IN_PLACE:
        return
    if (c.place is None) != (np.place is None):
        yield {id(c): {"place": np.place}, id(np): {"place": c.place}}


def _other_tense(c: Clause) -> str | None:
    """The tense that some languages do not tell from that of `c`, if the clause admits it."""
    tense, frame = TENSES.get(c.tense), VERBS[c.verb].frame
    if c.modal and c.tense == "past":
        return "ongoing"  # il a dû, il devait
    if tense is None or c.modal or frame & {"state", "simple", "past"}:
        return None
    if tense == "ongoing" and "once" in frame:
        return None  # who bought a banana was not buying it
    adverbs = [ADVERBS[adverb].tenses for adverb in (c.time, c.frequency) if adverb]
    wanted = {"any", "past" if tense == "ongoing" else tense}
    if any(wanted.isdisjoint(tenses) for tenses in adverbs) or (tense == "ongoing" and c.frequency):
        return None
    return tense
