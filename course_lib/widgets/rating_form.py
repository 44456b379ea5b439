"""The rating form: a reader judges outputs of systems without their names; each answer goes to a file at once."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import traitlets

from course_lib.metrics.judgement import Rating
from course_lib.metrics.rating_file import ASPECTS, Answer, read_answers, save
from course_lib.widgets.base import TraceWidget, front_end
from course_lib.widgets.rating_tasks import RatedItem, Task, rated_items, shuffled_tasks

MOST_ROUNDS = 20


class RatingForm(TraceWidget):
    """Rate translations: `RatingForm([{"source": "Ein Hund.", "outputs": {"a": "A dog.", "b": "Dog."}}], "direct")`.

    Each item has a source, a reference or both, and `outputs`, a system's name with its text (`RatedItem`, or a dict
    with its fields). `scale` is "likert", adequacy and fluency from 1 to 5 (LDC 2005; Koehn and Monz 2006); "direct", a
    number from 0 to 100 (Graham et al. 2013); or "ranking" of all 2 to 5 outputs of an item, equals allowed. The order
    hides the systems, and is another one for each `rater` and `round`.

    An answer is added to the file `path` (JSON Lines, `metrics.rating_file`) as soon as the reader saves it; the same
    form made again goes on where it was, and asks again for an output whose text has changed since. A file can hold
    several raters, rounds and scales. `ratings` has what was answered as `Rating`, of a Likert scale the adequacy;
    `rated("fluency")` the other; `rating_file.load(path)` reads what others wrote.

    `at` is the screen shown, `given` the saved scores of each screen. Raises TypeError and ValueError as `rated_items`
    and `shuffled_tasks`, and ValueError for another scale, an empty rater, a round outside 1..20, and a line of the
    file that is no answer.
    """

    _esm, _css = front_end("rating_form", root="lm-rating")
    title = "Rating form"
    height = 520

    scale = traitlets.Unicode().tag(sync=True)
    rater = traitlets.Unicode().tag(sync=True)
    round = traitlets.Int(1).tag(sync=True)
    file = traitlets.Unicode().tag(sync=True)
    tasks = traitlets.List().tag(sync=True)
    given = traitlets.Dict().tag(sync=True)
    at = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        items: Sequence[RatedItem | Mapping],
        scale: str = "likert",
        *,
        path: str | os.PathLike = "ratings.jsonl",
        rater: str = "me",
        round: int = 1,
    ):
        if scale not in ASPECTS:
            raise ValueError(f"scale must be one of {', '.join(ASPECTS)}, got {scale!r}")
        if not isinstance(rater, str) or not rater.strip():
            raise ValueError(f"rater must be a name, got {rater!r}")
        if isinstance(round, bool) or not isinstance(round, int) or not 1 <= round <= MOST_ROUNDS:
            raise ValueError(f"round must be from 1 to {MOST_ROUNDS}, got {round!r}")
        self.path = Path(path)
        self._items = rated_items(items)
        self._tasks = shuffled_tasks(self._items, scale, rater, round)
        super().__init__(
            scale=scale,
            rater=rater,
            round=round,
            file=os.fspath(path),
            tasks=[task.shown for task in self._tasks],
        )
        self._answers = self._resumed()
        self.given = self._given()
        self.at = self._next(0)

    @traitlets.validate("at")
    def _check_at(self, proposal: dict) -> int:
        if not 0 <= proposal["value"] < len(self.tasks):
            raise ValueError(f"at must be from 0 to {len(self.tasks) - 1}, got {proposal['value']}")
        return proposal["value"]

    @property
    def aspects(self) -> tuple[str, ...]:
        """What each output is rated for."""
        return ASPECTS[self.scale]

    @property
    def done(self) -> tuple[int, int]:
        """(saved, all) screens."""
        return len(self.given), len(self.tasks)

    @property
    def ratings(self) -> list[Rating]:
        """What this rater has saved in this round: of a Likert scale the adequacy, of a ranking k for the best of k."""
        return self.rated(self.aspects[0])

    def rated(self, aspect: str) -> list[Rating]:
        """The saved ratings for one of `aspects`, in the items' order. Raises ValueError for another one."""
        if aspect not in self.aspects:
            raise ValueError(f"aspect must be one of {', '.join(self.aspects)}, got {aspect!r}")
        places = [(item.item, system) for item in self._items for system in item.outputs]
        return [self._answers[place].rating(aspect) for place in places if place in self._answers]

    def rate(self, task: int, scores: Sequence[Mapping[str, float]]) -> None:
        """Write the scores of all outputs on a screen to the file, and go on to the next one without an answer.

        `scores` has an entry for each output, in the order shown, with a score for each of `aspects`. A screen can be
        answered again. Raises ValueError and changes nothing for a screen that is not there and scores outside the
        scale, OSError where the file cannot be written.
        """
        if not 0 <= task < len(self._tasks):
            raise ValueError(f"task must be from 0 to {len(self._tasks) - 1}, got {task}")
        one = self._tasks[task]
        if len(scores) != len(one.systems):
            raise ValueError(f"scores must be one for each of {len(one.systems)} outputs, got {len(scores)}")
        if self.scale == "ranking" and any(score.get("preference", 0) > len(one.systems) for score in scores):
            raise ValueError(
                f"preference must be from 1 to {len(one.systems)}, got {[dict(score) for score in scores]}"
            )
        answers = [self._answer(one, system, dict(score)) for system, score in zip(one.systems, scores, strict=True)]
        save(self.path, answers)
        self._answers |= {(answer.item, answer.system): answer for answer in answers}
        with self.hold_sync():
            self.given = self._given()
            self.at = self._next(task)

    def answer(self, *, task: int, scores: Sequence[Mapping[str, float]]) -> None:
        """`rate`."""
        self.rate(task, scores)

    def _answer(self, task: Task, system: str, scores: dict[str, float]) -> Answer:
        output = task.item.outputs[system]
        return Answer(self.rater, self.round, self.scale, task.item.item, system, output, scores)

    def _resumed(self) -> dict[tuple[str | int, str], Answer]:
        """What the file holds of this form, by item and system: of this rater, round and scale, and the same output.

        A ranking with a place that the item's outputs no longer have, as some are gone, is asked for anew.
        """
        if not self.path.exists():
            return {}
        texts = {(item.item, system): text for item in self._items for system, text in item.outputs.items()}
        found = {
            (answer.item, answer.system): answer
            for answer in read_answers(self.path)
            if (answer.rater, answer.round, answer.scale) == (self.rater, self.round, self.scale)
            and texts.get((answer.item, answer.system)) == answer.output
        }
        places = {item.item: len(item.outputs) for item in self._items}
        gone = {item for (item, _), answer in found.items() if answer.scores.get("preference", 0) > places[item]}
        return {place: answer for place, answer in found.items() if place[0] not in gone}

    def _given(self) -> dict[str, list[dict[str, float]]]:
        """The scores of the screens that are answered as a whole."""
        found = {}
        for number, task in enumerate(self._tasks):
            answers = [self._answers.get((task.item.item, system)) for system in task.systems]
            if all(answers):
                found[str(number)] = [answer.scores for answer in answers]
        return found

    def _next(self, task: int) -> int:
        """The first screen without an answer, from this one on and then from the beginning; `task` if there is none."""
        order = [*range(task, len(self._tasks)), *range(task)]
        return next((number for number in order if str(number) not in self.given), task)
