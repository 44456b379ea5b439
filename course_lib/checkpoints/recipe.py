"""How a run is made: the architecture, the text, the training."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, Self

from course_lib.attention import Additive, Dot
from course_lib.corpora.batches import Batches
from course_lib.corpora.grammar import Example, sample
from course_lib.corpora.grammar.rates import FULL, RATES
from course_lib.recurrent import LSTM, RNN, RNNEncoder
from course_lib.seq2seq.attentive import BahdanauDecoder, LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.seq2seq.protocol import Model
from course_lib.systems.refinement import Objective, Refiner
from course_lib.systems.reinforce import Baseline
from course_lib.training.schedules import constant, constant_then_linear, inverse_square_root
from course_lib.training.trainer import Trainer
from course_lib.transformer import Config, Transformer
from course_lib.translator import Translator

Sentence = tuple[str, str]


@dataclass(frozen=True)
class Recipe:
    """One translator of the grammar corpus: its text and its training. What the model is, the subclass says.

    - `pieces`: how text is cut; `merges` is BPE's size, of words the number that are kept.
    - after `hold` steps `joined` more pairs, as a share of the text, are two pairs one after the other: longer than any
      before.
    - `seed` draws the first weights and the order of the batches; the text is the same for every seed.
    - `rates`: how often the text has what a sentence may have or not, "plain" or "full" (`corpora/grammar/rates.py`).
    """

    source: str = "en"
    target: str = "de"
    pieces: Literal["bpe", "words", "characters"] = "bpe"
    merges: int = 2000
    sentences: int = 120_000
    joined: float = 0.0
    max_tokens: int = 1600
    steps: int = 3600
    hold: int = 1600
    learning_rate: float = 2e-3
    seed: int = 0
    rates: Literal["plain", "full"] = "plain"

    aligns: ClassVar[bool] = False  # one attention, whose alignment is measured
    averaged: ClassVar[int] = 1  # of how many of its last states the weights are the mean
    start: ClassVar[str] = ""  # the checkpoint that it begins from, in place of fresh weights
    judged: ClassVar[int] = 0  # of how many sentences of `test` the record has adequacy and fluency

    def model(self, vocabulary_size: int) -> Model:
        """The model with fresh weights."""
        raise NotImplementedError

    def training(self) -> dict:
        """What the trainer is told of the learning rate, the loss, and Adam."""
        raise NotImplementedError

    def trainer(self, made: Translator, batches: Batches, **options) -> Trainer:
        """What trains the translator; `options` are the trainer's."""
        return Trainer(made.model, batches, **options, **self.training())

    def measured(self, made: Translator) -> dict:
        """What the record says of the trained translator beside what it says of all."""
        return {}

    def shortened(self, steps: int) -> Self:
        """The recipe with so many steps, and what happens after a number of them after as large a share."""
        return replace(self, steps=steps, hold=steps * self.hold // self.steps)

    def examples(self, n: int, split: str) -> list[Example]:
        """`n` examples of a split of its corpus."""
        return sample(n, split=split, rates={"plain": RATES, "full": FULL}[self.rates])

    def text(self, split: str = "train") -> list[Sentence]:
        """The sentence pairs to learn from, as tokens with a space between them."""
        examples = self.examples(self.sentences, split)
        return [(" ".join(e.sentences[self.source]), " ".join(e.sentences[self.target])) for e in examples]

    def joins(self, text: Sequence[Sentence]) -> list[Sentence]:
        """Further pairs, each two pairs of the `text`, drawn at random, one after the other: the same in every run."""
        rng = random.Random(0)
        firsts, seconds = (rng.choices(text, k=round(self.joined * len(text))) for _ in range(2))
        return [(f"{a} {c}", f"{b} {d}") for (a, b), (c, d) in zip(firsts, seconds, strict=True)]


@dataclass(frozen=True)
class RNNRecipe(Recipe):
    """A recurrent encoder–decoder.

    - `unit`: "lstm", or "basic", which has no gates (lecture 03).
    - `attention`: "luong" asks with the new state and a dot product, "luong_additive" with it and the additive score,
      "bahdanau" with the state before and the additive score, "none" has the source in one vector, from which the
      decoder starts.
    - `encoder`: "both" directions (each `hidden` / 2 wide), "forward" or "reversed".
    - the learning rate is constant for `hold` steps, in which attention is found, then falls linearly until `steps`.
    """

    unit: Literal["lstm", "basic"] = "lstm"
    attention: Literal["luong", "luong_additive", "bahdanau", "none"] = "luong"
    encoder: Literal["both", "forward", "reversed"] = "both"
    embedding: int = 128
    hidden: int = 256

    @property
    def aligns(self) -> bool:
        """Whether there is an attention."""
        return self.attention != "none"

    def training(self) -> dict:
        """The rate over time; the rest as the trainer has it."""
        return {"learning_rate": self.learning_rate, "schedule": constant_then_linear(self.hold, self.steps)}

    def model(self, vocabulary_size: int) -> EncoderDecoder:
        """Fresh weights. Output and target embedding are tied (Press and Wolf 2017)."""
        size, width, both = self.hidden, self.embedding, self.encoder == "both"
        unit = partial({"lstm": LSTM, "basic": RNN}[self.unit], fused=True)
        network = unit(width, size // 2 if both else size, bidirectional=both, reverse=self.encoder == "reversed")
        encoder, tied = RNNEncoder(vocabulary_size, network), {"width": width, "tied": True}
        if self.attention == "none":
            decoder = RNNDecoder(vocabulary_size, unit(width, size), **tied)
        elif self.attention == "bahdanau":
            network, score = unit(width + size, size), Additive(size, size, size)
            decoder = BahdanauDecoder(vocabulary_size, network, score, size, bridge=True, **tied)
        else:
            score = Dot() if self.attention == "luong" else Additive(size, size, size)
            decoder = LuongDecoder(vocabulary_size, unit(width, size), score, size, bridge=True, **tied)
        return EncoderDecoder(encoder, decoder)


@dataclass(frozen=True)
class TransformerRecipe(Recipe):
    """A Transformer, trained as in the paper (Vaswani et al. 2017, section 5), in small.

    - `learning_rate` is reached at step `warmup`, then falls as 1/√step; with no warm-up it is constant.
    - Adam with β₂ = 0.98 and ε = 10⁻⁹, the loss with label `smoothing`.
    - the weights are the mean of the last `averaged` states, `making.EVERY` steps apart.
    """

    d_model: int = 128
    d_ff: int = 256
    heads: int = 4
    layers: int = 3
    d_k: int | None = None
    dropout: float = 0.1
    norm: Literal["post", "pre"] = "post"
    positions: Literal["sinusoidal", "learned", "none"] = "sinusoidal"
    smoothing: float = 0.1
    warmup: int = 400
    averaged: int = 5

    def training(self) -> dict:
        """Rate, Adam and loss of the paper."""
        schedule = inverse_square_root(self.warmup) if self.warmup else constant
        adam = {"betas": (0.9, 0.98), "eps": 1e-9}
        return {"learning_rate": self.learning_rate, "schedule": schedule, "smoothing": self.smoothing, **adam}

    def shortened(self, steps: int) -> Self:
        """As the others, and the warm-up in proportion."""
        return replace(super().shortened(steps), warmup=steps * self.warmup // self.steps)

    def config(self, vocabulary_size: int) -> Config:
        """What the model is made of."""
        names = ("d_model", "d_ff", "heads", "layers", "d_k", "dropout", "norm", "positions")
        return Config(vocabulary_size, **{name: getattr(self, name) for name in names})

    def model(self, vocabulary_size: int) -> Transformer:
        """Fresh weights; one matrix embeds both languages and reads the output off."""
        return Transformer(self.config(vocabulary_size))


@dataclass(frozen=True)
class RefinedRecipe(Recipe):
    """A translator that goes on learning, for a reward of whole sentences (`systems/refinement.py`).

    It begins from the checkpoint `start`, which knows no more of the seed. The learning rate is constant. The other
    fields are those of `refinement.Objective`.
    """

    start: str = "weak"
    kind: Literal["cross_entropy", "reinforce", "risk"] = "risk"
    reward: str = "bleu"
    samples: int = 5
    baseline: Baseline = "others"
    alpha: float = 1.0
    reference: bool = False
    mix: float = 0.0

    judged: ClassVar[int] = 100

    def training(self) -> dict:
        """The rate; the rest as the trainer has it."""
        return {"learning_rate": self.learning_rate}

    def trainer(self, made: Translator, batches: Batches, **options) -> Refiner:
        """The trainer with this objective."""
        names = ("kind", "reward", "samples", "baseline", "alpha", "reference", "mix")
        aim = Objective(**{name: getattr(self, name) for name in names})

        def words(ids: Sequence[int]) -> list[str]:
            return made.tokenizer.decode(made.vocabulary.pieces(ids)).split()

        return Refiner(made.model, batches, words, aim, **options, **self.training())
