"""What papers report, to set beside our own runs: the ablation table and WMT14 with its cost (Vaswani et al. 2017), and
how deep an encoder may be (Wang et al. 2019)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from course_lib import checkpoints
from course_lib.checkpoints.experiments import CHANGES
from course_lib.checkpoints.recorded import is_recorded


@dataclass(frozen=True)
class Variant:
    """A row of the paper's table 3: what differs from the base model, and the scores on newstest2013 (English–German).

    `perplexity` is that of a word piece; `parameters` are in millions, None where the paper leaves the place empty.
    `ours` is the name in `experiments.CHANGES` of the row of our table that changes the same in about the same
    proportion, "" where there is none.
    """

    group: str
    change: str
    perplexity: float
    bleu: float
    ours: str = ""
    parameters: int | None = None


BASE = Variant("", "base", 4.92, 25.8, "base", 65)  # N 6, d_model 512, d_ff 2048, h 8, d_k 64, dropout and ε 0.1
VARIANTS = (
    Variant("heads", "1", 5.29, 24.9, "heads_1"),
    Variant("heads", "4", 5.00, 25.5, "heads_2"),
    Variant("heads", "16", 4.91, 25.8, "heads_8"),
    Variant("heads", "32", 5.01, 25.4, "heads_16"),
    Variant("d_k", "16", 5.16, 25.1, "d_k_4", 58),
    Variant("d_k", "32", 5.01, 25.4, parameters=60),
    Variant("layers", "2", 6.11, 23.7, "layers_1", 36),
    Variant("layers", "4", 5.19, 25.3, parameters=50),
    Variant("layers", "8", 4.88, 25.5, "layers_4", 80),
    Variant("d_model", "256", 5.75, 24.5, "d_model_32", 28),
    Variant("d_model", "1024", 4.66, 26.0, "d_model_128", 168),
    Variant("d_ff", "1024", 5.12, 25.4, "d_ff_64", 53),
    Variant("d_ff", "4096", 4.75, 26.2, parameters=90),
    Variant("dropout", "0.0", 5.77, 24.6, "dropout_0"),
    Variant("dropout", "0.2", 4.95, 25.5, "dropout_3"),
    Variant("smoothing", "0.0", 4.67, 25.3, "smoothing_0"),
    Variant("smoothing", "0.2", 5.47, 25.7, "smoothing_2"),
    Variant("positions", "learned", 4.92, 25.7, "positions_learned"),
)
BIG = Variant("", "big", 4.33, 26.4, parameters=213)  # N 6, d_model 1024, d_ff 4096, h 16, dropout 0.3, 300,000 steps


@dataclass(frozen=True)
class System:
    """A row of the paper's table 2: BLEU on newstest2014 and floating-point operations of the training, None where it
    gives none."""

    name: str
    en_de: float | None
    en_fr: float | None
    flops_en_de: float | None
    flops_en_fr: float | None


WMT14 = (
    System("ByteNet", 23.75, None, None, None),
    System("Deep-Att + PosUnk", None, 39.2, None, 1.0e20),
    System("GNMT + RL", 24.6, 39.92, 2.3e19, 1.4e20),
    System("ConvS2S", 25.16, 40.46, 9.6e18, 1.5e20),
    System("MoE", 26.03, 40.56, 2.0e19, 1.2e20),
    System("Deep-Att + PosUnk Ensemble", None, 40.4, None, 8.0e20),
    System("GNMT + RL Ensemble", 26.30, 41.16, 1.8e20, 1.1e21),
    System("ConvS2S Ensemble", 26.36, 41.29, 7.7e19, 1.2e21),
    System("Transformer (base)", 27.3, 38.1, 3.3e18, 3.3e18),
    System("Transformer (big)", 28.4, 41.0, 2.3e19, 2.3e19),
)


@dataclass(frozen=True)
class DeepSystem:
    """A row of Wang et al. (2019), table 1: BLEU on newstest2014 (English–German), None where the training failed.

    The decoder has 6 layers in all of them; `parameters` are in millions.
    """

    norm: str
    name: str
    layers: int  # of the encoder
    parameters: int
    bleu: float | None


DEEP_WMT14 = (
    DeepSystem("post", "Transformer (base)", 6, 62, 27.5),
    DeepSystem("post", "Transformer (big)", 6, 211, 28.8),
    DeepSystem("post", "Transformer-deep (base)", 20, 106, None),
    DeepSystem("post", "DLCL (base)", 6, 62, 27.6),
    DeepSystem("post", "DLCL-deep (base)", 25, 121, 29.2),
    DeepSystem("pre", "Transformer (base)", 6, 62, 27.1),
    DeepSystem("pre", "Transformer (big)", 6, 211, 28.7),
    DeepSystem("pre", "Transformer-deep (base)", 20, 106, 28.9),
    DeepSystem("pre", "DLCL (base)", 6, 62, 27.3),
    DeepSystem("pre", "DLCL-deep (base)", 30, 137, 29.3),
)


@dataclass(frozen=True)
class Run:
    """A row of our ablation table, as it was recorded: the perplexity of a piece of `dev` and BLEU on `test`, of the
    last state, as in the paper's table (its section 6.2); and BLEU of the mean of the last states."""

    name: str
    command: str
    perplexity: float
    bleu: float
    bleu_of_mean: float


def recorded(rows: Iterable[str] = CHANGES) -> dict[str, Run]:
    """Our `rows`, names in `CHANGES` ("base-1" is the base with seed 1), in that order, without those not recorded."""
    found = {}
    for name in rows:
        record = f"ablation_{name}"
        if is_recorded(record):
            said = checkpoints.about(record)
            scores = [said[which]["test"]["all"] for which in ("last", "results")]
            found[name] = Run(name, said["command"], math.exp(said["held_out_losses"][-1][1]), *scores)
    return found
