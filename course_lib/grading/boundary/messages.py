"""One JSON message after the other over a socket, each behind its length in eight bytes."""

import json
import socket
import struct
import time
from typing import Any

HEAD = struct.Struct(">Q")
MAX_COMMAS = 1_000_000  # in one message: each value costs the reader more than its letters


class Closed(ConnectionError):
    """The other side hung up, or sent what is no message."""


def send(line: socket.socket, message: Any) -> None:
    """Send one message."""
    data = json.dumps(message).encode()
    line.sendall(HEAD.pack(len(data)) + data)


def receive(line: socket.socket, largest: int, seconds: float | None = None) -> Any:
    """The next message; raises Closed at the end, for more than `largest` bytes, and for what is no JSON."""
    return read(receive_bytes(line, largest, seconds))


def receive_bytes(line: socket.socket, largest: int, seconds: float | None = None) -> bytes:
    """The bytes of the next message; raises Closed at the end, and for more than `largest` bytes.

    All of them must come within `seconds`, if given, or TimeoutError is raised.
    """
    until = None if seconds is None else time.monotonic() + seconds
    (length,) = HEAD.unpack(_exactly(line, HEAD.size, until))
    if length > largest:
        raise Closed(f"a message of {length:,} bytes")
    return _exactly(line, length, until)


def read(data: bytes) -> Any:
    """What the bytes of a message say; raises Closed for what is no JSON, or too much of it."""
    if data.count(b",") > MAX_COMMAS:
        raise Closed("a message of too many parts")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise Closed("a message that is no JSON") from None


def _exactly(line: socket.socket, length: int, until: float | None) -> bytes:
    data = bytearray()
    while len(data) < length:
        if until is not None:
            if (left := until - time.monotonic()) <= 0:
                raise TimeoutError
            line.settimeout(left)
        part = line.recv(min(1 << 20, length - len(data)))
        if not part:
            raise Closed("the line is closed")
        data += part
    return bytes(data)
