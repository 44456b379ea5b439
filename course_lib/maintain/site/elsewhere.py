"""Where a notebook of a public repository runs without being installed: Google Colab and Binder."""

import html
import re
from urllib.parse import quote

COLAB, BINDER = "https://colab.research.google.com/github", "https://mybinder.org/v2/gh"
REPOSITORY = re.compile(r"(?P<name>[\w.-]+/[\w.-]+)(?:@(?P<branch>[\w./-]+))?")


class NoRepository(ValueError):
    """What is given is no repository; the message says how one is written."""


def run_elsewhere(path: str, repository: str) -> str:
    """A note with links that open the notebook `path` of the GitHub `repository`, "owner/name" or "owner/name@branch".

    Binder makes the environment from environment.yml. Colab has only the notebook: the note tells the cell that brings
    the course. Raises NoRepository.
    """
    if not (found := REPOSITORY.fullmatch(repository)):
        raise NoRepository(f"a repository is written owner/name or owner/name@branch, got {repository!r}")
    name, branch = found["name"], found["branch"] or "main"
    colab = f"{COLAB}/{name}/blob/{branch}/{quote(path)}"
    binder = f"{BINDER}/{name}/{quote(branch, safe='')}?urlpath=lab/tree/{quote(path)}"
    clone = f"!git clone -q --depth 1 --branch {branch} https://github.com/{name} course && pip install -q -e course"
    return (
        f'Run it without installing: <a href="{html.escape(colab)}">Colab</a> (first, in a cell of its own: '
        f"<code>{html.escape(clone)}</code>, and in the next <code>%cd course</code>) or "
        f'<a href="{html.escape(binder)}">Binder</a> (the first start takes long).'
    )
