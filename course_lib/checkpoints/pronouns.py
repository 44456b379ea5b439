"""How a Transformer finds what "it" is: the pronoun that it writes, where its heads look, and what it does without one.

The sentences are those of `corpora.anaphora`; the German translation up to the pronoun is given.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from course_lib.attention import MultiHeadAttention
from course_lib.attention.multi_head import without_heads
from course_lib.corpora.anaphora import Anaphora
from course_lib.corpora.batches import collate
from course_lib.transformer import Transformer
from course_lib.transformer.trace import trace
from course_lib.translator import Translator

SOURCE, TARGET = "en", "de"
PRONOUNS = ("er", "sie", "es")


@dataclass(frozen=True)
class Head:
    """One head of a Transformer: `part` is "encoder" or "decoder" (self-attention) or "cross"; counted from 0."""

    part: str
    layer: int
    head: int

    def __str__(self) -> str:
        return f"{self.part}, layer {self.layer + 1}, head {self.head + 1}"


@dataclass(frozen=True)
class Looks:
    """From a pronoun: the weights on its antecedent, on the other noun, on the articles of both, and on "it" itself."""

    antecedent: float
    other: float
    article: float
    other_article: float
    pronoun: float  # in the source; the decoder's own heads have not read theirs yet

    @property
    def link(self) -> float:
        """How much more it looks at the antecedent than at the other noun."""
        return self.antecedent - self.other


@torch.no_grad()
def pronoun_log_probs(translator: Translator, sentences: Sequence[Anaphora]) -> Float[Tensor, "sentence 3"]:
    """log p of "er", "sie" and "es" after the true translation up to the pronoun.

    Raises ValueError where one of them is not a single piece.
    """
    source, mask, target_in, at = _read(translator, sentences)
    pieces = [translator.tokenizer.encode(pronoun) for pronoun in PRONOUNS]
    if any(len(one) != 1 for one in pieces):
        raise ValueError(f"each of {', '.join(PRONOUNS)} must be one piece, got {pieces}")
    ids = translator.vocabulary.ids([one for (one,) in pieces])
    logits = translator.model(source, mask, target_in)[torch.arange(len(at)), at]
    return logits.log_softmax(1)[:, ids]


def right(translator: Translator, sentences: Sequence[Anaphora]) -> Bool[Tensor, " sentence"]:
    """Whether the true pronoun is the most probable of the three. Always the same one is right in a third of them."""
    true = [PRONOUNS.index(one.words[TARGET][one.pronoun[TARGET]]) for one in sentences]
    return pronoun_log_probs(translator, sentences).argmax(1).cpu() == torch.tensor(true)


def accuracy(translator: Translator, sentences: Sequence[Anaphora]) -> float:
    """The share of sentences whose pronoun is `right`."""
    return right(translator, sentences).float().mean().item()


def heads(model: Transformer) -> Iterator[tuple[Head, MultiHeadAttention]]:
    """Every head of the model, with the attention that it belongs to."""
    encoder, decoder = model.encoder.layers, model.decoder.layers
    parts = {
        "encoder": [layer.self_attention for layer in encoder],
        "decoder": [layer.self_attention for layer in decoder],
        "cross": [layer.cross_attention for layer in decoder],
    }
    for part, layers in parts.items():
        for number, attention in enumerate(layers):
            for head in range(attention.heads):
                yield Head(part, number, head), attention


def looks(translator: Translator, sentences: Sequence[Anaphora]) -> dict[Head, Looks]:
    """Where each head looks from the pronoun: mean weights.

    In the encoder from "it"; in the decoder, and from it to the source, at the step that writes the pronoun. A word's
    weight is the sum over its pieces.
    """
    source, mask, target_in, at = _read(translator, sentences)
    seen = trace(translator.model, source, mask, target_in)
    spans = {side: [_spans(translator, one.words[side]) for one in sentences] for side in (SOURCE, TARGET)}
    found = {}
    for head, _ in heads(translator.model):
        rows = getattr(seen, head.part)[head.layer].weights[:, head.head]
        side, shift = (TARGET, 1) if head.part == "decoder" else (SOURCE, 0)  # the decoder reads <s> first
        sums = dict.fromkeys((field.name for field in fields(Looks)), 0.0)
        for k, one in enumerate(sentences):
            pronoun = spans[SOURCE][k][one.pronoun[SOURCE]].stop - 1 if head.part == "encoder" else at[k]
            for name in sums:
                span = spans[side][k][getattr(one, name)[side]]
                sums[name] += rows[k, pronoun, span.start + shift : span.stop + shift].sum().item()
        found[head] = Looks(**{name: total / len(sentences) for name, total in sums.items()})
    return found


def accuracy_without(translator: Translator, sentences: Sequence[Anaphora]) -> dict[Head, float]:
    """The accuracy with one head taken out, for each head."""
    found = {}
    for head, attention in heads(translator.model):
        with without_heads(attention, [head.head]):
            found[head] = accuracy(translator, sentences)
    return found


def _read(
    translator: Translator, sentences: Sequence[Anaphora]
) -> tuple[
    Int64[Tensor, "sentence source_time"],
    Bool[Tensor, "sentence source_time"],
    Int64[Tensor, "sentence target_time"],
    Int64[Tensor, " sentence"],
]:
    """Sources with their mask, the decoder's input up to the pronoun, and the step that writes it."""
    vocabulary, encode = translator.vocabulary, translator.tokenizer.encode
    pairs = [
        (
            vocabulary.ids(encode(" ".join(one.words[SOURCE]))),
            vocabulary.ids(encode(" ".join(one.words[TARGET][: one.pronoun[TARGET]]))),
        )
        for one in sentences
    ]
    place = next(translator.model.parameters()).device
    batch = collate(pairs, vocabulary).to(place)
    at = torch.tensor([len(target) for _, target in pairs], device=place)
    return batch.source, batch.source_mask, batch.target_in, at


def _spans(translator: Translator, words: Sequence[str]) -> list[slice]:
    """Where the pieces of each word stand."""
    spans, start = [], 0
    for word in words:
        stop = start + len(translator.tokenizer.encode(word))
        spans.append(slice(start, stop))
        start = stop
    return spans
