"""Where links lead on the site: from paths of the repository, as notebooks have them, to pages side by side."""

import html
import os
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from course_lib.reader.contents import GLOSSARY, START

LINK = re.compile(r'(?P<before><(?:a|img)\b[^<>]*?\b(?:href|src)=")(?P<to>[^"]*)(?=")')
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)  # another site, a mail, this page
PICTURES = {".png", ".svg", ".jpg", ".gif"}


class NowhereToGo(ValueError):
    """A link of a notebook leads to a file that is not there; the message names both."""


def page_of(path: str) -> str:
    """The page's name for a file of the course: "lectures/05_attention.ipynb" → "05_attention.html".

    The start page is index.html; a module keeps its folders in the name, "course_lib.subwords.pairs.html".
    """
    if path == START:
        return "index.html"
    place = PurePosixPath(path)
    return f"{'.'.join(place.with_suffix('').parts) if place.suffix == '.py' else place.stem}.html"


class Places:
    """The links of the notebook `source`, a path below `root`; `needed` collects the files that its links want.

    Raises NowhereToGo for a link to nothing.
    """

    def __init__(self, root: Path, source: str):
        self.root, self.source = root, source
        self.needed: set[str] = set()

    def linked(self, made: str) -> str:
        """HTML with all its links and pictures led to the site's pages."""
        return LINK.sub(lambda found: found["before"] + html.escape(self.target(html.unescape(found["to"]))), made)

    def target(self, to: str) -> str:
        """Where `to` leads on the site: `06_search.ipynb#cell-id=s7` → `06_search.html#cell-id=s7`."""
        if not to or ELSEWHERE.match(to):
            return to
        address, mark, part = to.partition("#")
        folder = PurePosixPath(self.source).parent
        path = PurePosixPath(os.path.normpath(folder / unquote(address))).as_posix()
        if path.startswith(("..", "/")) or not (self.root / path).is_file():
            raise NowhereToGo(f"{self.source} links to {to}, and there is no file {path}")
        self.needed.add(path)
        name = f"pictures/{PurePosixPath(path).name}" if PurePosixPath(path).suffix in PICTURES else page_of(path)
        return name + mark + part


LOOK_UP = (("Start", page_of(START)), ("Glossary", page_of(GLOSSARY)))  # at the top of every page
