"""One JSON message after the other over a socket, each behind its length in eight bytes."""

import json
import socket
import struct
from typing import Any

HEAD = struct.Struct(">Q")


class Closed(ConnectionError):
    """The other side hung up, or sent what is no message."""


def send(line: socket.socket, message: Any) -> None:
    data = json.dumps(message).encode()
    line.sendall(HEAD.pack(len(data)) + data)


def receive(line: socket.socket, most: int) -> Any:
    """The next message; raises Closed at the end, for more than `most` bytes, and for what is no JSON."""
    (length,) = HEAD.unpack(_exactly(line, HEAD.size))
    if length > most:
        raise Closed(f"a message of {length:,} bytes")
    try:
        return json.loads(_exactly(line, length))
    except (ValueError, RecursionError):
        raise Closed("a message that is no JSON") from None


def _exactly(line: socket.socket, length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        part = line.recv(min(1 << 20, length - len(data)))
        if not part:
            raise Closed("the line is closed")
        data += part
    return bytes(data)
