"""The report on a class in a real browser: nothing runs, nothing is fetched, and everybody can read it."""

import pytest

from course_lib.grading.report import page as report
from course_lib.grading.report.records import Class, Wait
from tests.browser.harness import violations
from tests.grading.test_report import HOSTILE, ONE, TASK, lost, work


@pytest.fixture
def klass() -> Class:
    about = {"code": {TASK.name: HOSTILE}, "late_hours": 5.0, "stopped": (HOSTILE,)}
    works = [work(f"{HOSTILE} {n}", lost(mistakes=(ONE.name,)), **about) for n in range(40)]
    return Class("ps1", tuple(works), (Wait(HOSTILE, HOSTILE),), (HOSTILE,))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_with_hostile_names_and_code_is_readable_and_runs_nothing(chromium, klass, tmp_path, scheme):
    (tmp_path / "ps1.html").write_text(report.html(klass), encoding="utf-8")
    context = chromium.new_context(color_scheme=scheme, viewport={"width": 400, "height": 800})
    page, told = context.new_page(), []
    page.on("dialog", lambda dialog: (told.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: told.append(message.text))
    page.on("request", lambda request: told.append(request.url) if not request.url.startswith("file:") else None)
    page.goto((tmp_path / "ps1.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 29)"}[scheme]
    context.close()
    assert told == []
