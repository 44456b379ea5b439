"""The guess box: where a lecture says *Predict*, the reader writes a guess, and finds it again on another day."""

import html
from string import Template

import traitlets
from IPython.display import display

from course_lib.reader import record
from course_lib.widgets.base import VIEW, TraceWidget, front_end, unattended

SECTION = "guesses"  # of my_course.json
MOST_CHARACTERS = 10_000
SAVED = Template("""<div><style>
body:has([data-frame="$name"]) .jp-OutputArea-child:has(.$name) { display: none; }
.jp-OutputArea-child:has(> .lm-Panel):not(:has(> .lm-Panel > *)):has(+ * .$name) { display: none; }
</style><p class="$name">$guess</p></div>""")  # as frame.html: seen where the live widget is not


class GuessBox(TraceWidget):
    """`GuessBox("05/growing")`: a field whose text is kept in my_course.json beside the notebook, by the question.

    `guess` is what the reader wrote, now or another day; `kept` is "kept", or "refused" where nothing can be written.
    Raises ValueError for a question without a name.
    """

    _esm, _css = front_end("guess_box", root="lm-guess")
    title = "My guess"
    height = 50

    question = traitlets.Unicode().tag(sync=True)
    guess = traitlets.Unicode("").tag(sync=True)
    kept = traitlets.Unicode("").tag(sync=True)

    def __init__(self, question: str):
        if not question.strip():
            raise ValueError(f'question must name a question, as "05/growing", got {question!r}')
        before = record.load(SECTION).get(question)
        before = before if isinstance(before, str) else ""
        self._saved = None
        super().__init__(question=question, guess=before, kept="kept" if before else "")
        self.observe(self._keep, "guess")

    def _keep(self, change: dict) -> None:
        self.kept = ""  # the front end hears of a change alone: "kept" twice is told twice
        try:
            record.keep(SECTION, {self.question: change["new"].strip()[:MOST_CHARACTERS] or None})
        except OSError:
            self.kept = "refused"
            return
        if change["new"].strip():
            self.kept = "kept"
        if self._saved is not None:
            self._saved.update({"text/html": self.frame(), "text/plain": repr(self)}, raw=True)

    def frame(self) -> str:
        """The guess as text, for whoever opens the notebook without Python; nothing where there is none."""
        told = f"My guess: {html.escape(self.guess)}" if self.guess.strip() else ""
        return SAVED.substitute(name=self.frame_name, guess=told)

    def __repr__(self) -> str:
        return f"My guess: {self.guess}" if self.guess.strip() else ""

    def _ipython_display_(self) -> None:
        """As every widget; what is saved is the text alone, and follows what the reader types."""
        if not unattended():
            data, metadata = self._repr_mimebundle_()
            display({VIEW: data[VIEW], "text/html": ""}, metadata=metadata, raw=True)
        saved = {"text/html": self.frame(), "text/plain": repr(self)}
        self._saved = display(saved, raw=True, display_id=True)


def predict(question: str) -> GuessBox:
    """A place for the reader's own guess at a question of a lecture, by its name: "05/growing"."""
    return GuessBox(question)
