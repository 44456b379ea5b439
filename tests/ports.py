"""A port for a server that a test starts."""

import random
import socket

OURS = range(10_000, 32_768)  # below those that a system gives to whoever asks for any (Linux: from 32,768)


def free_port() -> int:
    """A port of this machine on which nobody listens. Only other tests draw from OURS: that one of them takes the same
    before the server has begun is unlikely."""
    draw = random.SystemRandom()  # hypothesis gives all processes the same seed
    while True:
        port = draw.choice(OURS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
