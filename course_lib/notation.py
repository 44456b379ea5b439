"""Formulas in plain text, `x_t`, `f^k`, `1.2e-05`: as HTML, and as matplotlib writes them."""

import html
import re

INDEX = r"(?:\(([^()]*)\)|\{([^{}]*)\}|([A-Za-z0-9α-ω⊤]+))(?![A-Za-z0-9_])"
BELOW = re.compile(rf"(?<![\w.])([A-Za-zΑ-Ωα-ω]\u0303?)_{INDEX}")  # a name of one letter: `d_k 16`, not `layers_4`
ABOVE = re.compile(rf"(?<=[\w)|>])\^{INDEX}")
POWER = re.compile(r"(?<=\d)e([-+]?\d+)|(?<![\w.])10\^(-?\d+)")  # 1.2e-05, 10^-16
ZERO = re.compile(r"(?<![\w.])0(?:\.0+)?e[-+]\d+")
MINUS = re.compile(r"(?<![\w.)\]=−–-])-(?=\.?\d|inf\b)")
EQUATION = re.compile(r"(?<![^\s(])([A-Za-zα-ω]) = (?=\S)")  # k = 5
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def with_powers(text: str) -> str:
    """1.2e-05 as 1.2·10⁻⁵, and 10^-16 as 10⁻¹⁶."""

    def raised(found: re.Match) -> str:
        power = str(int(found[1] or found[2])).translate(RAISED)
        return f"·10{power}" if found[1] else f"10{power}"

    return POWER.sub(raised, ZERO.sub("0", text))


def as_html(text: str) -> str:
    """Text for a page: indices below and above the line, powers, real minus signs; `k = 5` is not broken."""
    text = EQUATION.sub("\\1\u00a0=\u00a0", MINUS.sub("−", with_powers(text)))
    text = BELOW.sub(lambda found: f"{found[1]}<sub>{_index(found, 2)}</sub>", html.escape(text))
    return ABOVE.sub(lambda found: f"<sup>{_index(found, 1)}</sup>", text)


def as_mathtext(text: str) -> str:
    """Text for a figure, its indices as matplotlib's formulas."""
    text = MINUS.sub("−", text)
    text = BELOW.sub(lambda found: f"${found[1]}_{{{_index(found, 2)}}}$", text)
    return ABOVE.sub(lambda found: f"$^{{{_index(found, 1)}}}$", text)


def _index(found: re.Match, first: int) -> str:
    return next(group for group in found.groups()[first - 1 :] if group is not None).replace("-", "−")
