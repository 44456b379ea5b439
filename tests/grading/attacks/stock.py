"""The attacks through nbgrader as it comes, one student a run: by hand, inside a sandbox of its own, for they succeed."""

import json
import subprocess
import sys
import tempfile
from datetime import date
from importlib.metadata import version
from pathlib import Path

from course_lib.files import write_atomically
from course_lib.grading.isolation import enforce

from ..course import BIN, ROOT, Course
from . import RUNS
from .attack import Attack
from .run import deserved, outcomes, prepare, released

SECONDS = 120  # for one student
CONFIG = """
import os
from pathlib import Path
HERE = Path.cwd()
c = get_config()
c.CourseDirectory.root = str(HERE)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "assignments"
c.CourseDirectory.course_id = "seq2seq"
c.ExecutePreprocessor.timeout = 10
os.environ["COURSE_SECRET"] = str(HERE / ".course_secret")
"""


def record(names: list[str], path: Path) -> None:
    """Write what each attack of these runs gains to `path`, beside what was recorded of the others."""
    known = json.loads(path.read_text()) if path.exists() else {"gained": {}}
    for name in names:
        with tempfile.TemporaryDirectory(prefix="stock-") as folder:
            course = prepare(Path(folder) / "course")
            (course.folder / "nbgrader_config.py").write_text(CONFIG)
            known["gained"][name] = {attack.name: gained(course, attack) for attack in RUNS[name].ATTACKS}
        known |= {
            "command": "python -m tests.grading.isolation_table --stock",
            "versions": {"nbgrader": version("nbgrader"), "python": sys.version.split()[0]},
            "date": date.today().isoformat(),
        }
        with write_atomically(path) as file:
            json.dump(known, file, indent=1)


def gained(course: Course, attack: Attack) -> float | None:
    """The points of one attack beyond what it deserves; None if its author ends without a grade."""
    facts = {"@PORT@": "1", "@ABSTRACT@": "none", "@COURSE@": str(course.folder), "@PROJECT@": str(ROOT)}
    attack.hand_in(course.folder / "submitted" / attack.author / "ps1", released(course), facts)
    wall = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--ro-bind", "/", "/"]
    wall += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", *[str(course.folder.parent)] * 2]
    command = [*wall, "--", str(BIN / "nbgrader"), "autograde", "ps1", f"--student={attack.author}"]
    if (group := enforce.group(4 << 30, 512)) is None:
        raise RuntimeError("no control group can be made here, and some attacks take all memory: run it as root")
    try:
        subprocess.run(
            command,
            cwd=course.folder,
            env=course.environment,
            capture_output=True,
            timeout=SECONDS,
            preexec_fn=group.join,
        )
    except subprocess.TimeoutExpired:
        return None
    finally:
        group.close()
    outcome = outcomes(course).get(attack.author)
    return (
        None if outcome is None or outcome.points is None else outcome.points - min(attack.deserves, deserved(course))
    )
