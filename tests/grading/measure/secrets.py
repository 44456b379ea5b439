"""`python -m tests.grading.measure.secrets ps2 --secrets 1000`: what honest solutions lose under many secrets.

A case is decidable if no honest way to compute changes what is right: then every number in the last column is 0. What
has been tried is kept in a file, so that a run that was stopped goes on where it stood.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from tqdm import tqdm

from course_lib.files import write_atomically
from course_lib.grading.boundary.proxy import Student
from course_lib.grading.boundary.student_side import Objects
from course_lib.grading.task import Task
from course_lib.grading.trial import attempt

from .chosen import arguments, tasks
from .honest import honest

ROOT = Path(__file__).resolve().parents[3]


def secret(number: int) -> bytes:
    """The key of that number."""
    return number.to_bytes(32, "big")


class Direct(Student):
    """An honest function, called without the boundary, which takes most of the time: it changes no argument."""

    def __init__(self, function: Callable) -> None:
        self._objects, self._function = Objects({}), function
        super().__init__(self._objects.answer, self._objects.hold(function))

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)

    def forbid(self, names: tuple[str, ...]) -> None:
        pass

    def lend(self, sources: dict[str, str], names: tuple[str, ...]) -> None:
        pass


def lost(task: Task, function: Callable, key: bytes) -> list[str]:
    """What an honest `function` loses on the cases graded under `key`: a criterion and what was said, for each."""
    trials = (attempt(task, criterion, Direct(function), key, visible=False) for criterion in task.criteria)
    return [f"{trial.criterion.name}: {trial.says}" for trial in trials if trial.failed]


def losses(task: Task, secrets: Sequence[int]) -> list[str]:
    """Every loss of an honest version of `task` under the secrets of these numbers."""
    versions = list(honest(task))
    return [
        f"{version}, secret {number}: {loss}"
        for number in secrets  # the cases of one secret are drawn once for all
        for version, function in versions
        for loss in lost(task, function, secret(number))
    ]


def code(name: str) -> str:
    """A digest of the code that the result depends on: with other code, all is tried anew."""
    files = {*imported(f"course_lib.problem_sets.{name}"), *(ROOT / "tests/problem_sets" / name).glob("*.py")}
    return sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()


@lru_cache(maxsize=16)
def imported(module: str) -> list[Path]:
    """The files of the course that a fresh Python has read once it has imported `module` and the engine."""
    ask = (
        f"import sys, {module}, course_lib.grading.trial\n"
        "for name, found in sorted(sys.modules.items()):\n"
        "    if name.partition('.')[0] == 'course_lib' and found.__file__: print(found.__file__)"
    )
    told = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    return [Path(line) for line in told.stdout.splitlines()]


def tried(task: Task, count: int, kept: Path) -> list[str]:
    """The losses of a task under the first `count` secrets.

    They are written to `kept` after every secret; what stands there already, for the same code, is not tried again.
    """
    digest = code(task.name.partition(".")[0])
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    if known.get("code") != digest:
        known = {"code": digest, "secrets": 0, "lost": []}
    left = range(known["secrets"], count)
    for number in tqdm(left, desc=task.name, initial=known["secrets"], total=count, disable=None):  # no bar in a file
        known["lost"] += losses(task, [number])
        known["secrets"] = number + 1
        with write_atomically(kept) as file:
            json.dump(known, file)
    return known["lost"]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--secrets", type=int, default=1000)
    chosen = parser.parse_args()
    print("| task | honest versions | secrets | lost |\n|-|-|-|-|")
    for task in tasks(chosen.names):
        found = tried(task, chosen.secrets, ROOT / "build" / f"secrets_{task.name}.json")
        cells = task.name, len(list(honest(task))), chosen.secrets, len(found)
        print("|", " | ".join(map(str, cells)), "|", *found[:5], flush=True)


if __name__ == "__main__":
    main()
