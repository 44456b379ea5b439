"""One recurrent layer, forward and backward: our equations and our fused path against nn.LSTM and nn.GRU.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_recurrent [--rounds 5] [--json PATH]

All cases of a table run round-robin in one process, the first round uncounted; each figure is the best round's. CPU
seconds stand beside wall seconds: where wall is longer, other processes had the core. On CUDA the same in float32 (TF32
products allowed, as cuDNN's default is) and under bfloat16 autocast, timed to the end of the device's work.
"""

import argparse
import contextlib
import datetime
import json
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn

from course_lib.files import write_atomically
from course_lib.recurrent import GRU, LSTM, from_torch, mask_from_lengths


@dataclass
class Row:
    setting: str
    case: str
    peer: str
    forward: float  # wall seconds
    forward_cpu: float  # CPU seconds
    both: float  # wall seconds, forward and backward
    both_cpu: float
    ratio_forward: float = 1.0
    ratio: float = 1.0


def cases(x: Tensor, hidden: int, mask: Tensor) -> dict[str, tuple[str, nn.Module, Callable[[], Tensor]]]:
    """Name → peer, module, and what computes its outputs from x."""
    made = {}

    def add(name: str, peer: str, module: nn.Module, run: Callable[[nn.Module], Tensor]) -> None:
        made[name] = (peer, module, lambda: run(module))

    def slides(network: nn.Module) -> Tensor:
        (layer,) = network.layers[0]
        return layer(x, watch=lambda name, value: value)[0]

    def packed(module: nn.Module) -> Tensor:
        lengths = mask.sum(1).cpu()
        sentences = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        return nn.utils.rnn.pad_packed_sequence(module(sentences)[0], batch_first=True)[0]

    def ours(network: nn.Module, fused: bool, mask: Tensor | None = None) -> Tensor:
        network.fused = fused
        return network(x, mask)[0]

    for kind, torchs in (("LSTM", nn.LSTM), ("GRU", nn.GRU)):
        peer = torchs(x.shape[2], hidden, batch_first=True).to(x.device)
        same = from_torch(peer)
        after = "" if kind == "LSTM" else "(reset=after) "
        add(f"nn.{kind}", f"nn.{kind}", peer, lambda m: m(x)[0])
        add(f"{kind} {after}equations", f"nn.{kind}", same, lambda m: ours(m, False))
        add(f"{kind} {after}fused", f"nn.{kind}", same, lambda m: ours(m, True))
        if kind == "GRU":
            add("GRU (reset=before) equations", "nn.GRU", GRU(x.shape[2], hidden).to(x.device), lambda m: m(x)[0])
        else:
            slide = LSTM(x.shape[2], hidden).to(x.device)
            add("LSTM as on the slide, eight products a step", "nn.LSTM", slide, slides)
        add(f"nn.{kind}, packed", f"nn.{kind}, packed", peer, packed)
        add(f"{kind} {after}equations, padded", f"nn.{kind}, packed", same, lambda m: ours(m, False, mask))
        add(f"{kind} {after}fused, padded", f"nn.{kind}, packed", same, lambda m: ours(m, True, mask))
    return made


def measure(setting: str, x: Tensor, hidden: int, rounds: int, autocast: bool) -> list[Row]:
    """Every case in turn, `rounds` times and one more to warm up."""
    lengths = torch.linspace(1, x.shape[1], len(x)).round().long().to(x.device)
    made = cases(x, hidden, mask_from_lengths(lengths, x.shape[1]))
    finish = torch.cuda.synchronize if x.is_cuda else lambda: None
    low = torch.autocast(x.device.type, torch.bfloat16) if autocast else contextlib.nullcontext()
    best = {name: Row(setting, name, peer, *[float("inf")] * 4) for name, (peer, _, _) in made.items()}
    for turn in range(rounds + 1):
        for name, (_, module, run) in made.items():
            module.zero_grad()
            x.grad = None
            finish()
            start, start_cpu = time.perf_counter(), time.process_time()
            with low:
                outputs = run()
            finish()
            middle, middle_cpu = time.perf_counter(), time.process_time()
            outputs.float().sum().backward()
            finish()
            end, end_cpu = time.perf_counter(), time.process_time()
            if turn:
                row = best[name]
                row.forward, row.both = min(row.forward, middle - start), min(row.both, end - start)
                row.forward_cpu = min(row.forward_cpu, middle_cpu - start_cpu)
                row.both_cpu = min(row.both_cpu, end_cpu - start_cpu)
    for row in best.values():
        peer = best[row.peer]
        # CPU seconds are blind to other processes; on a GPU the wall is what counts
        row.ratio = row.both / peer.both if x.is_cuda else row.both_cpu / peer.both_cpu
        row.ratio_forward = row.forward / peer.forward if x.is_cuda else row.forward_cpu / peer.forward_cpu
    return list(best.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("batch", 64), ("time", 40), ("hidden", 512), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--json", metavar="PATH")
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(args.batch, args.time, args.hidden)
    capability = torch.backends.cpu.get_cpu_capability()
    head = {
        "command": " ".join(sys.argv),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "device": torch.cuda.get_device_name()
        if torch.cuda.is_available()
        else f"CPU, {platform.machine()}, {capability}",
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
    }
    print(head)
    rows = measure("CPU float32", x.clone().requires_grad_(), args.hidden, args.rounds, False)
    if torch.cuda.is_available():
        torch.backends.cuda.matmul.allow_tf32 = True
        for name, autocast in (("CUDA float32", False), ("CUDA bfloat16", True)):
            rows += measure(name, x.cuda().requires_grad_(), args.hidden, args.rounds, autocast)
    print(f"{'':14}{'':45}{'forward':>9}{'both':>9}{'CPU':>9}{'× fwd':>7}{'× both':>7}")
    for row in rows:
        print(
            f"{row.setting:14}{row.case:45}{row.forward:9.4f}{row.both:9.4f}{row.both_cpu:9.4f}"
            f"{row.ratio_forward:7.2f}{row.ratio:7.2f}"
        )
    if args.json:
        with write_atomically(args.json) as file:
            json.dump(head | {"rows": [asdict(row) for row in rows]}, file, indent=1)


if __name__ == "__main__":
    main()
