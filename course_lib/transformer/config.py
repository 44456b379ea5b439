"""What a Transformer is made of, as data."""

from dataclasses import dataclass
from typing import Literal

from course_lib.attention.scores import check_sizes


@dataclass(frozen=True)
class Config:
    """Sizes and choices; the defaults are those of the paper's base model (Vaswani et al. 2017, table 3).

    - `layers`: of the encoder, and of the decoder unless `decoder_layers` are given.
    - `d_k`, `d_v`: the widths of a head's keys and values, by default d_model / heads and d_k.
    - `norm`: where layer norm stands, "post" or "pre" (see `Residual`).
    - `positions`: "sinusoidal", "learned" (for at most `max_length` words) or "none".
    - `tied`: one matrix embeds source and target words and reads the output off; otherwise three.
    - `bias`: the projections of attention add one (the paper's do not, torch's and Marian's do).
    - `fused`: attention and layer norm run on torch's kernels; see also `by_equations`.

    Raises ValueError for a size below 1 and for an unknown choice; what does not go together is refused by the parts.
    """

    vocabulary_size: int
    d_model: int = 512
    d_ff: int = 2048
    heads: int = 8
    layers: int = 6
    decoder_layers: int | None = None
    d_k: int | None = None
    d_v: int | None = None
    dropout: float = 0.1
    norm: Literal["post", "pre"] = "post"
    positions: Literal["sinusoidal", "learned", "none"] = "sinusoidal"
    max_length: int = 512
    tied: bool = True
    bias: bool = False
    fused: bool = True

    def __post_init__(self):
        names = ("vocabulary_size", "d_model", "d_ff", "heads", "layers", "max_length")
        check_sizes(**{name: getattr(self, name) for name in names})
        chosen = {name: getattr(self, name) for name in ("decoder_layers", "d_k", "d_v")}
        check_sizes(**{name: size for name, size in chosen.items() if size is not None})
        for name, known in (("norm", ("post", "pre")), ("positions", ("sinusoidal", "learned", "none"))):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must lie in [0, 1), got {self.dropout}")
