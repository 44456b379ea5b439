"""Downloads against a server on this machine: whole, broken off, overloaded, wrong, refused, unreachable."""

import gzip
import hashlib
import http.server
import socket
import threading
from types import SimpleNamespace

import pytest

from course_lib.corpora.download import ATTEMPTS, Checksum, DownloadError, cache_dir, fetch

DATA = bytes(range(256)) * 2000


class Server(http.server.ThreadingHTTPServer):
    """Serves `files`. `troubles` of its next answers: a status, or how many bytes they lack, as a negative number."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.troubles, self.asked = {}, [], []

    def url(self, name):
        return f"http://127.0.0.1:{self.server_address[1]}/{name}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path.lstrip("/"))
        trouble = self.server.troubles.pop(0) if self.server.troubles else 0
        body = self.server.files.get(self.server.asked[-1])
        if trouble > 0 or body is None:
            return self.send_error(trouble or 404)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: -trouble or None])

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    with Server() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """How long pooch would have waited before each further try."""
    waits = []
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=waits.append))
    return waits


def sha256(data, **options):
    return Checksum("sha256", hashlib.sha256(data).hexdigest(), **options)


def test_a_file_is_fetched_once(server, tmp_path):
    server.files["a"] = DATA
    path = tmp_path / "folder" / "a"
    for _ in range(2):
        assert fetch(server.url("a"), path, sha256(DATA)) == path
        assert path.read_bytes() == DATA
    assert server.asked == ["a"]
    assert [each.name for each in path.parent.iterdir()] == ["a"]


@pytest.mark.parametrize("trouble", [-1, -1000, -len(DATA) + 1, 429, 500, 502, 503, 504])
def test_trouble_on_the_way_is_tried_again(server, tmp_path, waits, trouble):
    """A connection that breaks off with so many bytes missing, and a server that is overloaded."""
    server.files["a"], server.troubles = DATA, [trouble] * (ATTEMPTS - 1)
    assert fetch(server.url("a"), tmp_path / "a", sha256(DATA)).read_bytes() == DATA
    assert len(server.asked) == ATTEMPTS and waits == sorted(waits) and len(waits) == ATTEMPTS - 1


@pytest.mark.parametrize(("trouble", "said"), [(-1000, "a"), (503, "503")])
def test_after_three_tries_it_says_what_to_do_and_leaves_nothing(server, tmp_path, trouble, said):
    server.files["a"], server.troubles = DATA, [trouble] * 99
    with pytest.raises(DownloadError, match=f"cannot download .*{said}.* Without a network here"):
        fetch(server.url("a"), tmp_path / "a", sha256(DATA))
    assert len(server.asked) == ATTEMPTS and list(tmp_path.iterdir()) == []


def test_a_wrong_checksum_is_an_error_and_leaves_nothing(server, tmp_path):
    server.files["a"] = DATA[:-1] + b"!"
    with pytest.raises(DownloadError, match=f"sha256 is .* expected {sha256(DATA).digest}; it was not kept"):
        fetch(server.url("a"), tmp_path / "a", sha256(DATA))
    assert list(tmp_path.iterdir()) == []


def test_a_cached_file_that_was_damaged_is_fetched_again(server, tmp_path):
    server.files["a"] = DATA
    (tmp_path / "a").write_bytes(b"damaged")
    assert fetch(server.url("a"), tmp_path / "a", sha256(DATA)).read_bytes() == DATA


def test_a_file_the_server_does_not_have_is_asked_for_once(server, tmp_path):
    with pytest.raises(DownloadError, match="404"):
        fetch(server.url("missing"), tmp_path / "a", sha256(DATA))
    assert server.asked == ["missing"] and list(tmp_path.iterdir()) == []


def test_offline_the_message_says_what_to_do_and_a_file_laid_there_by_hand_is_taken(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/a"
    path = tmp_path / "a"
    with pytest.raises(DownloadError) as caught:
        fetch(url, path, sha256(DATA))
    assert f"fetch {url} on another machine, save it as {path}" in str(caught.value)
    path.write_bytes(DATA)
    assert fetch(url, path, sha256(DATA)) == path


def test_the_checksum_of_what_a_gzip_file_contains(tmp_path):
    path, checksum = tmp_path / "a.gz", sha256(DATA, unzipped=True)
    for whole in (gzip.compress(DATA, 1), gzip.compress(DATA, 9), DATA):
        path.write_bytes(whole)
        assert checksum.of(path) == checksum.digest
    for damaged in (gzip.compress(DATA)[:-20], gzip.compress(DATA)[:40] + b"garbage" * 9):
        path.write_bytes(damaged)
        assert checksum.of(path) == "not a whole gzip file"
    path.write_bytes(b"<html>not found</html>")
    assert checksum.of(path) != checksum.digest


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path / "mine"))
    assert cache_dir() == tmp_path / "mine"
    monkeypatch.delenv("COURSE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_dir() == tmp_path / "xdg" / "seq2seq-course"
