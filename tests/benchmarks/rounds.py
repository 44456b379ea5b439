"""What benchmarks of torch code share: cases round-robin in one process, the best round of each, a table, a record."""

import argparse
import datetime
import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch

from course_lib.files import write_atomically
from course_lib.training.device import device

Result = TypeVar("Result")


@dataclass(frozen=True)
class Seconds:
    """The best wall and CPU time of a case."""

    wall: float = float("inf")
    cpu: float = float("inf")

    @property
    def counted(self) -> float:
        """CPU seconds, which are blind to other processes; on CUDA, whose work is not in them, the wall."""
        return self.wall if device().type == "cuda" else self.cpu


def best_of(cases: Mapping[str, Callable[[], Result]], rounds: int) -> tuple[dict[str, Seconds], dict[str, Result]]:
    """Every case in turn, `rounds` times after an uncounted one: its best times, and what it returned last."""
    finish = torch.cuda.synchronize if device().type == "cuda" else lambda: None
    best, found = dict.fromkeys(cases, Seconds()), {}
    for turn in range(rounds + 1):
        for name, case in cases.items():
            wall, cpu = time.perf_counter(), time.process_time()
            found[name] = case()
            finish()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            if turn:
                best[name] = Seconds(min(best[name].wall, wall), min(best[name].cpu, cpu))
    return best, found


def options(about: str, arguments: Sequence[str], **defaults: int | str) -> argparse.Namespace:
    """What a benchmark can be told, with the defaults, and --json PATH."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--json", metavar="PATH")
    return parser.parse_args(arguments)


def report(module: str, arguments: Sequence[str], rows: Sequence[dict], path: str | None, **said: object) -> None:
    """Print command, machine and a line a row; write all of it to `path`, if one is given."""
    head = {
        "command": " ".join([f"python -m {module}", *arguments]),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "device": torch.cuda.get_device_name() if device().type == "cuda" else f"CPU, {platform.machine()}",
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,  # processes that want a core
        **said,
    }
    print(head)
    widths = [max(len(str(value)) for value in (name, *(row[name] for row in rows))) + 2 for name in rows[0]]
    for row in (dict.fromkeys(rows[0]), *rows):
        cells = [name if value is None else str(value) for name, value in row.items()]
        print(cells[0].ljust(widths[0]) + "".join(map(str.rjust, cells[1:], widths[1:])))
    if path:
        with write_atomically(path) as file:
            json.dump(head | {"rows": list(rows)}, file, indent=1)
            file.write("\n")
