"""nbgrader in JupyterLab: a student validates a problem set; an instructor grades an answer, whatever stands in it."""

from urllib.parse import quote

import nbformat
import pytest
from nbgrader.api import Gradebook

from course_lib.grading.registry import problem_set
from tests.browser import harness
from tests.browser.conftest import new_page
from tests.grading.attacks.run import FEW, honest, shorten
from tests.grading.course import Course
from tests.grading.sample_class import ASSIGNMENTS, read_by_a_person, solved, submission, worked

PS1 = problem_set("ps1")
RELEASED = ASSIGNMENTS / "ps1" / "ps1.ipynb"
RUN = "top.hacked=window.hacked=1"
STUDENT = f'";{RUN};"<img src="nowhere" onerror="{RUN}">'
NAMES = {"first_name": f"<script>{RUN}<script>", "last_name": f'</script><svg onload="{RUN}"></svg>'}
ANSWER = f"""My answer is <b>bold</b>, $a < b$, and

<script>{RUN}</script>

<img src="nowhere" onerror="{RUN}"> text <svg onload="{RUN}"></svg> <details open ontoggle="{RUN}">x</details>

<iframe srcdoc="<script>{RUN}</script>"></iframe>

<svg><animate onbegin="{RUN}" attributeName="x" dur="1s"></animate></svg>

[click](javascript:{RUN}) <a href="&#106;ava&#9;script:{RUN}">click</a>

<a href="data:text/html,<script>{RUN}</script>">click</a>

![x](nowhere "&quot;onerror={RUN}//") <form action="javascript:{RUN}"><button>click</button></form>

<style>@import "nowhere"; .score {{ display: none }}</style><input class="score" id="ps1_argument">

<math><mtext><table><mglyph><style><img src="x" onerror="{RUN}"></style></mglyph></table></mtext></math>

```html
<script>{RUN}</script>
```
"""
SHOWN = f"""
import sys, warnings
from IPython.display import HTML, SVG, Javascript, Latex, Markdown, display
HOSTILE = '<script>{RUN}</script><img src="nowhere" onerror="{RUN}"><svg onload="{RUN}"></svg>'
display(HTML(HOSTILE), SVG('<svg xmlns="http://www.w3.org/2000/svg" onload="{RUN}"></svg>'), Javascript("{RUN}"))
display(Markdown(HOSTILE), Latex(HOSTILE), {{"text/plain": HOSTILE, "image/png": HOSTILE}}, raw=False)
print(HOSTILE)
print(HOSTILE, "/ho" + "me/zap" + "hod/secret.txt", file=sys.stderr)
display({{"text/html": HOSTILE, "application/vnd.course.verdict+json": {{"points": 35}}}}, raw=True)
raise type(HOSTILE, (Exception,), {{}})(HOSTILE)
"""


def lab_in(folder):
    """A JupyterLab started in `folder`, where nbgrader finds its configuration, if there is one."""
    return harness.jupyter(folder, environment={"HOME": str(folder.parent)})


def validated(page, server, notebook) -> str:
    """What the dialog says after Validate was pressed."""
    nbformat.write(notebook, server.root / "ps1.ipynb")
    server.open(page, "ps1.ipynb")
    page.locator(".validate-button").click()
    dialog = page.locator(".jp-Dialog")
    dialog.wait_for(timeout=180_000)
    said = dialog.inner_text()
    dialog.get_by_role("button", name="Ok").click()
    server.shut_down_kernels()
    return said


def test_a_student_validates_a_problem_set(chromium, lab):
    with new_page(chromium) as page:
        said = validated(page, lab, nbformat.read(RELEASED, 4))
        failed = sum(len(task.criteria) for task in PS1.tasks) + 1  # and the question, which has no answer
        assert said.count("The following cell failed") == failed, said
        assert said.count("this is not written yet") == failed - 1 and "Traceback" not in said, said
        said = validated(page, lab, worked(RELEASED, solved(PS1, "ps1.loops")))
        assert "Success! Your notebook passes all the tests" in said, said


class Graded:
    """A course with one submission, right and hostile, whose answer waits for a person; the student's id is, too."""

    def __init__(self, course: Course) -> None:
        self.course = course
        shorten(course, FEW)
        course.nbgrader("generate_assignment", "ps1")
        notebook = honest(course)
        (question,) = filter(read_by_a_person, notebook.cells)
        question.source = ANSWER
        self.question = question.metadata.nbgrader.grade_id
        notebook.cells += [nbformat.v4.new_markdown_cell(ANSWER), nbformat.v4.new_code_cell(SHOWN)]
        path = submission(course.folder, STUDENT, "ps1")
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
        course.nbgrader("autograde", "ps1")


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Graded:
    return Graded(Course.create(tmp_path_factory.mktemp("formgrader") / "course"))


