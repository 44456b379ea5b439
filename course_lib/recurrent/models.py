"""What a recurrent network is used for (Thadani, "RNN classifier", "encoder", "language model").

The fourth use, the decoder, is in `course_lib.seq2seq.encoder_decoder`.

Each takes its network, an RNN, LSTM or GRU of any depth, and adds an embedding below and, except for the encoder, a
softmax layer above: z = W_hy^⊤ h + b_y, p = softmax(z). These return z, the logits.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.recurrent.network import Network, States


class RNNEncoder(nn.Module):
    """Words x_1 … x_n → a contextual state at each word, and one representation r: the last hidden state."""

    def __init__(self, vocabulary_size: int, network: Network):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary_size, network.input_size)
        self.network = network

    def forward(
        self, tokens: Int[Tensor, "batch time"], mask: Bool[Tensor, "batch time"] | None = None
    ) -> tuple[Float[Tensor, "batch time output"], Float[Tensor, "batch output"]]:
        """The states at all words (0 at padding), and r, of a bidirectional network [→h_n; ←h_1]."""
        outputs, state = self.network(self.embedding(tokens), mask)
        return outputs, self.network.summary(state)


class RNNClassifier(nn.Module):
    """Words x_1 … x_n → one label z, read off the representation."""

    def __init__(self, vocabulary_size: int, labels: int, network: Network):
        super().__init__()
        self.encoder = RNNEncoder(vocabulary_size, network)
        self.output = nn.Linear(network.output_size, labels)

    def forward(
        self, tokens: Int[Tensor, "batch time"], mask: Bool[Tensor, "batch time"] | None = None
    ) -> Float[Tensor, "batch labels"]:
        """The labels' logits."""
        _, r = self.encoder(tokens, mask)
        return self.output(r)


class RNNLanguageModel(nn.Module):
    """Words y_1 … y_k → at each, logits over the word that follows: p(y_{k+1} | y_1 … y_k).

    Raises ValueError for a bidirectional or reversed network, which would have read the word to be predicted.
    """

    def __init__(self, vocabulary_size: int, network: Network):
        super().__init__()
        if network.reads_ahead:
            raise ValueError("network must not be bidirectional or reversed: it may not read the words to come")
        self.embedding = nn.Embedding(vocabulary_size, network.input_size)
        self.network = network
        self.output = nn.Linear(network.output_size, vocabulary_size)

    def forward(
        self, tokens: Int[Tensor, "batch time"], state: States | None = None
    ) -> tuple[Float[Tensor, "batch time vocabulary"], States]:
        """The logits of each next word, and the state to go on from. Padding at the end disturbs nothing before it."""
        outputs, state = self.network(self.embedding(tokens), state=state)
        return self.output(outputs), state

    @torch.no_grad()
    def generate(
        self,
        tokens: Int[Tensor, "batch time"],
        length: int,
        temperature: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> Int[Tensor, "batch length"]:
        """`length` words to follow `tokens`, drawn from softmax(z / temperature); at 0 the likeliest (first if tied).

        Raises ValueError for a temperature below 0.
        """
        if temperature < 0:
            raise ValueError(f"temperature must be at least 0, got {temperature}")
        following, state = [], None
        for _ in range(length):
            z, state = self(tokens, state)
            tokens = _choose(z[:, -1], temperature, generator)
            following.append(tokens)
        return torch.cat(following, dim=1) if following else tokens[:, :0]


def _choose(
    z: Float[Tensor, "batch vocabulary"], temperature: float, generator: torch.Generator | None
) -> Int[Tensor, "batch 1"]:
    if temperature == 0:
        return z.argmax(1, keepdim=True)
    return torch.multinomial(((z - z.max(1, keepdim=True).values) / temperature).softmax(1), 1, generator=generator)
