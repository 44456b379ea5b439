"""What a class costs: the seconds that one more submission takes, here and in stock nbgrader.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_class [--sets ps1,ps4] [--more 4] [--json PATH]

Each course is graded by `nbgrader autograde` with FEW right submissions and with so many more; the difference, a
submission, is what is printed: all that is done once in a run (imports, the grader's kernel, drawing the cases) is in
neither. CPU seconds are those of nbgrader and of all kernels; wall seconds say something on an idle machine alone.
"""

import argparse
import datetime
import json
import os
import platform
import shutil
import tempfile
from pathlib import Path

from course_lib.files import write_atomically
from tests.benchmarks.bench_grading import graded, prepare
from tests.grading.course import BIN

FEW = 2  # submissions: each of two workers grades one
KINDS = ("stock", "isolated")


def marginal(folder: Path, kind: str, name: str, more: int) -> dict[str, float]:
    """Wall and CPU seconds of a submission beyond the first FEW."""
    course = prepare(folder, kind, name, FEW + more)
    command = [str(BIN / "nbgrader"), "autograde", name]
    many = graded(command, course, name)
    for number in range(FEW, FEW + more):
        shutil.rmtree(course / "submitted" / f"student-{number}")
    few = graded(command, course, name)
    return {which: (many[which] - few[which]) / more for which in few}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", default="ps1,ps4")
    parser.add_argument("--more", type=int, default=4)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    rows, load = [], os.getloadavg()[0]
    print(f"{'a submission of':<16} {'':<5} {'stock':>8} {'isolated':>9} {'ratio':>6}")
    for name in chosen.sets.split(","):
        with tempfile.TemporaryDirectory(prefix="course-", dir="/var/tmp") as folder:
            took = {kind: marginal(Path(folder), kind, name, chosen.more) for kind in KINDS}
        for which in ("cpu", "wall"):
            stock, isolated = (took[kind][which] for kind in KINDS)
            print(f"{name:<16} {which:<5} {stock:8.2f} {isolated:9.2f} {isolated / stock:6.2f}", flush=True)
        rows.append({"set": name} | took)
    command = f"python -m tests.benchmarks.bench_class --sets {chosen.sets} --more {chosen.more}"
    about = f"{command}, {platform.machine()}, Python {platform.python_version()}, {datetime.date.today()}"
    about += f", load {load:.1f} before"
    print(f"\n{about}")
    if chosen.json:
        with write_atomically(chosen.json) as file:
            json.dump({"about": about, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
