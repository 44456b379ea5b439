"""How far a run of autograde is: a bar where somebody watches, lines in a log elsewhere."""

import logging
import sys
import time
from contextlib import ExitStack

from tqdm import tqdm
from tqdm.contrib.logging import logging_redirect_tqdm


class Progress:
    """Students done, running, waiting, and seconds left. Use as a context."""

    def __init__(self, total: int, log: logging.Logger) -> None:
        self.total, self.log, self.stack = total, log, ExitStack()
        self.count, self.state = 0, (0, total)

    def __enter__(self) -> "Progress":
        self.began = time.monotonic()
        watched = sys.stderr is not None and sys.stderr.isatty()
        self.bar = self.stack.enter_context(tqdm(total=self.total, unit="student", disable=not watched))
        if watched:
            self.stack.enter_context(logging_redirect_tqdm([self.log]))
        return self

    def __exit__(self, *error) -> None:
        self.stack.close()

    def show(self, running: int, waiting: int) -> None:
        """So many are graded now, so many wait."""
        self.state = running, waiting
        self.bar.set_postfix(running=running, waiting=waiting)

    def done(self) -> None:
        """One more is done."""
        self.count += 1
        self.bar.update()
        if self.bar.disable:
            seconds = (time.monotonic() - self.began) / self.count * (self.total - self.count)
            waiting = self.state[1]
            running = self.total - self.count - waiting
            text = "%d of %d students done, %d running, %d waiting, about %.0f s left"
            self.log.info(text, self.count, self.total, running, waiting, seconds)
