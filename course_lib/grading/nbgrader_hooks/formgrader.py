"""Ids and names of students as text on Formgrader's pages; nbgrader puts them there as HTML, and as script."""

import re
import sys
from html import escape
from pathlib import Path
from typing import Any

import nbgrader
from jinja2 import Environment, FileSystemLoader
from nbconvert.preprocessors import Preprocessor

TEMPLATES = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
IN_SCRIPT = re.compile(r'= "\{\{ ([\w.]+) \}\}";')  # a text of the page's script


class NamesAsText(Preprocessor):
    """In `c.HTMLExporter.preprocessors`: for the page of a submission, which nbconvert makes."""

    def preprocess(self, nb, resources):
        for name in ("student", "first_name", "last_name", "notebook_path"):
            if resources.get(name):
                resources[name] = escape(resources[name])
        return nb, resources


class Templates(FileSystemLoader):
    """nbgrader's templates, with what they put into a script written as the script's own texts."""

    def get_source(self, environment: Environment, template: str) -> tuple:
        source, *about = super().get_source(environment, template)
        return IN_SCRIPT.sub(r"= {{ \1 | tojson }};", source), *about


ENVIRONMENT = Environment(loader=Templates(TEMPLATES), autoescape=True)


def render(_: Any, name: str, **about: Any) -> str:
    """A page of all others."""
    return ENVIRONMENT.get_template(name).render(**about)


def install() -> None:
    """Let Formgrader, where this process runs it, make its pages so."""
    if (base := sys.modules.get("nbgrader.server_extensions.formgrader.base")) is not None:
        base.BaseHandler.render = render
