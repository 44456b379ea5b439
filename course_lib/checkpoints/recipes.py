"""How each checkpoint is made, as data: the architecture, the text, the training."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

from course_lib.attention import Dot
from course_lib.corpora.grammar import sample
from course_lib.recurrent import LSTM, RNNEncoder
from course_lib.seq2seq.attentive import LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.seq2seq.protocol import Model
from course_lib.training.schedules import constant, constant_then_linear, inverse_square_root
from course_lib.transformer import Config, Transformer

Sentence = tuple[str, str]


@dataclass(frozen=True)
class Recipe:
    """One translator of the grammar corpus: its text and its training. What the model is, the subclass says.

    - `pieces`: how text is cut; `merges` is BPE's size, of words the number that are kept.
    - after `hold` steps `joined` more pairs, as a share of the text, are two pairs one after the other: longer than any
      before.
    - `seed` draws the first weights and the order of the batches; the text is the same for every seed.
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

    aligns: ClassVar[bool] = False  # one attention, whose alignment is measured
    averaged: ClassVar[int] = 1  # of how many of its last states the weights are the mean

    def model(self, vocabulary_size: int) -> Model:
        """The model with fresh weights."""
        raise NotImplementedError

    def training(self) -> dict:
        """What the trainer is told of the learning rate, the loss, and Adam."""
        raise NotImplementedError

    def shortened(self, steps: int) -> Self:
        """The recipe with so many steps, and what happens after a number of them after as large a share."""
        return replace(self, steps=steps, hold=steps * self.hold // self.steps)

    def text(self, split: str = "train") -> list[Sentence]:
        """The sentence pairs to learn from, as tokens with a space between them."""
        examples = sample(self.sentences, split=split)
        return [(" ".join(e.sentences[self.source]), " ".join(e.sentences[self.target])) for e in examples]

    def joins(self, text: Sequence[Sentence]) -> list[Sentence]:
        """Further pairs, each two pairs of the `text`, drawn at random, one after the other: the same in every run."""
        rng = random.Random(0)
        firsts, seconds = (rng.choices(text, k=round(self.joined * len(text))) for _ in range(2))
        return [(f"{a} {c}", f"{b} {d}") for (a, b), (c, d) in zip(firsts, seconds, strict=True)]


@dataclass(frozen=True)
class RNNRecipe(Recipe):
    """An LSTM encoder–decoder.

    - `attention`: "luong" asks with the new state and a dot product, "none" has the source in one vector, from which
      the decoder starts.
    - `encoder`: "both" directions (each `hidden` / 2 wide), "forward" or "reversed".
    - the learning rate is constant for `hold` steps, in which attention is found, then falls linearly until `steps`.
    """

    attention: Literal["luong", "none"] = "luong"
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
        size, width = self.hidden, self.embedding
        both = self.encoder == "both"
        network = LSTM(
            width, size // 2 if both else size, bidirectional=both, reverse=self.encoder == "reversed", fused=True
        )
        encoder, tied = RNNEncoder(vocabulary_size, network), {"width": width, "tied": True}
        if self.attention == "none":
            decoder = RNNDecoder(vocabulary_size, LSTM(width, size, fused=True), **tied)
        else:
            decoder = LuongDecoder(vocabulary_size, LSTM(width, size, fused=True), Dot(), size, bridge=True, **tied)
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

    def model(self, vocabulary_size: int) -> Transformer:
        """Fresh weights; one matrix embeds both languages and reads the output off."""
        names = ("d_model", "d_ff", "heads", "layers", "d_k", "dropout", "norm", "positions")
        return Transformer(Config(vocabulary_size, **{name: getattr(self, name) for name in names}))


attention = RNNRecipe(sentences=180_000, steps=7500, hold=4000, joined=0.15, seed=2)  # seed: see seeds.py
fixed = RNNRecipe(attention="none", encoder="forward", steps=5000, hold=2500)
small = RNNRecipe(embedding=64, hidden=128, sentences=20_000, steps=800, hold=500)
member = replace(small, merges=1000, sentences=40_000, steps=1600, hold=900)
transformer = TransformerRecipe(sentences=180_000, steps=5000, hold=3000, joined=0.15, warmup=600, dropout=0.0)
CHECKPOINTS = {
    "attention": attention,
    "fixed": fixed,
    "fixed_reversed": replace(fixed, encoder="reversed"),
    **{f"member_{seed}": replace(member, seed=seed) for seed in range(3)},  # of an ensemble
    "transformer": transformer,
}
SIZES = {  # the same model, and the same number of steps with as many pieces each, over pieces of other sizes
    "words": replace(small, pieces="words"),
    "characters": replace(small, pieces="characters"),
    **{f"bpe_{merges}": replace(small, merges=merges) for merges in (200, 500, 1000, 2000, 4000)},
}
ablation = TransformerRecipe(
    d_model=64, layers=2, merges=1000, sentences=20_000, steps=1200, hold=1200, warmup=300, learning_rate=4e-3
)
CHANGES: dict[str, dict] = {  # what one row of the ablation table changes in `ablation`
    "base": {},
    **{f"heads_{n}": {"heads": n} for n in (1, 2, 8, 16)},
    **{f"d_k_{n}": {"d_k": n} for n in (2, 4)},
    **{f"layers_{n}": {"layers": n} for n in (1, 4)},
    **{f"d_model_{n}": {"d_model": n, "d_ff": 4 * n} for n in (32, 128)},
    "d_ff_64": {"d_ff": 64},
    **{f"dropout_{n}": {"dropout": n / 10} for n in (0, 3)},
    **{f"smoothing_{n}": {"smoothing": n / 10} for n in (0, 2)},
    **{f"positions_{kind}": {"positions": kind} for kind in ("learned", "none")},
    "norm_pre": {"norm": "pre"},
    "warmup_0": {"warmup": 0},
}
ABLATIONS = {f"ablation_{name}": replace(ablation, **change) for name, change in CHANGES.items()}
smallest = {"embedding": 48, "hidden": 96, "joined": 0.0, "learning_rate": 4e-3}
few = {"sentences": 4000, "merges": 300, "steps": 200, "hold": 200, "max_tokens": 600}
tiny = TransformerRecipe(**few, averaged=1, d_model=48, d_ff=96, layers=1, dropout=0.0, learning_rate=2e-2, warmup=60)
SMALLEST = {  # seconds each: the first steps of the same models in small
    **{f"smallest_{name}": replace(CHECKPOINTS[name], **few, **smallest) for name in ("fixed", "fixed_reversed")},
    "smallest_warmup": tiny,
    "smallest_warmup_0": replace(tiny, warmup=0),
}
RECIPES = CHECKPOINTS | SIZES | ABLATIONS | SMALLEST


def recipe_of(run: str) -> Recipe:
    """The recipe of a run: "attention", or "attention-3" for the same with seed 3.

    Raises ValueError for a name that is not in RECIPES, and for a seed that is no whole number.
    """
    name, _, seed = run.partition("-")
    if name not in RECIPES:
        raise ValueError(f"the name of a run must begin with one of {', '.join(RECIPES)}, got {run!r}")
    if run != name and not (seed.isascii() and seed.isdigit()):
        raise ValueError(f"a seed must be a whole number from 0 on, as in {name}-3, got {run!r}")
    return replace(RECIPES[name], seed=int(seed)) if seed else RECIPES[name]


def run_of(name: str, seed: int) -> str:
    """The name of the run of RECIPES[name] with this seed: the recipe's own seed needs no number."""
    return name if RECIPES[name].seed == seed else f"{name}-{seed}"
