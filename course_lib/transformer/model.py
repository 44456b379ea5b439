"""The Transformer (Vaswani et al. 2017): embeddings, encoder, decoder, output; a model of `seq2seq.protocol`."""

from dataclasses import replace

from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from course_lib.attention import padding
from course_lib.seq2seq.protocol import Step
from course_lib.seq2seq.readout import Readout
from course_lib.subwords.vocabulary import Vocabulary
from course_lib.transformer.cache import Cache
from course_lib.transformer.config import Config
from course_lib.transformer.decoder import Decoder
from course_lib.transformer.embedding import PositionedEmbedding
from course_lib.transformer.encoder import Encoder
from course_lib.transformer.state import TransformerMemory, TransformerState


class Transformer(nn.Module):
    """Source words x → encoder → h;  target words y_1 … y_{i−1} and h → decoder → s_i;  z_i = U s_i + b.

    With `tied` U is the matrix E that embeds source and target words (section 3.4; Press and Wolf 2017). `Step`'s
    attention is the last layer's on the source, the mean of its heads; None where `fused`.
    """

    pad_id, bos_id, eos_id = Vocabulary.pad_id, Vocabulary.bos_id, Vocabulary.eos_id

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        source, target = (nn.Embedding(config.vocabulary_size, config.d_model) for _ in range(2))
        target = source if config.tied else target
        for words in (source, target):
            nn.init.normal_(words.weight, std=config.d_model**-0.5)
        self.source_embedding = PositionedEmbedding(config, source)
        self.target_embedding = PositionedEmbedding(config, target)
        self.encoder, self.decoder = Encoder(config), Decoder(config)
        self.readout = Readout(config.d_model, config.vocabulary_size, tied_to=target if config.tied else None)

    def encode(
        self, source: Int64[Tensor, "batch source_time"], source_mask: Bool[Tensor, "batch source_time"]
    ) -> TransformerMemory:
        """The source's keys and values for each layer of the decoder."""
        padded = not source_mask.all()
        h = self.encoder(self.source_embedding(source), padding(source_mask) if padded else None)
        return TransformerMemory(self.decoder.remember(h), source_mask, padded)

    def start(self, memory: TransformerMemory) -> TransformerState:
        """No word was read yet."""
        return TransformerState(memory, len(memory.mask))

    def step(self, previous: Int64[Tensor, " row"], state: TransformerState) -> Step:
        """One word further: only this word goes through the layers, the keys and values before it are kept."""
        z, layers, α = self.read(previous[:, None], state)
        attention = None if α is None else α.mean(1)[:, 0]
        return Step(z[:, 0].float().log_softmax(1), replace(state, layers=layers), attention)

    def forward(
        self,
        source: Int64[Tensor, "batch source_time"],
        source_mask: Bool[Tensor, "batch source_time"],
        target_in: Int64[Tensor, "batch target_time"],
    ) -> Float[Tensor, "batch target_time vocabulary"]:
        """Teacher forcing: the logits of each next word, given the source and the true words before it."""
        return self.read(target_in, self.start(self.encode(source, source_mask)))[0]

    def read(
        self, words: Int64[Tensor, "row time"], state: TransformerState
    ) -> tuple[
        Float[Tensor, "row time vocabulary"],
        tuple[Cache, ...],
        Float[Tensor, "row heads time source_time"] | None,
    ]:
        """The logits after each of `words`, every layer's keys and values, the last layer's weights on the source."""
        x = self.target_embedding(words, state.time)
        mask = padding(state.memory.mask) if state.memory.padded else None
        s, layers, α = self.decoder(x, state.memory.layers, mask, state.layers)
        return self.readout(s), layers, α
