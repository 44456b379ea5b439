"""What waits for a GPU keeps to its minutes, and leaves what it has made."""

import importlib

import pytest

from tests import on_gpu
from tests.on_gpu import Part, main, parts, work

HANGS = "import pathlib, signal, sys; pathlib.Path(sys.argv[1]).touch(); signal.pause()"


def test_every_part_is_a_command_that_there_is(tmp_path):
    for part in parts(tmp_path, 3).values():
        for command in part.commands:
            assert command[0] == "-m" and importlib.util.find_spec(command[1])
    assert all((on_gpu.Path(on_gpu.__file__).parent / name).is_file() for name in on_gpu.CUDA)
    assert sum(part.share for part in parts(tmp_path, 3).values()) == pytest.approx(1)


def test_a_part_that_fails_or_needs_too_long_does_not_stop_the_others(tmp_path, capsys):
    chosen = {
        "broken": Part(1, [["-c", "print('said'); raise SystemExit(3)"], ["-c", "print('never')"]]),
        "slow": Part(1, [["-c", HANGS, str(tmp_path / "begun")]]),
        "quick": Part(100, [["-c", "print('first')"], ["-c", "print('second')"]]),
    }
    assert work(chosen, tmp_path, 60) == {"broken": "failed", "slow": "time is up", "quick": "done"}
    assert (tmp_path / "broken.log").read_text() == "said\n"
    assert (tmp_path / "quick.log").read_text() == "first\nsecond\n"
    assert "slow: time is up" in capsys.readouterr().out


def test_only_what_is_asked_for_is_done(tmp_path, monkeypatch):
    asked = {}
    monkeypatch.setattr(on_gpu, "work", lambda chosen, out, seconds: asked.update(chosen=chosen, seconds=seconds) or {})
    assert main([str(tmp_path / "out"), "--only", "runs", "--minutes", "2", "--jobs", "5"]) == 0
    assert list(asked["chosen"]) == ["runs"] and asked["seconds"] == 120
    assert asked["chosen"]["runs"].commands[0][-4:] == ["--jobs", "5", "--to", str(tmp_path / "out")]
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--only", "nothing"])
