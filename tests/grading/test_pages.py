"""The pages that show a hostile submission, to its author and in Formgrader: nothing of it runs there or calls out."""

import json
import sys
from html.parser import HTMLParser

import pytest

from .attacks import page
from .attacks.run import AFTER, BEFORE
from .course import run

pytestmark = pytest.mark.xdist_group("isolation")
of_the_run = pytest.mark.parametrize("ran", ["page"], indirect=True)
UNFIT = "no\nname"
FORMGRADER = """
import sys
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import PyFileConfigLoader
config = PyFileConfigLoader("nbgrader_config.py", ".").load_config()
config.HTMLExporter.template_name = "formgrade"
config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
names = "assignment_id notebook_id submission_id base_url student last_name first_name notebook_path"
about = dict.fromkeys(names.split(), "x")
for notebook, made in zip(sys.argv[1::2], sys.argv[2::2]):
    page, _ = HTMLExporter(config=config).from_filename(notebook, resources=about | {"index": 0, "total": 1})
    open(made, "w", encoding="utf-8").write(page)
"""
ACTIVE = {
    "script",
    "iframe",
    "object",
    "embed",
    "form",
    "base",
    "meta",
    "link",
    "frame",
    "svg",
    "math",
    "style",
    "applet",
    "audio",
    "video",
}


class Active(HTMLParser):
    """Everything in a page that runs, or loads something."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.inside: str | None = None
        self.text: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.inside = tag if tag in ("script", "style") else None
        shown = json.dumps(sorted((name, value) for name, value in attrs if value is not None))
        if tag in ACTIVE:
            self.found.append(f"<{tag} {shown}>")
        for name, value in attrs:
            scheme = "".join((value or "").split()).lower()
            if name.startswith("on") or name in ("srcdoc", "formaction", "style") and "url" in scheme:
                self.found.append(f"{name}={value}")
            if name in ("href", "src", "action", "data", "xlink:href") and scheme.startswith(
                ("javascript:", "vbscript:", "data:text")
            ):
                self.found.append(f"{name}={value}")

    def handle_data(self, data):
        (self.found if self.inside else self.text).append(data)


@pytest.fixture(scope="module")
def pages(ran, tmp_path_factory):
    """(where, student) -> what is active in the page."""
    (ran.course.folder / "feedback").mkdir()
    (ran.course.folder / "feedback" / AFTER).write_text("a note where a folder has to be")
    nobody = ran.course.folder / "autograded" / UNFIT / "ps1"
    nobody.mkdir(parents=True)
    (nobody / "ps1.ipynb").write_text("{}")
    log = ran.course.nbgrader("generate_feedback", "ps1")
    students, folder = (BEFORE, *(attack.author for attack in page.ATTACKS)), tmp_path_factory.mktemp("formgrader")
    made = {("feedback", student): ran.course.feedback(student, "ps1") for student in students}
    made |= {("formgrader", student): folder / f"{student}.html" for student in students}
    graded = {student: ran.course.folder / "autograded" / student / "ps1/ps1.ipynb" for student in students}
    of_each = (path for student in students for path in (graded[student], made["formgrader", student]))
    run(sys.executable, "-c", FORMGRADER, *of_each, cwd=ran.course.folder, env=ran.course.environment)
    return {"log": log} | {where: path.read_text(encoding="utf-8") for where, path in made.items()}


@of_the_run
@pytest.mark.parametrize("where", ["feedback", "formgrader"])
@pytest.mark.parametrize("attack", page.ATTACKS, ids=lambda attack: attack.name)
def test_a_hostile_page_runs_and_loads_no_more_than_an_honest_one(pages, where, attack):
    honest, hostile = Active(pages[where, BEFORE]), Active(pages[where, attack.author])
    assert set(hostile.found) - set(honest.found) == set()
    assert "evil" in "".join(hostile.text), "the attack is not shown at all"


@of_the_run
def test_feedback_that_cannot_be_made_waits_and_ends_nothing(pages):
    for student in (AFTER, UNFIT):
        assert f"The submission of {student!r} waits" in pages["log"]
    assert pages["log"].count(" waits: ") == 2 and "Traceback" not in pages["log"]


@of_the_run
@pytest.mark.parametrize("where", ["feedback", "formgrader"])
def test_mathematics_is_set_by_mathjax_in_its_safe_mode(pages, where):
    loaded = [found for found in Active(pages[where, BEFORE]).found if "mathjax" in found.lower() and "src" in found]
    assert loaded and all("Safe" in found for found in loaded), loaded  # \\href{javascript:…} makes no link then


def test_the_parser_finds_what_is_active():
    for script in page.SCRIPTS[:10]:
        assert Active(script).found, script
