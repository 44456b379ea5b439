"""Train, dev, test, long, novel, names, scenes: no meaning, and no sentence of any language, is in two of them.

- A sentence of `novel` shows a held-out form (a plural, a past, a compound of words that train knows otherwise) in
  every language; no other split shows one in any language. A sentence of `names` has a held-out name, no other has.
- A sentence of `long` has more than LONGEST tokens in every language, and at most LIMIT; none of the other splits' has.
- A sentence of `scenes` can be drawn (`scenes.py`). `test` and `long` have as many sentences of every length.
- `train` has parts that share nothing: one for each pair of languages ("en-de"), to be read in these two only, and one
  for each language ("en"), to be read in this one only. So no pair is seen through a third language.
- `train`, `dev`, `test` and `scenes` are told apart by the hash of the *key*: the set of a sentence's content words.
  Two meanings that read the same in some language ("teacher", Lehrer or Lehrerin) must have the same key. So the words
  of the key are not concepts but *families*: concepts that share a form in any language ("porter", carry or wear)
  belong to one family, and a family that shares a form with a function word ("hat", has) does not count.
"""

from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from itertools import combinations

from course_lib.corpora.grammar import names
from course_lib.corpora.grammar.languages import LANGUAGES
from course_lib.corpora.grammar.lexicon import COMPOUNDS, function_words
from course_lib.corpora.grammar.meaning import Clause, Entity, Named, Node, Property, Utterance, nodes

PARTS = (*map("-".join, combinations(LANGUAGES, 2)), *LANGUAGES)  # of train: "en-de", …, "en", …
SPLITS = ("train", "dev", "test", "long", "novel", "names", "scenes", *PARTS)
BUCKETS = ("dev", "test", "test", "scenes", *["train"] * 16)
DECIDED = {*BUCKETS, *PARTS}  # the splits that the hash of the key decides
LONGEST = 35  # tokens; those of `long` have more, up to LIMIT
LIMIT = 60
LEVEL_TO = 50  # `long` is level up to this length
SLACK = 8  # sentences that a bin may be ahead of the emptiest one
BIN = 5  # lengths are told apart by fives: 1 to 5, 6 to 10, …
Concept = tuple[str, str]
FUNCTION: Concept = ("function", "")


def digest(text: str) -> int:
    """A number that depends on `text` alone, the same in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "big")


@cache
def families() -> dict[Concept, Concept]:
    """Each concept's family, named by one of its members: the classes of "shares a form in some language"."""
    parent: dict[Concept, Concept] = {FUNCTION: FUNCTION}

    def root(concept: Concept) -> Concept:
        while parent.setdefault(concept, concept) != concept:
            concept = parent[concept]
        return concept

    for code, language in LANGUAGES.items():
        owner = {word.casefold(): FUNCTION for word in function_words(code)}
        for concept, _, forms in language.inventory():
            for form in forms:
                a, b = root(owner.setdefault(form.casefold(), concept)), root(concept)
                parent[max(a, b)] = min(a, b)
    return {concept: root(concept) for concept in parent}


def key(meaning: Utterance) -> tuple[str, ...]:
    """The families of the content words, and the names: the same for all meanings that share a sentence."""
    return _key(nodes(meaning))


def _key(found: Iterable[Node]) -> tuple[str, ...]:
    label = _labels()
    labels: set[str] = set()
    for node in found:
        if isinstance(node, Entity):
            labels.add(label["noun", node.noun])
            labels.update([label["adjective", adjective] for adjective in node.adjectives])
            if node.modifier:
                labels.add(label["noun", node.modifier])
        elif isinstance(node, Clause):
            labels.add(label["verb", node.verb])
        elif isinstance(node, Property):
            labels.add(label["adjective", node.adjective])
        elif isinstance(node, Named):
            labels.add(node.name)
    return tuple(sorted(labels - {""}))


