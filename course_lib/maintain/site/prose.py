"""Markdown as HTML, as notebooks write it: formulas marked for KaTeX, HTML within it kept."""

import html
import re

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

SIGNS = re.compile(r'(\(?)(<span class="formula">[^<]*</span>)([,.;:?!)]*)')


class Renderer(IPythonRenderer):
    """nbconvert's, with each formula in an element of its own, and no link beside a heading."""

    def __init__(self):
        super().__init__(escape=False, exclude_anchor_links=True)

    def block_math(self, body: str) -> str:
        """A formula on its own lines."""
        return f'<span class="formula displayed">{html.escape(body.strip(), quote=False)}</span>'

    def inline_math(self, body: str) -> str:
        """A formula in a line."""
        return f'<span class="formula">{html.escape(body.strip(), quote=False)}</span>'

    def latex_environment(self, name: str, body: str) -> str:
        """An environment without dollar signs around it."""
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")


def as_html(source: str) -> str:
    """The Markdown `source` as HTML; a table may be wider than the page, so it scrolls in a box of its own."""
    made = MarkdownWithMath(renderer=Renderer()).render(source)
    return wide_tables_scroll(with_their_signs(made))


def with_their_signs(made: str) -> str:
    """HTML whose formulas are held together with the brackets and full stops beside them: no line begins with one."""
    return SIGNS.sub(lambda found: f'<span class="held">{found[0]}</span>' if found[1] or found[3] else found[0], made)


def wide_tables_scroll(made: str) -> str:
    """HTML with each of its tables in a box that scrolls sideways, also by keys."""
    box = '<div class="wide" role="group" aria-label="Table" tabindex="0">'
    return re.sub(r"<table\b.*?</table>", lambda found: f"{box}{found[0]}</div>", made, flags=re.DOTALL)
