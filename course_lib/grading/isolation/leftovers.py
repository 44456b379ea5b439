"""What a grader makes outside the course's folder, and how the next one removes what a killed one left behind."""

import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil

from course_lib.grading.isolation import enforce

TMP, GROUPS = Path("/tmp"), Path("/sys/fs/cgroup")
NAME = re.compile(r"course-(\d+)-\w+")  # folders and control groups bear the number of the process that made them


def folder() -> Path:
    """A new folder of this process; its path is short, for a socket's has at most 107 characters."""
    return Path(tempfile.mkdtemp(prefix=f"course-{os.getpid()}-", dir=TMP))


def sweep() -> None:
    """Remove folders and control groups of processes that are no more."""
    for path in (*TMP.glob("course-*"), *GROUPS.glob("course-*"), *GROUPS.glob("*/course-*")):
        name = NAME.fullmatch(path.name)
        with suppress(OSError):  # somebody else's, or swept by another grader now
            if name is None or alive(int(name[1])) or path.lstat().st_uid != os.getuid():
                continue
            if path.is_relative_to(GROUPS):
                enforce.remove(path)
            elif not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)


def alive(pid: int) -> bool:
    """Whether there is such a process, and not only what is left of it until its parent asks how it ended."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
