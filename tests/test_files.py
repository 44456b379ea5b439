"""Files whole or not there; where tensors live; which sizes a notebook runs."""

import os
import resource
import stat

import pytest
import torch

from course_lib.files import write_atomically
from course_lib.settings import fast, size
from course_lib.training.device import device


def test_a_file_is_there_when_the_block_has_ended(tmp_path):
    path = tmp_path / "new" / "folder" / "words.txt"
    with write_atomically(path) as file:
        file.write("Übung\nşeker\n")
        assert not path.exists()
    assert path.read_bytes() == "Übung\nşeker\n".encode()
    assert os.listdir(path.parent) == ["words.txt"]


def test_bytes_are_written_as_they_are(tmp_path):
    with write_atomically(tmp_path / "data.bin", "wb") as file:
        file.write(b"\r\n\0\xff")
    assert (tmp_path / "data.bin").read_bytes() == b"\r\n\0\xff"


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_after_an_error_the_old_file_is_whole_and_nothing_else_is_left(tmp_path, error):
    path = tmp_path / "words.txt"
    path.write_text("old")
    with pytest.raises(error), write_atomically(path) as file:
        file.write("half of the new")
        file.flush()
        raise error
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["words.txt"]


def test_where_no_room_is_left_the_old_file_is_whole_and_nothing_else_is_left(tmp_path):
    path, limits = tmp_path / "words.txt", resource.getrlimit(resource.RLIMIT_FSIZE)
    path.write_text("old")
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"), write_atomically(path) as file:
            file.write("half of the new" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["words.txt"]


def test_a_reader_never_sees_half_a_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("old")
    with write_atomically(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


def test_its_permissions_are_those_of_any_new_file(tmp_path):
    with write_atomically(tmp_path / "ours") as file:
        file.write("x")
    (tmp_path / "plain").write_text("x")
    assert stat.S_IMODE((tmp_path / "ours").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


@pytest.mark.parametrize("mode", ["a", "r", "w+", "x"])
def test_other_modes_are_refused(tmp_path, mode):
    with pytest.raises(ValueError, match='mode must be "w" or "wb"'), write_atomically(tmp_path / "x", mode):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("cuda", "mps", "chosen"),
    [(True, True, "cuda"), (True, False, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_the_best_device_is_chosen(monkeypatch, cuda, mps, chosen):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert device() == torch.device(chosen)


@pytest.mark.parametrize(("value", "is_fast"), [(None, False), ("", False), ("0", False), ("1", True), ("yes", True)])
def test_the_environment_chooses_the_sizes(monkeypatch, value, is_fast):
    monkeypatch.delenv("COURSE_FAST", raising=False)
    if value is not None:
        monkeypatch.setenv("COURSE_FAST", value)
    assert fast() is is_fast
    assert size("full", "quick") == ("quick" if is_fast else "full")
