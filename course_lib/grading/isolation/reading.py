"""A kernel's message, read so that it costs no more than it may: its frames are counted before any of it is parsed.

A list that is empty costs two letters in a frame and thirty times as much memory once it is parsed, and what parses it
lets no other thread run: so what is too large is not parsed, whichever part of the message it is.
"""

from typing import Any

import zmq
from jupyter_client.session import DELIM, Session

FRAME = 128  # bytes that a frame costs beside its own


def receive(socket: zmq.Socket, session: Session, largest: int) -> tuple[dict[str, Any] | None, int]:
    """The next message, None if it is malformed, forged, or of more than `largest` bytes; and the bytes that it shows.

    Of one that is too large the rest stays where it is: it is read, and counted, as the message behind it.
    """
    frames, size, more = [], 0, True
    while more:
        frame = socket.recv(copy=False)
        size += len(frame.buffer) + FRAME
        if size > largest:
            return None, size
        frames.append(frame.bytes)
        more = frame.more
    try:
        parts = frames[frames.index(DELIM) + 1 :]
        message = session.deserialize(parts)
        shown = sum(map(len, parts[3:]))  # behind its signature, its header and that of what it answers
        return (message, shown) if isinstance(message["content"], dict) else (None, size)
    except Exception:  # noqa: BLE001  bad signature, bad JSON, missing parts, nested too deep
        return None, size
