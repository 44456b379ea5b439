"""What a model costs: floating-point operations of its matrix products, counted from their shapes.

A product of (a, b) with (b, c) is 2abc operations, a multiplication and an addition for each term. What is no product
of matrices (softmax, norms, gates, embeddings) is left out, as is usual: it grows with the width, products with its
square. The way back costs twice the way there: one product for the gradient of each factor.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from course_lib.systems.gnmt import GNMTConfig
from course_lib.transformer import Config

BACK_AND_FORTH = 3  # the products of a training step to those of a forward pass


@dataclass(frozen=True)
class Operations:
    """Of one sentence pair: the encoder's, the decoder's and the readout's operations on the way there."""

    encoder: int
    decoder: int
    readout: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.encoder + self.decoder + self.readout


def transformer_operations(
    config: Config, source: int, target: int, *, writing: bool = False, experts: int = 0
) -> Operations:
    """A `Transformer` reads n = `source` words and m = `target` true words at once, as in training.

        attention of a words to b:  2d (h d_k a + h (d_k + d_v) b + h d_v a) + 2ab h (d_k + d_v)
        feed-forward network:       4 a d d_ff;       readout: 2 m d V
        gate to so many `experts`:  4 a d experts, for x W_g and x W_n; writing draws no noise: half of it

    With `experts` d_ff is the width that a word meets: that of all experts which it asks, together.

    `writing`: it writes the m words one after the other with a cache (greedy search): the i-th looks at i words, not at
    m with the later ones masked, so self-attention has m(m + 1)/2 pairs in place of m². All else is the same.
    """
    d, h = config.d_model, config.heads
    d_k = d // h if config.d_k is None else config.d_k
    d_v = d_k if config.d_v is None else config.d_v

    def attention(a: int, b: int, pairs: int) -> int:
        return 2 * d * h * (d_k * a + (d_k + d_v) * b + d_v * a) + 2 * pairs * h * (d_k + d_v)

    def feed_forward(a: int) -> int:
        return 2 * 2 * a * d * config.d_ff + 2 * (1 if writing else 2) * a * d * experts

    n, m = source, target
    own = m * (m + 1) // 2 if writing else m * m
    layers = config.layers if config.decoder_layers is None else config.decoder_layers
    return Operations(
        config.layers * (attention(n, n, n * n) + feed_forward(n)),
        layers * (attention(m, m, own) + attention(m, n, m * n) + feed_forward(m)),
        2 * m * d * config.vocabulary_size,
    )


def gnmt_operations(config: GNMTConfig, source: int, target: int) -> Operations:
    """A `GNMT` reads n = `source` words and m = `target` words; reading and writing cost it the same.

    LSTM from I to H: 8 H (I + H) a word (four gates). Attention: 2H² for each key and each question, 2H for the score
    of a pair, 2H for its part of the context.
    """
    H, n, m = config.hidden, source, target

    def lstm(width: int) -> int:
        return 8 * H * (width + H)

    upper = config.layers - 1
    encoder = n * (2 * lstm(config.embedding) + lstm(2 * H) + (upper - 1) * lstm(H))
    attention = 2 * H * H * (n + m) + 4 * H * m * n
    decoder = m * (lstm(config.embedding + H) + upper * lstm(2 * H)) + attention
    return Operations(encoder, decoder, 2 * m * H * config.vocabulary_size)


def training_operations(pairs: Iterable[Operations], epochs: float = 1) -> float:
    """A training on these sentence pairs, `epochs` times each: three times the way there. Padding is not counted."""
    return BACK_AND_FORTH * epochs * sum(pair.total for pair in pairs)
