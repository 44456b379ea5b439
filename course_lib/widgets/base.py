"""What every widget here is built on: Python hands a trace to the front end, which draws it and steps through it.

A front end does not compute what the algorithm computes: Python makes a new trace when the reader asks for one. Only
the two explorers of lecture 08 compute, a formula each, and tests compare them with Python. A widget `some_name` is
three files: `some_name.py` holds its state, `some_name.js` ends with `export default { render }`, `some_name.css`
styles it. What they share stands before them: `base` (elements, keys, asking Python, the theme), `stepper` (the
toolbar, motion), `grid` (cells to move among by keys), `links` (lines between words), `explorer` (fields for numbers).
Nothing is built and nothing is fetched. The same front end runs in a notebook, in the HTML that `jupyter nbconvert`
makes of one, and in the file that `save` writes; there it steps without Python.
"""

from pathlib import Path

import anywidget
import ipywidgets
import traitlets
from IPython import get_ipython

from course_lib.widgets.page import Page

HERE = Path(__file__).parent
NOT_STATE = {*ipywidgets.DOMWidget.class_trait_names(), "live"}


def front_end(*names: str, root: str) -> tuple[str, str]:
    """The module and the style of a widget: base.js, then each `name`.js; the .css files likewise where there are any.

    All style is nested under the class `root`, the widget's own: whatever stands beside it on a page, nothing leaks.
    """
    files = {suffix: [HERE / f"{name}.{suffix}" for name in ("base", *names)] for suffix in ("js", "css")}
    script, style = (
        "\n".join(file.read_text(encoding="utf-8") for file in found if file.suffix == ".js" or file.exists())
        for found in files.values()
    )
    return f'const ROOT = "{root}";\n{script}', f".{root} {{\n{style}}}\n"


class TraceWidget(Page, anywidget.AnyWidget):
    """A widget that draws a trace. Subclasses set `_esm` and `_css` by `front_end`, `title`, and their own traits.

    What the reader asks for comes to `answer`.
    """

    live = traitlets.Bool(True, read_only=True).tag(sync=True)  # False where no Python answers

    def __init__(self, **traits: object):
        super().__init__(**traits)
        self.on_msg(self._receive)

    def answer(self, **request: object) -> None:
        """Do what the front end asks for: make a new trace. Raises ValueError, which the reader sees, if it cannot."""
        raise ValueError("this widget answers nothing")

    def _receive(self, _widget: object, message: dict, _buffers: object) -> None:
        """To a message `{"id", "ask": request}` the answer is `{"id", "error"}`: None, or why not."""
        try:
            self.answer(**message["ask"])
        except ValueError as refusal:
            self.send({"id": message["id"], "error": str(refusal)})
        except Exception as failure:
            self.send({"id": message["id"], "error": f"{type(failure).__name__}: {failure}"})
            raise
        else:
            self.send({"id": message["id"], "error": None})

    def state(self) -> dict:
        """What the front end draws: the widget's own synchronised traits, JSON-able."""
        return self.get_state([key for key in self.keys if key not in NOT_STATE and not key.startswith("_")])

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


class Stepper(TraceWidget):
    """A widget that shows its trace at one `step`; with `predict` the reader guesses what the next one brings.

    `predictions` maps a question, by a key of the widget's own, to what was guessed.
    """

    step = traitlets.Int(0, min=0).tag(sync=True)
    predict = traitlets.Bool(False).tag(sync=True)
    predictions = traitlets.Dict().tag(sync=True)


def _unattended() -> bool:
    """True if the cell runs in a batch (nbconvert, nbclient, nbgrader): nobody is there to answer an `input()`."""
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel is not None and not getattr(kernel, "_allow_stdin", True)
