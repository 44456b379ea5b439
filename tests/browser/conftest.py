"""One browser and one JupyterLab for all browser tests, which one worker runs in a row (`--dist loadgroup`)."""

import contextlib
import os
from pathlib import Path

import nbformat
import pytest

from tests.browser import harness

HERE = Path(__file__).parent


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


@contextlib.contextmanager
def new_page(chromium):
    """A fresh page; an error in its scripts fails the test."""
    context = chromium.new_context(viewport={"width": 1200, "height": 1000}, reduced_motion="reduce")
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def page(chromium):
    with new_page(chromium) as page:
        yield page


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A JupyterLab on an empty folder."""
    with harness.jupyter(tmp_path_factory.mktemp("lab")) as server:
        yield server


def notebook(*cells):
    """A notebook of code cells."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return made
