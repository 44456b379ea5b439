"""Whatever disturbs autograde: it says so, keeps what was graded, and its next run ends as if nothing had been."""

import random

import pytest

from .measure.faults import FAULTS, handed_in, tried

pytestmark = pytest.mark.xdist_group("faults")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Three students, one exercise."""
    return handed_in(3, tmp_path_factory.mktemp("faults"), ("decode",))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_disturbed_class_ends_with_the_grades_of_an_undisturbed_one(fault, small, tmp_path):
    course, undisturbed = small
    try:
        row = tried(course, tmp_path / fault, fault, undisturbed, random.Random(0))
    except OSError as error:
        pytest.skip(str(error))
    assert len(undisturbed) == 3 and all(all(each) for each in undisturbed.values())
    assert row.told, "autograde did not say what was wrong"
    assert row.whole and row.same
