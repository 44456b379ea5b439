"""The queue of recorded runs makes what is missing, can be stopped at any moment, and goes on where it was."""

import runpy
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import psutil
import pytest
import torch

from course_lib.checkpoints import about, queue, recipes
from course_lib.checkpoints.alone import BusyError, is_made, only_one
from course_lib.checkpoints.experiments import EXPERIMENTS
from course_lib.checkpoints.queue import Queue, Run, look, seconds_left, table, wanted
from course_lib.checkpoints.recorded import write_record
from course_lib.training.checkpoint import write

RECORD = """
import json, os, pathlib, sys
name, folder = sys.argv[1:]
path = pathlib.Path(folder, "records", name + ".json")
path.parent.mkdir(exist_ok=True)
path.write_text(json.dumps({"cpu_seconds": 60} | {name: os.environ[name] for name in ("TQDM_DESC", "OMP_NUM_THREADS")}))
"""
HOLD = """
import os, pathlib, signal, sys
from course_lib.checkpoints.alone import only_one
name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
with only_one(folder, name):
    folder.joinpath("written").write_text(str(os.getpid()))
    folder.joinpath("written").rename(folder / "held")
    signal.pause()
"""


def held(folder: Path) -> int:
    """The process that holds a run, once it does."""
    while not (folder / "held").exists():
        time.sleep(0.01)
    return int((folder / "held").read_text())


@pytest.fixture
def runs_are(monkeypatch):
    """Every run is this script, which gets its name and folder."""

    def set_to(script: str) -> None:
        monkeypatch.setattr(queue, "command", lambda name, folder: [sys.executable, "-c", script, name, str(folder)])

    return set_to


def test_a_run_is_a_recipe_or_a_recipe_with_a_seed():
    assert recipes.recipe_of("attention") is recipes.RECIPES["attention"]
    assert asdict(recipes.recipe_of("attention-3")) == asdict(recipes.RECIPES["attention"]) | {"seed": 3}
    assert recipes.run_of("attention", 3) == "attention-3" and recipes.run_of("attention", 2) == "attention"
    assert recipes.named("attention-03") == "attention-3" and recipes.named("attention-2") == "attention"
    assert about("attention-2") == about("attention")
    assert all("-" not in name for name in recipes.RECIPES)
    for wrong in ("none", "none-1", "attention-", "attention-x", "attention-1-2", "attention-²"):
        with pytest.raises(ValueError, match=f"got '{wrong}'"):
            recipes.recipe_of(wrong)


def test_every_row_of_an_experiment_is_wanted_with_every_seed_and_the_recipes_own_seeds_come_first():
    names = wanted(seeds=range(3))
    own = list(EXPERIMENTS)
    assert names[: len(own)] == own and len(set(names)) == len(names) == 3 * len(own)
    assert wanted(["attention"], range(3)) == ["attention", "attention-0", "attention-1"]  # its own seed is 2
    assert wanted(["attention"], range(1)) == ["attention"]
    with pytest.raises(ValueError, match="name must be one of attention, .*, got 'none'"):
        wanted(["none"])


def test_what_is_missing_is_made_at_the_lowest_priority_and_what_is_recorded_is_left_alone(
    tmp_path, runs_are, monkeypatch
):
    runs_are(RECORD)
    priorities = []
    monkeypatch.setattr(queue, "give_way", lambda process: priorities.append(process.pid))
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    write_record("weak", {"cpu_seconds": 7}, tmp_path)
    names = ["weak", "weak-1", "weak-2"]
    made = Queue(names, tmp_path, jobs=2)
    made.work()
    assert not made.failed and {run.state for run in made.look()} == {"done"}
    assert about("weak", tmp_path) == {"cpu_seconds": 7}
    for name in names[1:]:
        assert about(name, tmp_path) == {"cpu_seconds": 60, "TQDM_DESC": name, "OMP_NUM_THREADS": "1"}
    assert len(set(priorities)) == 2


def test_a_run_gives_way_to_all_processes_also_where_linux_groups_them_by_session():
    process = psutil.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    queue.give_way(process)
    assert process.nice() == (psutil.IDLE_PRIORITY_CLASS if sys.platform == "win32" else 19)
    if (group := Path(f"/proc/{process.pid}/autogroup")).exists():
        assert group.read_text().endswith("nice 19\n") and group.read_text() != Path("/proc/self/autogroup").read_text()
    process.communicate(b"\n")


