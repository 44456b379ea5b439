"""Every run of nbgrader over attacks is made once for all tests that look at it."""

from collections.abc import Callable

import pytest

from course_lib.grading.isolation.sandbox_check import probe

from .attacks import RUNS
from .attacks.run import Run, grade, prepare


@pytest.fixture(scope="session")
def attacked(tmp_path_factory) -> Callable[[str], Run]:
    """`attacked("wall")` is the graded run of that module of attacks, made for the first test that asks."""
    runs: dict[str, Run] = {}

    def run(name: str) -> Run:
        if name not in runs:
            assert probe().problem is None, f"the attacks need a working sandbox: {probe().problem}"
            course = prepare(tmp_path_factory.mktemp(name) / "course", RUNS[name].LIMITS)
            runs[name] = grade(course, RUNS[name].ATTACKS)
        return runs[name]

    return run
