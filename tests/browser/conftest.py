"""One browser and one JupyterLab for all browser tests, which one worker runs in a row (`--dist loadgroup`)."""

import contextlib
import os
from pathlib import Path

import nbformat
import pytest

from tests.browser import harness

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def chromium():
    """The browser. Where none is installed the test is skipped, and says how to get one; in CI that is a failure."""
    try:
        with harness.browser() as found:
            yield found
    except harness.NoBrowser as none:
        if "CI" in os.environ:
            pytest.fail(str(none))
        pytest.skip(str(none))


VIEWPORT = {"width": 1200, "height": 1000}
PATIENCE = 120_000  # milliseconds that an event may take to come on a busy machine


@contextlib.contextmanager
def watched_page(chromium):
    """A fresh page, and the errors in its scripts."""
    with chromium.new_context(viewport=VIEWPORT, reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        page, errors = context.new_page(), []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page, errors


@contextlib.contextmanager
def new_page(chromium):
    """A fresh page; an error in its scripts fails the test."""
    with watched_page(chromium) as (page, errors):
        yield page
    assert errors == []


@pytest.fixture
def page(chromium):
    with new_page(chromium) as page:
        yield page


# What stands in for the page's own model when Python is at the other end.
LIVE = """
  send(content) { window.tellPython(content); },
  receive(values, messages) {
    const differs = (key) => JSON.stringify(state[key]) !== JSON.stringify(values[key]);
    const changed = Object.keys(values).filter(differs);
    Object.assign(state, values); // as Jupyter does: all values first, then the events
    for (const key of changed) for (const listener of listeners["change:" + key] ?? []) listener();
    for (const message of messages) for (const listener of listeners["msg:custom"] ?? []) listener(message);
  },
"""


@pytest.fixture
def show(page, tmp_path):
    """`show(widget)` opens the page that the widget saves, and returns it.

    With `live=True` the widget itself is at the other end: `page.answer()` waits for a message from the front end,
    hands it to the widget, and brings the widget's state and messages back.
    """

    def open_page(widget, live=False):
        widget.save(tmp_path / "widget.html")
        if live:
            connect(widget)
        page.goto((tmp_path / "widget.html").as_uri())
        page.wait_for_selector(".lm-widget")
        return page

    def connect(widget):
        html = widget.page()
        for old, new in (
            ("  send() {},", LIVE),
            ("const el =", "state.live = true;\nwindow.model = model;\nconst el ="),
        ):
            assert old in html
            html = html.replace(old, new)
        (tmp_path / "widget.html").write_text(
            html.replace("const state =", "const state = window.state ="), encoding="utf-8"
        )
        asked, answers = [], []
        page.expose_function("tellPython", lambda content: asked.append(content))
        widget.send = answers.append

        def answer():
            while not asked:
                page.wait_for_timeout(5)
            widget.set_state({key: value for key, value in page.evaluate("window.state").items() if key != "live"})
            while asked:
                widget._handle_custom_msg(asked.pop(0), [])
            page.evaluate("([values, messages]) => window.model.receive(values, messages)", [widget.state(), answers])
            answers.clear()

        page.answer = answer

    return open_page


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A JupyterLab on an empty folder."""
    with harness.jupyter(tmp_path_factory.mktemp("lab")) as server:
        yield server


# A notebook that is opened before the kernels are known gets none.
READY = "() => Promise.all([jupyterapp.restored, jupyterapp.serviceManager.ready])"


@pytest.fixture(scope="session")
def lab_page(chromium, lab):
    """JupyterLab in a page, and the errors in its scripts."""
    with watched_page(chromium) as (page, errors):
        page.goto(f"{lab.url}/lab?token={lab.token}&reset")
        page.wait_for_function("window.jupyterapp?.commands.hasCommand('docmanager:open')")
        page.evaluate(READY)
        yield page, errors


@contextlib.contextmanager
def in_window(lab_page, lab):
    """JupyterLab in the page that all tests share: to load it again takes longer than a test. What is opened there is
    closed in the end; an error in the scripts fails the test."""
    page, errors = lab_page
    page.set_viewport_size(VIEWPORT)
    errors.clear()
    yield page
    lab.close_all(page)
    assert errors == []


@pytest.fixture
def window(lab_page, lab):
    with in_window(lab_page, lab) as page:
        yield page


def notebook(*cells):
    """A notebook of code cells."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return made
