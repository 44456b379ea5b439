"""Deep encoders whose layers read all layers below them: dynamic linear combination of layers (Wang et al. 2019)."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.transformer import Config, EncoderLayer, LayerNorm, Transformer
from course_lib.transformer.encoder import final_norm


def running_mean(layers: int) -> Float[Tensor, "rows rows"]:
    """W_k^{(l+1)} = 1/(l + 1) for k = 0 … l, else 0: the row l weighs the embedding and l layers equally.

    2 -> [[1, 0, 0], [1/2, 1/2, 0], [1/3, 1/3, 1/3]]. Raises ValueError for `layers` below 1.
    """
    if layers < 1:
        raise ValueError(f"layers must be at least 1, got {layers}")
    ones = torch.ones(layers + 1, layers + 1).tril()
    return ones / ones.sum(1, keepdim=True)


class DLCLEncoder(nn.Module):
    """N layers; each reads a learnt combination of y_0, the embedding, and of what all layers before it made:

        y_l = layer_l(x_l),  x_1 = y_0 W_0^{(1)}
        x_{l+1} = Σ_{k=0…l} W_k^{(l+1)} LayerNorm_k(y_k)       norm="pre"
        x_{l+1} = LayerNorm_l(Σ_{k=0…l} W_k^{(l+1)} y_k)       norm="post"

    (Wang et al. 2019, section 3). x_{N+1} is the encoder's output; with pre-norm one more layer norm follows it, as it
    does without combination. `weights` (N + 1, N + 1): the row l holds the scalars W^{(l+1)}, 0 behind the diagonal;
    they begin as `running_mean` and are free afterwards. Every y_k but the embedding has a layer norm of its own: y_0
    is combined as it is, as in the authors' program.

    One weight per row on the last layer is the plain encoder with post-norm. With pre-norm it is so only without these
    layer norms: they normalise the residual path, which plain pre-norm leaves alone.
    """

    def __init__(self, config: Config):
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers))
        self.norms = nn.ModuleList(LayerNorm(config.d_model, fused=config.fused) for _ in range(config.layers))
        self.weights = nn.Parameter(running_mean(config.layers))
        self.norm, self.order = final_norm(config), config.norm

    def combine(self, y: list[Float[Tensor, "batch time d_model"]]) -> Float[Tensor, "batch time d_model"]:
        """x_{l+1} of y_0 … y_l; with pre-norm y_1 … y_l come normalised."""
        below = len(y) - 1  # l, the layers that made something
        x = torch.tensordot(self.weights[below, : below + 1], torch.stack(y), dims=1)
        return self.norms[below - 1](x) if below and self.order == "post" else x

    def forward(
        self, x: Float[Tensor, "batch time d_model"], mask: Bool[Tensor, "batch 1 #time time"] | None = None
    ) -> Float[Tensor, "batch time d_model"]:
        """The words' vectors after the last combination."""
        y = [x]
        for layer, norm in zip(self.layers, self.norms, strict=True):
            new = layer(self.combine(y), mask)
            y.append(norm(new) if self.order == "pre" else new)
        return self.norm(self.combine(y))


class DLCLTransformer(Transformer):
    """A Transformer with a `DLCLEncoder`; the decoder is plain (the paper combines the decoder's layers, too).

    `encoder.weights` is the matrix that a picture shows.
    """

    def __init__(self, config: Config):
        super().__init__(config)
        self.encoder = DLCLEncoder(config)
