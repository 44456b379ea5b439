"""The Transformer's encoder: every word looks at every word, layer after layer."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention import MultiHeadAttention
from course_lib.transformer.config import Config
from course_lib.transformer.sublayers import FeedForward, LayerNorm, Residual


def attention(config: Config) -> MultiHeadAttention:
    """One multi-head attention of the model."""
    options = {"d_k": config.d_k, "d_v": config.d_v, "bias": config.bias, "fused": config.fused}
    return MultiHeadAttention(config.d_model, config.heads, **options)


def final_norm(config: Config) -> nn.Module:
    """What follows the last layer: with pre-norm a layer norm, for no sublayer is left to do it; else nothing."""
    return LayerNorm(config.d_model, fused=config.fused) if config.norm == "pre" else nn.Identity()


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network, each within a residual connection. With post-norm:

    a = LayerNorm(x + MultiHead(x, x, x)),  y = LayerNorm(a + FFN(a))     (Vaswani et al. 2017, section 3.1)
    """

    def __init__(self, config: Config):
        super().__init__()
        self.self_attention, self.around_self = attention(config), Residual(config)
        self.feed_forward, self.around_feed_forward = FeedForward(config.d_model, config.d_ff), Residual(config)

    def forward(
        self, x: Float[Tensor, "batch time d_model"], mask: Bool[Tensor, "batch 1 #time time"] | None = None
    ) -> Float[Tensor, "batch time d_model"]:
        """The words' vectors after this layer; `mask` is True where a word may attend to a word."""
        x = self.around_self(x, lambda y: self.self_attention(y, y, y, mask)[0])
        return self.around_feed_forward(x, self.feed_forward)


class Encoder(nn.Module):
    """N layers, one after the other."""

    def __init__(self, config: Config):
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers))
        self.norm = final_norm(config)

    def forward(
        self, x: Float[Tensor, "batch time d_model"], mask: Bool[Tensor, "batch 1 #time time"] | None = None
    ) -> Float[Tensor, "batch time d_model"]:
        """The words' vectors after the last layer."""
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
