"""Downloads: verified by checksum, cached, tried again where a connection fails, and helpful without a network.

Pooch does the work. A download that breaks off begins again: the files are of a few megabytes at most.
"""

import gzip
import hashlib
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

from course_lib.extras import needs

with needs("multi30k"):
    import pooch
    import requests

ATTEMPTS = 3
pooch.get_logger().setLevel("WARNING")  # the progress bar says what is being downloaded


class DownloadError(OSError):
    """A file could not be had, or is not the file that was expected; the message says what to do."""


@dataclass(frozen=True)
class Checksum:
    """The hexadecimal `digest` that a file must have under `algorithm` (a name known to hashlib).

    With `unzipped`, it is the digest of what a gzip file contains: the same text compressed twice need not give the
    same bytes. A file that is not compressed is taken as what it would contain.
    """

    algorithm: str
    digest: str
    unzipped: bool = False

    def of(self, path: Path) -> str:
        """The digest that the file at `path` has; "not a whole gzip file" for a damaged one with `unzipped`."""
        data = Path(path).read_bytes()
        if self.unzipped and data.startswith(b"\x1f\x8b"):
            try:
                data = gzip.decompress(data)
            except (gzip.BadGzipFile, EOFError, zlib.error):
                return "not a whole gzip file"
        return hashlib.new(self.algorithm, data).hexdigest()


def cache_dir() -> Path:
    """Where downloads are kept: $COURSE_CACHE, else the system's (Linux: ~/.cache/seq2seq-course)."""
    chosen = os.environ.get("COURSE_CACHE")
    return Path(chosen).expanduser() if chosen else pooch.os_cache("seq2seq-course")


def fetch(url: str, path: Path, checksum: Checksum, timeout: float = 30.0) -> Path:
    """The file at `url`, kept at `path`, verified: downloaded only if `path` is missing or fails `checksum`.

    `path` is never half a file. A lost connection, a server's 429 or 5xx, and a file with another checksum are tried
    again, three times in all. `timeout` is in seconds of silence. Raises DownloadError, which says what to do, if the
    server cannot be reached, refuses, breaks off each time, or keeps sending another file (which is not kept).
    """
    path = Path(path)
    if path.exists() and checksum.of(path) == checksum.digest:
        return path
    path.unlink(missing_ok=True)

    def receive(url: str, output: str, store: pooch.Pooch) -> None:
        options = {"timeout": timeout, "headers": {"Accept-Encoding": "identity"}}
        try:
            pooch.HTTPDownloader(progressbar=True, **options)(url, output, store)
        except requests.HTTPError as error:
            if error.response.status_code == 429 or error.response.status_code >= 500:
                raise
            raise DownloadError(f"{url} answered {error}. {_by_hand(url, path)}") from error
        if (digest := checksum.of(Path(output))) != checksum.digest:
            raise ValueError(f"{checksum.algorithm} is {digest}, expected {checksum.digest}")

    files = {"registry": {path.name: None}, "urls": {path.name: url}}  # `receive` looks at the checksum
    store = pooch.create(path.parent, base_url="", retry_if_failed=ATTEMPTS - 1, **files)
    try:
        store.fetch(path.name, downloader=receive)
    except ValueError as error:
        raise DownloadError(
            f"{url} sent a file whose {error}; it was not kept. "
            "Run this again; if it happens once more, the file at that address has changed, or a proxy changes it."
        ) from error
    except requests.RequestException as error:
        raise DownloadError(f"cannot download {url}: {error}. {_by_hand(url, path)}") from error
    return path


def _by_hand(url: str, path: Path) -> str:
    return f"Without a network here: fetch {url} on another machine, save it as {path}, and run this again."
