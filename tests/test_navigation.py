"""The way through the course: every mention is linked, and every link leads to a file and a cell that are there."""

import os
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell

from course_lib.diagrams.layout import COLUMN, ROW, rectangle
from course_lib.diagrams.summaries import SUMMARIES
from course_lib.maintain import navigation
from course_lib.maintain.navigation import Places, handing_in, navigated, way_on
from course_lib.maintain.needs import needed
from course_lib.maintain.sections import begun
from course_lib.maintain.start_page import MEASURED
from course_lib.maintain.summary_pictures import pictures
from course_lib.reader.contents import GLOSSARY, ROOT, START, STUDENTS, lectures, problem_sets

NOTEBOOKS = [START, GLOSSARY, *(each.path for each in lectures()), *(each.path for each in problem_sets())]
LINK = re.compile(r"\]\(([^()\s]+)\)|^\[[^\]]+\]: (\S+)$", re.MULTILINE)


def links(path: str) -> list[tuple[str, str]]:
    """The links of a notebook's prose: the cell that holds it, and where it leads."""
    cells = nbformat.read(ROOT / path, 4).cells
    prose = [cell for cell in cells if cell.cell_type == "markdown"]
    found = [(cell.id, "".join(link)) for cell in prose for link in LINK.findall(cell.source)]
    return [(cell, link) for cell, link in found if not re.match(r"\w+:", link)]


def test_the_notebooks_are_linked_as_the_command_links_them():
    old = [path.relative_to(ROOT).as_posix() for path, read, made in navigated() if read != made]
    assert old == [], "run python -m course_lib.maintain.navigation, and make release"


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_every_link_leads_to_a_file_and_a_cell(path):
    there = links(path)
    assert there
    for cell, link in there:
        file, _, fragment = link.partition("#")
        target = (ROOT / path).parent / file if file else ROOT / path
        assert target.is_file(), f"{path}, cell {cell}: {link}"
        if fragment:
            ids = {other.id for other in nbformat.read(target, 4).cells}
            assert fragment.removeprefix("cell-id=") in ids, f"{path}, cell {cell}: {link}"


def test_a_section_leads_to_the_cell_with_its_heading():
    places = Places(ROOT)
    for of, path in places.files.items():
        sources = {cell.id: cell.source for cell in nbformat.read(ROOT / path, 4).cells}
        assert places.cells[of]
        for (part, number), cell in places.cells[of].items():
            stars = "★* ?" if part == "exercise" else ""
            assert re.search(rf"(?m)^#+ {stars}{number} · ", sources[cell]), (path, part, number)


@pytest.mark.parametrize("path", [each.path for each in lectures()])
def test_a_link_to_a_section_shows_its_heading_on_top(path):
    for cell in nbformat.read(ROOT / path, 4).cells:
        if cell.cell_type == "markdown":
            assert [found.start() for found in re.finditer(r"(?m)^## \d+ · ", cell.source)] in ([], [0]), cell.id


def test_what_stands_above_a_heading_becomes_a_cell_of_its_own():
    source = "**Answer.** See [lecture 03].\n\n## 2 · Two\n\nText.\n\n[lecture 03]: 03_recurrent.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[new_markdown_cell(source, id="two")])
    begun(notebook)
    begun(notebook)  # a second time nothing is left to do
    assert {cell.id: cell.source for cell in notebook.cells} == {
        "above-two": "**Answer.** See lecture 03.",
        "two": "## 2 · Two\n\nText.",
    }


def test_a_problem_set_links_to_the_same_places_before_and_after_its_release():
    for each in problem_sets():
        source, release = f"solutions/{each.name}/{each.name}.ipynb", each.path
        assert links(source) == links(release), f"make release: {each.name}"


def test_each_lecture_ends_with_the_way_on():
    there = lectures()
    for before, here, after in zip([None, *there], there, [*there[1:], None], strict=False):
        last = nbformat.read(ROOT / here.path, 4).cells[-1]
        wanted = {START, GLOSSARY} | {other.path for other in (before, after, here.problem_set) if other}
        assert {
            os.path.normpath(Path("lectures", link)) for link in re.findall(r"\(([^()]+ipynb)\)", last.source)
        } == wanted
        assert last.source == way_on(before, here, after)


@pytest.mark.parametrize("folder", ["solutions", "assignments"])
def test_each_problem_set_ends_with_how_to_hand_it_in_and_what_comes_next(folder):
    there, sets = lectures(), problem_sets()
    for lecture, after in zip(there, [*there[1:], None], strict=True):
        if not (its := lecture.problem_set):
            continue
        path = ROOT / folder / its.name / f"{its.name}.ipynb"
        last = nbformat.read(path, 4).cells[-1]
        assert last.source == handing_in(its, there), "run python -m course_lib.maintain.navigation, and make release"
        assert "nbgrader" not in last.metadata
        leads = {(path.parent / link).resolve() for link in re.findall(r"\]\(([^()]+)\)", last.source)}
        wanted = {START, GLOSSARY, STUDENTS, lecture.path} | ({after.path} if after else set())
        assert leads == {ROOT / each for each in wanted}
        assert re.findall(r"\*\*(\w+)", last.source) == ["Validate", "Hand", "Feedback", "Next"]
        assert f"`{its.name}.ipynb`" in last.source and "{" not in last.source
        assert ("last problem set" in last.source) == (its == sets[-1])


