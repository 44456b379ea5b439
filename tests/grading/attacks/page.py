"""Attacks on whoever reads the graded notebook: scripts in outputs, tracebacks, answers and sources."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from ..sample_class import read_by_a_person
from .attack import Attack, filled, save

CLEAN = "outputs keep text and pictures; pages are sanitized"
SCRIPTS = (
    "<script>evil()</script>",
    "<img src=x onerror=evil()>",
    "<svg onload=evil()><script>evil()</script></svg>",
    "<iframe srcdoc='<script>evil()</script>'></iframe>",
    "<a href='javascript:evil()'>evil</a>",
    "<a href='data:text/html,<script>evil()</script>'>evil</a>",
    "<form action='https://evil.example'><button formaction='javascript:evil()'>evil</button></form>",
    "<style>@import 'https://evil.example/evil.css'; body { background: url(https://evil.example/evil) }</style>",
    "<div style='background: url(https://evil.example/evil); position: fixed; inset: 0'>evil</div>",
    "<meta http-equiv=refresh content='0; url=https://evil.example'><base href='https://evil.example'>",
    "<object data=evil.swf></object><embed src=evil.swf><link rel=stylesheet href=https://evil.example/evil.css>",
    "</pre></div></body><script>evil()</script>",
    "--><script>evil()</script><!--",
    "<math><mtext><table><mglyph><style><img src=x onerror=evil()></style></mglyph></table></mtext></math>",
)
MARKDOWN = (
    *SCRIPTS,
    "[evil](javascript:evil())",
    "![evil](x' onerror='evil())",
    "<javascript:evil()>",
    "```html\n<script>evil()</script>\n```",
    "$\\href{javascript:evil()}{evil}$",
    "`<script>evil()</script>`",
    "[x]: javascript:evil()\n\n[x]",
    "# <script>evil()</script>",
)

OUTPUTS = f"""
import sys
from IPython.display import HTML, Javascript, SVG, Markdown, display
scripts = {SCRIPTS!r}
for text in scripts:
    print(text)
    print("\\x1b[31m" + text + "\\x1b]8;;javascript:evil()\\x07evil\\x1b]8;;\\x07\\x1b[0m")
    print(text, file=sys.stderr)
    display(HTML(text), Markdown(text), {{"text/html": text, "text/latex": text, "application/javascript": "evil()"}})
    display({{"image/svg+xml": text, "image/png": text, "application/vnd.jupyter.widget-view+json": {{}}, "application/vnd.evil+json": text}}, raw=True)
    display({{"text/plain": text, "image/png": "iVBORw0KGgo=' onerror='evil()"}}, raw=True, metadata={{"image/png": {{"width": "1' onerror='evil()"}}}})
display(Javascript("evil()"))
turn = iter(range(10**9))
class Evil(Exception): pass
Evil.__name__ = Evil.__qualname__ = scripts[0]
def learn_merges(*_):
    text = scripts[next(turn) % len(scripts)]
    if next(turn) % 3: raise Evil(text)
    return [(text, text)]
print("ran")
raise Evil("\\n".join(scripts))
"""


def written(folder, notebook: nbformat.NotebookNode) -> None:
    """Scripts in answers, in cells of text, and in sources."""
    for cell in notebook.cells:
        if read_by_a_person(cell):
            cell.source = "\n\n".join(MARKDOWN)
    notebook.cells += [new_markdown_cell(text) for text in MARKDOWN]
    notebook.cells += [new_code_cell(f"%%html\n{text}") for text in SCRIPTS[:3]]
    save(folder, filled(notebook, "print('ran')\n" + "\n".join(f"# {text}" for text in SCRIPTS)))


SLOW = (
    "\\\\[",
    "**a ",
    "<div>",
    "[a](",
    "_a",
    "`a ",
    "> ",
    "$$a",
    "![",
    "\\\\begin{a}",
    "&lt",
    "~~a",
    "1. \n ",
    "|a",
    "<!--",
)


def slow(folder, notebook: nbformat.NotebookNode) -> None:
    """Text that takes renderers a time that grows with its square: long, and many times short."""
    for cell in notebook.cells:
        if read_by_a_person(cell):
            cell.source = "evil " + SLOW[0] * 30_000
    notebook.cells += [new_markdown_cell(text * (40_000 // len(text))) for text in SLOW]
    notebook.cells += [new_markdown_cell(text * (4_900 // len(text))) for text in SLOW]
    notebook.cells += [new_code_cell("#" + text * (40_000 // len(text))) for text in SLOW[:3]]
    save(folder, filled(notebook, "print('ran')"))


ATTACKS = (
    Attack(
        "slow text", "text that renderers take minutes for, evil in its length", "long text is not rendered", write=slow
    ),
    Attack(
        "script in outputs",
        "scripts in prints, displays, pictures, errors and answers",
        CLEAN,
        OUTPUTS,
        shows=r"\bran\\n|\bran\n",
    ),
    Attack("script in text", "scripts in answers, text cells and sources", CLEAN, write=written),
)
LIMITS: dict[str, float] = {}  # nothing here waits
