"""The recipes of sentence vectors, and the rows of their experiment: what is near in a vector, meaning or order?

All rows are encoder–decoders without attention, `rnn.forward_wide` (experiments.py): a sentence is one vector. They
differ in the German that they learn to write. In `as_said` it has the order of the English. In `one_form` each meaning
has one German sentence (`variants.plain_form`), however the English says it. BLEU of the two is not to be compared: the
references have the order of the English.

The record has in how many of our `triples` (%) the vector of a sentence lies nearer to that of the same meaning in
another form than to that of another meaning in that form.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

import torch

from course_lib.checkpoints.recipe import RNNRecipe, Sentence
from course_lib.corpora.grammar import Example
from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Utterance
from course_lib.corpora.grammar.variants import plain_form
from course_lib.translator import Translator

PEOPLE = ("man", "woman", "boy", "girl", "child", "king", "princess", "nurse")
ACTIONS = ("sing", "sleep", "laugh", "dance", "work", "cry")
DEEDS = ("see", "hear", "call", "photograph")
Triple = tuple[str, str, str]


@dataclass(frozen=True)
class VectorRecipe(RNNRecipe):
    """An encoder–decoder without attention, of which the record has what is near in its sentence vectors.

    `one_form`: each meaning has one target sentence, `plain_form`.
    """

    one_form: bool = False

    def measured(self, made: Translator) -> dict:
        """What is near in its vectors."""
        return {"same_nearer": same_nearer(made)}

    def text(self, split: str = "train") -> list[Sentence]:
        """The sentence pairs to learn from."""
        if not self.one_form:
            return super().text(split)
        examples = self.examples(self.sentences, split)
        plain = (Example.of(plain_form(example.meaning)) for example in examples)
        return [
            (" ".join(example.sentences[self.source]), " ".join(target.sentences[self.target]))
            for example, target in zip(examples, plain, strict=True)
        ]


def triples(language: str = "en") -> dict[str, list[Triple]]:
    """(a sentence, its meaning in another form, another meaning in that form), as running text.

    - "order": "The man sang when the woman slept", with the other clause first, and with the clauses exchanged;
    - "voice": "The man saw the woman", in the passive, and with the roles exchanged.
    """

    def three(said: Clause | Joined, form: str, other: Clause | Joined) -> Triple:
        contents = (said, replace(said, **{form: True}), replace(other, **{form: True}))
        return tuple(Example.of(Utterance(content)).text(language) for content in contents)

    pairs = list(permutations(map(Entity, PEOPLE), 2))
    found: dict[str, list[Triple]] = {"order": [], "voice": []}
    for (a, b), (v, w) in product(pairs, permutations(ACTIONS, 2)):
        first, second = Clause(v, a, tense="past"), Clause(w, b, tense="past")
        found["order"].append(three(Joined("when", first, second), "second_first", Joined("when", second, first)))
    for (a, b), verb in product(pairs, DEEDS):
        found["voice"].append(three(Clause(verb, a, b, tense="past"), "passive", Clause(verb, b, a, tense="past")))
    return found


as_said = VectorRecipe(
    rates="full", attention="none", encoder="forward", embedding=128, hidden=256, merges=1000, sentences=60_000,
    steps=3600, hold=2000,
)  # fmt: skip
VECTORS = {"vectors.as_said": as_said, "vectors.one_form": replace(as_said, one_form=True)}


@torch.no_grad()
def sentence_vectors(translator: Translator, texts: Sequence[str]) -> torch.Tensor:
    """What the encoder hands to the decoder: float (texts, hidden)."""
    return translator.model.encoder(*translator.read(texts))[1]


def same_nearer(translator: Translator, language: str = "en") -> dict[str, float]:
    """For each kind of `triples` in how many, in %, the same meaning is the nearer one; a guess is right in half."""
    found = {}
    for kind, threes in triples(language).items():
        said, same, other = (sentence_vectors(translator, column) for column in zip(*threes, strict=True))
        nearer = (said - same).norm(dim=1) < (said - other).norm(dim=1)
        found[kind] = 100 * nearer.float().mean().item()
    return found
