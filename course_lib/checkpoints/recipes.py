"""How each checkpoint is made, as data: the architecture, the text, the training."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from course_lib.attention import Additive, Dot
from course_lib.corpora.grammar import sample
from course_lib.recurrent import LSTM, RNNEncoder
from course_lib.seq2seq.attentive import BahdanauDecoder, LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder

Sentence = tuple[str, str]


@dataclass(frozen=True)
class Recipe:
    """One translator of the grammar corpus: an LSTM encoder–decoder, its text and its training.

    - `attention`: "luong" asks with the new state and a dot product, "bahdanau" with the state before and an additive
      score, "none" has the source in one vector, from which the decoder starts.
    - `encoder`: "both" directions (each `hidden` / 2 wide), "forward" or "reversed".
    - `pieces`: how text is cut; `merges` is BPE's size, of words the number that are kept.
    - the learning rate is constant for `hold` steps, in which attention is found, then falls linearly until `steps`;
      meanwhile `joined` more pairs, as a share of the text, are two pairs one after the other: longer than any before.
    - `seed` draws the first weights and the order of the batches; the text is the same for every seed.
    """

    attention: Literal["luong", "bahdanau", "none"] = "luong"
    encoder: Literal["both", "forward", "reversed"] = "both"
    source: str = "en"
    target: str = "de"
    pieces: Literal["bpe", "words", "characters"] = "bpe"
    merges: int = 2000
    embedding: int = 128
    hidden: int = 256
    sentences: int = 120_000
    joined: float = 0.0
    max_tokens: int = 1600
    steps: int = 3600
    hold: int = 1600
    learning_rate: float = 2e-3
    seed: int = 0

    def model(self, vocabulary_size: int) -> EncoderDecoder:
        """The model with fresh weights. Output and target embedding are tied (Press and Wolf 2017)."""
        size, width = self.hidden, self.embedding
        both = self.encoder == "both"
        network = LSTM(
            width, size // 2 if both else size, bidirectional=both, reverse=self.encoder == "reversed", fused=True
        )
        encoder, tied = RNNEncoder(vocabulary_size, network), {"width": width, "tied": True}
        if self.attention == "none":
            decoder = RNNDecoder(vocabulary_size, LSTM(width, size, fused=True), **tied)
        elif self.attention == "luong":
            decoder = LuongDecoder(vocabulary_size, LSTM(width, size, fused=True), Dot(), size, bridge=True, **tied)
        else:
            score = Additive(size, size, width)
            decoder = BahdanauDecoder(
                vocabulary_size, LSTM(width + size, size, fused=True), score, size, bridge=True, **tied
            )
        return EncoderDecoder(encoder, decoder)

    def text(self, split: str = "train") -> list[Sentence]:
        """The sentence pairs to learn from, as tokens with a space between them."""
        examples = sample(self.sentences, split=split)
        return [(" ".join(e.sentences[self.source]), " ".join(e.sentences[self.target])) for e in examples]

    def joins(self, text: Sequence[Sentence]) -> list[Sentence]:
        """Further pairs, each two pairs of the `text`, drawn at random, one after the other: the same in every run."""
        rng = random.Random(0)
        firsts, seconds = (rng.choices(text, k=round(self.joined * len(text))) for _ in range(2))
        return [(f"{a} {c}", f"{b} {d}") for (a, b), (c, d) in zip(firsts, seconds, strict=True)]


attention = Recipe(sentences=180_000, steps=7500, hold=4000, joined=0.15)
fixed = Recipe(attention="none", encoder="forward", steps=5000, hold=2500)
small = Recipe(embedding=64, hidden=128, sentences=20_000, steps=800, hold=500)
member = replace(small, merges=1000, sentences=40_000, steps=1600, hold=900)
CHECKPOINTS = {
    "attention": attention,
    "additive": Recipe(attention="bahdanau", hidden=224, steps=4400, hold=2400, joined=0.15),
    "fixed": fixed,
    "fixed_reversed": replace(fixed, encoder="reversed"),
    **{f"member_{seed}": replace(member, seed=seed) for seed in range(3)},  # of an ensemble
}
SIZES = {  # the same model, and the same number of steps with as many pieces each, over pieces of other sizes
    "words": replace(small, pieces="words"),
    "characters": replace(small, pieces="characters"),
    **{f"bpe_{merges}": replace(small, merges=merges) for merges in (200, 500, 1000, 2000, 4000)},
}
smallest = {"embedding": 48, "hidden": 96, "sentences": 4000, "merges": 300, "joined": 0.0}
smallest |= {"steps": 200, "hold": 200, "max_tokens": 600, "learning_rate": 4e-3}
SMALLEST = {  # seconds each: the first steps of the same models in small
    f"smallest_{name}": replace(CHECKPOINTS[name], **smallest) for name in ("fixed", "fixed_reversed")
}
RECIPES = CHECKPOINTS | SIZES | SMALLEST
