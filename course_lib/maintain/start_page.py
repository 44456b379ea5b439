"""The cards and the paths of the start page, made from contents.toml and from what the lectures hold.

How long a lecture runs is what `python -m tests.benchmarks.bench_lectures --full yes` has measured and recorded.
"""

import json
import math
import os
from collections.abc import Iterable
from pathlib import Path

import nbformat

from course_lib.reader.contents import START, Lecture, Way, lectures, paths, problem_sets
from course_lib.reader.minutes import NO_BREAK, minutes, told

MEASURED = "tests/benchmarks/results/lectures.json"
TIMES = """Minutes to read. *Must*: the way through the lecture. *May*, as you like: sections marked *may*, what is
folded, and the exercises."""
RUNS = " *Runs*: minutes of the processor for all of its cells, as measured on one machine."
GRID = "display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 14px"
CARD = "border: 1px solid gray; border-radius: 8px; padding: 10px"
PICTURE = "width: 100%; border-radius: 4px"


def start_page(root: Path) -> nbformat.NotebookNode:
    """The start page of the course at `root`, with its cells "cards" and "paths" made again."""
    notebook = nbformat.read(root / START, 4)
    made = {"cards": cards(root), "paths": ways(root)}
    for cell in notebook.cells:
        cell.source = made.get(cell.id, cell.source)
    return notebook


def cards(root: Path) -> str:
    """A card for each lecture: picture, title, what a reader can do then, minutes, problem set."""
    times, seconds = _times(root), _seconds(root)
    there = [_card(each, *times[each.number], seconds.get(Path(each.path).stem)) for each in lectures(root)]
    said = TIMES + (RUNS if seconds else "")
    return f"## The lectures\n\n{said}\n\n{_grid(there)}"


def _card(lecture: Lecture, must: float, may: float, seconds: float | None) -> str:
    picture = f'<img src="pictures/{lecture.card}" alt="{lecture.alt}" width="320" style="{PICTURE}">'
    link = _link(lecture.path, "{}")
    runs = f" · runs {_short(seconds)}" if seconds else ""
    lines = [
        link.format(picture) if lecture.picture else "",
        f"<b>{link.format(f'{lecture.number} {lecture.title}')}</b>",
        lecture.does,
        f"<small>must {told(must)} · may {told(may)}{runs}</small>",
    ]
    if lecture.problem_set:
        set_link = _link(lecture.problem_set.path, f"problem set {lecture.problem_set.number}")
        lines[-1] += f"<br><small>{set_link}</small>"
    return _framed(lines)


def ways(root: Path) -> str:
    """A card for each path: what it says, its lectures, how long they take to read, its problem sets."""
    by_number, sets = {each.number: each for each in lectures(root)}, {each.name: each for each in problem_sets(root)}
    times = _times(root)

    def card(way: Way) -> str:
        whole = len(way.lectures) == len(by_number)
        links = ", ".join(_link(by_number[number].path, number) for number in way.lectures)
        given = ", ".join(_link(sets[name].path, name) for name in way.problem_sets)
        read = told(sum(times[number][0] for number in way.lectures))
        lines = [f"<b>{way.name}</b> · {read} to read", way.says]
        lines += [f"<small>{'all lectures' if whole else f'lectures {links}'}</small>"]
        if given:
            all_sets = len(way.problem_sets) == len(sets)
            lines[-1] += f"<br><small>{'all problem sets' if all_sets else f'problem sets {given}'}</small>"
        return _framed(lines)

    return f"## Which way?\n\n{_grid(map(card, paths(root)))}"


def _link(path: str, words: str) -> str:
    return f'<a href="{_from_here(path)}">{words}</a>'


def _framed(lines: Iterable[str]) -> str:
    return f'<div style="{CARD}">' + "<br>\n".join(filter(None, lines)) + "</div>"


def _grid(made: Iterable[str]) -> str:
    there = "\n".join(made)
    return f'<div style="{GRID}">\n{there}\n</div>'


def _times(root: Path) -> dict[str, tuple[float, float]]:
    """Minutes of each lecture: what must and what may be read."""
    counted = {each.number: minutes(nbformat.read(root / each.path, 4)) for each in lectures(root)}
    return {number: (each.must, each.may) for number, each in counted.items()}


def _seconds(root: Path) -> dict[str, float]:
    """Seconds of processor time that each lecture was measured to take, by its name."""
    path = root / MEASURED
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.is_file() else []
    return {row["lecture"]: row["CPU s"] for row in rows}


def _short(seconds: float) -> str:
    """Seconds as a card says them: in half minutes, rounded up."""
    halves = max(1, math.ceil(seconds / 30))
    return f"{halves // 2 or ''}{'½' if halves % 2 else ''}{NO_BREAK}min"


def _from_here(path: str) -> str:
    return Path(os.path.relpath(path, Path(START).parent)).as_posix()
