"""What a student receives: `make student` writes dist/course-student.zip, the same bytes from the same files."""

import fnmatch
import os
import subprocess
import sys
import zipfile
from pathlib import Path

from course_lib.files import write_atomically

TOP = "course-student"
FILES = ("README.md", "LICENSE", "environment.yml", "pyproject.toml", "Makefile", ".ci/constraints.txt")
FOLDERS = ("assignments", "course_lib", "lectures")
KEPT_BACK = (  # what only graders and maintainers run
    "course_lib/grading/hub/*",
    "course_lib/grading/isolation/*",
    "course_lib/grading/nbgrader_hooks/*",
    "course_lib/grading/cells.py",
    "course_lib/maintain/*",
    "course_lib/README.md",
    "course_lib/problem_sets/README.md",
)
OTHERS = {  # what students get in another version
    "Makefile": "course_lib/maintain/student_makefile.mk",
    "README.md": "lectures/README.md",
}


def course_files(root: Path) -> list[str]:
    """The course's own files below `root`, sorted, as "folder/name": those git tracks; without git, all not ignored."""
    if (root / ".git").exists():
        listing = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, encoding="utf-8")
        if listing.returncode == 0:
            return sorted(name for name in listing.stdout.split("\0") if (root / name).is_file())
    ignore = root / ".gitignore"
    lines = ignore.read_text(encoding="utf-8").splitlines() if ignore.is_file() else []
    ignored = [line.rstrip("/") for line in lines if line and not line.startswith("#")] + [".git"]
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if not any(fnmatch.fnmatch(f, pattern) for pattern in ignored)]
        kept = [f for f in files if not any(fnmatch.fnmatch(f, pattern) for pattern in ignored)]
        found += [(Path(folder) / name).relative_to(root).as_posix() for name in kept]
    return sorted(found)


def student_files(root: Path) -> list[str]:
    """Which of the course's files a student receives; raises FileNotFoundError if one of FILES is missing."""
    everything = course_files(root)
    if missing := [name for name in FILES if name not in everything]:
        raise FileNotFoundError(f"{root} must hold {', '.join(missing)} for the student's course")
    given = [name for name in everything if name in FILES or name.startswith(tuple(f"{f}/" for f in FOLDERS))]
    return [name for name in given if not any(fnmatch.fnmatch(name, pattern) for pattern in KEPT_BACK)]


def write_zip(root: Path, path: Path) -> int:
    """Write the student's course at `root` to the zip file `path`, whole or not at all; returns the number of files."""
    names = student_files(root)
    with write_atomically(path, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in names:
            entry = zipfile.ZipInfo(f"{TOP}/{name}", date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o100644 << 16  # a plain file, whichever system packs it
            packed.writestr(entry, (root / OTHERS.get(name, name)).read_bytes(), zipfile.ZIP_DEFLATED)
    return len(names)


def main(arguments: list[str]) -> None:
    """Write the zip to the path given, or to dist/course-student.zip."""
    root = Path(__file__).resolve().parents[2]
    path = Path(*arguments) if arguments else root / "dist" / f"{TOP}.zip"
    count = write_zip(root, path)
    print(f"{path}: {count} files, {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
