"""Training in two processes, as `accelerate launch` and torchrun start them, gives what one process gives."""

import json
import os
import subprocess
import sys

import pytest
import torch

from course_lib.training import processes
from tests import together
from tests.ports import free_port
from tests.test_training import trainer


def launch(path, count: int) -> list[dict]:
    """What each of `count` processes was, by its exit code, and the losses that the first one wrote."""
    common = os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    common |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    common |= {"WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count)}
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.together", str(path)], env=common | {"RANK": str(n), "LOCAL_RANK": str(n)}
        )
        for n in range(count)
    ]
    assert [process.wait(timeout=300) for process in started] == [0] * count
    return json.loads(path.read_text())


def test_two_processes_have_the_losses_of_one_with_the_same_batches(tmp_path):
    together.main(str(tmp_path / "one"))
    one, two = json.loads((tmp_path / "one").read_text()), launch(tmp_path / "two", 2)
    assert two["losses"] == pytest.approx(one["losses"], abs=1e-5)
    assert [step for step, _ in two["held_out"]] == [4, 8, 12]
    assert sum(two["held_out"], []) == pytest.approx(sum(one["held_out"], []), abs=1e-5)


def test_one_that_is_alone_has_everything(monkeypatch):
    assert processes.number() == 1 and processes.is_main() and processes.share([1, 2, 3]) == [1, 2, 3]
    tensor = torch.arange(3.0)
    processes.add([tensor])
    assert tensor.tolist() == [0, 1, 2] and processes.total(0.5, torch.device("cpu")) == 0.5
    monkeypatch.setattr(processes, "number", lambda: 2)
    with pytest.raises(ValueError, match="accumulate must be at least 2, a batch a process, got 1"):
        trainer()
