"""Everything that people read of a student's, made harmless in one place: text, pictures, Markdown, HTML.

`markdown`, `html` and `code` take the place of nbconvert's filters `markdown2html`, `clean_html` and `highlight_code`,
in the feedback that students get and in Formgrader alike (`c.HTMLExporter.filters`): nbgrader's own templates clean
nothing. Renderers of text take a time that grows with its square, so text that is long, or that takes them long, is
shown as it is.
"""

import base64
import binascii
import re
import time
import unicodedata
from collections.abc import Callable
from html import escape
from typing import Any

import nh3
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from course_lib.grading.boundary.timelimit import TimeUp, time_limit

ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")  # with lone surrogates, which cannot be stored
PATHS = re.compile(r"(?<![\w<])(?:/[\w.@+-]+){2,}/?")
MAX_TEXT = 20_000  # characters of an output
MAX_MARKDOWN = 5_000  # characters of a text that is rendered
MAX_CODE = 20_000  # characters of a cell that is coloured
TEXT_SECONDS, PAGE_SECONDS = 5.0, 60.0  # that one text, and all texts of one page, may take to render
PAUSE = 1.0  # seconds: a text that comes later than that after the last is of another page

TEXT = (
    "a abbr acronym b blockquote br caption code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i kbd li ol p pre s span "
    "strong sub sup table tbody td tfoot th thead tr u ul"
)
TAGS = set(TEXT.split(" "))
NO_TAG = re.compile(rf"<(?!/?(?:{TEXT.replace(' ', '|')})[\s/>]|!--)", re.IGNORECASE)  # shown as it was written
SCHEMES = {"http", "https", "mailto"}  # of links
STYLES = {"border-left", "color", "margin", "padding", "text-align", "white-space"}
COLOURED = re.compile(r"highlight|[a-z]{1,3}\d?")  # the classes of highlighted code


def plain(text: object) -> str:
    """Text without terminal codes, control characters and paths, cut to a sensible length."""
    text = text if isinstance(text, str) else str(text)
    text = PATHS.sub("<path>", CONTROL.sub("", ANSI.sub("", text[: 2 * MAX_TEXT])))
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "\n[cut here]"


def visible(text: str) -> str:
    """Text whose control and format characters, also those that turn a line round, are written as escapes."""
    return "".join(c if c in "\n\t" or unicodedata.category(c)[0] != "C" else _escape(c) for c in ANSI.sub("", text))


def for_table(text: str | None) -> str:
    """Text as a spreadsheet shows it: one that looks like a formula stays text."""
    return f"'{text}" if text and text[0] in "=+-@\t\r" else text or ""


def image(data: object) -> str | None:
    """Base64 of a PNG, or None for anything else."""
    try:
        raw = base64.b64decode(data, validate=False) if isinstance(data, str) else b""
    except (binascii.Error, ValueError):
        return None
    return base64.b64encode(raw).decode() if raw.startswith(b"\x89PNG\r\n\x1a\n") else None


def markdown(source: str) -> str:
    """Markdown as HTML that holds text and links alone: nothing that runs, or that the page around it heeds."""

    def render() -> str:
        rendered = MarkdownWithMath(renderer=IPythonRenderer(escape=False, exclude_anchor_links=True)).render(source)
        return _clean(rendered, {"*": {"class"}, "a": {"class", "href"}, "ol": {"class", "start"}}, colours=True)

    return as_it_is(source) if len(source) > MAX_MARKDOWN else PAGE.in_time(render, as_it_is(source))


def html(source: object) -> str:
    """HTML of the grader's own, once more without anything that could run."""
    return _clean(str(source), {"*": {"class", "role", "style"}, "a": {"href"}})


def code(source: str, *arguments: Any, **keywords: Any) -> str:
    """Code in colours."""
    plainly = f'<div class="highlight">{as_it_is(source)}</div>'
    if len(source) > MAX_CODE:
        return plainly
    return PAGE.in_time(lambda: Highlight2HTML()(source, *arguments, **keywords), plainly)


class Page:
    """How much time is left to render the texts of a page, which follow each other at once."""

    def __init__(self) -> None:
        self.left, self.ended = PAGE_SECONDS, 0.0

    def in_time(self, render: Callable[[], str], plainly: str) -> str:
        """What `render` gives; `plainly` if it takes too long, nests too deep, or no time is left for this page."""
        began = time.monotonic()
        if began - self.ended > PAUSE:
            self.left = PAGE_SECONDS
        try:
            if self.left <= 0:
                return plainly
            with time_limit(min(TEXT_SECONDS, self.left)):
                return render()
        except (TimeUp, RecursionError):
            return plainly
        finally:
            self.ended = time.monotonic()
            self.left -= self.ended - began


PAGE = Page()


def unchanged(text: str) -> str:
    """The text: the filter that it replaces looks for links of old notebooks, in the square of the length."""
    return text


def as_it_is(source: str) -> str:
    """Text that is not interpreted at all."""
    return f"<pre>{escape(source)}</pre>"


def _clean(source: str, attributes: dict[str, set[str]], colours: bool = False) -> str:
    """HTML of TAGS with these attributes alone; other tags are text. `colours`: of classes, only highlighted code's."""
    text = NO_TAG.sub("&lt;", source.encode(errors="replace").decode())  # lone surrogates become question marks
    return nh3.clean(
        text,
        tags=TAGS,
        attributes=attributes,
        attribute_filter=_coloured if colours else None,
        clean_content_tags=set(),
        url_schemes=SCHEMES,
        filter_style_properties=STYLES,
    )


def _coloured(tag: str, name: str, value: str) -> str | None:
    return value if name != "class" or COLOURED.fullmatch(value) else None


def _escape(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"
