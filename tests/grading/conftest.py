"""The course of the attacks is prepared once, and every run of nbgrader over them made once, for all their tests."""

from collections.abc import Callable

import pytest

from course_lib.grading import engine
from course_lib.grading.isolation.sandbox_check import probe

from .attacks import RUNS
from .attacks.run import FEW, Run, copied, grade, prepare
from .course import Course


@pytest.fixture(autouse=True)
def time_for_hints(monkeypatch):
    """Tests ask which hint is given, not how busy the machine is."""
    monkeypatch.setattr(engine, "HINT_SECONDS", 300.0)


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> Course:
    """A course with a few tasks of ps1 and two honest submissions, to be copied."""
    return prepare(tmp_path_factory.mktemp("prepared") / "course", tasks=FEW)


@pytest.fixture(scope="session")
def attacked(prepared, tmp_path_factory) -> Callable[[str], Run]:
    """`attacked("wall")` is the graded run of that module of attacks, made for the first test that asks."""
    runs: dict[str, Run] = {}

    def run(name: str) -> Run:
        if name not in runs:
            assert probe().problem is None, f"the attacks need a working sandbox: {probe().problem}"
            course = copied(prepared, tmp_path_factory.mktemp(name) / "course", RUNS[name].LIMITS)
            runs[name] = grade(course, RUNS[name].ATTACKS)
        return runs[name]

    return run
