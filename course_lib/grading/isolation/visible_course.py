"""What the sandbox sees of the course: this list, and nothing else of it."""

import json
import platform
import shutil
from pathlib import Path

import course_lib
from course_lib.grading.boundary import visible_packages
from course_lib.grading.isolation import seccomp

COURSE = Path(course_lib.__file__).parent

ALLOWED = (
    *("__init__.py", "files.py", "settings.py", "training/__init__.py", "training/device.py"),
    *("corpora/__init__.py", "corpora/stories.py", "corpora/story_texts"),
)
GRADING = {  # file in the sandbox's course_lib/grading: where it comes from
    "__init__.py": "isolation/inside/grading.py",
    "serve.py": "isolation/inside/serve.py",
    "stand_in.py": "isolation/inside/stand_in.py",
    "warm.py": "isolation/inside/warm.py",
    **{f"boundary/{name}": f"boundary/{name}" for name in ("__init__.py", "codec.py", "forbid.py", "messages.py")},
    **{f"boundary/{name}": f"boundary/{name}" for name in ("stand_in.py", "student_side.py", "timelimit.py")},
}


def build(folder: Path) -> None:
    """Copy the allowed part of the course to `folder`/course_lib, with the names of the packages that are absent."""
    for name in ALLOWED:
        copy(COURSE / name, folder / "course_lib" / name)
    for name, source in GRADING.items():
        copy(COURSE / "grading" / source, folder / "course_lib" / "grading" / name)
    (folder / "course_lib/grading/absent.json").write_text(json.dumps(visible_packages.absent()))
    if seccomp.file() is not None:
        for name, program in ("wall", seccomp.program), ("no_processes", seccomp.no_processes):
            (folder / f"course_lib/grading/{name}.bpf").write_bytes(program(platform.machine()))


def copy(source: Path, target: Path) -> None:
    """Copy a file, or a folder without what Python cached in it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(source, target)
