"""What is accepted of a submission: nothing handed in stops the run, or is read where it should not be."""

import json
import os
import tracemalloc
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook

from course_lib.grading.nbgrader_hooks import intake

CELL = {
    "cell_type": "code",
    "source": "x = 1",
    "metadata": {"nbgrader": {"grade_id": "a", "points": 9}},
    "id": "3f-0",
    "outputs": [7],
}
GOOD = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "bash"}}, "cells": [CELL]}


@pytest.fixture
def folder(tmp_path) -> Path:
    made = tmp_path / "course" / "submitted" / "me" / "ps1"
    made.mkdir(parents=True)
    return made


def receive(folder: Path) -> intake.Received:
    return intake.receive(folder, "ps1", {"a", "b"})


def reason(folder: Path) -> str:
    """Why it could not be read."""
    received = receive(folder)
    (notice,) = received.notebook.cells
    assert "could not be graded" in notice.source and len(received.notes) == 1
    return received.notes[0]


def only(received: intake.Received) -> nbformat.NotebookNode:
    (cell,) = received.notebook.cells
    return cell


FORMATS = {
    "UTF-8": json.dumps(GOOD).encode(),
    "UTF-8 with a mark": b"\xef\xbb\xbf" + json.dumps(GOOD).encode(),
    "UTF-16": json.dumps(GOOD).encode("utf-16"),
    "version 5": json.dumps(GOOD | {"nbformat": 5}).encode(),
    "version 3": json.dumps({"nbformat": 3, "worksheets": [{"cells": [{**CELL, "input": "x = 1"} | {"source": None}]}]})
    .replace('"source": null, ', "")
    .replace(', "source": null', "")
    .encode(),
    "lines": json.dumps(GOOD | {"cells": [CELL | {"source": ["x ", "= 1"]}]}).encode(),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_clean_cell(folder, name):
    (folder / "ps1.ipynb").write_bytes(FORMATS[name])
    cell = only(receive(folder))
    assert (cell.cell_type, cell.source, cell.id) == ("code", "x = 1", "3f-0")
    assert cell.metadata == {"nbgrader": {"grade_id": "a"}} and cell.outputs == []


BAD = {
    "empty": (b"", "empty"),
    "blank": (b" \n", "empty"),
    "no JSON": (b"{", "not JSON"),
    "a picture": (b"\x89PNG\r\n", "not UTF-8"),
    "deep": (b"[" * 10**5, "not JSON"),
    "deeper": (b"[" * 10**6, "parts"),
    "19 MB of lists": (b'{"cells": [' + b"[]," * (6 << 20) + b"[]]}", "parts"),
    "19 MB of texts": (b'{"cells": [' + b'"",' * (6 << 20) + b'""]}', "parts"),
    "19 MB of quote marks": (b'"' * (19 << 20), "parts"),
    "lists in UTF-16": (("[" + "[]," * 10**6 + "[]]").encode("utf-16"), "parts"),
    "a list": (b"[]", "not a notebook"),
    "no cells": (b'{"cells": {}}', "not a notebook"),
    "a huge number": (b'{"cells": [' + b"9" * 10**5 + b"]}", "not JSON"),
    "many cells": (json.dumps({"cells": [{}] * 2001}).encode(), "2001 cells"),
    "a huge cell": (json.dumps({"cells": [{"source": "x" * (1 << 20 | 1)}]}).encode(), "characters"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_gets_a_reason(folder, name):
    (folder / "ps1.ipynb").write_bytes(BAD[name][0])
    assert BAD[name][1] in reason(folder)


def test_a_huge_file_is_not_read(folder):
    with (folder / "ps1.ipynb").open("wb") as file:
        file.truncate(1 << 40)
    assert "at most 20" in reason(folder)


@pytest.mark.parametrize(
    "make", [os.mkfifo, Path.mkdir, lambda p: p.symlink_to("/etc/passwd"), lambda p: p.symlink_to("nowhere")]
)
def test_only_a_regular_file_is_opened(folder, make):
    make(folder / "ps1.ipynb")
    reason(folder)


def test_a_socket_is_no_notebook(folder, monkeypatch):
    import socket

    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("ps1.ipynb")
        reason(folder)


@pytest.mark.parametrize(
    "make", [os.mkfifo, Path.touch, lambda p: p.symlink_to("../you/ps1"), lambda p: p.symlink_to("nowhere")]
)
def test_a_submission_that_is_no_folder_gets_a_reason(tmp_path, make):
    (tmp_path / "me").mkdir()
    (tmp_path / "you/ps1").mkdir(parents=True)
    (tmp_path / "you/ps1/ps1.ipynb").write_bytes(FORMATS["UTF-8"])
    make(tmp_path / "me/ps1")
    reason(tmp_path / "me/ps1")


def test_a_student_who_is_a_link_to_another_gets_a_reason(folder):
    (folder / "ps1.ipynb").write_bytes(FORMATS["UTF-8"])
    twin = folder.parents[1] / "twin"
    twin.symlink_to("me")
    assert "link" in reason(twin / "ps1")
    assert not receive(folder).notes


def test_a_hard_link_to_a_notebook_of_the_course_is_not_read(folder):
    solution = folder.parents[2] / "solutions/ps1/ps1.ipynb"
    solution.parent.mkdir(parents=True)
    solution.write_bytes(FORMATS["UTF-8"])
    (folder / "ps1.ipynb").hardlink_to(solution)
    assert "hard link" in reason(folder)


def test_a_copy_of_what_was_handed_in_that_is_kept_by_hard_links_costs_nobody_anything(folder):
    (folder / "ps1.ipynb").write_bytes(FORMATS["UTF-8"])
    kept = folder.parents[2] / "backup" / folder.parent.name / "ps1/ps1.ipynb"
    kept.parent.mkdir(parents=True)
    kept.hardlink_to(folder / "ps1.ipynb")
    assert only(receive(folder)).source == "x = 1"
    thief = folder.parents[1] / "solutions" / "ps1"  # whose name is that of a folder of the course
    solution = folder.parents[2] / "solutions/ps1/ps1.ipynb"
    for each in (thief, solution.parent):
        each.mkdir(parents=True)
    solution.write_bytes(FORMATS["UTF-8"])
    (thief / "ps1.ipynb").hardlink_to(solution)
    assert "hard link to a notebook of the course" in reason(thief)


def another(folder: Path, student: str) -> Path:
    other = folder.parents[1] / student / "ps1"
    other.mkdir(parents=True)
    (other / "ps1.ipynb").write_bytes(FORMATS["UTF-8"])
    return other


def write_received(folder: Path) -> None:
    """As a run of autograde does."""
    intake.write(receive(folder), folder.parents[2] / "received" / folder.parent.name / "ps1", "ps1")


def linked(folder: Path) -> Path:
    """The folder of the victim, whose file is handed in once more in `folder`; its date comes last, as it may."""
    owner = another(folder, "owner")
    (folder / "ps1.ipynb").hardlink_to(owner / "ps1.ipynb")
    (folder.parents[1] / "symbolic").symlink_to("owner")
    (owner / "timestamp.txt").write_text("2026-11-21 10:00:00")
    return owner


def test_of_a_file_in_two_folders_nobody_has_the_points_until_a_person_has_looked(folder):
    owner = linked(folder)
    for each in (folder, owner, folder):
        assert "a person has to say whose it is" in reason(each)
        write_received(each)  # a file that is refused gives no receipt
    (folder / "ps1.ipynb").unlink()
    assert only(receive(owner)).source == "x = 1"


def test_a_file_is_whose_it_was_in_an_earlier_run(folder):
    owner = another(folder, "owner")
    write_received(owner)
    (folder / "ps1.ipynb").write_bytes(FORMATS["lines"])
    write_received(folder)
    (folder / "ps1.ipynb").unlink()
    (folder / "ps1.ipynb").hardlink_to(owner / "ps1.ipynb")
    assert "hard link to another submission" in reason(folder)
    write_received(folder)
    assert only(receive(owner)).source == "x = 1" and "hard link to another submission" in reason(folder)


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_a_file_is_whose_account_it_belongs_to(folder):
    owner = linked(folder)
    for each in (owner, owner / "ps1.ipynb"):
        os.chown(each, 4711, 4711)
    assert only(receive(owner)).source == "x = 1" and "hard link to another submission" in reason(folder)


def test_what_would_grow_in_memory_is_counted_before_it_is_parsed(folder):
    (folder / "ps1.ipynb").write_bytes(BAD["19 MB of lists"][0])
    tracemalloc.start()
    try:
        reason(folder)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100 << 20  # a copy or two of the file; parsed, it is 400 MB


def test_brackets_and_commas_in_texts_are_no_parts():
    text = json.dumps({"cells": ["[{," * 10**6, '\\"[[' * 10**6, "\\\\"]})
    assert intake.parts(text) < 20 and intake.parse(text.encode())["cells"]


def test_two_names_in_ones_own_folder_are_no_link_to_anybody(folder):
    (folder / "copy.ipynb").write_bytes(FORMATS["UTF-8"])
    (folder / "ps1.ipynb").hardlink_to(folder / "copy.ipynb")
    assert only(receive(folder)).source == "x = 1"


def test_an_error_that_nobody_thought_of_is_a_reason_too(folder, monkeypatch):
    (folder / "ps1.ipynb").write_bytes(FORMATS["UTF-8"])
    monkeypatch.setattr(intake, "clean", lambda notebook: 1 / 0)
    assert "ZeroDivisionError" in reason(folder)


def test_a_misnamed_notebook_is_found_by_its_cells(folder):
    (folder / "other.ipynb").write_text(json.dumps(GOOD | {"cells": []}))
    (folder / "Kopie von ps1.ipynb").write_bytes(FORMATS["UTF-8"])
    (folder / "bad.ipynb").write_text("{")
    received = receive(folder)
    assert only(received).source == "x = 1" and "Kopie" in received.notes[0]


def test_the_right_name_is_found_among_many_files(folder):
    for n in range(intake.MAX_ENTRIES + 100):
        (folder / f"{n}.ipynb").touch()
    (folder / "ps1.ipynb").write_bytes(FORMATS["UTF-8"])
    assert only(receive(folder)).source == "x = 1"


@pytest.mark.parametrize("stamp", ["", "never", "9" * 400, "0001-01-01 00:00:00 +2300", "\ud800"])
def test_a_date_that_is_none_is_dropped(folder, stamp):
    (folder / "timestamp.txt").write_bytes(stamp.encode("utf-8", "surrogatepass"))
    assert intake.timestamp(folder) is None


@pytest.mark.parametrize("stamp", ["2026-11-21 10:00:00", "2026-11-21 10:00:00 UTC", "2026-11-21T10:00:00+01:00"])
def test_a_date_is_kept(folder, stamp):
    (folder / "timestamp.txt").write_text(stamp)
    assert intake.timestamp(folder) == stamp


def test_a_linked_date_is_dropped(folder):
    (folder / "other").write_text("2026-11-21 10:00:00")
    (folder / "timestamp.txt").symlink_to("other")
    assert intake.timestamp(folder) is None


SECRET = "0123456789abcdef" * 8


def test_what_the_exchange_has_added_is_kept(folder):
    (folder / "submission_secret.txt").write_text(SECRET)
    assert intake.secret(folder) == SECRET


@pytest.mark.parametrize("text", ["", SECRET[1:], SECRET + "0", SECRET.upper(), SECRET + "\n", "é", "../" + SECRET[3:]])
def test_what_no_exchange_has_added_is_dropped(folder, text):
    (folder / "submission_secret.txt").write_text(text)
    assert intake.secret(folder) is None


def test_what_links_to_what_the_exchange_has_added_is_dropped(folder):
    assert intake.secret(folder) is None
    (folder / "other").write_text(SECRET)
    (folder / "submission_secret.txt").symlink_to("other")
    assert intake.secret(folder) is None


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda v: st.lists(v) | st.dictionaries(st.text(), v),
    max_leaves=8,
)
cells = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": values | st.sampled_from(["code", "markdown", "raw"]),
        **{key: values for key in ("source", "input", "outputs")},
        "id": values | st.sampled_from(["a", "b"]),
        "metadata": values | st.fixed_dictionaries({"nbgrader": values | st.fixed_dictionaries({"grade_id": values})}),
    },
)


@given(st.lists(values | cells, max_size=6))
def test_any_json_gives_a_valid_notebook_the_same_each_time(raw):
    data = json.dumps({"cells": raw}).encode()
    cleaned = intake.clean(intake.parse(data))
    nbformat.validate(cleaned)
    assert cleaned == intake.clean(intake.parse(data))


def test_the_received_notebook_is_the_same_each_time_also_without_ids(folder):
    notebook = new_notebook(cells=[new_code_cell("x"), new_code_cell("y", id="0c-9")])
    for cell in notebook.cells[:1]:
        cell.pop("id")
    (folder / "ps1.ipynb").write_text(json.dumps(notebook))
    assert receive(folder) == receive(folder)
