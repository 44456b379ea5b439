"""Google's system of 2016: deep recurrent stacks with residual connections and one attention (Wu et al. 2016)."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn
from torch.nn.functional import dropout

from course_lib.attention import Additive, context, masked_softmax
from course_lib.recurrent import LSTM, Layer, LSTMCell, Stepper
from course_lib.recurrent.cell import State as LayerState
from course_lib.recurrent.network import States
from course_lib.recurrent.stepper import by_layer
from course_lib.seq2seq.protocol import Step
from course_lib.seq2seq.readout import Readout
from course_lib.subwords.vocabulary import Vocabulary


@dataclass(frozen=True)
class GNMTConfig:
    """Sizes and choices; the paper has 8 layers of 1024 on each side.

    - `layers`: of the encoder, its bidirectional bottom layer among them, and of the decoder.
    - `residual`: from the third layer on, a layer's input is added to its output, in both stacks.
    - `dropout`: of what goes from a layer to the next; the residual path stays whole.
    - `tied`: the target's embedding reads the output off; it is then as wide as the hidden state.
    - `fused`: the layers that wait for no attention run on torch's kernel.

    Raises ValueError for sizes below 1, fewer than 2 layers, a dropout outside [0, 1], and for `tied` with two widths.
    """

    vocabulary_size: int
    embedding: int = 1024
    hidden: int = 1024
    layers: int = 8
    residual: bool = True
    dropout: float = 0.0
    tied: bool = False
    fused: bool = True

    def __post_init__(self):
        for name, least in (("vocabulary_size", 1), ("embedding", 1), ("hidden", 1), ("layers", 2)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, got {getattr(self, name)}")
        if not 0 <= self.dropout <= 1:
            raise ValueError(f"dropout must lie in [0, 1], got {self.dropout}")
        if self.tied and self.embedding != self.hidden:
            raise ValueError(f"embedding must be {self.hidden} wide, as hidden, to be tied, got {self.embedding}")


@dataclass(frozen=True)
class GNMTMemory:
    """The encoder's states h, what the score makes of them, where words are real, and each layer's last state."""

    h: Float[Tensor, "row source_time hidden"]
    keys: Float[Tensor, "row source_time hidden"]
    mask: Bool[Tensor, "row source_time"]
    last: States

    def select(self, rows: Int64[Tensor, " chosen"]) -> "GNMTMemory":
        """The memory of these rows, in this order."""
        last = tuple(s[:, rows] for s in self.last)
        return GNMTMemory(self.h[rows], self.keys[rows], self.mask[rows], last)


@dataclass(frozen=True)
class GNMTState:
    """A row for each hypothesis: its sentence's memory, and the states of all layers."""

    memory: GNMTMemory
    layers: States

    def select(self, rows: Int64[Tensor, " chosen"]) -> "GNMTState":
        """The hypotheses in these rows, in this order."""
        return GNMTState(self.memory.select(rows), tuple(s[:, rows] for s in self.layers))


