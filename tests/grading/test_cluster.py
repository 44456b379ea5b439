"""A cluster grades as this machine does, loses a worker without losing a grade, and uses no worker that is unfit."""

import gc
import logging
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from distributed import LocalCluster

from course_lib.grading.isolation.leftovers import sweep
from course_lib.grading.isolation.sandbox_check import Report
from course_lib.grading.nbgrader_hooks import cluster as clusters
from course_lib.grading.nbgrader_hooks.at_once import CannotGrade

from .at_work import kill_a_busy
from .attacks.attack import filled, save
from .attacks.run import copied, filled_in, honest
from .course import BIN, Course
from .local_cluster import another_course, local, no_course
from .test_isolation import leftovers
from .test_workers import HOSTILE

pytestmark = pytest.mark.xdist_group("cluster")


def small_class(prepared: Course, folder: Path, scheduler: str = "") -> Course:
    """Two who are honest, somebody hostile and somebody wrong; graded one at a time, or by a cluster."""
    course = copied(prepared, folder, {})
    with (course.folder / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.IsolatedAutograde.workers = 1\nc.IsolatedAutograde.scheduler = {scheduler!r}\n")
    submitted = course.folder / "submitted"
    save(submitted / "hostile" / "ps1", filled(honest(course), HOSTILE))
    save(submitted / "wrong" / "ps1", filled_in(course, "ps1.mistakes"))
    return course


def test_grades_are_those_of_one_at_a_time_though_a_worker_is_killed_and_others_are_unfit(prepared, tmp_path):
    one = small_class(prepared, tmp_path / "one" / "course")
    one.nbgrader("autograde", "ps1")
    with local(tmp_path / "cluster") as cluster:
        many = small_class(prepared, tmp_path / "many" / "course", cluster.address)
        fit = [psutil.Process(cluster.worker().pid) for _ in range(3)]
        cluster.worker(PYTHONPATH=str(another_course(tmp_path / "old")))
        cluster.worker(PYTHONPATH=str(no_course(tmp_path / "none")))
        cluster.worker(PATH=str(tmp_path))  # no program is found there, and so no bwrap
        cluster.wait_for(6)
        with (tmp_path / "log").open("w") as log:
            command = [BIN / "nbgrader", "autograde", "ps1"]
            grader = subprocess.Popen(command, cwd=many.folder, env=many.environment, stderr=log)
            while grader.poll() is None and not kill_a_busy(fit):
                time.sleep(0.02)
            assert grader.wait(timeout=600) == 0, (tmp_path / "log").read_text()
        said = (tmp_path / "log").read_text()
    assert "ended: it is graded again" in said and "4 of 4 students done" in said
    assert re.search(r"does not grade: the course is \w{12} there, \w{12} here", said)
    assert "does not grade: the course is not installed there as it is here" in said
    assert "does not grade: The sandbox does not work here: bwrap is not installed" in said
    assert said.count("does not grade") == 3
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


def test_a_worker_whose_course_was_changed_since_it_began_is_not_used(tiny, monkeypatch, caplog):
    monkeypatch.setattr(clusters.material, "course", lambda: b"newer, here and there")
    refused = pytest.raises(CannotGrade, match="None of the workers")
    with refused, clusters.cluster(tiny.scheduler_address, upper, "a", True, LOG) as at_work:
        at_work.begin("x", "b")
        at_work.next()
    assert "does not grade: its course was changed after it had begun. Start it again" in caplog.text


def test_where_the_last_fit_worker_is_lost_another_one_is_waited_for(tiny, monkeypatch, caplog):
    fit, unfit = Report({}, "", None), Report({}, "", "bubblewrap is missing")
    found = iter((fit, unfit, fit))
    monkeypatch.setattr(clusters, "probe", lambda: next(found))
    with clusters.cluster(tiny.scheduler_address, upper, "a", False, LOG) as at_work:
        assert at_work.free == 1
        for workers in (0, 1):  # the next one is unfit
            tiny.scale(workers)
            tiny.sync(tiny._correct_state)
            assert at_work.free == 1
        assert list(at_work.machines.values()) == [None]
        at_work.begin("x", "b")
        tiny.scale(2)
        assert at_work.next() == ("x", "AB")
    assert caplog.text.count("has no worker that grades: waiting for one") == 1


def test_a_worker_that_comes_later_is_waited_for_and_used(tiny, caplog):
    tiny.scale(0)
    tiny.sync(tiny._correct_state)
    with clusters.cluster(tiny.scheduler_address, upper, "a", True, LOG) as at_work:
        assert at_work.free == 1
        at_work.begin("x", "b")
        assert at_work.free == 0
        tiny.scale(1)
        assert at_work.next() == ("x", "AB")
    assert caplog.text.count("has no worker that grades: waiting for one") == 1


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
    said = course.nbgrader("autograde", "ps1", fails=True)
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
    [
        ("tcp://10.1.2.3:8786", True),
        ("10.1.2.3:8786", True),
        ("tcp://127.0.0.1.example.org:8786", True),
        ("tcp://127.0.0.1:8786", False),
        ("localhost:8786", False),
        ("tcp://[::1]:8786", False),
        ("tls://10.1.2.3:8786", False),
    ],
)
def test_an_address_without_encryption_is_warned_of(scheduler, warned, caplog, monkeypatch):
    def client(*_, **__):
        raise OSError("nobody")

    monkeypatch.setattr(clusters, "Connection", client)
    with pytest.raises(CannotGrade, match=re.escape(f"The scheduler {scheduler} does not answer: nobody")):
        clusters.Cluster(scheduler, upper, "a", True, LOG)
    assert ("is not encrypted" in caplog.text) == warned
