"""Answers to a rating form, as JSON Lines: one line for each output that a rater judged, the newest at the end."""

import json
import math
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock

from course_lib.files import write_atomically
from course_lib.metrics.judgement import Rating

# What each scale asks of an output, and the lowest and the highest score. Of a ranking of k outputs the best gets k.
ASPECTS = {"likert": ("adequacy", "fluency"), "direct": ("quality",), "ranking": ("preference",)}
RANGES = {"likert": (1, 5), "direct": (0, 100), "ranking": (1, math.inf)}
PATIENCE = 10  # seconds that a writer waits for another one


@dataclass(frozen=True)
class Answer:
    """What one rater said in one round of one system's output of one item. More is better in all `scores`.

    `scores` maps each aspect of the scale to a number: "likert" has adequacy and fluency (1–5), "direct" has quality
    (0–100), "ranking" has preference (k for the best of k outputs; equals have the same). `output` is the text that was
    judged. Raises ValueError, naming the field, for what cannot be.
    """

    rater: str
    round: int
    scale: str
    item: str | int
    system: str
    output: str
    scores: dict[str, float]

    def __post_init__(self):
        for name in ("rater", "scale", "system", "output"):
            if not isinstance(value := getattr(self, name), str):
                raise ValueError(f"{name} must be a string, got {value!r:.40}")
        if not _is(self.item, str, int):
            raise ValueError(f"item must be a string or a whole number, got {self.item!r:.40}")
        if not _is(self.round, int) or self.round < 1:
            raise ValueError(f"round must be a whole number from 1, got {self.round!r:.40}")
        if self.scale not in ASPECTS:
            raise ValueError(f"scale must be one of {', '.join(ASPECTS)}, got {self.scale!r}")
        aspects, (low, high) = ASPECTS[self.scale], RANGES[self.scale]
        if not isinstance(self.scores, dict) or set(self.scores) != set(aspects):
            raise ValueError(f"scores must have {' and '.join(aspects)}, got {self.scores!r:.60}")
        for aspect, score in self.scores.items():
            if not (_is(score, int, float) and math.isfinite(score) and low <= score <= high):
                raise ValueError(f"{aspect} must be a number from {low} to {high}, got {score!r:.40}")
            if self.scale != "direct" and score != int(score):
                raise ValueError(f"{aspect} must be a whole number, got {score!r:.40}")

    @property
    def key(self) -> tuple:
        """What it is an answer to: a later answer with the same key takes its place."""
        return self.rater, self.round, self.scale, self.item, self.system

    def rating(self, aspect: str) -> Rating:
        """The score for one aspect, for the functions of `judgement`."""
        return Rating(self.rater, self.item, self.system, self.scores[aspect])


def save(path: str | os.PathLike, answers: Iterable[Answer]) -> None:
    """Add answers at the end of a file, all or none; the file and its folders are made where there are none.

    The file is replaced as a whole, under a lock that lies beside it: whoever reads sees no half line, and of several
    who write nobody loses one. Raises filelock.Timeout where another holds the lock for 10 seconds.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(asdict(answer), ensure_ascii=False) + "\n" for answer in answers)
    with FileLock(path.with_name(f".{path.name}.lock"), timeout=PATIENCE):
        before = path.read_bytes() if path.exists() else b""
        if before and not before.endswith(b"\n"):
            before += b"\n"
        with write_atomically(path, "wb") as file:
            file.write(before + lines.encode())


def read_answers(path: str | os.PathLike) -> list[Answer]:
    """All answers of a file, of any rater, scale and round; of an output that was judged again the last one.

    Empty lines are passed over. Raises FileNotFoundError, and ValueError with file and line for what is no answer.
    """
    answers: dict[tuple, Answer] = {}
    for number, line in enumerate(Path(path).read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            answer = _answer(line)
        except ValueError as why:
            raise ValueError(f"{os.fspath(path)}, line {number}: {why}") from None
        answers.pop(answer.key, None)
        answers[answer.key] = answer
    return list(answers.values())


def load(path: str | os.PathLike, aspect: str | None = None, *, round: int = 1) -> list[Rating]:
    """The ratings of one aspect that a file holds of one round, of all its raters.

    `aspect` is "adequacy", "fluency", "quality" or "preference"; it may be left out where the file has only one.
    Raises as `read_answers`, and ValueError for an aspect that is not in the file, and where one must be named.
    """
    answers = [answer for answer in read_answers(path) if answer.round == round]
    found = list(dict.fromkeys(name for answer in answers for name in answer.scores))
    if aspect is None and len(found) > 1:
        raise ValueError(f"aspect must be named: {os.fspath(path)} has {', '.join(found)}")
    if not found or aspect is not None and aspect not in found:
        has = f"has {', '.join(found)}" if found else "has no answers"
        raise ValueError(f"{os.fspath(path)} {has} in round {round}; asked for: {aspect or 'any aspect'}")
    chosen = aspect or found[0]
    return [answer.rating(chosen) for answer in answers if chosen in answer.scores]


def _answer(line: bytes) -> Answer:
    try:
        fields = json.loads(line.decode())
    except ValueError as why:
        raise ValueError(f"no JSON ({why}): {line[:60]!r}") from None
    if not isinstance(fields, dict):
        raise ValueError(f"an answer must be a JSON object, got {line[:60]!r}")
    names = list(Answer.__dataclass_fields__)
    if missing := [name for name in names if name not in fields]:
        raise ValueError(f"{', '.join(missing)} must be there, got only {', '.join(fields) or 'nothing'}")
    if other := [name for name in fields if name not in names]:
        raise ValueError(f"an answer has no field {', '.join(other)}")
    return Answer(**fields)


def _is(value: object, *kinds: type) -> bool:
    """True and False are no numbers here."""
    return isinstance(value, kinds) and not isinstance(value, bool)
