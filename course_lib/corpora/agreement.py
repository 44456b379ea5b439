"""Subject and verb with a relative clause between them: every sentence in all four combinations of two numbers.

"the dog that the neighbour draws | is", "the dog that the neighbours draw | is", "the dogs that the neighbour draws |
are", "the dogs that the neighbours draw | are". The noun is never the subject of its relative clause: the verb in there
would tell its number.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from course_lib.corpora.grammar.en import linearise
from course_lib.corpora.grammar.en_forms import noun_forms
from course_lib.corpora.grammar.lexicon import NOUNS
from course_lib.corpora.grammar.meaning import (
    Both,
    Clause,
    Entity,
    Gap,
    Named,
    Pronoun,
    Speaker,
    Utterance,
    nodes,
    rebuilt,
)
from course_lib.corpora.grammar.sampling import Sampler
from course_lib.corpora.grammar.words import Word, positions


@dataclass(frozen=True)
class Agreement:
    """An English sentence whose verb, at `verb`, agrees with the noun at `subject`, not with the nearer one, `nearest`.

    `plural` and `nearest_plural` are the two nouns' numbers; the four sentences of one meaning share `meaning`.
    """

    words: tuple[str, ...]
    subject: int
    nearest: int
    verb: int
    plural: bool
    nearest_plural: bool
    meaning: int

    @property
    def before(self) -> tuple[str, ...]:
        """The words before the verb."""
        return self.words[: self.verb]

    @property
    def distance(self) -> int:
        """How many words the verb stands after its subject."""
        return self.verb - self.subject


def agreements(n: int, seed: int = 0) -> list[Agreement]:
    """`n` meanings drawn from the grammar, no two alike, each in four sentences; the same for the same seed."""
    drawn = enumerate(_meanings(random.Random(seed)))
    return [
        _sentence(*meaning, *numbers, index)
        for index, meaning in islice(drawn, n)
        for numbers in product((False, True), repeat=2)
    ]


def _meanings(rng: random.Random) -> Iterator[tuple[Clause, Entity]]:
    """Clauses whose subject, a noun that has a plural, carries a relative clause; and the last noun before the verb."""
    seen = set()
    while True:
        clause = Sampler(rng, depth=1).any_clause(1)
        subject = clause.subject
        if not _countable(subject) or subject.relative is None or clause.verb == "exist":
            continue
        if isinstance(subject.relative.subject, Gap):
            continue
        if any(isinstance(node, Both | Named | Pronoun | Speaker) for node in nodes(subject)):
            continue  # they have a number as well
        words = linearise(Utterance(clause))
        nearest, reading = _last_noun(subject, words), tuple(word for word, _ in words)
        if nearest is not subject and _countable(nearest) and reading not in seen:
            seen.add(reading)
            yield clause, nearest


def _last_noun(subject: Entity, words: list[Word]) -> Entity:
    """The noun of the subject, relative clause included, that comes last."""
    return max((n for n in nodes(subject) if isinstance(n, Entity)), key=lambda n: positions(words, n, "noun")[-1])


def _countable(node: object) -> bool:
    """Whether the noun has two numbers and shows which: not "milk", not "three dogs", not "sheep"."""
    if not isinstance(node, Entity) or node.count is not None or node.determiner in ("some", "many"):
        return False
    if not NOUNS[node.noun].classes.isdisjoint(("mass", "one")):
        return False
    singular, plural, _ = noun_forms(node.noun)
    return singular != plural


def _sentence(clause: Clause, nearest: Entity, plural: bool, nearest_plural: bool, meaning: int) -> Agreement:
    present = {"tense": "present", "modal": None, "time": None, "time_first": False}
    numbers = {id(nearest): {"plural": nearest_plural}, id(clause.subject): {"plural": plural}}
    clause = rebuilt(clause, {id(clause): present, **numbers})
    subject = clause.subject
    words = linearise(Utterance(clause))
    nouns = [positions(words, node, "noun")[-1] for node in (subject, _last_noun(subject, words))]
    verb = positions(words, clause, "tense", "tense:verb")[0]
    return Agreement(tuple(word for word, _ in words), *nouns, verb, plural, nearest_plural, meaning)
