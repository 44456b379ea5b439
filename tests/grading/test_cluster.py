"""A cluster grades as this machine does, loses a worker without losing a grade, and uses no worker that is unfit."""

import contextlib
import gc
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from course_lib.grading.isolation.leftovers import sweep
from course_lib.grading.isolation.sandbox_check import Report
from course_lib.grading.nbgrader_hooks import cluster as clusters
from course_lib.grading.nbgrader_hooks.at_once import CannotGrade

from .at_work import busy
from .attacks.attack import filled, save
from .attacks.run import copied, filled_in, honest
from .course import BIN, ROOT, Course, clean_environment, run
from .test_isolation import leftovers
from .test_workers import HOSTILE

pytestmark = pytest.mark.xdist_group("cluster")


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

    def start(self, what: str, *arguments: str | Path, library: Path | None = None) -> subprocess.Popen:
        """A process of the cluster; with `library`, it imports the course from there."""
        own = {"PYTHONPATH": str(library)} if library else {}
        environment = clean_environment(self.folder / "home", **own)
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *map(str, arguments), "--host", "127.0.0.1"]
        log = (self.folder / f"{what}-{len(self.processes)}.log").open("w")
        self.processes.append(
            subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log, start_new_session=True)
        )
        return self.processes[-1]

    def worker(self, **more) -> subprocess.Popen:
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", **more)

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


def small_class(prepared: Course, folder: Path, scheduler: str = "") -> Course:
    """Two who are honest, somebody hostile and somebody wrong; graded one at a time, or by a cluster."""
    course = copied(prepared, folder, {})
    with (course.folder / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.IsolatedAutograde.workers = 1\nc.IsolatedAutograde.scheduler = {scheduler!r}\n")
    submitted = course.folder / "submitted"
    save(submitted / "hostile" / "ps1", filled(honest(course), HOSTILE))
    save(submitted / "wrong" / "ps1", filled_in(course, "ps1.mistakes"))
    return course


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


def test_grades_are_those_of_one_at_a_time_though_a_worker_is_killed_and_others_are_unfit(prepared, tmp_path):
    one = small_class(prepared, tmp_path / "one" / "course")
    one.nbgrader("autograde", "ps1")
    with local(tmp_path / "cluster") as cluster:
        many = small_class(prepared, tmp_path / "many" / "course", cluster.address)
        pids = [cluster.worker().pid for _ in range(3)]
        cluster.worker(library=another_course(tmp_path / "old"))
        cluster.worker(library=no_course(tmp_path / "none"))
        cluster.wait_for(5)
        with (tmp_path / "log").open("w") as log:
            command = [BIN / "nbgrader", "autograde", "ps1"]
            grader = subprocess.Popen(command, cwd=many.folder, env=many.environment, stderr=log)
            while grader.poll() is None and not any(map(busy, pids)):
                time.sleep(0.02)
            os.kill(next(filter(busy, pids)), signal.SIGKILL)
            assert grader.wait(timeout=600) == 0, (tmp_path / "log").read_text()
        said = (tmp_path / "log").read_text()
    assert "ended: it is graded again" in said and "4 of 4 students done" in said
    assert re.search(r"does not grade: the course is \w{12} there, \w{12} here", said)
    assert "does not grade: the course is not installed there as it is here" in said
    assert one.grades("ps1") == many.grades("ps1") and len(many.grades("ps1")) == 4
    assert one.outputs("ps1") == many.outputs("ps1") and one.comments("ps1") == many.comments("ps1")
    sweep()
    assert leftovers() == set()


def upper(material: str, submitted: str) -> str:
    """Stands for the grading of a submission."""
    return (material + submitted).upper()


@pytest.fixture
def tiny() -> Iterator[LocalCluster]:
    """A scheduler and a worker in threads of this process."""
    about = {"dashboard_address": None, "worker_dashboard_address": None}
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", **about) as made:
        yield made


LOG = logging.getLogger("cluster")


def test_a_worker_without_a_sandbox_is_not_used_unless_submissions_are_trusted(tiny, monkeypatch, caplog):
    monkeypatch.setattr(clusters, "probe", lambda: Report({}, "", "bubblewrap is missing"))
    refused = pytest.raises(CannotGrade, match=f"None of the workers of {tiny.scheduler_address} can grade")
    with refused, clusters.cluster(tiny.scheduler_address, upper, "a", False, LOG) as at_work:
        at_work.begin("x", "b")
        at_work.next()
    assert re.search("tcp://.* does not grade: The sandbox does not work here: bubblewrap is missing", caplog.text)
    with clusters.cluster(tiny.scheduler_address, upper, "a", True, LOG) as at_work:
        assert at_work.free == 1
        at_work.begin("x", "b")
        assert at_work.next() == ("x", "AB")


def test_a_worker_that_comes_later_is_waited_for_and_used(tiny, caplog):
    tiny.scale(0)
    tiny.sync(tiny._correct_state)
    with clusters.cluster(tiny.scheduler_address, upper, "a", True, LOG) as at_work:
        assert at_work.free == 1
        at_work.begin("x", "b")
        assert at_work.free == 0
        tiny.scale(1)
        assert at_work.next() == ("x", "AB")
    assert caplog.text.count("has no worker: waiting for one") == 1


def test_a_scheduler_that_ends_ends_the_run_by_a_message(tiny):
    with clusters.cluster(tiny.scheduler_address, upper, "a", True, LOG) as at_work:
        tiny.close()
        with pytest.raises(CannotGrade, match="is gone. What was graded is kept: the same command goes on from there"):
            at_work.begin("x", "b")
            at_work.next()


@pytest.mark.parametrize("scheduler", ["nonsense://localhost:8786", "tls://localhost:8786"])
def test_a_scheduler_that_cannot_be_called_is_said_to_be_so(scheduler, capfd):
    with pytest.raises(CannotGrade, match=f"The scheduler {scheduler} does not answer: "):
        clusters.Cluster(scheduler, upper, "a", True, LOG)
    gc.collect()
    assert "Traceback" not in capfd.readouterr().err


def test_a_cluster_that_cannot_grade_changes_nothing_and_fails(prepared, tmp_path):
    course = small_class(prepared, tmp_path / "course", "nonsense://localhost:8786")
    said = run(BIN / "nbgrader", "autograde", "ps1", cwd=course.folder, env=course.environment, fails=True)
    assert "The scheduler nonsense://localhost:8786 does not answer: " in said and "Traceback" not in said
    assert course.grades("ps1") == {}


def test_what_differs_is_named():
    here = clusters.versions()
    assert clusters.differences(here) is None and set(here) == {"the course", "Python", "torch", "numpy"}
    said = clusters.differences(here | {"torch": "1.0"})
    assert said == f"torch is {here['torch']} there, 1.0 here. Install the same on all machines"
    assert clusters.unfit(here | {"torch": "1.0"}, True) == said


@pytest.mark.parametrize(
    "scheduler, warned",
    [("tcp://10.1.2.3:8786", True), ("tcp://127.0.0.1:8786", False), ("tls://10.1.2.3:8786", False)],
)
def test_an_address_without_encryption_is_warned_of(scheduler, warned, caplog, monkeypatch):
    def client(*_, **__):
        raise OSError("nobody")

    monkeypatch.setattr(clusters, "Connection", client)
    with pytest.raises(CannotGrade, match=f"The scheduler {scheduler} does not answer: nobody"):
        clusters.Cluster(scheduler, upper, "a", True, LOG)
    assert ("is not encrypted" in caplog.text) == warned
