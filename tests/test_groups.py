"""Tests of one group share their set-up: `--dist loadgroup` gives them all to one worker."""

import sys

from .grading.course import ROOT, clean_environment, run

GROUPED = """
import os
import pytest

@pytest.fixture(scope="module")
def shared():
    with open(os.environ["SET_UPS"], "a") as file:
        file.write("made\\n")

@pytest.mark.xdist_group("one")
@pytest.mark.parametrize("number", range(8))
def test_a_member(shared, number):
    pass
"""


def test_a_group_of_tests_makes_its_set_up_once(tmp_path):
    (tmp_path / "test_grouped.py").write_text(GROUPED)
    (tmp_path / "test_grouped_too.py").write_text(GROUPED.replace('"one"', '"two"'))
    environment = clean_environment(tmp_path / "home", SET_UPS=str(tmp_path / "set_ups"))
    options = ("-q", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", "--rootdir", str(tmp_path))
    run(sys.executable, "-m", "pytest", *options, str(tmp_path), cwd=ROOT, env=environment)
    assert (tmp_path / "set_ups").read_text().split() == ["made"] * 2
