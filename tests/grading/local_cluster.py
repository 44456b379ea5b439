"""A cluster of dask.distributed on this machine: a scheduler, and workers that are processes of their own."""

import contextlib
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from distributed import Client

from .course import ROOT, clean_environment


class Local:
    """A scheduler, and workers that are processes of their own, each in an environment of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen] = []
        self.start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", self.folder / "scheduler.json")
        while not (folder / "scheduler.json").exists():
            assert self.processes[0].poll() is None, "the scheduler has ended"
            time.sleep(0.05)
        self.address = json.loads((folder / "scheduler.json").read_text())["address"]

    def start(self, what: str, *arguments: str | Path, **own: str) -> subprocess.Popen:
        """A process of the cluster, with variables of its own."""
        environment = clean_environment(self.folder / "home", **own)
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *map(str, arguments), "--host", "127.0.0.1"]
        log = (self.folder / f"{what}-{len(self.processes)}.log").open("w")
        self.processes.append(
            subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log, start_new_session=True)
        )
        return self.processes[-1]

    def worker(self, **own: str) -> subprocess.Popen:
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", **own)

    def wait_for(self, count: int) -> None:
        """Until so many workers are there."""
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=120)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@contextlib.contextmanager
def local(folder: Path) -> Iterator[Local]:
    folder.mkdir(exist_ok=True)
    made = Local(folder)
    try:
        yield made
    finally:
        made.close()


def another_course(folder: Path) -> Path:
    """A library with the course as it was before a file of it was changed."""
    ignored = shutil.ignore_patterns("*.safetensors", "__pycache__")
    shutil.copytree(ROOT / "course_lib", folder / "course_lib", ignore=ignored)
    with (folder / "course_lib/problem_sets/ps1/__init__.py").open("a") as file:
        file.write("# as it was\n")
    return folder


def no_course(folder: Path) -> Path:
    """A library by which the course is not installed."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import sys\nsys.modules['course_lib'] = None\n")
    return folder