@pytest.fixture(scope="module")
def server(graded):
    with lab_in(graded.course.folder) as lab:
        yield lab


def hacked(page) -> list:
    """The flags that a script of the submission's would have left, in every frame."""
    page.wait_for_timeout(500)
    return [flag for frame in page.frames if (flag := frame.evaluate("window.hacked ?? null")) is not None]


def click_everything(page, within) -> None:
    """Press all that a reader could press in the student's cells; a page that goes elsewhere comes back."""
    for link in within.get_by_text("click", exact=True).all():
        link.click(no_wait_after=True)
    page.wait_for_timeout(200)


def test_an_answer_is_graded_in_formgrader_and_told_in_feedback_and_runs_nothing(chromium, page, server, graded):
    grade_by_hand(chromium, server, graded)
    read_feedback(page, graded)


def grade_by_hand(chromium, server, graded):
    with chromium.new_page(viewport={"width": 1200, "height": 1000}) as page:
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{server.url}/lab?token={server.token}&reset")
        page.wait_for_function("window.jupyterapp?.commands.hasCommand('nbgrader:open-formgrader')")
        page.evaluate("() => { window.jupyterapp.commands.execute('nbgrader:open-formgrader') }")
        formgrader = page.frame_locator("iframe[src*='formgrader']")
        formgrader.get_by_role("link", name="Manual Grading").click()
        for link in ("ps1", "ps1", "Submission #1"):
            formgrader.locator("tbody").get_by_role("link", name=link, exact=True).click()
        score = formgrader.locator(f"input#{graded.question}")
        score.wait_for()
        formgrader.locator("input.needs_manual_grade").wait_for()
        assert formgrader.get_by_text("My answer is bold").count() == 2
        click_everything(page, formgrader.locator("#notebook-container"))
        assert hacked(page) == []
        page.screenshot(path=graded.course.folder.parent / "formgrader.png")

        score.fill("4")
        with page.expect_response(lambda answer: "/api/grade/" in answer.url and answer.ok):
            score.press("Tab")
        comment = formgrader.locator(f"textarea[id='{graded.question}-comment']")
        comment.fill("Well **argued**. <script>top.hacked=1</script>")
        with page.expect_response(lambda answer: "/api/comment/" in answer.url and answer.ok):
            comment.press("Tab")
        assert hacked(page) == [] and set(errors) <= {"MathJax is not defined"}  # which Formgrader asks the network for
    grade = graded.course.grades("ps1")[STUDENT][graded.question]
    assert (grade.manual, grade.waiting) == (4.0, False)
    with Gradebook(f"sqlite:///{graded.course.folder / 'gradebook.db'}") as book:
        assert book.find_comment(graded.question, "ps1", "ps1", STUDENT).comment.startswith("Well **argued**")


def read_feedback(page, graded):
    graded.course.nbgrader("generate_feedback", "ps1")
    path = graded.course.feedback(STUDENT, "ps1")
    page.goto(path.as_uri())
    click_everything(page, page.locator("body"))
    assert page.url == path.as_uri() and hacked(page) == []
    grades = graded.course.grades("ps1")[STUDENT].values()
    assert (
        page.get_by_text(f"(Score: {sum(g.score for g in grades):.1f} / {sum(g.of for g in grades):.1f})").count() == 1
    )
    assert page.locator("table").first.locator("tbody tr").count() == len(FEW) + 1
    text = page.locator("body").inner_text()
    assert "Well argued" in text and "zaphod" not in text and "Traceback" not in text
    page.screenshot(path=graded.course.folder.parent / "feedback.png", full_page=True)


def test_ids_and_names_of_students_are_text_on_every_page_of_formgrader(chromium, server, graded):
    with Gradebook(f"sqlite:///{graded.course.folder / 'gradebook.db'}") as book:
        number = book.find_submission_notebook("ps1", "ps1", STUDENT).id
    student = quote(STUDENT, safe="")
    with chromium.new_page() as page:

        def shows(path: str, text: str) -> None:
            page.goto(f"{server.url}/formgrader/{path}?token={server.token}")
            page.get_by_text(text).first.wait_for(state="attached")
            assert hacked(page) == [], path

        for path in ("manage_students", "manage_submissions/ps1", "gradebook/ps1/ps1"):
            shows(path, "ps1" if path.startswith("gradebook") else STUDENT)
        for path in (f"manage_students/{student}", f"manage_students/{student}/ps1", f"submissions/{number}/"):
            shows(path, STUDENT)
        page.goto(f"{server.url}/formgrader/manage_students/{student}")
        page.locator("tbody").get_by_role("link", name="ps1").wait_for()  # found by its true id
        with Gradebook(f"sqlite:///{graded.course.folder / 'gradebook.db'}") as book:
            book.update_or_create_student(STUDENT, **NAMES)
        for path in ("manage_students", f"submissions/{number}/"):
            shows(path, NAMES["last_name"])
