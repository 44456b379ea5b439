"""The course of the attacks is prepared once, and every run of nbgrader over them made once, for all their tests."""

from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from course_lib.grading import engine
from course_lib.grading.isolation.sandbox_check import probe

from .attacks import RUNS
from .attacks.run import FEW, Run, beside_each_other, prepare
from .course import Course


@pytest.fixture(scope="session", autouse=True)
def time_for_hints():
    """Tests, and what is prepared for them, ask which hint is given, not how busy the machine is."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(engine, "HINT_SECONDS", 300.0)
        yield


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> Course:
    """A course with a few tasks of ps1 and two honest submissions, to be copied."""
    return prepare(tmp_path_factory.mktemp("prepared") / "course", tasks=FEW)


@pytest.fixture(scope="session")
def runs(request, prepared, tmp_path_factory) -> Iterator[dict[str, Future[Run]]]:
    """The graded runs that tests of this session ask for."""
    assert probe().problem is None, f"the attacks need a working sandbox: {probe().problem}"
    asked = [getattr(item, "callspec", None) for item in request.session.items]
    wanted = {each.params["ran"] for each in asked if each and "ran" in each.params}
    names = [name for name in RUNS if name in wanted]
    with beside_each_other(prepared, names, tmp_path_factory.mktemp("runs")) as begun:
        yield begun


@pytest.fixture(scope="session")
def ran(request, runs) -> Run:
    """The run of that name."""
    return runs[request.param].result()
