"""The command that runs a lecture with other seeds and on other processors: what it changes, and what it counts."""

import os
import subprocess
import sys

from . import seeds
from .lecture import Executed, rows


def test_other_seeds_give_other_numbers_from_both_kinds_of_generator():
    draw = "torch.manual_seed(0)\nprint(torch.rand(1), torch.rand(1, generator=torch.Generator().manual_seed(0)))"
    source = "\n".join(["import torch", draw, seeds.OTHER_SEEDS.format(shift=1000), draw])
    own, other = subprocess.check_output([sys.executable, "-c", source], text=True).splitlines()
    assert all(first == second for first, second in (line.split(" ") for line in (own, other)))
    assert own != other


def test_it_counts_the_runs_in_which_a_row_holds(monkeypatch, capsys):
    often, never = list(rows("03_recurrent"))[:2]
    made = []

    def execute(name, folder, fast, first):
        made.append((first, os.environ.get("ONEDNN_MAX_CPU_ISA")))
        return Executed(wrong={never: ""} | ({often: ""} if os.environ.get("ONEDNN_MAX_CPU_ISA") == "SSE41" else {}))

    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
    monkeypatch.setattr(seeds, "execute", execute)
    seeds.main(["03", "--seeds", "3"])
    assert [first == "" for first, _ in made] == [True, False, False, True, True]
    assert [processor for _, processor in made] == [None, None, None, "AVX2", "SSE41"]
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"0 of 5 | {never} | not its own seed | not seed + 1000")
    assert told[1] == f"4 of 5 | {often} | not SSE"
    assert len(told) == len(rows("03_recurrent")) and all(line.startswith("5 of 5") for line in told[2:])
