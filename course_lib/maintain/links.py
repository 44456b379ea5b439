"""Links in the prose of a notebook: "lecture 05", "section 8 of lecture 05", "problem set 3", "exercise 2".

The words stay as they are, in brackets; where they lead stands below the cell's text, a line for each, and is made
again each time: `[lecture 05]: 05_attention.ipynb`. A place inside a notebook is named by its cell,
`05_attention.ipynb#cell-id=part-steps`, which JupyterLab and the HTML of nbconvert both know.
"""

import re
from collections.abc import Callable

SPACE = r"\s+(?:> ?)?"  # a mention may go on in the next line, also in a quotation
NUMBER = r"\d+(?![\d%]|\.\d)"
THING = r"lecture|section|problem\s+(?:> ?)?set|exercise"
LIST = rf"{NUMBER}(?:(?:,{SPACE}(?:and{SPACE})?|{SPACE}(?:and|to|or){SPACE}){NUMBER})*"
NOT_ANOTHERS = r"(?:(?=[a-z])|(?<!, )(?<!,\n))"  # "Processing, Lecture 09" is the title of somebody else's
NOT_OF_A_PAPER = r"(?<!\d{4}, )(?<!\d{4},\n)(?<!\d{4}, \()"  # "Vaswani et al. 2017, section 5"
MENTION = re.compile(
    rf"(?P<inner>[Ss]ection|[Ee]xercise){SPACE}(?P<n>{NUMBER}){SPACE}of{SPACE}"
    rf"(?P<outer>lecture|problem{SPACE}set){SPACE}(?P<m>{NUMBER})"
    rf"|{NOT_ANOTHERS}(?P<first>[Ll]ecture){SPACE}(?P<k>{NUMBER}),{SPACE}(?P<second>section|exercise){SPACE}(?P<j>{NUMBER})"
    rf"|{NOT_ANOTHERS}{NOT_OF_A_PAPER}\b(?P<thing>(?i:{THING}))s?{SPACE}(?P<list>{LIST})"
)
KEPT = re.compile(  # code, formulas, headings, HTML with what a summary says, links that were written by hand
    r"```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$]+\$|^#+ [^\n]*|<summary>.*?</summary>|<[^<>]*>"
    r"|!?\[[^\[\]]*\]\([^()]*\)",
    re.DOTALL | re.MULTILINE,
)
LABEL = rf"(?:{THING})\s\d+(?:,? (?:of )?(?:{THING})\s\d+)?"
DEFINED = re.compile(rf"\n\n(?:\[{LABEL}\]: \S+(?:\n|\Z))+\Z")  # the last lines of a cell

Target = Callable[..., str | None]  # ("lecture", "05") → where it leads, ("section", "8", "lecture", "05") likewise


def linked(source: str, target: Target) -> str:
    """The Markdown `source` with a link on every mention that has a target; links of an earlier call are made anew.

    `target(thing, number)` or `target(part, number, thing, number)` says where one leads, None for nowhere.
    """
    plain, places = unlinked(source), {}

    def link(found: re.Match, words: str, *of: str) -> str:
        place = target(*of)
        if place is None:
            return words
        label = f"{of[0]} {of[1]}" + (f" of {of[2]} {of[3]}" if len(of) > 2 else "")
        places[label] = place
        short = _spoken(words) == label and found.string[found.end() : found.end() + 1] not in (":", "(", "[")
        return f"[{words}]" if short else f"[{words}][{label}]"

    def mention(found: re.Match) -> str:
        if found["inner"]:
            return link(found, found[0], found["inner"].lower(), found["n"], _spoken(found["outer"]), found["m"])
        if found["first"]:
            return link(found, found[0], found["second"], found["j"], "lecture", found["k"])
        thing, words, end = _spoken(found["thing"]), [], 0
        before = found[0][: len(found[0]) - len(found["list"])]  # "sections ", which belongs to the first number
        for number in re.finditer(NUMBER, found["list"]):
            words += [found["list"][end : number.start()], link(found, before + number[0], thing, number[0])]
            before, end = "", number.end()
        return "".join(words)

    pieces, end = [], 0
    for kept in KEPT.finditer(plain):
        pieces += [MENTION.sub(mention, plain[end : kept.start()]), kept[0]]
        end = kept.end()
    text = "".join([*pieces, MENTION.sub(mention, plain[end:])])
    return "\n\n".join(filter(None, [text, "\n".join(f"[{label}]: {place}" for label, place in places.items())]))


def unlinked(source: str) -> str:
    """`source` without the links that `linked` has made."""
    if not (defined := DEFINED.search(source)):
        return source
    labels = set(re.findall(r"(?m)^\[([^\]]+)\]: ", defined[0]))

    def words(found: re.Match) -> str:
        return found[1] if (found[2] or _spoken(found[1])) in labels else found[0]

    return re.sub(r"\[([^\[\]]+)\](?:\[([^\[\]]+)\])?", words, source[: defined.start()])


def _spoken(words: str) -> str:
    """How a label is written: one line, single spaces, small letters."""
    return " ".join(re.sub(r"\n> ?", "\n", words).split()).lower()
