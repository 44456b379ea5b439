"""What the sandbox sees of the course: this list, and nothing else of it."""

import shutil
from pathlib import Path

import course_lib

from .sandbox import ABSENT

COURSE = Path(course_lib.__file__).parent

ALLOWED = (
    *("__init__.py", "device.py", "files.py", "settings.py"),
    *("corpora/__init__.py", "corpora/stories.py", "corpora/story_texts"),
)
GRADING = {  # file in the sandbox's course_lib/grading: where it comes from
    "__init__.py": "grading/isolation/inside/grading.py",
    "serve.py": "grading/isolation/inside/serve.py",
    "wire.py": "grading/isolation/wire.py",
    "objects.py": "grading/objects.py",
    "codec.py": "grading/codec.py",
    "forbid.py": "grading/forbid.py",
}


def build(folder: Path) -> None:
    """Copy the allowed part of the course to `folder`/course_lib."""
    for name in ALLOWED:
        copy(COURSE / name, folder / "course_lib" / name)
    for name, source in GRADING.items():
        copy(COURSE / source, folder / "course_lib" / "grading" / name)
    copy(COURSE / "grading/isolation/inside/absent.py", folder / ABSENT)


def copy(source: Path, target: Path) -> None:
    """Copy a file, or a folder without what Python cached in it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(source, target)