@cache
def _labels() -> dict[Concept, str]:
    """The name of each concept's family, "" of the words that say little of the matter."""
    function = families()[FUNCTION]
    return {concept: "" if family == function else "/".join(family) for concept, family in families().items()}


@cache
def held_forms(language: str) -> dict[str, list[tuple[str, ...]]]:
    """The token sequences held out of all splits but `novel`, by their first token."""
    module = LANGUAGES[language]
    sequences = [
        (form,) for concept, slot, forms in module.inventory() if (concept, slot) in held_slots() for form in forms
    ]
    for head, modifiers in COMPOUNDS.items():
        for modifier in modifiers:
            if digest(f"compound {head} {modifier}") % 6 == 0:
                sequences += module.compound(head, modifier)
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for sequence in sequences:
        by_first.setdefault(sequence[0], []).append(sequence)
    return by_first


@cache
def held_slots() -> frozenset[tuple[Concept, str]]:
    """One in four of the plurals and pasts that are regular in every language, and forms of nothing else."""
    shared: set[tuple[Concept, str]] = set()
    slots: set[tuple[Concept, str]] = set()
    for code, module in LANGUAGES.items():
        owner: dict[str, tuple[Concept, str]] = {word: (FUNCTION, "") for word in function_words(code)}
        for concept, slot, forms in module.inventory():
            slots.add((concept, slot))
            for form in forms:
                other = owner.setdefault(form, (concept, slot))
                if other != (concept, slot):
                    shared |= {other, (concept, slot)}
    return frozenset(
        (concept, slot)
        for concept, slot in slots - shared
        if slot in ("plural", "past")
        and digest(f"{slot} {concept[1]}") % 4 == 0
        and all(module.regular(concept) for module in LANGUAGES.values())
    )


def shows_held(language: str, tokens: tuple[str, ...]) -> bool:
    """Whether a sentence shows a held-out form."""
    held = held_forms(language)
    return not held.keys().isdisjoint(tokens) and any(
        tokens[i : i + len(sequence)] == sequence
        for i, token in enumerate(tokens)
        if token in held
        for sequence in held[token]
    )


def admits_meaning(split: str, meaning: Utterance) -> bool:
    """Whether a meaning may be in `split`: by its names, and by the hash of its key where that decides."""
    found = nodes(meaning)
    held = any([isinstance(node, Named) and node.rare and names.held_out(node.name) for node in found])
    if held != (split == "names"):
        return False
    if split not in DECIDED:
        return True
    words = "|".join(_key(found))
    bucket = BUCKETS[digest(words) % len(BUCKETS)]
    if split in PARTS:
        return bucket == "train" and PARTS[digest(f"part {words}") % len(PARTS)] == split
    return bucket == split


def admits_sentence(split: str, language: str, tokens: tuple[str, ...]) -> bool:
    """Whether a sentence may be in `split`: by its held-out forms and by its length."""
    fits = LONGEST < len(tokens) <= LIMIT if split == "long" else len(tokens) <= LONGEST
    return fits and shows_held(language, tokens) == (split == "novel")


class Strata:
    """Keeps `test` and `long` level: as many sentences in every bin of lengths, in every language."""

    def __init__(self, split: str):
        bins = range(LONGEST // BIN, LEVEL_TO // BIN) if split == "long" else range(LONGEST // BIN)
        self.counts = {(code, k): 0 for code in LANGUAGES for k in bins}

    def wanted(self) -> int:
        """The bin of lengths that is filled least, from 0."""
        return min(self.counts, key=self.counts.__getitem__)[1]

    def admits(self, sentences: dict[str, tuple[str, ...]]) -> bool:
        """Whether some language needs a sentence of this length; if so, it is counted."""
        least = min(self.counts.values())
        cells = [(code, (len(tokens) - 1) // BIN) for code, tokens in sentences.items()]
        if all(self.counts.get(cell, least + SLACK) >= least + SLACK for cell in cells):
            return False
        for cell in cells:
            if cell in self.counts:
                self.counts[cell] += 1
        return True
