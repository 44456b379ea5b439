"""The recipes of deep models, and the rows of their experiments: how many layers a stack bears, and what helps it.

Rows of one depth differ in one thing. Of the Transformers it is the place of layer norm, or whether the encoder's
layers read a combination of all layers below (`combined`); of the recurrent ones whether layers add their input to
their output. Rows of one kind differ in their depth alone: steps, rate, text and seeds are the same for all.

The Transformers have no warm-up; the rows `warm` have one and are like the others otherwise. Width, rate and steps were
chosen by trials of one seed, with 2 and with 20 layers and both places of the norm: with d_model 32 and 1,500 steps, 20
layers learnt next to nothing (BLEU of 6 or less) at rates of 0.003 and 0.007. With a warm-up of 100 steps, 20 layers of
that width learnt with post-norm, too.
"""

from dataclasses import dataclass, replace

from course_lib.checkpoints.recipe import Recipe, TransformerRecipe
from course_lib.systems.dlcl import DLCLTransformer
from course_lib.systems.gnmt import GNMT, GNMTConfig
from course_lib.training.schedules import constant_then_linear, warmed_up
from course_lib.transformer import Config, Transformer


@dataclass(frozen=True)
class DeepRecipe(TransformerRecipe):
    """A Transformer whose encoder has `layers` layers, and the decoder `decoder_layers`.

    The learning rate is constant for `hold` steps, then falls linearly until `steps`; with a `warmup` it also rises for
    that many steps.

    `combined`: the encoder's layers read a learnt combination of all before them (Wang et al. 2019).
    """

    decoder_layers: int = 2
    combined: bool = False

    def training(self) -> dict:
        """The rate over time, and Adam and loss of the paper."""
        return super().training() | {"schedule": warmed_up(constant_then_linear(self.hold, self.steps), self.warmup)}

    def config(self, vocabulary_size: int) -> Config:
        """What the model is made of."""
        return replace(super().config(vocabulary_size), decoder_layers=self.decoder_layers)

    def model(self, vocabulary_size: int) -> Transformer:
        """Fresh weights."""
        return (DLCLTransformer if self.combined else Transformer)(self.config(vocabulary_size))


@dataclass(frozen=True)
class GNMTRecipe(Recipe):
    """Google's recurrent system in small: `layers` on each side, `hidden` wide, with or without residual connections.

    The learning rate is constant for `hold` steps, then falls linearly until `steps`. One matrix embeds target words
    and reads the output off.
    """

    layers: int = 8
    residual: bool = True
    hidden: int = 64

    def training(self) -> dict:
        """The rate over time; the rest as the trainer has it."""
        return {"learning_rate": self.learning_rate, "schedule": constant_then_linear(self.hold, self.steps)}

    def model(self, vocabulary_size: int) -> GNMT:
        """Fresh weights."""
        size = {"embedding": self.hidden, "hidden": self.hidden, "tied": True}
        return GNMT(GNMTConfig(vocabulary_size, layers=self.layers, residual=self.residual, **size))


transformer = DeepRecipe(
    rates="full", d_model=64, d_ff=128, layers=2, dropout=0.0, averaged=1, merges=500, sentences=20_000, max_tokens=800,
    steps=1500, hold=700, warmup=0, learning_rate=3e-3,
)  # fmt: skip
recurrent = GNMTRecipe(rates="full", merges=500, sentences=20_000, max_tokens=800, steps=1500, hold=700)
DEPTHS = (2, 6, 12, 20, 30)  # layers of the Transformer's encoder
KINDS = {"post": {"norm": "post"}, "pre": {"norm": "pre"}, "dlcl": {"norm": "pre", "combined": True}}
DEEP = {
    **{
        f"deep.{kind}_{layers}": replace(transformer, layers=layers, **change)
        for kind, change in KINDS.items()
        for layers in DEPTHS
    },
    **{
        f"deep.warm_{norm}_{layers}": replace(transformer, layers=layers, norm=norm, warmup=300)
        for norm in ("post", "pre")
        for layers in (6, 20)
    },
    "deep.dlcl_post_20": replace(transformer, layers=20, norm="post", combined=True),
    "gnmt.plain_2": replace(recurrent, layers=2, residual=False),
    "gnmt.plain_8": replace(recurrent, residual=False),
    "gnmt.residual_8": recurrent,
}
