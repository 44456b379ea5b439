"""The committed release is current, holds no solution, has a grade cell for every criterion."""

import doctest
import re

import nbformat
import pytest

from course_lib.grading import cells
from course_lib.grading.cells import grade_id, id_, with_test_cells
from course_lib.grading.registry import names, problem_set

from .course import ROOT, contents
from .sample_class import instructor, read_by_a_person

each_problem_set = pytest.mark.parametrize("name", names())
REGION = re.compile(r"(?s)### BEGIN SOLUTION\n(.*?)### END SOLUTION")


def notebook(name: str, folder: str) -> nbformat.NotebookNode:
    return nbformat.read(ROOT / folder / name / f"{name}.ipynb", 4)


def nbgrader_cells(name: str, folder: str, role: str) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook(name, folder).cells if cell.metadata.get("nbgrader", {}).get(role)]


def points(graded) -> float:
    return sum(cell.metadata.nbgrader.points for cell in graded)


@each_problem_set
def test_both_folders_hold_the_same_files(name):
    assert contents(ROOT / "solutions" / name).keys() == contents(ROOT / "assignments" / name).keys()


@each_problem_set
def test_the_release_holds_no_solution_and_no_hidden_test(name):
    for path, data in contents(ROOT / "assignments" / name).items():
        assert not re.search(rb"BEGIN (SOLUTION|HIDDEN)|END (SOLUTION|HIDDEN)|\bgrade\(", data), path
    released = {id_(cell): cell.source for cell in nbgrader_cells(name, "assignments", "solution")}
    for cell in nbgrader_cells(name, "solutions", "solution"):
        regions = REGION.findall(cell.source) or [cell.source]
        for line in {line.strip() for region in regions for line in region.splitlines()}:
            assert len(line) < 12 or line not in released[id_(cell)], f"{id_(cell)} gives away: {line}"
    assert all("raise NotImplementedError" in released[cell] for cell in instructor(name))


@each_problem_set
def test_every_criterion_has_its_grade_cell(name):
    problem, written = problem_set(name), notebook(name, "solutions")
    assert with_test_cells(notebook(name, "solutions"), problem).cells == written.cells, "make release: cells differ"
    wanted = {grade_id(t, c): (c.points, t, c) for t in problem.tasks for c in t.criteria}
    for folder in "solutions", "assignments":
        tests = [cell for cell in notebook(name, folder).cells if cells.is_test_cell(cell)]
        assert [id_(cell) for cell in tests] == list(wanted), "one grade cell for each criterion, in their order"
        for cell in tests:
            of, task, criterion = wanted[id_(cell)]
            assert cell.metadata.nbgrader.points == of and cell.metadata.nbgrader.locked
            call = f'("{task.name}", "{criterion.name}", {task.name.partition(".")[2]})'
            hidden = f"\n### BEGIN HIDDEN TESTS\ngrade{call}\n### END HIDDEN TESTS" if folder == "solutions" else ""
            assert cell.source == f"check{call}{hidden}"


@each_problem_set
def test_the_points_that_the_text_states_add_up(name):
    problem = problem_set(name)
    graded = nbgrader_cells(name, "assignments", "grade")
    by_hand = points(filter(read_by_a_person, graded))
    by_tests = sum(task.points for task in problem.tasks)
    assert points(graded) == by_tests + by_hand
    text = "\n".join(cell.source for cell in notebook(name, "assignments").cells if cell.cell_type == "markdown")
    assert f"{by_tests + by_hand:g} points: {by_tests:g} are given by the tests, {by_hand:g} by a person" in text
    headings = [float(n) for n in re.findall(r"(?m)^## \d+ · .*\(([\d.]+) points?\)$", text)]
    assert headings[: len(problem.tasks)] == [task.points for task in problem.tasks]
    assert sum(headings) == by_tests + by_hand


@each_problem_set
def test_the_notebook_says_which_release_it_is(name):
    for folder in "solutions", "assignments":
        code = "\n".join(cell.source for cell in notebook(name, folder).cells if cell.cell_type == "code")
        assert re.findall(r'(?m)^release\("(\w+)", (\d+)\)$', code) == [(name, str(problem_set(name).release))]


@each_problem_set
def test_the_examples_in_the_docstrings_hold(name):
    namespace: dict = {}
    for cell in notebook(name, "solutions").cells:
        if cell.cell_type == "code" and not cells.is_test_cell(cell):
            exec(cell.source, namespace)
    runner, finder = doctest.DocTestRunner(), doctest.DocTestFinder()
    for task in problem_set(name).tasks:
        function = task.name.partition(".")[2]
        (examples,) = finder.find(namespace[function], function, module=False, globs=namespace)
        assert examples.examples, f"{task.name} shows no example"
        printed: list[str] = []
        assert runner.run(examples, out=printed.append).failed == 0, "".join(printed)
