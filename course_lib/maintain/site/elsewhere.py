"""Where notebooks run: on the reader's machine, and those of a public repository on Google Colab and Binder."""

import html
import os
import re
from urllib.parse import quote

from course_lib.reader.contents import START, STUDENTS

COLAB, BINDER = "https://colab.research.google.com/github", "https://mybinder.org/v2/gh"
REPOSITORY = re.compile(r"(?P<name>[\w.-]+/[\w.-]+)(?:@(?P<branch>[\w./-]+))?")


class NoRepository(ValueError):
    """What is given is no repository; the message says how one is written."""


def on_your_machine(repository: str) -> str:
    """A note for the start page: how the course comes from the GitHub `repository`, or, for "", from who gave the page.

    Raises NoRepository.
    """
    got = "take the course’s folder from whoever gave you this page"
    if repository:
        name, branch = _parts(repository)
        clone = f"git clone --branch {branch} https://github.com/{name}"
        got = f"get its folder by <code>{html.escape(clone)}</code>"
    students = os.path.relpath(STUDENTS, os.path.dirname(START))
    return (
        "These pages are to read, to guess and to step through: nothing has to be run or installed. To run the course, "
        f"change it and have your problem sets checked, {got}, and type <code>make lab</code> in it (the first time it "
        "makes the environment, about 2 GB) or <code>make test</code>, which tries everything; "
        f'<a href="{students}">other ways to install it, and how to work and hand in</a>.'
    )


def _parts(repository: str) -> tuple[str, str]:
    if not (found := REPOSITORY.fullmatch(repository)):
        raise NoRepository(f"a repository is written owner/name or owner/name@branch, got {repository!r}")
    return found["name"], found["branch"] or "main"


def run_elsewhere(path: str, repository: str) -> str:
    """A note with links that open the notebook `path` of the GitHub `repository`, "owner/name" or "owner/name@branch".

    Binder makes the environment from environment.yml. Colab has only the notebook: the note tells the cell that brings
    the course. Raises NoRepository.
    """
    name, branch = _parts(repository)
    colab = f"{COLAB}/{name}/blob/{branch}/{quote(path)}"
    binder = f"{BINDER}/{name}/{quote(branch, safe='')}?urlpath=lab/tree/{quote(path)}"
    clone = f"!git clone -q --depth 1 --branch {branch} https://github.com/{name} course && pip install -q -e course"
    return (
        f'Run it without installing: <a href="{html.escape(colab)}">Colab</a> (first, in a cell of its own: '
        f"<code>{html.escape(clone)}</code>, and in the next <code>%cd course</code>) or "
        f'<a href="{html.escape(binder)}">Binder</a> (the first start takes long).'
    )
