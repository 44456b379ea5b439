"""One JSON message after the other over a socket, each behind its length in eight bytes."""

import json
import socket
import struct
from collections.abc import Callable
from typing import Any

HEAD = struct.Struct(">Q")
MAX_COMMAS = 1_000_000  # in one message: each value costs the reader more than its letters


class Closed(ConnectionError):
    """The other side hung up, or sent what is no message."""


def send(line: socket.socket, message: Any) -> None:
    """Send one message."""
    data = json.dumps(message).encode()
    line.sendall(HEAD.pack(len(data)) + data)


def receive(line: socket.socket, largest: int, left: Callable[[], float] | None = None) -> Any:
    """The next message; raises Closed at the end, for more than `largest` bytes, and for what is no JSON."""
    return read(receive_bytes(line, largest, left))


def receive_bytes(line: socket.socket, largest: int, left: Callable[[], float] | None = None) -> bytes:
    """The bytes of the next message; raises Closed at the end, and for more than `largest` bytes.

    All of them must come while `left`, if given, says that seconds are left, or TimeoutError is raised.
    """
    (length,) = HEAD.unpack(_exactly(line, HEAD.size, left))
    if length > largest:
        raise Closed("a message of too many bytes")  # how many, the sender has chosen: nobody is told
    return _exactly(line, length, left)


def read(data: bytes) -> Any:
    """What the bytes of a message say; raises Closed for what is no JSON, or too much of it."""
    if data.count(b",") > MAX_COMMAS:
        raise Closed("a message of too many parts")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise Closed("a message that is no JSON") from None


def _exactly(line: socket.socket, length: int, left: Callable[[], float] | None) -> bytes:
    data = bytearray()
    while len(data) < length:
        if left is not None:
            if (seconds := left()) <= 0:
                raise TimeoutError
            line.settimeout(seconds)
        try:
            part = line.recv(min(1 << 20, length - len(data)))
        except TimeoutError:
            continue  # whether the time is over, `left` says
        if not part:
            raise Closed("the line is closed")
        data += part
    return bytes(data)
