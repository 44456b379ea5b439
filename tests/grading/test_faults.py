"""Whatever disturbs autograde: it says so, keeps what was graded, and its last run ends as if nothing had been."""

import random
from contextlib import ExitStack

import pytest

from .at_work import Grader
from .attacks.run import copied
from .disturb import TWO, left, small_disk
from .measure.faults import LIMITS, calm, disturbed, handed_in, state

pytestmark = pytest.mark.xdist_group("faults")
KINDS = ("honest", "hostile", "wrong")


def test_a_class_that_meets_every_fault_ends_with_the_grades_of_one_that_meets_none(tmp_path):
    prepared, rng = handed_in(KINDS, tmp_path, ("decode",)), random.Random(0)
    undisturbed = calm(prepared, tmp_path)
    assert len(undisturbed) == len(KINDS) and all(all(each) for each in undisturbed.values())
    with ExitStack() as stack:
        try:
            missing = stack.enter_context(small_disk(tmp_path / "disk"))
        except OSError as error:
            missing = str(error)
        course = copied(prepared, tmp_path / "disk" / "course", LIMITS)
        for name in ("readonly", "locked", *([] if missing else ["full"]), "stopped", "killed"):
            row = disturbed(course, name, undisturbed, rng)
            assert row.told, f"{name}: autograde did not say what was wrong"
            assert row.whole, f"{name}: a grade is not whole"
        if left(course):
            Grader(course, TWO).end()
        assert state(course) == undisturbed
    if missing:
        pytest.skip(f"all but the full disk was tried, for {missing}")
