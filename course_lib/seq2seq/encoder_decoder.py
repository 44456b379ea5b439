"""The recurrent encoder–decoder: the source in one vector, from which a decoder writes (Sutskever et al. 2014)."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from course_lib.recurrent import Network, RNNEncoder
from course_lib.recurrent.network import States
from course_lib.seq2seq.decoder import Decoder
from course_lib.seq2seq.protocol import Memory, State, Step
from course_lib.subwords.vocabulary import Vocabulary


@dataclass(frozen=True)
class DecoderState:
    """The states of all layers and the context, a row for each hypothesis."""

    layers: States
    context: Float[Tensor, "row context"]

    def select(self, rows: Int64[Tensor, " chosen"]) -> "DecoderState":
        """The hypotheses in these rows, in this order."""
        return DecoderState(tuple(s[:, rows] for s in self.layers), self.context[rows])


class RNNDecoder(Decoder):
    """Context c → words y_1 … y_m: a language model that starts from the context, s_1 = c, in every layer.

        s_i = f(s_{i−1}, E y_{i−1}),      z_i = U s_i + b               (Sutskever et al. 2014)
        s_i = f(s_{i−1}, [E y_{i−1}; c])  with `at_each_step`           (Cho et al. 2014)

    c is as wide as the hidden state, or with `bridge` (s_1 = tanh(W c + b)) `context_size` wide; `at_each_step`, the
    network's input holds an embedding and c beside it. `width`, `tied`: see `Readout`. `start` and `step` are those of
    `seq2seq.protocol`, with c as memory. Raises ValueError as `Decoder` does.
    """

    def __init__(
        self,
        vocabulary_size: int,
        network: Network,
        *,
        at_each_step: bool = False,
        context_size: int | None = None,
        bridge: bool = False,
        width: int | None = None,
        tied: bool = False,
    ):
        context_size = network.hidden_size if context_size is None else context_size
        super().__init__(
            vocabulary_size,
            network,
            fed_size=context_size if at_each_step else 0,
            context_size=context_size,
            state_size=network.hidden_size,
            bridge=bridge,
            width=width,
            tied=tied,
        )
        self.at_each_step = at_each_step

    def remember(
        self,
        h: Float[Tensor, "batch source_time context"],
        r: Float[Tensor, "batch context"],
        source_mask: Bool[Tensor, "batch source_time"],
    ) -> Float[Tensor, "batch context"]:
        """The memory c = r: of the encoder's states it keeps the last."""
        return r

    def start(self, context: Float[Tensor, "batch context"]) -> DecoderState:
        """The state s_1. Raises ValueError for a context of another width."""
        return DecoderState(self.first_states(context), context)

    def step(self, previous: Int64[Tensor, " row"], state: DecoderState) -> Step:
        """Read one word in each row: log softmax(z) over the next, and the state after it."""
        z, layers = self.read(previous[:, None], state)
        return Step(z[:, 0].float().log_softmax(1), replace(state, layers=layers))

    def forward(
        self, context: Float[Tensor, "batch context"], target_in: Int64[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time vocabulary"]:
        """Teacher forcing: the logits of each next word, given the true words before it; target_in starts with bos."""
        logits, _ = self.read(target_in, self.start(context))
        return logits

    def read(
        self, words: Int64[Tensor, "batch time"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch time vocabulary"], States]:
        """The logits after each of `words`, and the states after the last."""
        x = self.embedding(words)
        if self.at_each_step:
            x = torch.cat([x, state.context.unsqueeze(1).expand(-1, x.shape[1], -1)], dim=2)  # [E y_{i−1}; c]
        s, layers = self.network(x, state=state.layers)
        return self.readout(self.readout.narrow(s)), layers


class EncoderDecoder(nn.Module):
    """r = encoder(x), s_1 = r: the decoder's first state is the encoder's last, and its memory what it keeps of x.

    The decoder is an `RNNDecoder`, which keeps r, or one of `seq2seq.attentive`, which keep all states h_1 … h_n.
    Raises ValueError where r is not as wide as the decoder takes it.
    """

    pad_id, bos_id, eos_id = Vocabulary.pad_id, Vocabulary.bos_id, Vocabulary.eos_id

    def __init__(self, encoder: RNNEncoder, decoder: Decoder):
        super().__init__()
        width, wanted = encoder.network.output_size, decoder.context_size
        if width != wanted:
            raise ValueError(f"encoder must give a representation {wanted} wide, as the decoder takes it, got {width}")
        self.encoder, self.decoder = encoder, decoder

    def encode(
        self, source: Int64[Tensor, "batch source_time"], source_mask: Bool[Tensor, "batch source_time"]
    ) -> Memory:
        """What the decoder keeps of each sentence."""
        h, r = self.encoder(source, source_mask)
        return self.decoder.remember(h, r, source_mask)

    def start(self, memory: Memory) -> State:
        """The decoder's state s_1 = r."""
        return self.decoder.start(memory)

    def step(self, previous: Int64[Tensor, " row"], state: State) -> Step:
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
