"""What every widget here is built on: Python hands a trace to the front end, which draws it and steps through it.

A widget named `some_name` is three files: `some_name.py` holds the state, `some_name.js` ends with
`export default { render }`, `some_name.css` styles it. `base.js` and `base.css` stand before them: helpers, a theme.
Nothing is built and nothing is fetched. The same front end runs in a notebook, in the HTML that
`jupyter nbconvert` makes of one, and in the single file that `save` writes; there it steps without Python.
"""

import base64
import gzip
import html
import json
import os
from pathlib import Path
from string import Template

import anywidget
import ipywidgets
import traitlets
from IPython import get_ipython

from course_lib.files import write_atomically

HERE = Path(__file__).parent
PAGE = Template((HERE / "page.html").read_text(encoding="utf-8"))
FRAME = Template((HERE / "frame.html").read_text(encoding="utf-8"))
NOT_STATE = {*ipywidgets.DOMWidget.class_trait_names(), "live"}


def front_end(*parts: str) -> str:
    """`front_end("some_name", ".js")` is the text of base.js and some_name.js, one after the other; ".css" likewise.

    Helpers of a widget's own go before its name: `front_end("some_helper", "some_name", ".js")`.
    """
    *names, suffix = parts
    return "\n".join((HERE / f"{name}{suffix}").read_text(encoding="utf-8") for name in ("base", *names))


class TraceWidget(anywidget.AnyWidget):
    """A widget that draws a trace. Subclasses set `_esm` and `_css` by `front_end`, `title`, and their own traits."""

    title = "Widget"  # the frame's name for screen readers
    height = 700  # of the frame in pixels, until it has measured itself

    live = traitlets.Bool(True, read_only=True).tag(sync=True)  # False where no Python answers

    def state(self) -> dict:
        """What the front end draws: the widget's own synchronised traits, JSON-able."""
        return self.get_state([key for key in self.keys if key not in NOT_STATE and not key.startswith("_")])

    def page(self) -> str:
        """A whole HTML page with the widget as it stands now: it steps without Python, and fetches nothing."""
        state = json.dumps({**self.state(), "live": False}).encode()
        return PAGE.substitute(
            title=html.escape(self.title),
            css=str(self._css),
            state=base64.b64encode(gzip.compress(state, mtime=0)).decode(),  # a trace repeats itself: a tenth is left
            esm=base64.b64encode(str(self._esm).encode()).decode(),
        )

    def frame(self) -> str:
        """The page in a sandboxed `<iframe>`, to stand inside another page."""
        return FRAME.substitute(
            title=html.escape(self.title), height=self.height, page=html.escape(self.page()), name=f"lm-{self.model_id}"
        )

    def save(self, path: str | os.PathLike) -> None:
        """Write `page()` to a file that opens in any browser, without a network."""
        with write_atomically(path) as file:
            file.write(self.page())

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        """The live widget, and the frame for whoever reads the output later without a kernel.

        `jupyter nbconvert --to html` prefers the live form if the notebook holds its state, which then needs a CDN.
        JupyterLab does not store that state unless told to, and where nobody watches (`nbconvert --execute`) the live
        form is left out: so either way the exported page holds the frame.
        """
        data, metadata = super()._repr_mimebundle_(**kwargs)
        data["text/html"] = self.frame()
        if _unattended():
            data = {kind: content for kind, content in data.items() if "widget-view" not in kind}
        return data, metadata


def _unattended() -> bool:
    """True if the cell runs in a batch (nbconvert, nbclient, nbgrader): nobody is there to answer an `input()`."""
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel is not None and not getattr(kernel, "_allow_stdin", True)
