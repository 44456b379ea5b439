"""Attacks through the real `nbgrader autograde`: none gains a point, none costs anybody else one, every run ends."""

import os
import re
import time
from pathlib import Path

import pytest

from course_lib.grading.isolation.leftovers import GROUPS, NAME, TMP

from . import forks
from .attacks import RUNS
from .attacks.run import AFTER, BEFORE, LEAK

pytestmark = pytest.mark.xdist_group("isolation")  # one worker makes the runs, beside each other

STARTERS = (b"autograde", forks.__name__.encode(), b"pytest")  # what commands of graders and of tests have in them


def leftovers() -> set[str]:
    """Folders and control groups that graders which have ended left behind.

    Other tests kill graders at the same time: what these leave is gone once somebody has swept it.
    """
    for _ in range(300):
        found = (*TMP.glob("course-*"), *GROUPS.glob("course-*"), *GROUPS.glob("*/course-*"))
        names = ((path, NAME.fullmatch(path.name)) for path in found)
        left = {str(path) for path, name in names if name and not Path("/proc", name[1]).exists()}
        if not left:
            break
        time.sleep(0.1)
    return left


by_run = pytest.mark.parametrize("ran", RUNS, indirect=True)
by_attack = pytest.mark.parametrize(
    ("ran", "attack"),
    [pytest.param(run, attack, id=f"{run}-{attack.name}") for run, module in RUNS.items() for attack in module.ATTACKS],
    indirect=["ran"],
)


@by_attack
def test_an_attack_gains_nothing_and_is_graded_or_waits_by_name(ran, attack):
    assert ran.gained(attack) == (None if attack.waits else 0)


@by_attack
def test_an_attack_was_really_made_and_found_nothing(ran, attack):
    text = ran.log if attack.waits else ran.outcomes[attack.author].text
    assert ran.ran(attack), ran.log[-3000:] if attack.waits else ran.outcomes[attack.author].shown[:3000]
    assert LEAK not in text, re.findall(f".*{LEAK}.*", text)


@by_run
def test_honest_students_before_and_behind_get_what_they_deserve(ran):
    assert {student: ran.outcomes[student].points for student in (BEFORE, AFTER)} == {BEFORE: ran.full, AFTER: ran.full}


@by_run
def test_the_run_ends_well_and_reached_nobody(ran):
    assert ran.code == 0, ran.log[-3000:]
    assert "could be graded" not in ran.log, "an error of ours"
    assert not ran.reached
    assert not Path("/tmp/owned-course").exists()


@by_run
def test_nbgraders_own_process_stays_small(ran):
    assert ran.memory_mb < 800


@by_run
def test_nothing_is_left_behind(ran):
    assert leftovers() == set()
    assert not [
        pid for pid in os.listdir("/proc") if pid.isdigit() and uid(pid) in range(61_000, 65_000) and orphaned(pid)
    ]


def uid(pid: str) -> int | None:
    try:
        return Path("/proc", pid).stat().st_uid
    except OSError:
        return None


def orphaned(pid: str) -> bool:
    """Whether the process has lost the grader, or the test, that started its sandbox."""
    while pid not in ("0", "1"):
        try:
            command = Path("/proc", pid, "cmdline").read_bytes()
            if any(each in command for each in STARTERS):
                return False
            pid = re.search(r"PPid:\s*(\d+)", Path("/proc", pid, "status").read_text())[1]
        except OSError:
            return False
    return True
