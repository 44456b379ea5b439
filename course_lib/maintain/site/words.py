"""The words of Markdown, for a search: no marks and no tags, and formulas as they are read, p(y_j | x, θ)."""

import html
import re
from html.parser import HTMLParser

from course_lib.maintain.site.prose import as_html

NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho final sigma tau upsilon "
    "phi chi psi omega"
)
GREEK = dict(zip(NAMES.split(), map(chr, range(0x3B1, 0x3CA)), strict=True))
SIGNS = {
    **GREEK,
    **{name.capitalize(): letter.upper() for name, letter in GREEK.items()},
    **{"varepsilon": "ε", "varphi": "φ", "ell": "ℓ", "sum": "Σ", "prod": "Π", "partial": "∂", "nabla": "∇"},
    **{"mid": "|", "lvert": "|", "rvert": "|", "lVert": "‖", "rVert": "‖", "|": "‖", "langle": "⟨", "rangle": "⟩"},
    **{"dots": "…", "cdots": "…", "ldots": "…", "cdot": "·", "times": "×", "odot": "⊙", "pm": "±", "sqrt": "√"},
    **{"approx": "≈", "sim": "~", "le": "≤", "ge": "≥", "ne": "≠", "in": "∈", "cap": "∩", "infty": "∞", "top": "⊤"},
    **{"leftarrow": "←", "rightarrow": "→", "to": "→", "_": "_", "%": "%"},
}
FUNCTIONS = {"log", "ln", "exp", "max", "min", "arg", "sin", "cos", "tan", "tanh"}  # what says how it looks is left out
FONT = re.compile(r"\\(?:text\w*|math\w+|operatorname)\s*\{([^{}]*)\}")
ACCENTS = {"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304"}
PART = r"(?:\{([^{}]*)\}|(\w))"  # an argument
FRACTION = re.compile(rf"\\[dt]?frac\s*{PART}\s*{PART}")
ROOT = re.compile(rf"\\sqrt\s*{PART}")
SCRIPT = re.compile(r"([_^])\{([^{}]*)\}")
INLINE = {"a", "b", "code", "em", "i", "kbd", "s", "small", "span", "strong", "sub", "sup"}


def read_formula(tex: str) -> str:
    r"""TeX as a line of text: `\frac{1}{n} \sum_i \log p(y_i \mid x)` → "1/n Σ_i log p(y_i | x)"."""
    tex = re.sub(r"\\(?:begin|end)\{\w+\*?\}(?:\{[^{}]*\})?", " ", tex)
    tex = re.sub(rf"\\({'|'.join(ACCENTS)})\s*{PART}", lambda found: _given(found, 2) + ACCENTS[found[1]], tex)
    for _ in range(3):  # one within another
        tex = SCRIPT.sub(r"\1\2", FONT.sub(r"\1", tex))
        tex = ROOT.sub(lambda found: f"√{_one(_given(found, 1))}", tex)
        tex = FRACTION.sub(lambda found: f"{_one(_given(found, 1))}/{_one(_given(found, 3))}", tex)
    made = re.sub(r"\\([A-Za-z]+|.)", _sign, tex, flags=re.DOTALL)
    return " ".join(re.sub(r"[{}&]", "", made).split())


def _given(found: re.Match, group: int) -> str:
    return found[group] or found[group + 1] or ""


def _one(part: str) -> str:
    return f"({part.strip()})" if re.search(r"\S[\s+−-]+\S", part) else part


def _sign(found: re.Match) -> str:
    name = found[1]
    if name in SIGNS or name in FUNCTIONS:
        return SIGNS.get(name, name)
    return " " if len(name) == 1 or "quad" in name else ""


def as_text(source: str) -> str:
    """The words of the Markdown `source`, also those that describe its pictures."""
    made = re.sub(
        r'(<span class="formula[^"]*">)(.*?)(?=</span>)',
        lambda found: found[1] + html.escape(read_formula(html.unescape(found[2]))),
        as_html(source),
        flags=re.DOTALL,
    )
    words = _Words()
    words.feed(made)
    words.close()
    return " ".join("".join(words.found).split())


class _Words(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append("" if tag in INLINE else f" {dict(attributes).get('alt') or ''} ")

    def handle_endtag(self, tag: str) -> None:
        self.found.append("" if tag in INLINE else " ")

    def handle_data(self, text: str) -> None:
        self.found.append(text)
