"""The glossary: each term and symbol stands in the section that is said to introduce it."""

import re

import nbformat
import pytest

from course_lib.maintain.glossary_page import entries, glossary_page
from course_lib.maintain.navigation import WAY_ON, Places
from course_lib.reader.contents import GLOSSARY, ROOT, lectures

ALL = [entry for listed in entries().values() for entry in listed]


@pytest.fixture(scope="module")
def sections() -> dict[str, str]:
    """The prose of each section as one line: "05.2", "05.0" for what comes before the first."""
    found = {}
    for lecture in lectures():
        number = "0"
        for cell in nbformat.read(ROOT / lecture.path, 4).cells:
            for part in re.split(r"(?m)^(?=## )", cell.source if cell.cell_type == "markdown" else ""):
                if heading := re.match(r"## (?:(\d+) · )?", part):
                    number = heading[1] or "behind"
                if cell.id != WAY_ON:
                    place = f"{lecture.number}.{number}"
                    found[place] = f"{found.get(place, '')} {' '.join(part.split())}"
    return found


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry["term"]) for entry in ALL])
def test_a_term_stands_in_the_section_that_introduces_it(entry, sections):
    assert entry.get("named", entry["term"]).lower() in sections[entry["at"]].lower()


def test_no_term_stands_twice():
    names = [entry["term"] for entry in ALL]
    assert len(set(names)) == len(names) and len(names) > 70


def test_the_page_is_as_the_command_makes_it():
    made = glossary_page(Places(ROOT).section)
    there = nbformat.read(ROOT / GLOSSARY, 4)
    assert [(c.id, c.source) for c in made.cells] == [(c.id, c.source) for c in there.cells]


def test_a_section_that_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        Places(ROOT).section("05", "99")
