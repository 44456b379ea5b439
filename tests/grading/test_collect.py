"""`nbgrader zip_collect` over a download that was unpacked by hand: files are their own students', of bounded size."""

import zipfile

import pytest

from course_lib.grading.nbgrader_hooks.collect import LARGEST, ROOM, Unpack

from .course import Course, contents
from .fixtures import lms

pytestmark = pytest.mark.xdist_group("collect")
ADA, EVE = b'{"cells": [], "metadata": {"of": "ada"}}', b'{"cells": [], "metadata": {"of": "eve"}}'
INSIDE = {
    "ps1.ipynb": b"bob's own",
    "eve_13_9_ps1.ipynb": b"bob's, named as eve's",
    "Eve_13_assignsubmission_file_/ps1.ipynb": b"bob's, too",
    "../../../eve_13_9_out.ipynb": b"bob's, with a way out",
    "timestamp-1.txt": b"2020-01-01",
    "deep/ps1.zip": lms.packed({"ps1.ipynb": b"bob's, deeper"}),
    "deep/ps1": b"a file where the folder of the zip would be",
}
FILES = {
    "ada_11_101_ps1-1.ipynb": ADA,
    "bob_12_102_my work.zip": lms.packed(INSIDE),
    "eve_13_103_ps1.ipynb": EVE,
    "eve_13_104_timestamp-1.txt": b"2020-01-01 00:00:00 UTC",
    "eve_13_105_TimeStamp.txt": b"2020-01-01 00:00:00 UTC",
}


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> dict[str, bytes]:
    """Every file that was collected, by student and name."""
    course = Course.create(tmp_path_factory.mktemp("collect") / "course")
    archive = course.folder / "downloaded/ps1/archive"
    archive.mkdir(parents=True)
    for name, content in FILES.items():
        (archive / name).write_bytes(content)
    with (archive / "dan_14_106_ps1.ipynb").open("wb") as file:
        file.truncate(3 << 30)
    course.nbgrader("zip_collect", "ps1")
    return contents(course.folder / "submitted")


def test_every_student_has_their_own_file(collected):
    assert collected["ada/ps1/ps1.ipynb"] == ADA and collected["eve/ps1/ps1.ipynb"] == EVE
    assert collected["bob/ps1/ps1.ipynb"] == b"bob's own"


def test_what_is_in_a_students_zip_is_that_students_whatever_its_name(collected):
    of_bob = {content for name, content in collected.items() if name.startswith("bob/")}
    assert {content for content in INSIDE.values() if content.startswith(b"bob's")} <= of_bob
    assert b"bob's, deeper" in of_bob
    assert {name.partition("/")[0] for name in collected} == {"ada", "bob", "dan", "eve"}


def test_no_student_says_when_the_work_was_handed_in(collected):
    assert not [name for name in collected if name.lower().endswith("timestamp.txt")]


def test_of_a_huge_file_only_the_beginning_is_kept(collected):
    assert len(collected["dan/ps1/ps1.ipynb"]) == LARGEST


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_of_a_damaged_zip_is_kept_what_can_be_read(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "mine.zip", "w", method) as packed:
        packed.writestr("ps1.ipynb", ADA)
        packed.writestr("notes.txt", "for myself")
    data = bytearray((tmp_path / "mine.zip").read_bytes())
    begins = data.index(b"ps1.ipynb") + len("ps1.ipynb") + 9  # after the settings that LZMA writes first
    data[begins : begins + 8] = b"\xff" * 8
    (tmp_path / "mine.zip").write_bytes(data)
    Unpack().unpack(tmp_path / "mine.zip", tmp_path / "mine", ROOM)
    assert (tmp_path / "mine" / "notes.txt").read_text() == "for myself"
