"""Limits on time that do not ask how busy the machine is, for `check` as for grading.

What counts is the processor's time of the code itself. Code that waits, or sleeps, is stopped as well, but later: after
WAITS times its limit on the clock. An import loads what the course brings: it does not count, nor is it broken off.
"""

import builtins
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

CALL_SECONDS = 5.0  # as in grading, unless the instructor sets another limit there
WAITS = 4.0  # how many times its limit anything may take on the clock
ANY = 3600.0  # seconds: more than any limit


class TimeUp(BaseException):
    """The time is over. No Exception, so that `except Exception` in a student's loop does not stop it."""


class Stopwatch:
    """The seconds that count of what began when it was made; `processor` and `wall` are clocks."""

    def __init__(
        self, processor: Callable[[], float] = time.process_time, wall: Callable[[], float] = time.monotonic
    ) -> None:
        self.clocks = processor, wall
        self.began = processor(), wall()
        self.forgiven = 0.0

    def forgive(self, seconds: float) -> None:
        """Do not count these seconds of the processor, or, below 0, count them again."""
        self.forgiven += seconds

    def processor(self) -> float:
        """Seconds of the processor that count."""
        return self.clocks[0]() - self.began[0] - self.forgiven

    def wall(self) -> float:
        """Seconds on the clock."""
        return self.clocks[1]() - self.began[1]

    def seconds(self) -> float:
        """The seconds that count: the processor's, of one at a time, or a share of those on the clock."""
        wall = self.wall()
        return max(min(self.processor(), wall), wall / WAITS)

    def left(self, limit: float) -> float:
        """For how long a limit is surely not reached; 0 or less once it is."""
        wall = self.wall()
        if wall < limit:
            return limit - wall
        return min(limit - min(self.processor(), wall), WAITS * limit - wall)


@contextlib.contextmanager
def imports(forgive: Callable[[float], None]) -> Iterator[None]:
    """Have the time of imports forgiven: any time when one begins, and when it has ended no more than it took."""
    original, running = builtins.__import__, False

    def measured(*arguments, **keywords):
        nonlocal running
        elsewhere = threading.current_thread() is not threading.main_thread()
        if running or elsewhere or loaded(*arguments, **keywords):
            return original(*arguments, **keywords)
        running, began = True, time.process_time()
        forgive(ANY)
        try:
            return original(*arguments, **keywords)
        finally:
            running = False
            forgive(time.process_time() - began - ANY)

    builtins.__import__ = measured
    try:
        yield
    finally:
        builtins.__import__ = original


def loaded(name: str, globals: dict | None = None, _: Any = None, fromlist: Any = (), level: int = 0) -> bool:
    """Whether what an import asks for is there already."""
    package = (globals or {}).get("__package__") or ""
    path = ".".join(filter(None, [*package.split(".")[: len(package.split(".")) + 1 - level], name])) if level else name
    module = sys.modules.get(path)
    return module is not None and all(each in vars(module) for each in fromlist or ())


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the block once `seconds` of it count, and every half second after that until it ends.

    It needs interval timers and the main thread; elsewhere (Windows, other threads) the block runs without a limit.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    clock = Stopwatch()

    def stop(*_) -> None:
        if clock.left(seconds) <= 0:
            raise TimeUp

    with imports(clock.forgive):
        before = signal.signal(signal.SIGALRM, stop)
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
