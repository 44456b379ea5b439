"""What the recurrent decoders share: embedding, network, first state, readout."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.recurrent import Network
from course_lib.recurrent.network import States
from course_lib.seq2seq.readout import Readout


class Decoder(nn.Module):
    """A recurrent network over embedded words [E y_{i−1}; …] that starts from a vector r and writes by a `Readout`.

    - `fed_size`: how much of the network's input is no word; the embedding is as wide as the rest.
    - `context_size`: the width of r. The first state s_1 = r in every layer needs it to be the hidden state's; with
      `bridge`, s_1 = tanh(W r + b) (Cho et al. 2014; Bahdanau et al. 2015, appendix A.2.2), it may be any. The LSTM's
      memory cell starts empty.
    - `state_size`, `width`, `tied`: the readout's.

    Raises ValueError for a network that reads ahead, and for widths that do not fit.
    """

    def __init__(
        self,
        vocabulary_size: int,
        network: Network,
        *,
        fed_size: int,
        context_size: int,
        state_size: int,
        bridge: bool,
        width: int | None,
        tied: bool,
    ):
        super().__init__()
        if network.reads_ahead:
            raise ValueError("network must not be bidirectional or reversed: it may not read the words to come")
        if network.input_size <= fed_size:
            raise ValueError(
                f"network must have an input wider than the {fed_size} that are no word, got {network.input_size}"
            )
        if not bridge and context_size != network.hidden_size:
            raise ValueError(
                f"context_size must be {network.hidden_size}, as the hidden state, got {context_size}; or bridge=True"
            )
        self.context_size, self.network = context_size, network
        self.embedding = nn.Embedding(vocabulary_size, network.input_size - fed_size)
        self.bridge = nn.Linear(context_size, network.hidden_size) if bridge else None
        self.readout = Readout(state_size, vocabulary_size, width, self.embedding if tied else None)

    def first_states(self, r: Float[Tensor, "batch context"]) -> States:
        """s_1 in every layer. Raises ValueError for an r of another width than `context_size`."""
        if r.shape[1] != self.context_size:
            what = "context_size" if self.bridge else "the hidden state"
            raise ValueError(f"context must be {self.context_size} wide, as {what}, got {r.shape[1]}")
        h = (r if self.bridge is None else self.bridge(r).tanh()).expand(len(self.network.layers), -1, -1)
        return (h,) + (torch.zeros_like(h),) * (self.network.layers[0][0].cell.states - 1)
