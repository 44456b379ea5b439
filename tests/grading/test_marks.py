"""Marks in the tables of Moodle and Canvas: what is written can be read again, and nobody gets another's mark."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.api import Gradebook

from course_lib.grading.marks import people, sheet

from .course import BIN, ROOT, Course, run

MOODLE = (
    "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Feedback comments\r\n"
    "Participant 11,Ada Lovelace,ada@example.org,Submitted for grading,,40.00,Yes,\r\n"
    'Participant 12,"Zoë O\'Neil, Dr.",zoe@example.org,No submission,,40.00,Yes,"two\r\nlines"\r\n'
    "Participant 13,Jean Roe,jean@example.org,No submission,,40.00,Yes,\r\n"
    "Participant 14,Jean Roe,roe@example.org,No submission,5.00,40.00,No,\r\n"
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Essay (7),ps1 (101),Current Score\r\n"
    ",,,,,,Manual Posting,\r\n"
    "    Points Possible,,,,,10.00,40.00,(read only)\r\n"
    '"Lovelace, Ada",4711,u1,ada,A,3,,12\r\n'
    '"O\'Neil, Zoë",4712,u2,zoe,A,4,,\r\n'
)


def filled(text: str, marks: dict[str, float], **about) -> sheet.Sheet:
    table = sheet.read(text, ("ps1",))
    places = people.matched(table.rows, marks, about.pop("names", {}), about.pop("known", {}))
    table.left = sheet.fill(table, places, marks, 40.0, **about)
    return table


def column(text: str, name: str) -> list[str]:
    return [row[name] for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))]


def test_moodles_worksheet_keeps_all_but_the_grades():
    text = filled(MOODLE, {"Ada Lovelace": 31.5}).text()
    assert text == MOODLE.replace("grading,,40.00", "grading,31.50,40.00")


def test_canvas_gets_the_column_of_the_assignment_and_no_other():
    text = filled(CANVAS, {"lovelaceada": 40.0, "oneilzoë": 0.0}).text()
    head, posting, points, ada, zoe = text.splitlines()
    assert head == "Student,ID,SIS User ID,SIS Login ID,Section,ps1 (101)"
    assert posting == ",,,,,Manual Posting" and points == "    Points Possible,,,,,40.00"
    assert ada == '"Lovelace, Ada",4711,u1,ada,A,40.00' and zoe.endswith(",0.00")


@given(ada=st.floats(0, 40), zoe=st.floats(0, 40), crlf=st.booleans())
def test_what_is_written_is_read_again(ada, zoe, crlf):
    for text, name, students in (
        (MOODLE, "Grade", ("Ada Lovelace", "Zoë O'Neil, Dr.")),
        (CANVAS, "ps1 (101)", ("lovelaceada", "oneilzoë")),
    ):
        made = filled(text if crlf else text.replace("\r\n", "\n"), dict(zip(students, (ada, zoe), strict=True)))
        again = sheet.read(made.text(), ("ps1",))
        places = people.matched(again.rows, students, {}, {})
        assert [float(again.rows[places[s]][name]) for s in students] == pytest.approx([ada, zoe], abs=0.00501)
        assert again.text() == made.text()


@pytest.mark.parametrize("how", ["Participant 12", "zoe@example.org"])
def test_a_student_of_another_name_is_found_by_the_instructors_list_or_the_gradebook(how):
    assert column(filled(MOODLE, {"z": 1.0}, names={"z": how}).text(), "Grade")[1] == "1.00"
    assert column(filled(MOODLE, {"z": 1.0}, known={"z": (None, how)}).text(), "Grade")[1] == "1.00"


def test_two_students_of_one_name_are_told_apart_by_the_number_in_their_folders():
    assert column(filled(MOODLE, {"Jean Roe 13": 2.0}).text(), "Grade")[2:] == ["2.00", "5.00"]
    with pytest.raises(ValueError, match="several rows: Jean Roe"):
        filled(MOODLE, {"Jean Roe": 2.0})


def test_a_student_whom_the_platform_does_not_know_is_named_and_nothing_is_written():
    with pytest.raises(ValueError, match="no row: eve, mallory"):
        filled(MOODLE, {"mallory": 1.0, "eve": 2.0, "Ada Lovelace": 3.0})
    assert filled(MOODLE, {"eve": 2.0, "Ada Lovelace": 3.0}, names={"eve": ""}).left == []


def test_two_students_never_share_a_row():
    with pytest.raises(ValueError, match="row 1 for Ada Lovelace and x"):
        filled(MOODLE, {"Ada Lovelace": 1.0, "x": 2.0}, names={"x": "ada@example.org"})


def test_a_row_that_the_platform_has_closed_keeps_its_mark():
    made = filled(MOODLE, {"Jean Roe 14": 2.0})
    assert made.left == ["Jean Roe 14"] and column(made.text(), "Grade")[3] == "5.00"


@pytest.mark.parametrize(("text", "student"), [(MOODLE, "Ada Lovelace"), (CANVAS, "lovelaceada")])
def test_other_points_on_the_platform_are_refused_or_scaled(text, student):
    hundred = text.replace("40.00", "100.00")
    with pytest.raises(ValueError, match="must have 40 points on the platform, got 100"):
        filled(hundred, {student: 10.0})
    made = filled(hundred, {student: 10.0}, scale=True)
    assert "25.00" in column(made.text(), made.column)


def test_points_with_a_decimal_comma_are_read():
    hundred = MOODLE.replace("40.00", '"100,00"')
    with pytest.raises(ValueError, match="must have 40 points on the platform, got 100"):
        filled(hundred, {"Ada Lovelace": 10.0})
    assert column(filled(hundred, {"Ada Lovelace": 10.0}, scale=True).text(), "Grade")[0] == "25.00"


@pytest.mark.parametrize(
    ("text", "student", "says"),
    [
        (MOODLE.replace("40.00", ""), "Ada Lovelace", "'Grade' has on the platform, got nothing for Ada"),
        (MOODLE.replace("40.00", '"1,000"'), "Ada Lovelace", "got 1,000 for Ada"),
        (CANVAS.replace("Points Possible", "Points"), "lovelaceada", r"'ps1 \(101\)' has on the platform, got nothing"),
    ],
    ids=["empty", "thousand", "no row"],
)
def test_nothing_is_scaled_to_points_that_the_platform_does_not_tell(text, student, says):
    with pytest.raises(ValueError, match=says):
        filled(text, {student: 10.0}, scale=True)
    assert "10.00" in column(filled(text, {student: 10.0}).text(), sheet.read(text, ("ps1",)).column)


@pytest.mark.parametrize("mark", [-1.0, 40.5, float("nan")])
def test_a_mark_out_of_range_is_refused(mark):
    with pytest.raises(ValueError, match="from 0 to 40"):
        filled(MOODLE, {"Ada Lovelace": mark})


def test_extra_credit_may_lie_above_the_points_that_there_are():
    assert column(filled(MOODLE, {"Ada Lovelace": 41.5}, extra={"Ada Lovelace": 2.0}).text(), "Grade")[0] == "41.50"
    with pytest.raises(ValueError, match=r"from 0 to 42, got 42\.5 for Ada"):
        filled(MOODLE, {"Ada Lovelace": 42.5}, extra={"Ada Lovelace": 2.0})


def test_a_missing_column_is_named_with_those_that_there_are():
    with pytest.raises(ValueError, match=r"called ps9, got 0: name one of Essay \(7\), ps1 \(101\)"):
        sheet.read(CANVAS, ("ps9",))
    with pytest.raises(ValueError, match="must have Moodle's columns .* got Name, Note"):
        sheet.read("Name,Note\na,1\n", ("ps1",))


def test_a_list_of_names_must_have_its_columns_and_name_nobody_twice(tmp_path):
    (tmp_path / "names.csv").write_text("student_id,platform\na,1\na,2\n")
    with pytest.raises(ValueError, match="got twice: a"):
        people.names_file(tmp_path / "names.csv")
    (tmp_path / "names.csv").write_text("who,platform\n")
    with pytest.raises(ValueError, match="columns student_id, platform"):
        people.names_file(tmp_path / "names.csv")


def test_a_list_of_names_that_cannot_be_read_is_named(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text("platform,student_id\nAda,a\nBob\n")
    with pytest.raises(ValueError, match=r"names\.csv must have a student_id in each row, got none for 'Bob'"):
        people.names_file(path)
    path.write_bytes("platform,student_id\nJosé,jose\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"names\.csv must be text in UTF-8, got the byte 0xe9"):
        people.names_file(path)
    path.write_bytes("\ufeffplatform,student_id\r\nJosé,jose\r\n".encode())
    assert people.names_file(path) == {"jose": "José"}


def test_a_table_of_the_platforms_that_is_no_utf_8_is_named(tmp_path):
    (tmp_path / "Grades.csv").write_bytes(MOODLE.encode("utf-16"))
    with pytest.raises(ValueError, match=r"Grades\.csv must be text in UTF-8, got the byte 0xff"):
        sheet.utf_8(tmp_path / "Grades.csv")


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    """A gradebook with one student who is graded, one who waits, and one of whom nothing is graded."""
    made = Course.create(tmp_path_factory.mktemp("marked") / "course")
    made.nbgrader("generate_assignment", "ps1", "--log-level=ERROR")
    with Gradebook(f"sqlite:///{made.folder / 'gradebook.db'}") as book:
        for student in ("Ada Lovelace", "Jean Roe 13", "z"):
            book.add_student(student, email="zoe@example.org" if student == "z" else None)
            for notebook in book.add_submission("ps1", student).notebooks if student != "z" else ():
                for number, grade in enumerate(notebook.grades):
                    grade.auto_score, grade.needs_manual_grade = 0.5, number == 0 and student == "Jean Roe 13"
        book.add_submission("ps1", "z")
        book.db.commit()
    (made.folder / "Grades.csv").write_text(MOODLE, encoding="utf-8", newline="")
    return made


def command(course: Course, *arguments: str, fails: bool = False) -> str:
    environment = course.environment | {"PYTHONPATH": str(ROOT)}
    return run(
        BIN / "python", "-m", "course_lib.grading.marks", *arguments, cwd=course.folder, env=environment, fails=fails
    )


def test_who_is_graded_to_the_end_gets_a_mark_and_who_waits_is_named(course):
    told = command(course, "ps1", "--into=Grades.csv", "--to=out.csv")
    grades = len(course.grades("ps1")["Ada Lovelace"])
    written = (course.folder / "out.csv").read_bytes().decode()
    assert column(written, "Grade") == [f"{grades / 2:.2f}", "", "", "5.00"]
    assert "Left empty, for they wait for a person: Jean Roe 13, z" in told and "1 marks are in out.csv" in told


def test_extra_credit_above_all_points_is_written_and_told(course):
    with Gradebook(f"sqlite:///{course.folder / 'gradebook.db'}") as book:
        of = book.find_assignment("ps1").max_score
        book.find_submission("ps1", "Ada Lovelace").notebooks[0].grades[0].extra_credit = of
        book.db.commit()
    told = command(course, "ps1", "--into=Grades.csv", "--to=extra.csv")
    (mark,) = [float(mark) for mark in column((course.folder / "extra.csv").read_text(), "Grade")[:3] if mark]
    assert mark > of and f"More than the {of:g} points there are, by extra credit: Ada Lovelace" in told


def test_an_assignment_that_the_gradebook_lacks_is_named_and_nothing_is_written(course):
    told = command(course, "ps7", "--into=Grades.csv", "--to=never.csv", fails=True)
    assert "must be one of the gradebook's (ps1), got ps7" in told and not (course.folder / "never.csv").exists()
