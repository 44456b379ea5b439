"""A front end on a page of its own: a whole HTML file, or a frame in another page, which fetches nothing."""

import base64
import gzip
import html
import json
import os
import uuid
from functools import cached_property
from pathlib import Path
from string import Template

from course_lib.files import write_atomically

HERE = Path(__file__).parent
PAGE = Template((HERE / "page.html").read_text(encoding="utf-8"))
FRAME = Template((HERE / "frame.html").read_text(encoding="utf-8"))


class Page:
    """What has a front end: the module `_esm`, its style `_css`, and the `state()` that it draws."""

    title = "Widget"  # the frame's name for screen readers
    height = 700  # of the frame in pixels, until it has measured itself

    def page(self) -> str:
        """A whole HTML page with what is shown as it stands now: it steps without Python, and fetches nothing."""
        state = json.dumps({**self.state(), "live": False})
        return PAGE.substitute(
            title=html.escape(self.title), css=str(self._css), state=_zipped(state), esm=_zipped(str(self._esm))
        )

    def frame(self) -> str:
        """The page in a sandboxed `<iframe>`, to stand inside another page."""
        return FRAME.substitute(
            title=html.escape(self.title), height=self.height, page=html.escape(self.page()), name=self.frame_name
        )

    @cached_property
    def frame_name(self) -> str:
        """The frame's own, among all that stand on a page."""
        return new_name()

    def save(self, path: str | os.PathLike) -> None:
        """Write `page()` to a file that opens in any browser, without a network."""
        with write_atomically(path) as file:
            file.write(self.page())


def new_name() -> str:
    """A name for a frame that no other has."""
    return f"lm-{uuid.uuid4().hex}"


def _zipped(text: str) -> str:
    """A trace repeats itself: a tenth is left."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
