"""The lectures and problem sets of the course, in their order: what the start page, the README and the links show.

Names and titles are those of the notebooks; what a card says more stands in contents.toml.
"""

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOLD = Path(__file__).parent / "contents.toml"
START = "lectures/00_start.ipynb"
GLOSSARY = "lectures/glossary.ipynb"
STUDENTS = "lectures/README.md"


@dataclass(frozen=True)
class ProblemSet:
    """A problem set: "ps4", its title, its notebook's path below the course's folder."""

    name: str
    title: str
    path: str

    @property
    def number(self) -> str:
        """Its number as prose has it: "4"."""
        return self.name.removeprefix("ps")


@dataclass(frozen=True)
class Lecture:
    """A lecture: "05", its title, its notebook's path below the course's folder, its problem set, and its card.

    `does` says what a reader can do after it, `needs` what a reader must know before it, `picture` is a file in
    lectures/pictures/, `alt` its description, and `shown` the part of it that the card shows: left, top, width.
    """

    number: str
    title: str
    path: str
    problem_set: ProblemSet | None
    does: str
    needs: str
    picture: str
    alt: str
    shown: tuple[int, int, int]

    @property
    def card(self) -> str:
        """The card's picture, a file in lectures/pictures/."""
        return f"card_{self.number}.png"


@dataclass(frozen=True)
class Way:
    """A path through the lectures: its name, what it says, the numbers of its lectures, its problem sets' names."""

    name: str
    says: str
    lectures: tuple[str, ...]
    problem_sets: tuple[str, ...]


def problem_sets(root: Path = ROOT) -> list[ProblemSet]:
    """All problem sets that are released in the course at `root`, in order."""
    found = [path for path in (root / "assignments").glob("ps*/ps*.ipynb") if path.stem == path.parent.name]
    made = [ProblemSet(path.stem, _title(path), path.relative_to(root).as_posix()) for path in found]
    return sorted(made, key=lambda each: int(each.number))


def lectures(root: Path = ROOT) -> list[Lecture]:
    """All lectures of the course at `root`, in order. Problem set 4 belongs to lecture 05, and so on.

    Raises ValueError for a lecture that contents.toml does not have.
    """
    cards = tomllib.loads(TOLD.read_text(encoding="utf-8"))
    by_lecture = {int(each.number) + 1: each for each in problem_sets(root)}
    made = []
    for path in sorted((root / "lectures").glob("[0-9][0-9]_*.ipynb")):
        number = path.stem[:2]
        if (where := path.relative_to(root).as_posix()) == START:
            continue
        if number not in cards:
            raise ValueError(f'{TOLD.name} must have a table ["{number}"] for {where}, it has {", ".join(cards)}')
        card = {"does": "", "needs": "", "picture": "", "alt": "", "shown": ()} | cards[number]
        card["shown"] = tuple(card["shown"])
        made.append(Lecture(number, _title(path), where, by_lecture.get(int(number)), **card))
    return made


def paths(root: Path = ROOT) -> list[Way]:
    """The paths through the course at `root`; lectures = "all" stands for all lectures and all problem sets."""
    numbers, names = tuple(each.number for each in lectures(root)), tuple(each.name for each in problem_sets(root))
    made = []
    for path in tomllib.loads(TOLD.read_text(encoding="utf-8"))["path"]:
        whole = path["lectures"] == "all"
        chosen = numbers if whole else tuple(path["lectures"])
        made.append(Way(path["name"], path["says"], chosen, names if whole else tuple(path.get("problem_sets", ()))))
    return made


def _title(path: Path) -> str:
    """The title of a notebook, behind "Lecture 05 · " or "Problem set 4 · "."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    heading = re.search(r"(?m)^# (?:[^·\n]* · )?(.+)$", "".join(cells[0]["source"]) if cells else "")
    if not heading:
        raise ValueError(f"the first cell of {path.name} must have a title, # …")
    return heading[1].strip()
