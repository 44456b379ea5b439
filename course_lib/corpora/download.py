"""Downloads: verified by checksum, cached, resumed where they broke off, and helpful without a network."""

import gzip
import hashlib
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

import requests
from tqdm.auto import tqdm

ATTEMPTS = 3
CHUNK = 1 << 16  # bytes


class DownloadError(OSError):
    """A file could not be had, or is not the file that was expected; the message says what to do."""


@dataclass(frozen=True)
class Checksum:
    """The hexadecimal `digest` that a file must have under `algorithm` (a name known to hashlib).

    With `unzipped`, it is the digest of what a gzip file contains: the same text compressed twice need not give the
    same bytes.
    """

    algorithm: str
    digest: str
    unzipped: bool = False

    def of(self, path: Path) -> str:
        """The digest that the file at `path` has; "not a gzip file" where `unzipped` asks for one and it is not."""
        state = hashlib.new(self.algorithm)
        try:
            with gzip.open(path) if self.unzipped else open(path, "rb") as file:
                while chunk := file.read(CHUNK):
                    state.update(chunk)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            return "not a gzip file"
        return state.hexdigest()


def cache_dir() -> Path:
    """Where downloads are kept: $COURSE_CACHE, else $XDG_CACHE_HOME/seq2seq-course, else ~/.cache/seq2seq-course."""
    if chosen := os.environ.get("COURSE_CACHE"):
        return Path(chosen).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "seq2seq-course"


def fetch(url: str, path: Path, checksum: Checksum, timeout: float = 30.0) -> Path:
    """The file at `url`, kept at `path`, verified: downloaded only if `path` is missing or fails `checksum`.

    Bytes arrive in `path` + ".part" and are renamed when they are whole and right, so `path` is never half a file. A
    download that breaks off is resumed there (HTTP Range), by up to three attempts now and by the next call after.
    `timeout` is in seconds of silence. Raises DownloadError, which says what to do, if the server cannot be reached,
    refuses, breaks off each time, or sends a file with another checksum (which is removed).
    """
    path = Path(path)
    if path.exists() and checksum.of(path) == checksum.digest:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _receive(url, part, timeout)
            break
        except requests.HTTPError as error:
            raise DownloadError(f"{url} answered {error}. {_by_hand(url, path)}") from error
        except requests.RequestException as error:
            have = part.stat().st_size if part.exists() else 0
            if attempt == ATTEMPTS or not have:
                kept = f" {have:,} bytes are kept and the next try goes on from there." if have else ""
                raise DownloadError(f"cannot download {url}: {error}.{kept} {_by_hand(url, path)}") from error
    if (digest := checksum.of(part)) != checksum.digest:
        part.unlink()
        raise DownloadError(
            f"{url} sent a file whose {checksum.algorithm} is {digest}, expected {checksum.digest}; it was removed. "
            "Run this again; if it happens twice, the file at that address has changed, or a proxy changes it."
        )
    os.replace(part, path)
    return path


def _receive(url: str, part: Path, timeout: float) -> None:
    """Append to `part` what it still lacks of `url`; start over where the server does not know ranges."""
    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with requests.get(url, headers=headers, stream=True, timeout=timeout) as response:
        if response.status_code == 416:  # nothing lies beyond what we have: it is whole, or it is not this file
            if response.headers.get("Content-Range") == f"bytes */{have}":
                return
            part.unlink()
            return _receive(url, part, timeout)
        response.raise_for_status()
        resumed = response.headers.get("Content-Range", "").startswith(f"bytes {have}-")
        start = have if response.status_code == 206 and resumed else 0
        length = response.headers.get("Content-Length")
        total = start + int(length) if length else None
        with (
            open(part, "ab" if start else "wb") as file,
            tqdm(total=total, initial=start, unit="B", unit_scale=True, desc=url.rsplit("/", 1)[-1]) as progress,
        ):
            for chunk in response.iter_content(CHUNK):
                file.write(chunk)
                progress.update(len(chunk))


def _by_hand(url: str, path: Path) -> str:
    return f"Without a network here: fetch {url} on another machine, save it as {path}, and run this again."
