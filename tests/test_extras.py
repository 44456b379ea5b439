"""What an extra brings: where it is missing, the error says what to install."""

import runpy
import sys
from pathlib import Path

import pytest

import course_lib
from course_lib.extras import needs
from course_lib.training import processes

SAYS = r"is not installed\. .*: pip install -c \.ci/constraints\.txt -e '\.\[{}\]'"


@pytest.mark.parametrize(
    "file, package, extra",
    [
        ("corpora/download.py", "pooch", "multi30k"),
        ("checkpoints/multi30k.py", "sacremoses", "multi30k"),
        ("grading/similarity/compare.py", "copydetect", "similarity"),
        ("grading/nbgrader_hooks/cluster.py", "distributed", "cluster"),
        ("grading/nbgrader_hooks/postgres.py", "psycopg", "postgres"),
    ],
    ids=lambda n: n,
)
def test_an_extra_without_its_packages_says_what_to_install(file, package, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)  # an import raises ModuleNotFoundError, as if it were not there
    with pytest.raises(ModuleNotFoundError, match=f"{package} {SAYS.format(extra)}") as raised:
        runpy.run_path(str(Path(course_lib.__file__).parent / file))
    assert raised.value.name == package


def test_several_processes_without_accelerate_say_what_to_install(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(ModuleNotFoundError, match=f"accelerate {SAYS.format('multi30k')}"):
        processes.together.__wrapped__()


def test_another_error_stays_what_it_is():
    with pytest.raises(ImportError, match="cannot import name 'nothing'") as raised, needs("multi30k"):
        from course_lib.extras import nothing  # noqa: F401
    assert type(raised.value) is ImportError
