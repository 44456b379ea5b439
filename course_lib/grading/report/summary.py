"""What to say of a class: how marks lie, which criteria cost most, which mistakes are held by how many."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean, median

from course_lib.grading.registry import problem_set
from course_lib.grading.report.gather import PATTERNS
from course_lib.grading.report.records import Class, Judged, Work

BINS = 10
KINDS = {"right", "named", "pattern", "unwritten", "unnamed", "unknown", "not graded"}  # other words name a limit


@dataclass(frozen=True)
class Marks:
    """The marks of a class, as shares of the points; `bins[k]` counts those in [k/10, (k+1)/10), the last with 1."""

    count: int
    of: float
    mean: float
    median: float
    least: float
    most: float
    bins: tuple[int, ...]


@dataclass(frozen=True)
class Criterion:
    """How many students lost a criterion, and the share of its points that the class lost."""

    task: str
    title: str
    criterion: str
    says: str
    of: float
    students: int
    lost_by: int
    share: float
    blank: int


@dataclass(frozen=True)
class Mistake:
    """A mistake and who holds it. `alone`: how many whose work no other mistake explains; `lost`: points in all."""

    task: str
    title: str
    name: str
    hint: str
    named: bool  # on the task's own list
    students: int
    alone: int
    lost: float
    example: str | None


def marks(klass: Class) -> Marks | None:
    """The marks of all graded work; None where there is none."""
    shares = [work.mark / work.of for work in klass.works if work.of]
    if not shares:
        return None
    bins = Counter(min(int(share * BINS + 1e-9), BINS - 1) for share in shares)
    counts = tuple(bins[number] for number in range(BINS))
    largest = max(work.of for work in klass.works)
    return Marks(len(shares), largest, mean(shares), median(shares), min(shares), max(shares), counts)


def criteria(klass: Class) -> list[Criterion]:
    """Every criterion, the one that cost the largest share first."""
    rows = []
    for task in problem_set(klass.name).tasks:
        for criterion in task.criteria:
            tests = [test for test in _tests(klass) if (test.task, test.criterion) == (task.name, criterion.name)]
            if tests:
                lost = [test for test in tests if test.lost]
                share = sum(test.lost for test in lost) / (sum(test.of for test in tests) or 1)
                unwritten = sum(test.seen == "unwritten" for test in lost)
                about = (task.name, task.title, criterion.name, criterion.says, criterion.points)
                rows.append(Criterion(*about, len(tests), len(lost), share, unwritten))
    return sorted(rows, key=lambda row: -row.share)


def mistakes(klass: Class) -> list[Mistake]:
    """Every mistake that somebody holds: named ones first, then by students, then by the points that it cost."""
    rows = []
    for task in problem_set(klass.name).tasks:
        hints = {mistake.name: mistake.hint for mistake in task.misconceptions}
        hints = {words: hint for hint, words in PATTERNS.items()} | hints
        held = [(work, test) for work in klass.works for test in work.tests if test.task == task.name and test.lost]
        for name in dict.fromkeys(name for _, test in held for name in test.mistakes):
            mine = [(work, test) for work, test in held if name in test.mistakes]
            holders = {work.student: work for work, _ in mine}
            alone = {work.student for work, test in mine if test.mistakes == (name,)}
            rows.append(
                Mistake(
                    task=task.name,
                    title=task.title,
                    name=name,
                    hint=hints[name],
                    named=any(mistake.name == name for mistake in task.misconceptions),
                    students=len(holders),
                    alone=len(alone),
                    lost=sum(test.lost for _, test in mine),
                    example=_example([holders[s] for s in sorted(alone or holders)], task.name),
                )
            )
    return sorted(rows, key=lambda row: (not row.named, -row.students, -row.lost, row.task, row.name))


def seen(klass: Class) -> Counter[str]:
    """Of all tests that lost points, how many of each of KINDS, and how many met a "limit"."""
    return Counter(test.seen if test.seen in KINDS else "limit" for test in _tests(klass) if test.lost)


def limits(klass: Class) -> dict[str, list[str]]:
    """{limit, refusal or error: students whose work met it}, in tests or in their own cells."""
    met: dict[str, dict[str, None]] = {}
    for work in klass.works:
        for what in [*(test.seen for test in work.tests if test.seen not in KINDS), *work.stopped]:
            met.setdefault(what, {})[work.student] = None
    return {what: list(students) for what, students in sorted(met.items(), key=lambda each: -len(each[1]))}


def waits(klass: Class) -> dict[tuple[str, float | None], list[str]]:
    """{(why a person is needed, for how many points): students}, the reason of most students first."""
    grouped: dict[tuple[str, float | None], list[str]] = {}
    for wait in klass.waits:
        grouped.setdefault((wait.why, wait.points), []).append(wait.student)
    return dict(sorted(grouped.items(), key=lambda each: -len(each[1])))


def _tests(klass: Class) -> Iterable[Judged]:
    return (test for work in klass.works for test in work.tests)


def _example(works: list[Work], task: str) -> str | None:
    """The shortest code among those that hold a mistake: the one that shows most of it."""
    codes = [work.code[task] for work in works if work.code and work.code.get(task, "").strip()]
    return min(codes, key=lambda source: (len(source), source), default=None)
