"""What isolation costs: one submission of ps1 graded in two kernels, and by stock nbgrader; and how long check() takes.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_grading [--rounds 3] [--json PATH]

Both grade the same right solution by `nbgrader autograde`, round-robin, each in a course of its own; a figure is the
best round's. CPU seconds, of nbgrader and all kernels, stand beside wall seconds; they are read ten times a second from
/proc, for nobody waits for a kernel that is killed. The parts are wall seconds: each is what is left of it without the
parts within it.
"""

import argparse
import contextlib
import datetime
import functools
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from course_lib.files import write_atomically
from tests.grading.course import ROOT, Course

SET = "ps1"
STOCK = """
import os, sys
c = get_config()
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
c.CourseDirectory.course_id = "seq2seq"
c.CourseDirectory.source_directory, c.CourseDirectory.release_directory = "solutions", "assignments"
c.GenerateAssignment.force = True
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError  # your turn"}
os.environ["COURSE_SECRET"] = os.path.abspath(".course_secret")
"""
PARTS = ("nbgrader's imports", "kernels start", "student's cells", "tests", "saving grades", "the rest")


class Clock:
    """Exclusive wall seconds of functions that may call each other: a part's time stops while an inner part's runs."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.running: list[str] = ["the rest"]
        self.since = time.perf_counter()

    def _note(self) -> None:
        now = time.perf_counter()
        self.seconds[self.running[-1]] += now - self.since
        self.since = now

    @contextlib.contextmanager
    def part(self, name: str):
        self._note()
        self.running.append(name)
        try:
            yield
        finally:
            self._note()
            self.running.pop()

    def watch(self, owner: type, method: str, name: str) -> None:
        """Count calls of `owner.method` as part `name`."""
        inner = getattr(owner, method)

        @functools.wraps(inner)
        def outer(*arguments, **keywords):
            with self.part(name):
                return inner(*arguments, **keywords)

        setattr(owner, method, outer)


def grade(kind: str) -> dict[str, float]:
    """Grade the course in the working folder in this process; seconds by part."""
    clock = Clock()
    with clock.part("nbgrader's imports"):
        from nbgrader.apps.nbgraderapp import NbGraderApp
        from nbgrader.preprocessors import Execute, SaveAutoGrades
    clock.watch(SaveAutoGrades, "preprocess", "saving grades")
    if kind == "stock":
        watch_stock(clock, Execute)
    else:
        from course_lib.grading.isolation.grader_kernel import GraderKernel
        from course_lib.grading.isolation.student_kernel import StudentKernel

        for owner, method, name in (
            (GraderKernel, "__init__", "kernels start"),
            (GraderKernel, "begin", "kernels start"),
            (StudentKernel, "start", "kernels start"),
            (StudentKernel, "stop", "kernels start"),
            (StudentKernel, "run", "student's cells"),
            (GraderKernel, "run", "student's cells"),
            (GraderKernel, "test", "tests"),
        ):
            clock.watch(owner, method, name)
    with contextlib.suppress(SystemExit):
        NbGraderApp.launch_instance(["autograde", SET])
    clock._note()
    return clock.seconds


def watch_stock(clock: Clock, execute: type) -> None:
    """Stock nbgrader runs all cells in one kernel, and what is left of their execution is its start."""
    from nbgrader.utils import is_grade, is_solution

    run_cell = execute.preprocess_cell

    def timed(self, cell, resources, index):
        test = cell.cell_type == "code" and is_grade(cell) and not is_solution(cell)
        with clock.part("tests" if test else "student's cells"):
            return run_cell(self, cell, resources, index)

    execute.preprocess_cell = timed
    clock.watch(execute, "preprocess", "kernels start")


def run(kind: str, folder: Path) -> dict[str, float]:
    """One submission graded in a fresh process: wall and CPU seconds, and the parts."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_grading", "--inside", kind]
    return graded(command, folder, SET) | json.loads((folder / "parts.json").read_text())


