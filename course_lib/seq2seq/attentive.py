"""Decoders with attention: before each word they look at all states of the encoder again.

e_ij = score(s, h_j), α_i = softmax(e_i), c_i = Σ_j α_ij h_j. They differ in which state asks, and where c_i enters.
"""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from course_lib.attention import Score, context, masked_softmax
from course_lib.recurrent import Network, Stepper
from course_lib.recurrent.network import States
from course_lib.recurrent.stepper import by_layer
from course_lib.seq2seq.decoder import Decoder
from course_lib.seq2seq.protocol import Step


@dataclass(frozen=True)
class AttentiveMemory:
    """What a decoder keeps of the source: all of the encoder's states, what the score makes of them, and the last.

    `weights` stand in for those of the score where they are given: an intervention, to see what they change.
    """

    h: Float[Tensor, "row source_time context"]
    keys: Float[Tensor, "row source_time projected"]
    mask: Bool[Tensor, "row source_time"]
    r: Float[Tensor, "row context"]
    weights: Float[Tensor, "row source_time"] | None = None

    def select(self, rows: Int64[Tensor, " chosen"]) -> "AttentiveMemory":
        """The memory of these rows, in this order."""
        weights = None if self.weights is None else self.weights[rows]
        return AttentiveMemory(self.h[rows], self.keys[rows], self.mask[rows], self.r[rows], weights)


@dataclass(frozen=True)
class AttentiveState:
    """A row for each hypothesis: its sentence's memory, the states of all layers, and what is fed to the next step."""

    memory: AttentiveMemory
    layers: States
    fed: Float[Tensor, "row fed"] | None = None

    def select(self, rows: Int64[Tensor, " chosen"]) -> "AttentiveState":
        """The hypotheses in these rows, in this order."""
        fed = None if self.fed is None else self.fed[rows]
        return AttentiveState(self.memory.select(rows), tuple(s[:, rows] for s in self.layers), fed)


Forced = tuple[Float[Tensor, "batch time vocabulary"], Float[Tensor, "batch time source_time"]]


