"""release_feedback, for those who hand in by nbgrader's exchange: others are named, and end nothing."""

import glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

FILES = ("timestamp.txt", "submission_secret.txt")  # which `nbgrader submit` adds: only their author finds the feedback


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Named in nbgrader_config.py as `c.ExchangeFactory.release_feedback`."""

    def copy_files(self) -> None:
        """Into the exchange, of each student whose work came from there; the others are named."""
        for folder in sorted(glob.glob(self.src_path)):
            if all(Path(folder, name).is_file() for name in FILES):
                self.src_path = glob.escape(folder)
                super().copy_files()
            else:
                student = Path(folder).parent.name
                self.log.warning("The feedback of %r is not in the exchange: the work did not come from there", student)