def test_each_lecture_says_once_what_it_needs_before_how_to_work():
    for each in lectures():
        title = nbformat.read(ROOT / each.path, 4).cells[0].source
        assert each.needs and each.needs.endswith(".") and title.count("**What you need.**") == 1
        assert title.index("**What you need.**") < title.index("**How to work.**")  # which each of them has
        earlier = [int(number) for number in re.findall(r"\b\d\d\b", each.needs)]
        assert all(number < int(each.number) for number in earlier), "a lecture can need only those before it"


def test_what_a_lecture_needs_and_how_long_it_takes_are_written_again_each_time():
    cells = [new_markdown_cell("# A\n\n**How to work.** Run.", id="a"), new_markdown_cell("word " * 3000, id="b")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    for needs in ("Words.", "Much " * 30 + "more.", "Less.", ""):
        needed(notebook, needs)
        title, *parts, work = cells[0].source.split("\n\n")
        assert (title, work) == ("# A", "**How to work.** Run.")
        assert " ".join(parts[0].split()) == f"**What you need.** {needs}" if needs else len(parts) == 1
        assert parts[-1].replace("\u00a0", " ") == (
            "**How long.** About 20 min to read. Another 5 min are for the exercises and what is folded."
        )
        assert all(len(line) <= 120 for line in cells[0].source.splitlines())
    cells[1].source = "word " * 6000 + "\n\n## 2 · More (*may*)\n\n" + "word " * 6000
    needed(notebook, "")
    said = re.sub(r"\s", " ", cells[0].source)
    assert "About 40 min to read. Another 40 min are for the exercises, what is folded, and the parts marked" in said


def test_each_summary_begins_with_a_picture_that_says_what_it_shows():
    drawn = pictures()
    for each in lectures():
        (summary,) = [
            cell.source
            for cell in nbformat.read(ROOT / each.path, 4).cells
            if re.match(r"## (Summary|What to keep)\n", cell.source)
        ]
        name = f"pictures/summary_{each.number}.svg"
        title = SUMMARIES[each.number].title
        assert summary.split("\n\n")[1] == f"![The lecture in one picture: {title}]({name})"
        svg = (ROOT / "lectures" / name).read_text(encoding="utf-8")
        assert svg == drawn[f"lectures/{name}"], "run python -m course_lib.maintain.navigation"


@pytest.mark.parametrize("number", SUMMARIES)
def test_in_the_picture_of_a_summary_nothing_stands_on_anything_nor_outside(number):
    diagram = SUMMARIES[number]
    boxes = {id: rectangle(node) for id, node in diagram.nodes.items()}
    for one, (left, top, right, bottom) in boxes.items():
        assert 0 <= left < right <= diagram.size[0] * COLUMN and 0 <= top < bottom <= diagram.size[1] * ROW, one
        for other, (left2, top2, right2, bottom2) in boxes.items():
            apart = right < left2 or right2 < left or bottom < top2 or bottom2 < top
            assert one == other or apart, f"{one} and {other}"


def test_no_mention_of_a_lecture_or_a_section_is_left_as_text():
    """Counted by another pattern than the tool's; what stays text is somebody else's, or not yet written."""
    left = []
    for each in lectures():
        for cell in nbformat.read(ROOT / each.path, 4).cells:
            prose = re.sub(r"(?m)^#.*$|`[^`\n]*`|\[[^\]]*\](\([^)]*\)|\[[^\]]*\])?", "", cell.source)
            if cell.cell_type == "markdown":
                left += re.findall(r"(?i)\b(?:lectures?|problem sets?|sections?)\s+(?:> )?\d+(?:\.\d)?", prose)
    others = [" ".join(words.split()) for words in left if "." not in words]
    assert set(others) <= {"lecture 09", "Lecture 09", "lecture 10", "Lecture 12", "sections 5", "section 5"}


def test_the_command_names_what_it_changes_and_then_nothing(monkeypatch, tmp_path, capsys):
    read = [path for folder in ("lectures", "assignments", "solutions") for path in (ROOT / folder).rglob("*.ipynb")]
    for path in *read, *(ROOT / "lectures/pictures").glob("*.svg"), ROOT / MEASURED:
        (tmp_path / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path.relative_to(ROOT)).write_bytes(path.read_bytes())
    monkeypatch.setattr(navigation, "ROOT", tmp_path)
    changed = tmp_path / "lectures/06_search.ipynb"
    whole = changed.read_text(encoding="utf-8")
    changed.write_text(whole.replace("model of [lecture 05]", "model of lecture 05"), encoding="utf-8")
    assert changed.read_text(encoding="utf-8") != whole
    navigation.main()
    assert capsys.readouterr().out == "lectures/06_search.ipynb\n"
    assert changed.read_text(encoding="utf-8") == whole
    navigation.main()
    assert capsys.readouterr().out == "every link is as it must be\n"
