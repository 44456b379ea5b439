"""Other meanings and other forms of a sentence: gold paraphrases, and foils that have its words but not its meaning.

- A *paraphrase* means the same: the time or the place stands elsewhere, the time clause comes first, active is passive,
  what is bigger than the other is compared the other way round.
- A *foil* has the same content words and means something else: the roles are swapped, another clause is negated, an
  adjective says something of another noun.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from course_lib.corpora.grammar import LANGUAGES, Example
from course_lib.corpora.grammar.lexicon import VERBS, selects
from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Pronoun, Utterance, nodes, rebuilt
from course_lib.corpora.grammar.readable import frontable, main, readable, relative_after_verb
from course_lib.corpora.grammar.readings import fits
from course_lib.corpora.grammar.voice import has_passive

CONVERSES = {"big": "small", "old": "young", "long": "short", "heavy": "light", "strong": "weak", "rich": "poor"}
CONVERSES |= {b: a for a, b in CONVERSES.items()}
Change = dict[int, dict[str, Any]]  # node identity -> its other fields


class Variant(NamedTuple):
    """Another example, and what was changed: "time", "place", "order", "voice", "converse"; "roles", "negation",
    "adjective"; of contrasts one of their KINDS."""

    kind: str
    example: Example


def paraphrases(example: Example) -> list[Variant]:
    """Examples of the same meaning in another form, which reads otherwise in every language."""
    return _variants(example, other_forms(example.meaning))


def plain_form(meaning: Utterance) -> Utterance:
    """The same meaning in one form for all its paraphrases but "converse": active, the main clause before the others,
    neither time nor place in front of the subject."""
    plain = {
        Clause: {"time_first": False, "place_first": False, "passive": False},
        Joined: {"second_first": False},
    }
    return rebuilt(meaning, {id(node): plain[type(node)] for node in nodes(meaning) if type(node) in plain})


def foils(example: Example) -> list[Variant]:
    """Examples of another meaning with the same content words, which reads otherwise in every language."""
    return _variants(example, _other_meanings(example.meaning))


def _variants(example: Example, changes: Iterator[tuple[str, Change]]) -> list[Variant]:
    found = []
    for kind, change in changes:
        other = rebuilt(example.meaning, change)
        if readable(other) is other:
            made = Example.of(other)
            if all(made.sentences[code] != example.sentences[code] for code in LANGUAGES):
                found.append(Variant(kind, made))
    return found


def other_forms(meaning: Utterance) -> Iterator[tuple[str, Change]]:
    """The changes of form that leave the meaning what it is, each with its name."""
    for node in nodes(meaning):
        if isinstance(node, Clause) and meaning.question is None and main(meaning.content, node):
            if node.time and not (node.time_first and relative_after_verb(node)) and not _behind(meaning.content, node):
                yield "time", {id(node): {"time_first": not node.time_first, "place_first": False}}
            if frontable(node) and not _behind(meaning.content, node):
                yield "place", {id(node): {"place_first": not node.place_first, "time_first": False}}
        if isinstance(node, Joined) and node.conjunction in ("because", "while", "when") and not _refers(node):
            yield "order", {id(node): {"second_first": not node.second_first}}
        if isinstance(node, Clause) and (node.passive or has_passive(node)):
            yield "voice", {id(node): {"passive": not node.passive}}
        if isinstance(node, Clause) and (p := node.property) and p.than and isinstance(node.subject, Entity):
            converse = CONVERSES.get(p.adjective)
            nouns = [np.noun for np in (node.subject, p.than) if isinstance(np, Entity)]
            if converse and len(nouns) == 2 and all(selects(converse, noun) for noun in nouns) and not node.negated:
                yield "converse", {id(node): {"subject": p.than}, id(p): {"adjective": converse, "than": node.subject}}


def _behind(content: Clause | Joined, c: Clause) -> bool:
    """Whether a subordinate clause stands before the main clause `c`, where its first place is taken."""
    if isinstance(content, Clause):
        return False
    return (content.second_first and content.first is c) or _behind(content.first, c)


def _refers(j: Joined) -> bool:
    """Whether a pronoun of the second clause stands for somebody or something of the first."""
    first = {id(node) for node in nodes(j.first)}
    return any(isinstance(node, Pronoun) and id(node.antecedent) in first for node in nodes(j.second))


def role_swaps(meaning: Utterance) -> Iterator[Change]:
    """The changes that make who does it whom it is done to, where that makes sense."""
    found = nodes(meaning)
    meant = {id(node.antecedent) for node in found if isinstance(node, Pronoun)}
    for c in found:
        if not isinstance(c, Clause) or not meant.isdisjoint((id(c.subject), id(c.object))):
            continue
        if fits(c.object, VERBS[c.verb].subjects) and fits(c.subject, VERBS[c.verb].objects):
            yield {id(c): {"subject": c.object, "object": c.subject}}


def _other_meanings(meaning: Utterance) -> Iterator[tuple[str, Change]]:
    found = nodes(meaning)
    clauses = [node for node in found if isinstance(node, Clause)]
    for change in role_swaps(meaning):
        yield "roles", change
    for negated in clauses:
        for other in clauses:
            if negated.negated and not other.negated and other.frequency != "never" and other.property is None:
                yield "negation", {id(negated): {"negated": False}, id(other): {"negated": True}}
    entities = [node for node in found if isinstance(node, Entity)]
    plain = [np for np in entities if not np.adjectives]
    for np in entities:
        for other in plain:
            if np.adjectives and np.noun != other.noun and all(selects(a, other.noun) for a in np.adjectives):
                yield "adjective", {id(np): {"adjectives": ()}, id(other): {"adjectives": np.adjectives}}