class AttentiveDecoder(Decoder):
    """What the two decoders share: memory, attention, teacher forcing."""

    def __init__(self, vocabulary_size: int, network: Network, score: Score, **sizes):
        super().__init__(vocabulary_size, network, **sizes)
        self.score = score

    def remember(
        self,
        h: Float[Tensor, "batch source_time context"],
        r: Float[Tensor, "batch context"],
        source_mask: Bool[Tensor, "batch source_time"],
    ) -> AttentiveMemory:
        """The memory of a batch: its keys are computed here, once."""
        return AttentiveMemory(h, self.score.project(h), source_mask, r)

    def start(self, memory: AttentiveMemory) -> AttentiveState:
        """The state before the first word."""
        return AttentiveState(memory, self.first_states(memory.r))

    def attend(
        self, s: Float[Tensor, "batch query hidden"], memory: AttentiveMemory
    ) -> tuple[Float[Tensor, "batch query context"], Float[Tensor, "batch query source_time"]]:
        """c and α of the states s that ask, or c of the memory's own weights."""
        if memory.weights is not None:
            α = memory.weights.unsqueeze(1).expand(-1, s.shape[1], -1)
            return context(α, memory.h), α
        e = self.score.compare(s, memory.keys)
        α = masked_softmax(e, memory.mask.unsqueeze(1))
        return context(α, memory.h), α

    def forced(self, memory: AttentiveMemory, target_in: Int64[Tensor, "batch time"]) -> Forced:
        """Teacher forcing: the logits of each next word and the weights behind them, as `step` gives one by one."""
        raise NotImplementedError

    def forward(
        self, memory: AttentiveMemory, target_in: Int64[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time vocabulary"]:
        """Teacher forcing: the logits of each next word, given the true words before it; target_in starts with bos."""
        return self.forced(memory, target_in)[0]


class BahdanauDecoder(AttentiveDecoder):
    """The state before asks, and the context is an input (Bahdanau et al. 2015; Straka 2021; Thadani):

        e_ij = score(s_{i−1}, h_j),  c_i = Σ_j α_ij h_j,  s_i = f(s_{i−1}, [E y_{i−1}; c_i]),  z_i = U s_i + b

    s_{i−1} and s_i are the top layer's: asks its hidden state, writes its output. The network's input is an embedding
    and c_i, `context_size` wide as the encoder's states; so is r, the encoder's last. `bridge`: see `Decoder`; `width`,
    `tied`: see `Readout`. Raises ValueError as they do.
    """

    def __init__(
        self,
        vocabulary_size: int,
        network: Network,
        score: Score,
        context_size: int,
        *,
        bridge: bool = False,
        width: int | None = None,
        tied: bool = False,
    ):
        sizes = {"fed_size": context_size, "context_size": context_size, "state_size": network.hidden_size}
        super().__init__(vocabulary_size, network, score, **sizes, bridge=bridge, width=width, tied=tied)

    def step(self, previous: Int64[Tensor, " row"], state: AttentiveState) -> Step:
        """One word further, as the equations stand."""
        s = state.layers[0][-1]  # s_{i−1}
        c, α = self.attend(s.unsqueeze(1), state.memory)
        x = torch.cat([self.embedding(previous).unsqueeze(1), c], dim=2)
        s, layers = self.network(x, state=state.layers)
        z = self.readout(self.readout.narrow(s))
        return Step(z[:, 0].float().log_softmax(1), replace(state, layers=layers), α[:, 0])

    def forced(self, memory: AttentiveMemory, target_in: Int64[Tensor, "batch time"]) -> Forced:
        """The same for all words: only what needs the state before stays in the loop."""
        stepper, layers = Stepper(self.network, self.embedding(target_in)), by_layer(self.first_states(memory.r))
        states, weights = [], []
        for t in range(target_in.shape[1]):
            c, α = self.attend(layers[-1][0].unsqueeze(1), memory)
            s, layers = stepper.step(t, c.squeeze(1), layers)
            states.append(s)
            weights.append(α)
        return self.readout(self.readout.narrow(torch.stack(states, dim=1))), torch.cat(weights, dim=1)


class LuongDecoder(AttentiveDecoder):
    """The new state asks, and the context is joined with it afterwards (Luong et al. 2015; Zhao):

        s_i = f(s_{i−1}, E y_{i−1}),  e_ij = score(s_i, h_j),  c_i = Σ_j α_ij h_j
        s̃_i = tanh(W [s_i; c_i]),  z_i = U s̃_i + b
        s_i = f(s_{i−1}, [E y_{i−1}; s̃_{i−1}])   with `feeding` (Luong's "input feeding"; s̃ before the first word is 0)

    Without feeding no s_i depends on a context: `forced` runs the network over all words, then asks for all at once.
    h_j and r are `context_size` wide, s̃_i `width`, by default as the hidden state; with feeding the network's input is
    an embedding and s̃_{i−1}. `bridge`: see `Decoder`; `tied`: see `Readout`. Raises ValueError as they do.
    """

    def __init__(
        self,
        vocabulary_size: int,
        network: Network,
        score: Score,
        context_size: int,
        *,
        feeding: bool = False,
        bridge: bool = False,
        width: int | None = None,
        tied: bool = False,
    ):
        width = network.hidden_size if width is None else width
        sizes = {"fed_size": width if feeding else 0, "context_size": context_size}
        sizes["state_size"] = network.hidden_size + context_size
        super().__init__(vocabulary_size, network, score, **sizes, bridge=bridge, width=width, tied=tied)
        self.feeding = feeding

    def start(self, memory: AttentiveMemory) -> AttentiveState:
        """The state before the first word; with feeding, s̃ = 0."""
        state = super().start(memory)
        return replace(state, fed=memory.r.new_zeros(len(memory.r), self.readout.width)) if self.feeding else state

    def join(
        self, s: Float[Tensor, "batch time hidden"], memory: AttentiveMemory
    ) -> tuple[Float[Tensor, "batch time width"], Float[Tensor, "batch time source_time"]]:
        """s̃ = tanh(W [s; c]) and α of the states s."""
        c, α = self.attend(s, memory)
        return self.readout.narrow(torch.cat([s, c], dim=2)), α

    def step(self, previous: Int64[Tensor, " row"], state: AttentiveState) -> Step:
        """One word further, as the equations stand."""
        x = self.embedding(previous)
        if self.feeding:
            x = torch.cat([x, state.fed], dim=1)
        s, layers = self.network(x.unsqueeze(1), state=state.layers)
        joined, α = self.join(s, state.memory)
        z = self.readout(joined)
        fed = joined[:, 0] if self.feeding else None
        return Step(z[:, 0].float().log_softmax(1), AttentiveState(state.memory, layers, fed), α[:, 0])

    def forced(self, memory: AttentiveMemory, target_in: Int64[Tensor, "batch time"]) -> Forced:
        """The same for all words: without feeding all at once, with it in a loop over what needs the state before."""
        state, words = self.start(memory), self.embedding(target_in)
        if not self.feeding:
            s, _ = self.network(words, state=state.layers)
            joined, α = self.join(s, memory)
            return self.readout(joined), α
        stepper, layers, fed = Stepper(self.network, words), by_layer(state.layers), state.fed
        all_joined, weights = [], []
        for t in range(target_in.shape[1]):
            s, layers = stepper.step(t, fed, layers)
            joined, α = self.join(s.unsqueeze(1), memory)
            fed = joined.squeeze(1)
            all_joined.append(joined)
            weights.append(α)
        return self.readout(torch.cat(all_joined, dim=1)), torch.cat(weights, dim=1)
