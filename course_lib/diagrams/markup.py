"""Text with `_` and `^` before one sign or a {group}, as in "h_{t−1}": as HTML, as SVG, and in words."""

import re
from collections.abc import Iterator
from html import escape

SPOKEN = {"^⊤": " transposed", "^→": " forward", "^←": " backward", "⊙": "times", "×": "times", "√": "root of "}
ADDED = re.compile(r"<(\d+):(.*?)>")  # what step 3 adds to an equation: <3:f_t ⊙ >


def pieces(text: str) -> Iterator[tuple[str, str, bool]]:
    """Each piece as (its mark "_", "^" or "", its signs, is it slanted): single letters are, names of functions not."""
    text = re.sub(r"([_^])(\w)", r"\1{\2}", text)
    for mark, signs in re.findall(r"([_^]?)(\{[^}]*\}|[A-Za-z]+\u0303?|.)", text):
        signs = signs.strip("{}")
        yield mark, signs, bool(mark) or len(signs.rstrip("\u0303")) == 1 and signs[0].isalpha()


def as_html(text: str) -> str:
    """`h_t` -> `<i>h</i><sub>t</sub>`."""
    tags = {"_": "sub", "^": "sup"}
    made, raised = "", 0.0
    for mark, signs, slanted in pieces(text):
        tag = tags.get(mark, "i" if slanted else "span")
        under = raised and mark == "_"
        style = f' style="margin:0 {max(raised - _width(signs), 0) + 0.15:g}em 0 -{raised:g}em"' if under else ""
        made += f"<{tag}{style}>{escape(signs)}</{tag}>"
        raised = _width(signs) if mark == "^" else 0
    return made


def as_svg(text: str) -> str:
    """The same as `<tspan>`s; in `h^2_t` one script stands over the other."""
    made, drop, raised, over = "", 0.0, 0.0, 0.0
    for mark, signs, slanted in pieces(text):
        want = {"_": 4, "^": -6, "": 0}[mark]
        under = raised and mark == "_"
        shift = -raised if under else over
        classes = "lm-script " * bool(mark) + "lm-slanted" * slanted
        made += f'<tspan class="{classes}" dx="{shift:g}em" dy="{want - drop:g}">{escape(signs)}</tspan>'
        over = max(raised - _width(signs), 0) if under else 0  # what of the upper script reaches beyond the lower
        drop, raised = want, _width(signs) if mark == "^" else 0
    return made


def _width(signs: str) -> float:
    return sum(1 if sign in "→←" else 0.5 for sign in signs)  # in em, about


def equation(text: str) -> str:
    """An equation as HTML; what later steps add to it stands in `<span data-step>`."""
    first, *rest = ADDED.split(text)
    additions = zip(rest[::3], rest[1::3], rest[2::3], strict=True)
    added = '<span data-step="{}">{}</span>{}'.format
    return as_html(first) + "".join(added(step, as_html(new), as_html(old)) for step, new, old in additions)


def spoken(text: str, step: int = 0) -> str:
    """In words: "h_{t−1}" is "h t−1". Of what steps add to an equation, that up to `step`."""
    text = ADDED.sub(lambda new: new[2] if int(new[1]) <= step else "", text)
    for sign, words in SPOKEN.items():
        text = text.replace(sign, words)
    return re.sub(r" +(?=[ )])", "", re.sub(r"[_^{}]+", " ", text)).strip()
