"""Code that is alike: copies in disguise are found, independent work is not, and no mark changes."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from course_lib.grading.registry import problem_set
from course_lib.grading.similarity import compare, pieces

from .attacks.run import filled_in
from .course import BIN, ROOT, Course, run
from .measure.disguise import DISGUISES
from .measure.similarity import works
from .sample_class import ASSIGNMENTS

SETS = ("ps1", "ps4")
HOSTILE = "</code><script>alert(1)</script> \u202e"


@pytest.mark.parametrize("name", SETS)
def test_independent_right_solutions_of_every_style_are_not_listed(name):
    assert [pair.students for pair in compare.pairs(works(name))] == []


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("words", [*DISGUISES][:4])
def test_a_copy_is_listed_with_other_names_layout_and_order(name, words):
    for style, codes in works(name).items():
        copy = {task: DISGUISES[words](code) for task, code in codes.items()}
        assert len(compare.pairs({style: codes, "copy": copy})) == 1, style


@pytest.mark.parametrize("words", DISGUISES)
def test_a_disguise_changes_the_code_and_not_what_it_does(words):
    code = works("ps1")["loops"]["ps1.learn_merges"]
    results = []
    for each in (code, DISGUISES[words](code)):
        space: dict = {}
        exec(each, space)
        results.append(space["learn_merges"]({"low": 5, "lower": 2, "newest": 6}, 4))
    assert results[0] == results[1] and (words == "copied as it is" or DISGUISES[words](code) != code)


def test_one_task_that_was_copied_is_listed_where_all_else_is_own_work():
    styles = works("ps1")
    mixed = styles["functional"] | {"ps1.learn_merges": styles["loops"]["ps1.learn_merges"]}
    (pair,) = compare.pairs({"a": styles["loops"], "b": mixed})
    assert "ps1.learn_merges" in [same.task for same in pair.tasks]


def test_what_everybody_received_does_not_count():
    given = works("ps1")["loops"]["ps1.learn_merges"]
    alike = {student: {"ps1.learn_merges": given} for student in "ab"}
    assert compare.pairs(alike) and compare.pairs(alike, given) == []


def test_the_part_that_the_solution_has_too_is_told():
    styles = works("ps1")
    solution, other = styles["solution"], styles["objects"]
    copied = {pair.students: pair.open for pair in compare.pairs({"a": solution, "b": solution}, "", solution)}
    assert copied[("a", "b")] == 1.0 and ("a", compare.SOLUTION) in copied
    (own,) = compare.pairs({"a": other, "b": other}, "", solution)
    assert own.open < 0.5


def test_the_same_parts_are_marked_and_all_of_the_code_is_shown():
    code = works("ps1")["loops"]["ps1.learn_merges"]
    (pair,) = compare.pairs({"a": {"t": code}, "b": {"t": "alone = [1, 2, 3]\n\n" + code}})
    (left, right) = pair.tasks[0].codes
    assert "".join(text for text, _ in left) == code and "".join(text for text, _ in right).endswith(code)
    assert right[0] == ("alone = [1, 2, 3]\n\n", False) or not right[0][1]
    assert sum(len(text) for text, same in left if same) > 0.95 * len(code)


def test_only_what_students_wrote_is_compared():
    given = nbformat.read(ASSIGNMENTS / "ps1" / "ps1.ipynb", 4)
    notebook = nbformat.read(ASSIGNMENTS / "ps1" / "ps1.ipynb", 4)
    tasks = problem_set("ps1").tasks
    assert pieces.own_code(notebook, given, tasks) == {}
    place = next(n for n, cell in enumerate(notebook.cells) if cell.get("id") == "ps1_learn_merges")
    notebook.cells.insert(place + 1, new_code_cell("helper = 1"))
    assert pieces.own_code(notebook, given, tasks) == {"ps1.learn_merges": "helper = 1"}


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    """Graded notebooks of two students who share their work and of one who does not; one name is hostile."""
    made = Course.create(tmp_path_factory.mktemp("alike") / "course")
    made.nbgrader("generate_assignment", "ps1", "--log-level=ERROR")
    for student, solutions in (("a", "ps1.loops"), ("<img src=x onerror=alert(1)>", "ps1.loops"), ("c", "ps1.objects")):
        notebook = filled_in(made, solutions)
        for cell in notebook.cells:
            if cell.get("id") == "ps1_learn_merges":
                cell.source = f"# {HOSTILE}\n{cell.source}"
        path = made.folder / "autograded" / student / "ps1" / "ps1.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    return made


def test_the_command_writes_a_page_without_students_markup_and_changes_no_mark(course):
    before = (course.folder / "gradebook.db").read_bytes()
    environment = course.environment | {"PYTHONPATH": str(ROOT)}
    run(BIN / "python", "-m", "course_lib.grading.similarity", "ps1", cwd=course.folder, env=environment)
    html = (course.folder / "reports" / "ps1-similarity.html").read_text(encoding="utf-8")
    assert "3 students, 1 pair." in html
    assert "<script" not in html and "<img" not in html and "\u202e" not in html and "&lt;script&gt;" in html
    assert (course.folder / "gradebook.db").read_bytes() == before
