"""Which cases are drawn: a public seed for what students see, a secret one for what is graded.

seed = HMAC-SHA256(secret, "task/criterion"). The secret is made once for a course, lies beside its gradebook, readable
by its owner alone, and is the same for every student and run until the instructor deletes it: a regrade gives the same
grade. `nbgrader_config.py` names its file in the environment variable COURSE_SECRET.
"""

import contextlib
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

PUBLIC = b"public"


class NoSecret(RuntimeError):
    """The course's secret is not there, or damaged."""


def seed(key: bytes, task: str, criterion: str) -> int:
    """The seed of a criterion's cases under `key`, as an integer of 64 bits."""
    return int.from_bytes(hmac.new(key, f"{task}/{criterion}".encode(), hashlib.sha256).digest()[:8], "big")


def fingerprint(key: bytes) -> str:
    """Eight hex digits that tell two secrets apart and reveal neither; feedback carries them."""
    return hashlib.sha256(b"fingerprint:" + key).hexdigest()[:8]


def secret() -> bytes:
    """The course's secret; raises NoSecret where none is, as on a student's machine, and for a damaged one."""
    path = os.environ.get("COURSE_SECRET")
    if not path or not Path(path).is_file():
        raise NoSecret("grade() runs only where nbgrader grades; use check() to try your work")
    text = Path(path).read_bytes().strip()
    if not re.fullmatch(rb"[0-9a-fA-F]{64}", text):
        raise NoSecret(
            f"{path}, the course's secret, must be 64 hexadecimal digits, got something else of {len(text)} bytes: put "
            "it back from a copy, or delete it, and new cases are drawn for everybody"
        )
    return bytes.fromhex(text.decode())


def make_secret(path: str | os.PathLike) -> None:
    """Make the course's secret at `path` unless it is there: 32 random bytes in hex, mode 600; two at once agree."""
    path = Path(path)
    if path.exists():
        return
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)  # fails if another process was first: its secret is the course's
    finally:
        temporary.unlink()