def test_a_run_that_fails_does_not_stop_the_others_and_is_told(tmp_path, runs_are, capsys):
    runs_are("import sys\nif sys.argv[1] == 'weak': sys.exit('no room')\n" + RECORD)
    assert queue.main(["weak", "weak-1"], tmp_path, jobs=1, only_list=False) == 1
    assert "weak | failed | 0 of 2,400" in (printed := capsys.readouterr().out) and "1 done, 1 failed" in printed
    assert queue.main(["weak-1"], tmp_path, jobs=1, only_list=False) == 0


def test_the_list_trains_nothing(tmp_path, runs_are, capsys):
    runs_are("raise AssertionError")
    assert queue.main(["weak"], tmp_path, jobs=1, only_list=True) == 0
    assert "weak | waiting | 0 of 2,400" in capsys.readouterr().out and list(tmp_path.iterdir()) == []


def test_interrupted_it_stops_its_processes(tmp_path, runs_are, monkeypatch):
    runs_are(HOLD)

    def interrupt(futures):
        held(tmp_path)
        raise KeyboardInterrupt

    monkeypatch.setattr(queue, "as_completed", interrupt)
    with pytest.raises(KeyboardInterrupt):
        Queue(["weak"], tmp_path).work()
    assert not psutil.pid_exists(held(tmp_path)) and not is_made(tmp_path, "weak")


def test_a_run_is_made_by_one_process_and_one_that_was_killed_holds_nothing(tmp_path, runs_are):
    other = subprocess.Popen([sys.executable, "-c", HOLD, "weak", str(tmp_path)])
    held(tmp_path)
    assert look("weak", tmp_path).state == "running"
    with pytest.raises(BusyError, match="another process makes the run 'weak' in "), only_one(tmp_path, "weak"):
        pass
    command = [sys.executable, "-m", "course_lib.checkpoints", "weak", "--to", str(tmp_path)]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 1 and told.stderr.startswith("another process makes the run 'weak' in ")
    runs_are("raise AssertionError")
    left = Queue(["weak"], tmp_path)
    left.work()
    assert not left.failed
    other.kill()
    other.wait()
    assert look("weak", tmp_path).state == "waiting"
    with only_one(tmp_path, "weak"):
        assert is_made(tmp_path, "weak")
    assert not list(tmp_path.glob("*.lock"))


def test_a_run_that_is_half_done_says_how_far_it_is(tmp_path):
    write(tmp_path / "weak.resume", {"x": torch.zeros(1)}, {"losses": [1.0] * 300, "cpu_seconds": 30.0})
    assert look("weak", tmp_path) == Run("weak", "waiting", 300, 2400, 30.0)


def test_what_is_left_is_told_by_what_was_measured():
    assert seconds_left([Run("weak", "waiting", 0, 800, None)]) is None
    done, half = Run("weak", "done", 800, 800, 1600.0), Run("weak-1", "running", 300, 800, 900.0)
    assert seconds_left([done]) == 0
    assert seconds_left([done, Run("weak-2", "waiting", 0, 800, None)]) == 1600
    assert seconds_left([half]) == 500 * 3
    smaller = recipes.RECIPES["smallest_basic"]
    other = Run("smallest_basic", "waiting", 0, smaller.steps, None)
    share = smaller.max_tokens / recipes.RECIPES["weak"].max_tokens
    assert seconds_left([done, other]) == pytest.approx(smaller.steps * 2 * share)
    told = table([done, Run("weak-2", "waiting", 0, 800, None)]).caption
    assert told == "1 done, 1 waiting; about 0.4 CPU hours left."


def test_the_command_refuses_what_is_no_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # the process is the tests'
    unfit = ["multi30k-x"], ["multi30k", "--seeds", "3"], ["runs", "--seeds", "0"], ["evidence", "--jobs", "2"]
    for wrong in (["none"], ["attention-x"], ["runs", "--only", "none"], *unfit):
        monkeypatch.setattr(sys, "argv", ["checkpoints", *wrong, "--to", str(tmp_path)])
        with pytest.raises(SystemExit) as ended:
            runpy.run_module("course_lib.checkpoints", run_name="__main__")
        assert ended.value.code == 2 and "must be" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
