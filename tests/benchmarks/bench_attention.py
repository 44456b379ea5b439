"""One training step of recurrent translation models with attention: tokens per second, and time against a peer.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_attention [--rounds 3] [--json PATH]

The peer is Joey NMT 2.3 (Luong's attention without input feeding) where it is installed, in an environment of its own
(`pip install --no-deps joeynmt importlib_metadata` and what its import asks for); otherwise our own step-by-step form
of the same. The encoder is one layer of LSTM, half of `hidden` each way, the decoder another; random sentences of one
length, no dropout. A step is forward, loss, backward, clipping and fused Adam, for all alike. All cases run round-robin
in one process, the first round uncounted; each figure is the best round's, and ratios are of CPU seconds (on CUDA: of
wall seconds).
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import partial

import torch
from torch import nn

from course_lib.attention import Additive, Dot, Multiplicative
from course_lib.corpora.batches import Batch, collate
from course_lib.recurrent import LSTM, RNNEncoder
from course_lib.seq2seq.attentive import BahdanauDecoder, LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.subwords import Vocabulary
from course_lib.training.device import device
from course_lib.training.losses import cross_entropy
from tests.benchmarks.rounds import best_of, options, report


class StepByStep(nn.Module):
    """The readable form of a model: its `step`, word after word."""

    def __init__(self, model: EncoderDecoder):
        super().__init__()
        self.model = model

    def forward(self, source, source_mask, target_in):
        state, log_probs = self.model.start(self.model.encode(source, source_mask)), []
        for previous in target_in.unbind(1):
            step = self.model.step(previous, state)
            state = step.state
            log_probs.append(step.log_probs)
        return torch.stack(log_probs, dim=1)


class Joey(nn.Module):
    """Joey NMT's recurrent encoder and decoder, between embeddings."""

    def __init__(self, vocabulary: int, embedding: int, hidden: int, attention: str, feeding: bool):
        super().__init__()
        encoders, decoders = (importlib.import_module(f"joeynmt.{name}") for name in ("encoders", "decoders"))
        self.source, self.target = nn.Embedding(vocabulary, embedding), nn.Embedding(vocabulary, embedding)
        self.encoder = encoders.RecurrentEncoder("lstm", hidden // 2, embedding, bidirectional=True)
        options = {"encoder": self.encoder, "attention": attention, "vocab_size": vocabulary, "init_hidden": "last"}
        self.decoder = decoders.RecurrentDecoder("lstm", embedding, hidden, **options, input_feeding=feeding)

    def forward(self, source, source_mask, target_in):
        lengths, mask = source_mask.sum(1), source_mask.unsqueeze(1)
        output, hidden = self.encoder(self.source(source), lengths, mask)[:2]
        return self.decoder(self.target(target_in), output, hidden, mask, target_in.shape[1])[0]


def cases(vocabulary: int, embedding: int, hidden: int) -> dict[str, Callable[[], nn.Module]]:
    """Name → what makes the model; the peer comes first."""

    def translator(decoder: type, extra: int, *arguments, **options) -> EncoderDecoder:
        encoder = RNNEncoder(vocabulary, LSTM(embedding, hidden // 2, bidirectional=True, fused=True))
        network = LSTM(embedding + extra, hidden, fused=not extra)
        return EncoderDecoder(encoder, decoder(vocabulary, network, *arguments, **options))

    def luong(score, **options) -> EncoderDecoder:
        return translator(LuongDecoder, hidden if options.get("feeding") else 0, score(), hidden, **options)

    multiplicative = partial(Multiplicative, hidden, hidden)
    additive = partial(Additive, hidden, hidden, hidden)
    narrow = {"width": embedding, "tied": True}
    made: dict[str, Callable[[], nn.Module]] = {}
    if importlib.util.find_spec("joeynmt"):
        for attention, feeding in (("luong", False), ("luong", True), ("bahdanau", True)):
            name = f"Joey NMT, {attention}{', feeding' if feeding else ''}"
            made[name] = partial(Joey, vocabulary, embedding, hidden, attention, feeding)
    return made | {
        "Luong, multiplicative, step by step": lambda: StepByStep(luong(multiplicative)),
        "Luong, multiplicative": lambda: luong(multiplicative),
        "Luong, dot": lambda: luong(Dot),
        "Luong, additive": lambda: luong(additive),
        "Luong, dot, narrowed and tied": lambda: luong(Dot, **narrow),
        "Luong, multiplicative, feeding, step by step": lambda: StepByStep(luong(multiplicative, feeding=True)),
        "Luong, multiplicative, feeding": lambda: luong(multiplicative, feeding=True),
        "Luong, dot, feeding": lambda: luong(Dot, feeding=True),
        "Bahdanau, additive, step by step": lambda: StepByStep(translator(BahdanauDecoder, hidden, additive(), hidden)),
        "Bahdanau, additive": lambda: translator(BahdanauDecoder, hidden, additive(), hidden),
        "no attention, first state only": lambda: translator(RNNDecoder, 0),
    }


def training_step(
    model: nn.Module, optimizer: torch.optim.Optimizer, batch: Batch, smoothing: float = 0.0, fused: bool = True
) -> None:
    """Forward, loss, backward, clipping, Adam; on CUDA under bfloat16 autocast. `fused` is the loss's."""
    with torch.autocast(batch.source.device.type, torch.bfloat16, enabled=batch.source.is_cuda):
        logits = model(batch.source, batch.source_mask, batch.target_in)
    loss = cross_entropy(logits, batch.target_out, batch.target_mask, smoothing=smoothing, fused=fused)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def main(arguments: list[str]) -> None:
    sizes = {"batch": 64, "time": 25, "embedding": 256, "hidden": 512, "vocabulary": 8000}
    chosen = options(__doc__, arguments, rounds=3, **sizes)
    torch.manual_seed(0)
    words = torch.randint(4, chosen.vocabulary, (chosen.batch, 2, chosen.time - 1)).tolist()
    batch = collate([(source, target) for source, target in words], Vocabulary("a")).to(device())
    steps = {}
    for name, make in cases(chosen.vocabulary, chosen.embedding, chosen.hidden).items():
        model = make().to(device())
        steps[name] = partial(training_step, model, torch.optim.Adam(model.parameters(), fused=True), batch)
    best, _ = best_of(steps, chosen.rounds)
    peer = next(iter(best.values()))
    rows = [
        {
            "case": name,
            "wall_s": round(seconds.wall, 4),
            "cpu_s": round(seconds.cpu, 4),
            "target_tokens_per_s": round(chosen.batch * chosen.time / seconds.counted),
            "x_peer": round(seconds.counted / peer.counted, 3),
        }
        for name, seconds in best.items()
    ]
    report("tests.benchmarks.bench_attention", arguments, rows, chosen.json)


if __name__ == "__main__":
    main(sys.argv[1:])
