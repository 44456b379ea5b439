"""The Transformer's decoder: every target word looks at the target words before it, then at the source."""

from collections.abc import Sequence

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention import causal
from course_lib.transformer.cache import Cache, KeysValues
from course_lib.transformer.config import Config
from course_lib.transformer.encoder import attention, final_norm
from course_lib.transformer.sublayers import FeedForward, Residual


class DecoderLayer(nn.Module):
    """Masked self-attention, attention to the source's states h, feed-forward network. With post-norm:

        a = LayerNorm(x + MultiHead(x, x, x)), of the words up to each;  b = LayerNorm(a + MultiHead(a, h, h))
        y = LayerNorm(b + FFN(b))                                        (Vaswani et al. 2017, section 3.1)

    Keys and values of words that were read before do not change: `past` brings them, and they come back with the new
    ones. Rows may outnumber the memory's sentences: row r then reads sentence ⌊r / (rows per sentence)⌋.
    """

    def __init__(self, config: Config):
        super().__init__()
        self.self_attention, self.around_self = attention(config), Residual(config)
        self.cross_attention, self.around_cross = attention(config), Residual(config)
        self.feed_forward, self.around_feed_forward = FeedForward(config.d_model, config.d_ff), Residual(config)

    def forward(
        self,
        x: Float[Tensor, "row time d_model"],
        memory: KeysValues,
        source_mask: Bool[Tensor, "sentence 1 1 source_time"] | None = None,
        past: Cache | None = None,
    ) -> tuple[Float[Tensor, "row time d_model"], Cache, Float[Tensor, "row heads time source_time"] | None]:
        """The vectors after this layer, all keys and values so far, and the weights on the source (None if fused)."""
        present = α = None

        def words_before(y: Tensor) -> Tensor:
            nonlocal present
            new = self.self_attention.keys_values(y, y)
            present = Cache.of(new) if past is None else past.after(new)
            K, V = present.keys_values
            time, together = y.shape[1], K.shape[2]
            mask = causal(time, together, y.device) if time > 1 else None  # one word may attend to all there are
            return self.self_attention.attend(y, K, V, mask)[0]

        def source(y: Tensor) -> Tensor:
            nonlocal α
            of_a_sentence = y.reshape(len(memory[0]), -1, y.shape[2])  # its rows together
            contexts, α = self.cross_attention.attend(of_a_sentence, *memory, source_mask)
            return contexts.view_as(y)

        x = self.around_self(x, words_before)
        x = self.around_cross(x, source)
        x = self.around_feed_forward(x, self.feed_forward)
        if α is not None:
            α = α.transpose(1, 2).unflatten(1, (-1, x.shape[1])).flatten(0, 1).transpose(1, 2)
        return x, present, α


class Decoder(nn.Module):
    """N layers, one after the other, each with a memory of its own."""

    def __init__(self, config: Config):
        super().__init__()
        layers = config.layers if config.decoder_layers is None else config.decoder_layers
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(layers))
        self.norm = final_norm(config)

    def remember(self, h: Float[Tensor, "batch source_time d_model"]) -> tuple[KeysValues, ...]:
        """The keys and values of the source's states, for each layer: computed once a sentence."""
        return tuple(layer.cross_attention.keys_values(h, h) for layer in self.layers)

    def forward(
        self,
        x: Float[Tensor, "row time d_model"],
        memory: Sequence[KeysValues],
        source_mask: Bool[Tensor, "sentence 1 1 source_time"] | None = None,
        past: Sequence[Cache] | None = None,
    ) -> tuple[
        Float[Tensor, "row time d_model"], tuple[Cache, ...], Float[Tensor, "row heads time source_time"] | None
    ]:
        """The vectors after the last layer, every layer's keys and values, the last one's weights on the source."""
        presents, α = [], None
        for number, layer in enumerate(self.layers):
            x, present, α = layer(x, memory[number], source_mask, None if past is None else past[number])
            presents.append(present)
        return self.norm(x), tuple(presents), α
