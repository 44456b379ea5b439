"""One secret for a course: made once, readable by its owner alone, and the same grade each time."""

import hmac
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from course_lib.grading.seeds import PUBLIC, fingerprint, make_secret, secret, seed


def test_the_secret_is_made_once_for_its_owner_alone(tmp_path):
    path = tmp_path / ".course_secret"
    before = os.umask(0)  # even where everything else is open to all
    try:
        make_secret(path)
    finally:
        os.umask(before)
    made = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and len(bytes.fromhex(made)) == 32
    make_secret(path)
    assert path.read_text() == made and os.listdir(tmp_path) == [".course_secret"]
    make_secret(tmp_path / "another")
    assert (tmp_path / "another").read_text() != made


def test_two_at_once_agree(tmp_path):
    for turn in range(20):
        path, barrier = tmp_path / str(turn) / "secret", Barrier(8)
        path.parent.mkdir()

        def make(_, path=path, barrier=barrier):
            barrier.wait()
            make_secret(path)
            return path.read_text()

        with ThreadPoolExecutor(8) as pool:
            read = set(pool.map(make, range(8)))
        assert len(read) == 1 and len(read.pop()) == 64 and os.listdir(path.parent) == ["secret"]


def test_it_is_read_from_the_file_that_the_environment_names(tmp_path, monkeypatch):
    make_secret(tmp_path / "secret")
    monkeypatch.setenv("COURSE_SECRET", str(tmp_path / "secret"))
    assert secret().hex() == (tmp_path / "secret").read_text()
    monkeypatch.setenv("COURSE_SECRET", str(tmp_path / "none"))
    with pytest.raises(RuntimeError, match="use check"):
        secret()


@pytest.mark.parametrize("damaged", [b"", b"\n", b"0f" * 31, b"0f" * 33, b"0x" * 32, b"0f " * 32, b"\xff" * 64])
def test_a_damaged_secret_is_refused_and_its_file_named(tmp_path, monkeypatch, damaged):
    (tmp_path / "secret").write_bytes(damaged)
    monkeypatch.setenv("COURSE_SECRET", str(tmp_path / "secret"))
    with pytest.raises(RuntimeError, match="secret, the course's secret, must be 64 hexadecimal digits"):
        secret()
    (tmp_path / "secret").write_text("0F" * 32 + "\n")  # as an editor leaves it
    assert secret() == b"\x0f" * 32


def test_a_seed_is_the_first_eight_bytes_of_the_hmac():
    digest = hmac.digest(b"key", b"ps1.learn_merges/ties", "sha256")
    assert seed(b"key", "ps1.learn_merges", "ties") == int(digest.hex()[:16], 16)
    drawn = {seed(key, task, criterion) for key in (b"a", b"b", PUBLIC) for task in "pq" for criterion in "xy"}
    assert len(drawn) == 12


def test_a_fingerprint_tells_secrets_apart_and_shows_none_of_them():
    assert len({fingerprint(bytes([n]) * 32) for n in range(50)}) == 50
    key = bytes(range(32))
    assert len(fingerprint(key)) == 8 and fingerprint(key) not in key.hex()
