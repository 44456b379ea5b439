"""What a report keeps of a class: plain records."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Judged:
    """What came of one test of one student. `mistakes` are names; with several, each explains all that was seen.

    `seen` is "right", "named", "pattern" (a hint without a name), "unwritten", "unnamed", "unknown" (no verdict is
    stored), "not graded", or a limit or refusal of trouble.py.
    """

    task: str  # "ps1.learn_merges"
    criterion: str
    points: float
    of: float
    seen: str
    mistakes: tuple[str, ...] = ()
    by_hand: bool = False

    @property
    def lost(self) -> float:
        return max(self.of - self.points, 0.0)


@dataclass(frozen=True)
class Wait:
    """Work that needs a person, and why."""

    student: str
    why: str
    points: float | None = None


@dataclass(frozen=True)
class Work:
    """One student's submission. `code` holds the solution cell of each task, `stopped` what its cells ran into."""

    student: str
    points: float
    of: float
    tests: tuple[Judged, ...]
    late_hours: float = 0.0
    late_points: float = 0.0
    code: dict[str, str] | None = None  # None: its graded notebook is gone
    stopped: tuple[str, ...] = ()
    waits: tuple[Wait, ...] = ()

    @property
    def mark(self) -> float:
        return max(self.points - self.late_points, 0.0)


@dataclass(frozen=True)
class Class:
    """All that was handed in for a problem set. `missing` are students of the gradebook who handed in nothing."""

    name: str
    works: tuple[Work, ...]
    ungraded: tuple[Wait, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def waits(self) -> list[Wait]:
        return [*self.ungraded, *(wait for work in self.works for wait in work.waits)]
