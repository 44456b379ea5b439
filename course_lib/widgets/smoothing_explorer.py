"""The label-smoothing explorer: a target, a model's logits, and what the smoothed loss asks of them."""

from collections.abc import Sequence

import traitlets

from course_lib.widgets.base import TraceWidget, front_end

SHARES = ("others", "all")
MOST_WORDS, LOGIT = 12, 12.0


class SmoothingExplorer(TraceWidget):
    """`SmoothingExplorer(["Katze", "Hund", "Haus"], logits=[2.0, 1.0, 0.0], right=0, epsilon=0.1)`.

    For each word the smoothed target q, the model's p = softmax(logits), what it adds to −Σ q log p, and the gradient
    p − q of the loss with respect to its logit; below, the loss and the lowest value that it can have, the entropy of
    q. `share` is who gets ε: "others", ε / (n − 1) for each but the right one (Li; problem set 7), or "all", ε / n for
    each (torch, and `training.losses`). With `predict` the reader first says for which probability of the right word
    the loss is lowest: `guess`.

    The front end computes all numbers itself, so that they follow a hand at once, without Python; a test compares them
    with torch's. Raises ValueError for fewer than 3 or more than 12 words, other numbers of logits, a logit whose size
    is above 12, a right word that is not there, an epsilon outside [0, 0.9], and another share.
    """

    _esm, _css = front_end("smoothing_explorer", root="lm-smoothing")
    title = "Label-smoothing explorer"
    height = 560

    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    logits = traitlets.List(traitlets.Float()).tag(sync=True)
    first = traitlets.List(traitlets.Float()).tag(sync=True)  # the logits that the reader can go back to
    right = traitlets.Int(0).tag(sync=True)
    epsilon = traitlets.Float(0.1).tag(sync=True)
    share = traitlets.Enum(SHARES, "others").tag(sync=True)
    predict = traitlets.Bool(False).tag(sync=True)
    guess = traitlets.Dict().tag(sync=True)  # {"p"}, or nothing yet

    def __init__(
        self,
        words: Sequence[str],
        logits: Sequence[float],
        right: int = 0,
        *,
        epsilon: float = 0.1,
        share: str = "others",
        predict: bool = False,
    ):
        if not 3 <= len(words) <= MOST_WORDS:
            raise ValueError(f"words must be from 3 to {MOST_WORDS}, got {len(words)}")
        if len(logits) != len(words) or not all(abs(logit) <= LOGIT for logit in logits):
            raise ValueError(f"logits must be {len(words)} numbers from −{LOGIT:g} to {LOGIT:g}, got {list(logits)}")
        if not 0 <= right < len(words):
            raise ValueError(f"right must lie in 0..{len(words) - 1}, got {right}")
        if not 0 <= epsilon <= 0.9:
            raise ValueError(f"epsilon must lie in [0, 0.9], got {epsilon}")
        if share not in SHARES:
            raise ValueError(f"share must be one of {', '.join(SHARES)}, got {share!r}")
        start = [float(logit) for logit in logits]
        super().__init__(
            words=list(words), logits=start, first=start, right=right, epsilon=epsilon, share=share, predict=predict
        )
