"""The README's table of lectures: lecture 09 and problem set 8 share a row, whichever of them is made first."""

import re

HEADER = "| lecture | module | problem set |"


def with_lecture(text: str, number: str, title: str, path: str) -> str:
    """The README `text` with the row of lecture `number` ("09")."""
    return _with_cells(
        text, int(number), {0: f"[{number} {title}]({path})", 1: "unwritten: name the modules it shows."}
    )


def with_problem_set(text: str, name: str) -> str:
    """The README `text` with the link to problem set `name` ("ps8"), in the row of its lecture."""
    return _with_cells(text, int(name.removeprefix("ps")) + 1, {2: f"[{name}](assignments/{name}/{name}.ipynb)"})


def _with_cells(text: str, lecture: int, cells: dict[int, str]) -> str:
    """Fill these columns of the lecture's row if they are empty; else make a row, behind those of earlier lectures."""
    lines = text.splitlines()
    if HEADER not in lines:
        raise ValueError(f'README.md must have the table "{HEADER}"; it has none')
    first = lines.index(HEADER) + 2
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[first:]]
    rows = rows[: next((place for place, row in enumerate(rows) if not row), len(rows))]
    place = sum(_lecture(row) < lecture for row in rows)
    there = [row for row in rows if _lecture(row) == lecture and not any(row[column] for column in cells)]
    row = there[0] if there else ["", "", ""]
    if not there:
        lines.insert(first + place, "")
        rows.insert(place, row)
    for column, cell in cells.items():
        row[column] = cell
    lines[first + rows.index(row)] = "|" + "".join(f" {cell} |" if cell else " |" for cell in row)
    return "\n".join(lines) + "\n"


def _lecture(row: list[str]) -> int:
    """The number of the lecture whose row it is; a problem set belongs to the lecture after its number."""
    lecture, problem_set = re.match(r"\[(\d+) ", row[0]), re.match(r"\[ps(\d+)\]", row[2])
    return int(lecture[1]) if lecture else int(problem_set[1]) + 1 if problem_set else 0
