"""The attention stepper: one word asks, and every number on the way to its new vector shows how it is computed."""

from collections.abc import Sequence

import traitlets

from course_lib.translator import Translator
from course_lib.widgets.attention_heads import Attention, attentions, plain
from course_lib.widgets.base import Stepper, front_end, one_line

STEPS = 6
MOST_PIECES = 24


class AttentionStepper(Stepper):
    """Step through q·k, ÷ √d_k, mask, softmax, Σ α v of one head: `AttentionStepper(translator, "the cat sleeps")`.

    `source` is a translator with a Transformer, which then reads `text` and what the reader types; or one `Attention`,
    as THINKING_MACHINES, or several. `at` is the number of the attention that is shown, `head` and `word` those of its
    head and of the word that asks, from 0. With `predict` the reader says which word is looked at most;
    `predictions` maps "at:head:word" to the number of that word. Raises ValueError for a sentence of more than 24
    pieces, or one that `Translator.trace` refuses, and for a number that is not there. Of a translation the first 24
    pieces are read.
    """

    _esm, _css = front_end("attention_stepper", root="lm-attention")
    title = "Attention stepper"
    height = 760

    text = traitlets.Unicode().tag(sync=True)
    attentions = traitlets.List().tag(sync=True)  # each as attention_heads.plain makes it
    at = traitlets.Int(0, min=0).tag(sync=True)
    head = traitlets.Int(0, min=0).tag(sync=True)
    word = traitlets.Int(0, min=0).tag(sync=True)
    reads = traitlets.Bool(False).tag(sync=True)  # there is a translator that reads the reader's text

    def __init__(
        self,
        source: Translator | Attention | Sequence[Attention],
        text: str = "",
        *,
        at: int = 0,
        head: int = 0,
        word: int = 0,
        step: int = 1,
        predict: bool = False,
    ):
        self.translator = source if isinstance(source, Translator) else None
        super().__init__(predict=predict, reads=self.translator is not None)
        if self.translator:
            self.read(text)
        else:
            self.attentions = [plain(one) for one in ([source] if isinstance(source, Attention) else source)]
        if not 0 <= at < len(self.attentions):
            raise ValueError(f"at must be from 0 to {len(self.attentions) - 1}, got {at}")
        shown = self.attentions[at]
        sizes = (("head", head, len(shown["heads"])), ("word", word, len(shown["asking"])), ("step", step, STEPS + 1))
        for name, value, count in sizes:
            if not 0 <= value < count:
                raise ValueError(f"{name} must be from 0 to {count - 1}, got {value}")
        self.at, self.head, self.word, self.step = at, head, word, step

    def read(self, text: str) -> None:
        """Translate a sentence and show its attentions; raises ValueError and changes nothing if it will not do."""
        text = one_line(text)
        found = attentions(self.translator, text, MOST_PIECES)
        if (pieces := len(found[0].asked) - 1) > MOST_PIECES:  # of the source, without `</s>`
            raise ValueError(f"a sentence may have {MOST_PIECES} pieces, got {pieces}")
        with self.hold_sync():
            self.text, self.attentions, self.predictions = text, [plain(one) for one in found], {}
            self.word = min(self.word, len(found[self.at].asking) - 1)

    @property
    def score(self) -> tuple[int, int]:
        """(right, all) predictions; right is to name the word with the largest weight."""
        right = 0
        for key, guess in self.predictions.items():
            at, head, word = map(int, key.split(":"))
            weights = self.attentions[at]["heads"][head]["weights"][word]
            right += weights[guess] == max(weights)
        return right, len(self.predictions)

    def answer(self, *, text: str) -> None:
        """`read`."""
        self.read(text)
