"""Translators of picture captions (Multi30k): how each is made, as data, and how it is loaded.

The others know the grammar's words; these take a reader's own sentence about everyday scenes, in English.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import torch
from torch import nn

from course_lib.attention import Dot
from course_lib.recurrent import LSTM, RNNEncoder
from course_lib.search.limits import source_plus_50
from course_lib.seq2seq.attentive import LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder
from course_lib.subwords import SentencePiece, Vocabulary
from course_lib.training.schedules import constant_then_linear, warmed_up
from course_lib.transformer import Config, Transformer
from course_lib.translator import Translator


@dataclass(frozen=True)
class Captions:
    """What all recipes share. Pieces are those of one BPE for both languages (SentencePiece), tied with the output.

    `target` is the language that English is translated to. The weights are the mean of the last `averaged` states,
    `every` steps apart; of `alphas`, the powers of the length that scores are divided by, each seed takes the one with
    the best BLEU on val. A step takes `max_tokens`. `seed` draws the first weights and the order of the batches.
    """

    target: str = "de"
    seed: int = 0
    vocabulary: int = 4000
    dropout: float = 0.3
    smoothing: float = 0.1
    max_tokens: int = 2048
    every: int = 100
    averaged: int = 10
    beam_size: int = 5
    alphas: tuple[float, ...] = (0.0, 0.6, 1.0)

    steps: ClassVar[int]
    begins: ClassVar[str]  # the field that says how many steps the beginning of the schedule has

    def shortened(self, steps: int) -> Self:
        """The recipe with so many steps, and a beginning of as large a share."""
        return replace(self, steps=steps, **{self.begins: steps * getattr(self, self.begins) // self.steps})

    def model(self, vocabulary_size: int) -> nn.Module:
        """Fresh weights."""
        raise NotImplementedError

    def training(self) -> dict:
        """What the trainer is told of the learning rate and of Adam."""
        raise NotImplementedError


@dataclass(frozen=True)
class TransformerCaptions(Captions):
    """Sizes of "Transformer-Tiny" (Wu et al. 2021, "Good for Misconceived Reasons", section 4), which reaches 41.0
    there on lowercased tokens; fewer pieces and smaller batches, so that a laptop can train it. Norm, highest rate and
    warm-up were chosen on val, in shorter runs with a rate that fell as 1/√step."""

    d_model: int = 128
    d_ff: int = 256
    heads: int = 4
    layers: int = 4
    norm: Literal["post", "pre"] = "pre"
    learning_rate: float = 3e-3
    warmup: int = 800
    steps: int = 16000

    begins: ClassVar[str] = "warmup"

    def model(self, vocabulary_size: int) -> Transformer:
        """Fresh weights; one matrix embeds both languages and reads the output off."""
        sizes = {name: getattr(self, name) for name in ("d_model", "d_ff", "heads", "layers", "dropout", "norm")}
        return Transformer(Config(vocabulary_size, **sizes))

    def training(self) -> dict:
        """The rate rises for `warmup` steps, then falls in a straight line to 0; Adam of the Transformer's paper."""
        schedule = warmed_up(constant_then_linear(self.warmup, self.steps), self.warmup)
        return {"learning_rate": self.learning_rate, "schedule": schedule, "betas": (0.9, 0.98), "eps": 1e-9}


@dataclass(frozen=True)
class RecurrentCaptions(Captions):
    """Luong's attention over two layers of LSTM a side. The rate is constant for `hold` steps, then falls to 0."""

    embedding: int = 128
    hidden: int = 256
    layers: int = 2
    learning_rate: float = 2e-3
    hold: int = 2500
    steps: int = 5000

    begins: ClassVar[str] = "hold"

    def model(self, vocabulary_size: int) -> EncoderDecoder:
        """Fresh weights; the encoder reads in both directions, each `hidden` / 2 wide."""
        width, size = self.embedding, self.hidden
        options = {"num_layers": self.layers, "dropout": self.dropout, "fused": True}
        encoder = RNNEncoder(vocabulary_size, LSTM(width, size // 2, bidirectional=True, **options))
        network = LSTM(width, size, **options)
        return EncoderDecoder(
            encoder, LuongDecoder(vocabulary_size, network, Dot(), size, bridge=True, width=width, tied=True)
        )

    def training(self) -> dict:
        """The rate over time; Adam as the trainer has it."""
        return {"learning_rate": self.learning_rate, "schedule": constant_then_linear(self.hold, self.steps)}


CAPTIONS: dict[str, Captions] = {"multi30k": TransformerCaptions(), "multi30k_recurrent": RecurrentCaptions()}
UNKEPT: dict[str, Captions] = {  # whose weights are not kept
    "multi30k_brief": TransformerCaptions(steps=4000),  # about as long as `multi30k_recurrent` takes
    "multi30k_french": TransformerCaptions(steps=4000, target="fr"),
}


def translator(recipe: Captions, tokenizer: SentencePiece) -> Translator:
    """A translator by a recipe, with fresh weights. A character that the text never showed is `<unk>`."""
    vocabulary = Vocabulary(tokenizer.vocabulary)
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(recipe.seed)
        model = recipe.model(len(vocabulary))
    made = Translator(model, tokenizer, vocabulary, limit=source_plus_50)
    made.refuses = False
    return made
