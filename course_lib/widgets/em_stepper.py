"""The EM stepper: watch IBM Model 1 find out which word translates which, and predict what it will find next."""

from collections.abc import Iterable
from dataclasses import asdict
from math import log

import traitlets

from course_lib.alignment import EMTrace, trace_em
from course_lib.widgets.base import Stepper, filled, front_end

MOST_ITERATIONS, MOST_PAIRS, MOST_WORDS = 30, 8, 10
TOY = (("das Haus", "the house"), ("das Buch", "the book"), ("ein Buch", "a book"))
CLOSE = 1e-9  # probabilities that differ by less are called equal


class EMStepper(Stepper):
    """Step through the iterations of `course_lib.alignment.em` on a handful of sentence pairs.

    `EMStepper([("das Haus", "the house"), ("das Buch", "the book"), ("ein Buch", "a book")], iterations=10)`: at step k
    are shown t(y | x) after k iterations, the posteriors of the alignments under it as lines of that thickness, the
    expected counts that they add up to, and the log likelihood. `NULL` is a source word like any other. With
    `predict=True` the reader says which translation of a word will be the most probable one after the next iteration.

    `step` is how many iterations are done; `trace` the library's; `predictions` maps a step to the guessed word.
    Raises ValueError for a sentence without words, more than 8 pairs, 10 words a side or 30 iterations.
    """

    _esm, _css = front_end("em_stepper", root="lm-em")
    title = "EM alignment stepper"
    height = 760

    pairs = traitlets.List().tag(sync=True)
    trace = traitlets.Dict().tag(sync=True)
    questions = traitlets.List().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    iterations = traitlets.Int().tag(sync=True)

    def __init__(
        self,
        pairs: Iterable[tuple[str, str]] = TOY,
        iterations: int = 10,
        predict: bool = False,
        step: int = 0,
    ):
        super().__init__(predict=predict)
        self.learn(as_text(pairs), iterations)
        self.step = min(step, self.iterations)

    @property
    def score(self) -> tuple[int, int]:
        """(right, all) predictions."""
        right = sum(guess in self.questions[int(step)]["best"] for step, guess in self.predictions.items())
        return right, len(self.predictions)

    def learn(self, text: str, iterations: int) -> None:
        """Run EM anew on the sentence pairs of `text`, one `source = target` on each line.

        Other sentences begin at step 0; predictions are forgotten.
        Raises ValueError and changes nothing if the text or the number of iterations will not do.
        """
        pairs = as_pairs(text)
        if not 1 <= iterations <= MOST_ITERATIONS:
            raise ValueError(f"iterations must be from 1 to {MOST_ITERATIONS}, got {iterations}")
        trace = trace_em(pairs, iterations)
        step = self.step if text == self.text else 0
        with self.hold_sync():
            self.predictions, self.text, self.iterations = {}, text, iterations
            self.pairs = [[list(source), list(target)] for source, target in pairs]
            self.questions = questions(trace)
            self.trace = asdict(trace)
            self.step = min(step, iterations)

    def answer(self, *, text: str, iterations: int | None) -> None:
        """`learn`."""
        self.learn(text, filled("Iterations", iterations))


def as_text(pairs: Iterable[tuple[str, str]]) -> str:
    """Sentence pairs as a reader can edit them. Raises TypeError for a side that is no string."""
    pairs = list(pairs)
    if strange := [side for pair in pairs for side in pair if not isinstance(side, str)]:
        raise TypeError(f"pairs must be pairs of sentences, each one string, got {strange[0]!r:.40}")
    return "\n".join(f"{source} = {target}" for source, target in pairs)


def as_pairs(text: str) -> list[tuple[list[str], list[str]]]:
    """`as_text` back again, split into words. Raises ValueError for what is not a handful of sentence pairs."""
    pairs = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        sides = [side.split() for side in line.split("=")]
        if len(sides) != 2 or not all(sides):
            raise ValueError(f"line {number} must be a sentence, “=” and its translation, got {line.strip()!r}")
        pairs.append((sides[0], sides[1]))
    if not 1 <= len(pairs) <= MOST_PAIRS:
        raise ValueError(f"there must be 1 to {MOST_PAIRS} sentence pairs, got {len(pairs)}")
    for side, name in enumerate(("source", "target")):
        words = {word for pair in pairs for word in pair[side]}
        if len(words) > MOST_WORDS:
            raise ValueError(f"there is room for {MOST_WORDS} different {name} words, got {len(words)}")
    return pairs


def questions(trace: EMTrace) -> list[dict]:
    """For each step but the last: which word to ask for, its possible translations, and the best after the next step.

    Asked for is a word whose best translation the next step changes; else one not asked for just before; of those the
    word about which t says least (its entropy is highest), then the first in the text.
    """
    asked: list[dict] = []
    for now, after in zip(trace.steps, trace.steps[1:], strict=False):
        ranked = []
        for x, word in enumerate(trace.source_words):
            met = [y for y, count in enumerate(now.counts[x]) if count > 0]
            before, best = (
                [y for y in met if max(t[x]) - t[x][y] < CLOSE] for t in (now.translation, after.translation)
            )
            again = bool(asked) and asked[-1]["word"] == word
            entropy = round(-sum(p * log(p) for p in now.translation[x] if p > 0), 6)
            question = {
                "word": word,
                "options": [trace.target_words[y] for y in met],
                "best": [trace.target_words[y] for y in best],
            }
            ranked.append(((len(best) < len(met), best != before, not again, len(best) == 1, entropy), question))
        asked.append(max(ranked, key=lambda entry: entry[0])[1])
    return asked
