"""The recurrent encoder–decoder: the source in one vector, from which a decoder writes (Sutskever et al. 2014)."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from course_lib.recurrent import Network, RNNEncoder, RNNLanguageModel
from course_lib.recurrent.network import States
from course_lib.seq2seq.protocol import Step
from course_lib.subwords.vocabulary import Vocabulary


@dataclass(frozen=True)
class DecoderState:
    """The states of all layers, a row for each hypothesis."""

    layers: States

    def select(self, rows: Int64[Tensor, " chosen"]) -> "DecoderState":
        """The hypotheses in these rows, in this order."""
        return DecoderState(tuple(s[:, rows] for s in self.layers))


class RNNDecoder(nn.Module):
    """Context c → words y_1 … y_m: a language model that starts from the context, s_1 = c, in every layer.

    The LSTM's memory cell starts empty. The context is as wide as the network's hidden state. `start` and `step` are
    those of `seq2seq.protocol`, with the context as memory.
    """

    def __init__(self, vocabulary_size: int, network: Network):
        super().__init__()
        self.language_model = RNNLanguageModel(vocabulary_size, network)

    def start(self, context: Float[Tensor, "batch hidden"]) -> DecoderState:
        """The state whose hidden part is the context. Raises ValueError for a context of another width."""
        network = self.language_model.network
        if context.shape[1] != network.hidden_size:
            raise ValueError(f"context must be {network.hidden_size} wide, as the hidden state, got {context.shape[1]}")
        h = context.expand(len(network.layers), -1, -1)
        return DecoderState((h,) + (torch.zeros_like(h),) * (network.layers[0][0].cell.states - 1))

    def step(self, previous: Int64[Tensor, " row"], state: DecoderState) -> Step:
        """Read one word in each row: log softmax(z) over the next, and the state after it."""
        z, layers = self.language_model(previous[:, None], state.layers)
        return Step(z[:, 0].float().log_softmax(1), DecoderState(layers))

    def forward(
        self, context: Float[Tensor, "batch hidden"], target_in: Int64[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time vocabulary"]:
        """Teacher forcing: the logits of each next word, given the true words before it; target_in starts with bos."""
        logits, _ = self.language_model(target_in, self.start(context).layers)
        return logits


class EncoderDecoder(nn.Module):
    """r = encoder(x), s_1 = r: the decoder's first state is the encoder's last. The memory is r, (batch, hidden).

    Raises ValueError where r is not as wide as the decoder's state.
    """

    pad_id, bos_id, eos_id = Vocabulary.pad_id, Vocabulary.bos_id, Vocabulary.eos_id

    def __init__(self, encoder: RNNEncoder, decoder: RNNDecoder):
        super().__init__()
        width, wanted = encoder.network.output_size, decoder.language_model.network.hidden_size
        if width != wanted:
            raise ValueError(f"encoder must give a representation {wanted} wide, as the decoder's state, got {width}")
        self.encoder, self.decoder = encoder, decoder

    def encode(
        self, source: Int64[Tensor, "batch source_time"], source_mask: Bool[Tensor, "batch source_time"]
    ) -> Float[Tensor, "batch hidden"]:
        """The representation r of each sentence."""
        _, r = self.encoder(source, source_mask)
        return r

    def start(self, memory: Float[Tensor, "batch hidden"]) -> DecoderState:
        """The decoder's state s_1 = r."""
        return self.decoder.start(memory)

    def step(self, previous: Int64[Tensor, " row"], state: DecoderState) -> Step:
        """One word further."""
        return self.decoder.step(previous, state)

    def forward(
        self,
        source: Int64[Tensor, "batch source_time"],
        source_mask: Bool[Tensor, "batch source_time"],
        target_in: Int64[Tensor, "batch target_time"],
    ) -> Float[Tensor, "batch target_time vocabulary"]:
        """Teacher forcing: the logits of each next word, given the source and the true words before it."""
        return self.decoder(self.encode(source, source_mask), target_in)