def graded(command: list[str], folder: Path, name: str) -> dict[str, float]:
    """Wall and CPU seconds of a command that grades everything in `submitted/` anew; RuntimeError if it does not."""
    for made in ("autograded", "received"):
        shutil.rmtree(folder / made, ignore_errors=True)
    began, seen = time.perf_counter(), {}
    environment = Course(folder).environment | {"PYTHONPATH": str(ROOT)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        while process.poll() is None:
            for each in below(process.pid):
                seen[each.pid] = used(each) or seen.get(each.pid, 0.0)
            time.sleep(0.1)
    wall, cpu = time.perf_counter() - began, sum(seen.values())
    students = [path.parent.name for path in folder.glob(f"submitted/*/{name}")]
    if not all((folder / "autograded" / student / name / f"{name}.ipynb").exists() for student in students):
        raise RuntimeError((folder / "log").read_text())
    return {"wall": wall, "cpu": cpu}


def below(pid: int) -> list[psutil.Process]:
    """A process and all that come from it; none if it has ended."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def used(process: psutil.Process) -> float:
    """Seconds that a process has computed so far; 0 if it has ended."""
    try:
        return sum(process.cpu_times()[:2])
    except psutil.Error:
        return 0.0


def prepare(folder: Path, kind: str, name: str = SET, students: int = 1) -> Path:
    """A course with so many right submissions, released under its own configuration."""
    from course_lib.grading.registry import problem_set
    from tests.grading.sample_class import build, solved

    course = Course.create(folder / kind)
    if kind == "stock":
        (course.folder / "nbgrader_config.py").write_text(STOCK)
        (course.folder / ".course_secret").write_text("00" * 32)
    course.nbgrader("generate_assignment", name)
    right = solved(problem_set(name), f"{name}.loops")
    build(course.folder, name, {f"student-{number}": right for number in range(students)})
    return course.folder


def latencies() -> dict[str, float]:
    """Milliseconds of `check(task, function)` for each task, all criteria, the best of three, with a right solution."""
    from course_lib.grading import check
    from course_lib.grading.registry import problem_set
    from tests.problem_sets.ps1 import loops

    found = {}
    for task in problem_set(SET).tasks:
        function = getattr(loops, task.name.partition(".")[2])
        times = []
        for _ in range(3):
            began = time.perf_counter()
            check(task.name, function)
            times.append(1000 * (time.perf_counter() - began))
        found[task.name] = min(times)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.inside:
        Path("parts.json").write_text(json.dumps(grade(chosen.inside)))
        return
    with tempfile.TemporaryDirectory(prefix="course-", dir="/var/tmp") as name:
        folders = {kind: prepare(Path(name), kind) for kind in ("stock", "isolated")}
        rounds = [{kind: run(kind, folder) for kind, folder in folders.items()} for _ in range(chosen.rounds)]
    best = {kind: min((each[kind] for each in rounds), key=lambda r: r["wall"]) for kind in folders}
    cpu = {kind: min(each[kind]["cpu"] for each in rounds) for kind in folders}
    print(f"{'seconds':<20} {'stock':>8} {'isolated':>9} {'ratio':>6}")
    for part in ("wall", "cpu", *PARTS):
        stock, isolated = (cpu[k] if part == "cpu" else best[k][part] for k in ("stock", "isolated"))
        ratio = f"{isolated / stock:6.2f}" if part in ("wall", "cpu") else ""
        print(f"{part:<20} {stock:8.2f} {isolated:9.2f} {ratio}")
    checks = latencies()
    print("\ncheck(task, function), all criteria, milliseconds")
    for task, milliseconds in checks.items():
        print(f"{task:<28} {milliseconds:8.1f}")
    about = f"{' '.join(sys.argv)}, {platform.machine()}, Python {platform.python_version()}, {datetime.date.today()}"
    print(f"\n{about}")
    if chosen.json:
        with write_atomically(chosen.json) as file:
            json.dump({"about": about, "rounds": rounds, "check_ms": checks}, file, indent=1)


if __name__ == "__main__":
    main()