class GNMTEncoder(nn.Module):
    """x → h: a bidirectional layer at the bottom, and layers from left to right above it.

        x¹ = [→h; ←h],  x² = LSTM₂(x¹),  xˡ = LSTMₗ(xˡ⁻¹) [+ xˡ⁻¹ with `residual`]  for l ≥ 3,  h = x^{layers}

    The second layer reads two directions beside each other, so its input is too wide to be added. Only one layer reads
    from right to left: those above it can begin when the first word is there.
    """

    def __init__(self, config: GNMTConfig):
        super().__init__()
        size, self.dropout = config.hidden, config.dropout
        self.embedding = nn.Embedding(config.vocabulary_size, config.embedding)
        self.bottom = LSTM(config.embedding, size, bidirectional=True, fused=config.fused)
        options = {"residual": config.residual, "dropout": config.dropout, "fused": config.fused}
        self.upper = LSTM(2 * size, size, config.layers - 1, **options)

    def forward(
        self, source: Int64[Tensor, "batch time"], mask: Bool[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch time hidden"], States]:
        """The states at all words, and the last one of each layer; of the bottom layer that of its way back."""
        x, bottom = self.bottom(self.embedding(source), mask)
        h, upper = self.upper(dropout(x, self.dropout, self.training), mask)
        return h, tuple(torch.cat([b[1:], u]) for b, u in zip(bottom, upper, strict=True))


class GNMTDecoder(nn.Module):
    """The bottom layer asks, and all layers read the context:

        c_i = Σ_j α_ij h_j,  α_i = softmax(score(s¹_{i−1}, h_j))           additive score
        s¹_i = LSTM₁([E y_{i−1}; c_i]),  s²_i = LSTM₂([s¹_i; c_i])
        sˡ_i = LSTMₗ([sˡ⁻¹_i; c_i]) [+ sˡ⁻¹_i with `residual`]  for l ≥ 3;   z_i = U s_i^{layers} + b

    As in the paper (section 3) the bottom layer's state of the step before asks. So does "gnmt" of the
    authors' tensorflow/nmt; its "gnmt_v2" asks with s¹_i, and gives this newer context to the layers above the bottom.
    In both the bottom layer never waits for the top: only it is a loop over words, the others follow all at once.
    Each layer starts from the last state of the encoder's layer at its height, as in tensorflow/nmt.
    """

    def __init__(self, config: GNMTConfig):
        super().__init__()
        size, self.residual, self.dropout = config.hidden, config.residual, config.dropout
        self.fused = config.fused
        self.embedding = nn.Embedding(config.vocabulary_size, config.embedding)
        self.score = Additive(size, size, size)
        self.bottom = LSTM(config.embedding + size, size)
        self.upper = nn.ModuleList(Layer(LSTMCell(2 * size, size)) for _ in range(config.layers - 1))
        self.readout = Readout(size, config.vocabulary_size, tied_to=self.embedding if config.tied else None)

    def remember(
        self, h: Float[Tensor, "batch time hidden"], last: States, mask: Bool[Tensor, "batch time"]
    ) -> GNMTMemory:
        """The memory of a batch: its keys are computed here, once."""
        return GNMTMemory(h, self.score.project(h), mask, last)

    def attend(
        self, s: Float[Tensor, "batch hidden"], memory: GNMTMemory
    ) -> tuple[Float[Tensor, "batch hidden"], Float[Tensor, "batch source_time"]]:
        """c and α of the bottom layer's state."""
        e = self.score.compare(s.unsqueeze(1), memory.keys)
        α = masked_softmax(e, memory.mask.unsqueeze(1))
        return context(α, memory.h)[:, 0], α[:, 0]

    def read(
        self, words: Int64[Tensor, "batch time"], state: GNMTState
    ) -> tuple[Float[Tensor, "batch time vocabulary"], States, Float[Tensor, "batch time source_time"]]:
        """The logits after each of `words`, the states after the last, and all weights."""
        bottom, *upper = by_layer(state.layers)
        stepper, layers = Stepper(self.bottom, self.embedding(words)), [bottom]
        states, contexts, weights = [], [], []
        for t in range(words.shape[1]):  # the loop: the bottom layer and its attention
            c, α = self.attend(layers[0][0], state.memory)
            s, layers = stepper.step(t, c, layers)
            for kept, value in ((states, s), (contexts, c), (weights, α)):
                kept.append(value)
        s, last = self.above(torch.stack(states, 1), torch.stack(contexts, 1), upper)
        after = tuple(torch.stack(each) for each in zip(*layers, *last, strict=True))
        return self.readout(s), after, torch.stack(weights, 1)

    def above(
        self,
        s: Float[Tensor, "batch time hidden"],
        c: Float[Tensor, "batch time hidden"],
        before: list[LayerState],
    ) -> tuple[Float[Tensor, "batch time hidden"], list[LayerState]]:
        """The layers from the second on, over all words at once: states s of the bottom, contexts c."""
        last = []
        for number, (layer, state) in enumerate(zip(self.upper, before, strict=True)):
            x = torch.cat([dropout(s, self.dropout, self.training), c], dim=2)
            y, after = layer(x, state=state, fused=self.fused)
            s = s + y if self.residual and number else y
            last.append(after)
        return s, last


class GNMT(nn.Module):
    """The encoder's states at all words and the decoder's layers over them: a model of `seq2seq.protocol`.

    Left out of the paper's system: word pieces, which a tokenizer makes; quantised arithmetic; the coverage penalty,
    which belongs to search. Attention of a step is α_i, the bottom layer's.
    """

    pad_id, bos_id, eos_id = Vocabulary.pad_id, Vocabulary.bos_id, Vocabulary.eos_id

    def __init__(self, config: GNMTConfig):
        super().__init__()
        self.config = config
        self.encoder, self.decoder = GNMTEncoder(config), GNMTDecoder(config)

    def encode(
        self, source: Int64[Tensor, "batch source_time"], source_mask: Bool[Tensor, "batch source_time"]
    ) -> GNMTMemory:
        """What the decoder keeps of each sentence."""
        return self.decoder.remember(*self.encoder(source, source_mask), source_mask)

    def start(self, memory: GNMTMemory) -> GNMTState:
        """Each layer of the decoder starts where the encoder's ended."""
        return GNMTState(memory, memory.last)

    def step(self, previous: Int64[Tensor, " row"], state: GNMTState) -> Step:
        """One word further."""
        z, layers, α = self.decoder.read(previous[:, None], state)
        return Step(z[:, 0].float().log_softmax(1), replace(state, layers=layers), α[:, 0])

    def forward(
        self,
        source: Int64[Tensor, "batch source_time"],
        source_mask: Bool[Tensor, "batch source_time"],
        target_in: Int64[Tensor, "batch target_time"],
    ) -> Float[Tensor, "batch target_time vocabulary"]:
        """Teacher forcing: the logits of each next word, given the source and the true words before it."""
        return self.decoder.read(target_in, self.start(self.encode(source, source_mask)))[0]
