"""Verdicts, and how people read them: one card for a criterion, a table for a task. All of a student's is escaped."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from html import escape
from typing import Any

MIME = "application/vnd.course.verdict+json"  # a verdict as data: only the grader's kernel can put it into a test cell
_BOX = "border-left:4px solid {colour};padding:.3em .8em;margin:.3em 0;color:var(--jp-content-font-color1,inherit)"
_GREEN, _RED = "#2e7d32", "#b3261e"


@dataclass(frozen=True)
class Verdict:
    """What one criterion earned and why: `message` says what was seen, `case` on which input, `hint` what it means."""

    task: str
    criterion: str
    says: str
    points: float
    of: float
    message: str
    case: str | None = None
    misconception: str | None = None
    hint: str | None = None
    seed: str = "public"
    arguments: tuple | None = field(
        default=None, repr=False, compare=False
    )  # of the case that failed, if it is visible

    @property
    def passed(self) -> bool:
        return self.points == self.of

    def __repr__(self) -> str:
        return f"{self.points:g}"  # nbgrader reads the score of a grade cell from here

    def __str__(self) -> str:
        """What print shows: as the card, in lines."""
        head = f"{_mark(self)} {self.task} · {self.criterion} {self.points:g} of {self.of:g} points: {self.says}"
        seen = {"Seen": self.message, "On": self.case, "Hint": self.hint} if not self.passed else {}
        return "\n".join([head, *(f"{name}: {text}" for name, text in seen.items() if text)])

    def _repr_mimebundle_(self, **_) -> dict[str, Any]:
        told = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "arguments"}
        return {"text/plain": repr(self), "text/html": card(self), MIME: told}


def card(verdict: Verdict) -> str:
    """One criterion: mark, points, what it asks, what was seen, on which case, the hint."""
    return f'<div role="status" style="{_BOX.format(colour=_colour(verdict))}">{_head(verdict)}{_body(verdict)}</div>'


def table(title: str, verdicts: Sequence[Verdict]) -> str:
    """Every criterion of a task, a row each."""
    rows = "".join(
        f'<tr><td style="text-align:left;white-space:nowrap;border-left:4px solid {_colour(v)}">{_mark(v)} '
        f"<b>{escape(v.criterion)}</b></td><td>{v.points:g} / {v.of:g}</td>"
        f'<td style="text-align:left">{escape(v.says)}{_body(v)}</td></tr>'
        for v in verdicts
    )
    left = 'style="text-align:left"'
    head = f"<tr><th {left}>criterion</th><th>points</th><th {left}>what it asks</th></tr>"
    earned, of = sum(v.points for v in verdicts), sum(v.of for v in verdicts)
    caption = f"<caption {left}>{escape(title)}: {earned:g} of {of:g} points on the visible cases</caption>"
    return f"<table>{caption}<thead>{head}</thead><tbody>{rows}</tbody></table>"


def _colour(verdict: Verdict) -> str:
    return _GREEN if verdict.passed else _RED


def _mark(verdict: Verdict) -> str:
    return "✓" if verdict.passed else "✗"


def _head(verdict: Verdict) -> str:
    seed = "visible cases" if verdict.seed == "public" else f"hidden cases, seed {verdict.seed}"
    return (
        f"{_mark(verdict)} <b>{escape(verdict.task)} · {escape(verdict.criterion)}</b> "
        f"{verdict.points:g} of {verdict.of:g} points ({seed})<br>{escape(verdict.says)}"
    )


def _body(verdict: Verdict) -> str:
    if verdict.passed:
        return ""
    parts = [f"<br><b>Seen:</b> {escape(verdict.message)}"]
    if verdict.case:
        parts.append(f"<br><b>On:</b> {escape(verdict.case)}")
    if verdict.hint:
        parts.append(f"<br><b>Hint:</b> {escape(verdict.hint)}")
    return "".join(parts)
