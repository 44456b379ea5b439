"""What every widget here is built on: Python hands a trace to the front end, which draws it and steps through it.

A front end does not compute what the algorithm computes: Python makes a new trace when the reader asks for one. Only
the two explorers of lecture 08 compute, a formula each, and tests compare them with Python. A widget `some_name` is
three files: `some_name.py` holds its state, `some_name.js` ends with `export default { render }`, `some_name.css`
styles it. It imports what widgets share: `base` (elements, keys, asking Python, the theme), `stepper` (steps and their
toolbar), `timeline` (Back, Play, Forward), `motion`, `grid` (cells to move among by keys), `links` (lines between
words), `explorer` (fields for numbers). A browser gets one file: `python -m course_lib.maintain.widgets` joins the
modules into built/, which is committed, so that nothing is built or fetched where the course is used. The same front
end runs in a notebook, in one that is opened again another day, in the HTML that `jupyter nbconvert` makes of it, and
in the file that `save` writes; there it steps without Python.
"""

from pathlib import Path

import anywidget
import ipywidgets
import traitlets
from IPython import get_ipython
from IPython.display import display

from course_lib.widgets.page import Page, new_name

BUILT = Path(__file__).parent / "built"
VIEW = "application/vnd.jupyter.widget-view+json"
NOT_STATE = {*ipywidgets.DOMWidget.class_trait_names(), "live", "frame_name"}


def front_end(name: str, *, root: str) -> tuple[str, str]:
    """The module and the style of the widget `name`: `name`.js and the files that it imports, joined in built/.

    All style is nested under the class `root`, the widget's own: whatever stands beside it on a page, nothing leaks.
    """
    script, style = ((BUILT / f"{name}.{suffix}").read_text(encoding="utf-8") for suffix in ("js", "css"))
    return script, f".{root} {{\n{style}}}\n"


class TraceWidget(Page, anywidget.AnyWidget):
    """A widget that draws a trace. Subclasses set `_esm` and `_css` by `front_end`, `title`, and their own traits.

    What the reader asks for comes to `answer`.
    """

    live = traitlets.Bool(True, read_only=True).tag(sync=True)  # False where no Python answers
    frame_name = traitlets.Unicode(read_only=True).tag(sync=True)  # the live one is known by it: see frame.html

    def __init__(self, **traits: object):
        super().__init__(**traits)
        self.on_msg(self._receive)

    @traitlets.default("frame_name")
    def _own_name(self) -> str:
        return new_name()

    def answer(self, **request: object) -> None:
        """Do what the front end asks for: make a new trace. Raises ValueError, which the reader sees, if it cannot."""
        raise ValueError("this widget answers nothing")

    def _receive(self, _widget: object, message: dict, _buffers: object) -> None:
        """To `{"id", "ask": request}` the answer is `{"id", "error"}`: None, or why not. To `{"id", "save"}` it is that
        with the `page`.
        """
        reply = {"id": message["id"], "error": None}
        try:
            if "save" in message:
                reply["page"] = self.page()
            else:
                self.answer(**message["ask"])
        except ValueError as refusal:
            self.send(reply | {"error": str(refusal)})
        except Exception as failure:
            self.send(reply | {"error": f"{type(failure).__name__}: {failure}"})
            raise
        else:
            self.send(reply)

    def state(self) -> dict:
        """What the front end draws: the widget's own synchronised traits, JSON-able."""
        return self.get_state([key for key in self.keys if key not in NOT_STATE and not key.startswith("_")])

    def _ipython_display_(self) -> None:
        """Show the live widget, and in an output of its own the frame, for whoever opens the notebook later.

        A notebook keeps no live widget: JupyterLab would show "model not found" in its place. So the frame is seen
        wherever the live widget is not: in a notebook that is opened again, and in the HTML that nbconvert makes of it
        (see frame.html). Where nobody watches (`nbconvert --execute`) the live one is left out.
        """
        if not unattended():
            data, metadata = self._repr_mimebundle_()
            display({VIEW: data[VIEW], "text/html": ""}, metadata=metadata, raw=True)
        display({"text/html": self.frame(), "text/plain": repr(self)}, raw=True)


MOST_CHARACTERS = 1000  # of a sentence: no field cuts it, so it is told


def one_line(text: str) -> str:
    """A sentence as the reader typed it, with single spaces. Raises ValueError for one that is far too long."""
    text = " ".join(text.split())
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"a sentence may have {MOST_CHARACTERS:,} characters, got {len(text):,}")
    return text


def filled(label: str, value: int | None) -> int:
    """What stands in the field `label`, where it has not been emptied; raises ValueError where it has."""
    if value is None:
        raise ValueError(f"the field “{label}” is empty")
    return value


class Stepper(TraceWidget):
    """A widget that shows its trace at one `step`; with `predict` the reader guesses what the next one brings.

    `predictions` maps a question, by a key of the widget's own, to what was guessed.
    """

    step = traitlets.Int(0, min=0).tag(sync=True)
    predict = traitlets.Bool(False).tag(sync=True)
    predictions = traitlets.Dict().tag(sync=True)


def unattended() -> bool:
    """Whether the cell runs in a batch (nbconvert, nbclient, nbgrader): nobody is there to answer an `input()`."""
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel is not None and not getattr(kernel, "_allow_stdin", True)
