"""The course on a JupyterHub: students fetch, hand in and read their feedback; the instructor grades in Formgrader."""

import json
import shutil
import sys
import urllib.error
from pathlib import Path

import nbformat
import pytest

from .attacks.attack import save
from .attacks.run import FEW, deserved, filled_in, released, shorten
from .course import Course
from .hub import Hub, hub_in

pytestmark = pytest.mark.skipif(
    shutil.which("configurable-http-proxy") is None,
    reason="JupyterHub's proxy is not installed: `npm install --global configurable-http-proxy`",
)
ASKED = {"course_id": "seq2seq", "assignment_id": "ps1"}
WORK = {"ada": "ps1.loops", "grace": "ps1.mistakes"}
BY_MAIL = "edsger"  # handed in past the hub


class Person:
    """A user of the hub, with the buttons that a page of JupyterLab has for that user."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.hub, self.name, self.token = hub, name, hub.start(name)

    def ask(self, path: str, method: str = "GET", body: dict | None = None, of: str = ""):
        return json.loads(self.hub.ask(self.token, f"user/{of or self.name}/{path}", method, body))

    def press(self, button: str) -> list[dict]:
        """A button of the list of assignments: fetch, submit, fetch_feedback."""
        answer = self.ask(f"assignments/{button}", "POST", ASKED)
        assert answer["success"], answer
        return answer["value"]

    def formgrader(self, button: str) -> None:
        """A button of Formgrader."""
        answer = self.ask(f"formgrader/api/{button}", "POST", {})
        assert answer["success"], answer

    def refused(self, path: str, of: str = "") -> int:
        with pytest.raises(urllib.error.HTTPError) as raised:
            self.ask(path, of=of)
        return raised.value.code


def test_a_class_on_a_hub_hands_in_and_gets_its_feedback(tmp_path):
    course = Course.create(tmp_path / "homes" / "instructor" / "course")
    shorten(course, FEW)
    (course.folder / ".venv").symlink_to(sys.prefix)
    with hub_in(tmp_path) as hub:
        instructor, *students = (Person(hub, name) for name in ("instructor", *WORK))
        for button in ("assign", "release"):
            instructor.formgrader(f"assignment/ps1/{button}")
        for each in students:
            each.press("fetch")
            fetched = nbformat.from_dict(each.ask("api/contents/ps1/ps1.ipynb")["content"])
            assert [cell.source for cell in fetched.cells] == [cell.source for cell in released(course).cells]
            done = {"type": "notebook", "content": filled_in(course, WORK[each.name])}
            each.ask("api/contents/ps1/ps1.ipynb", "PUT", done)
            each.press("submit")
            assert each.refused("api/contents", of="instructor") == 403
            assert each.refused("formgrader/api/students") == 404
        instructor.formgrader("assignment/ps1/collect")
        save(course.folder / "submitted" / BY_MAIL / "ps1", released(course))
        for name in (*WORK, BY_MAIL):
            instructor.formgrader(f"submission/ps1/{name}/autograde")
        for button in ("generate_feedback", "release_feedback"):
            instructor.formgrader(f"assignment/ps1/{button}")
        marks = {student["id"]: student["score"] for student in instructor.ask("formgrader/api/students")}
        assert marks["ada"] == deserved(course) > marks["grace"] > marks[BY_MAIL] == 0
        for each in students:
            (handed_in,) = [one for one in each.press("fetch_feedback") if one.get("submissions")]
            (feedback,) = Path(hub.homes, each.name, handed_in["submissions"][0]["local_feedback_path"]).glob("*.html")
            assert f"Score: {marks[each.name]:.1f} / " in feedback.read_text()
    assert not [line for line in hub.log if "Traceback" in line], "".join(hub.log)
