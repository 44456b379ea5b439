"""Downloads against a server on this machine: whole, resumed, broken off, wrong, refused, unreachable."""

import gzip
import hashlib
import http.server
import re
import socket
import threading

import pytest

from course_lib.corpora.download import CHUNK, Checksum, DownloadError, cache_dir, fetch

DATA = bytes(range(256)) * 2000


class Server(http.server.ThreadingHTTPServer):
    """Serves `files`; `ranges`: whether it knows Range; `break_at`: after how many bytes its next answers break off."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.ranges, self.break_at, self.seen = {}, True, [], []

    def url(self, name):
        return f"http://127.0.0.1:{self.server_address[1]}/{name}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        wanted = self.headers.get("Range")
        self.server.seen.append(wanted)
        body = self.server.files.get(self.path.lstrip("/"))
        if body is None:
            return self.send_error(404)
        start = int(re.fullmatch(r"bytes=(\d+)-", wanted)[1]) if wanted and self.server.ranges else 0
        if start and start >= len(body):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(body)}")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        stop = start + self.server.break_at.pop(0) if self.server.break_at else len(body)
        self.wfile.write(body[start:stop])

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    with Server() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


def sha256(data, **options):
    return Checksum("sha256", hashlib.sha256(data).hexdigest(), **options)


def test_a_file_is_fetched_once(server, tmp_path):
    server.files["a"] = DATA
    path = tmp_path / "folder" / "a"
    for _ in range(2):
        assert fetch(server.url("a"), path, sha256(DATA)) == path
        assert path.read_bytes() == DATA
    assert server.seen == [None]
    assert [each.name for each in path.parent.iterdir()] == ["a"]


def test_a_connection_that_breaks_is_resumed_at_once(server, tmp_path):
    server.files["a"], server.break_at = DATA, [2 * CHUNK, 3 * CHUNK]
    assert fetch(server.url("a"), tmp_path / "a", sha256(DATA)).read_bytes() == DATA
    assert server.seen == [None, f"bytes={2 * CHUNK}-", f"bytes={5 * CHUNK}-"]


def test_a_server_without_ranges_sends_it_all_again(server, tmp_path):
    server.files["a"], server.break_at, server.ranges = DATA, [2 * CHUNK], False
    assert fetch(server.url("a"), tmp_path / "a", sha256(DATA)).read_bytes() == DATA
    assert server.seen == [None, f"bytes={2 * CHUNK}-"]


def test_what_came_before_giving_up_is_kept_for_the_next_call(server, tmp_path):
    server.files["a"], server.break_at = DATA, [CHUNK, CHUNK, CHUNK]
    with pytest.raises(DownloadError, match=f"{3 * CHUNK:,} bytes are kept"):
        fetch(server.url("a"), tmp_path / "a", sha256(DATA))
    assert not (tmp_path / "a").exists()
    assert fetch(server.url("a"), tmp_path / "a", sha256(DATA)).read_bytes() == DATA
    assert server.seen[-1] == f"bytes={3 * CHUNK}-"


def test_a_partial_file_that_is_already_whole(server, tmp_path):
    server.files["a"] = DATA
    (tmp_path / "a.part").write_bytes(DATA)
    assert fetch(server.url("a"), tmp_path / "a", sha256(DATA)).read_bytes() == DATA


def test_a_partial_file_longer_than_the_file_is_dropped(server, tmp_path):
    server.files["a"] = DATA
    (tmp_path / "a.part").write_bytes(DATA + DATA)
    assert fetch(server.url("a"), tmp_path / "a", sha256(DATA)).read_bytes() == DATA


def test_a_wrong_checksum_is_an_error_and_leaves_nothing(server, tmp_path):
    server.files["a"] = DATA[:-1] + b"!"
    with pytest.raises(DownloadError, match=f"expected {sha256(DATA).digest}; it was removed"):
        fetch(server.url("a"), tmp_path / "a", sha256(DATA))
    assert list(tmp_path.iterdir()) == []


def test_a_cached_file_that_was_damaged_is_fetched_again(server, tmp_path):
    server.files["a"] = DATA
    (tmp_path / "a").write_bytes(b"damaged")
    assert fetch(server.url("a"), tmp_path / "a", sha256(DATA)).read_bytes() == DATA


def test_a_file_the_server_does_not_have(server, tmp_path):
    with pytest.raises(DownloadError, match="404"):
        fetch(server.url("missing"), tmp_path / "a", sha256(DATA))
    assert list(tmp_path.iterdir()) == []


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
    for level in (1, 9):
        path.write_bytes(gzip.compress(DATA, level))
        assert checksum.of(path) == checksum.digest
    for damaged in (gzip.compress(DATA)[:-20], b"<html>not found</html>", gzip.compress(DATA)[:40] + b"garbage" * 9):
        path.write_bytes(damaged)
        assert checksum.of(path) == "not a gzip file"


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path / "mine"))
    assert cache_dir() == tmp_path / "mine"
    monkeypatch.delenv("COURSE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_dir() == tmp_path / "xdg" / "seq2seq-course"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_dir() == tmp_path / ".cache" / "seq2seq-course"
