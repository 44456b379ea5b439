"""`make new` makes a lecture, a problem set and a task that pass every test but one: it says what is unwritten."""

import re
import shutil
import sys

import nbformat
import pytest

from course_lib.grading.registry import names
from course_lib.maintain import readme, skeleton
from course_lib.maintain.added_task import with_module
from course_lib.maintain.undo import all_or_nothing
from course_lib.maintain.unwritten import unwritten

from .grading.course import ROOT, Course, contents, run
from .notebooks.lecture import LECTURES

pytestmark = pytest.mark.xdist_group("skeleton")
SET, LECTURE = f"ps{len(names()) + 1}", f"{len(LECTURES) + 1:02}_running_sums"
TASK = f"{SET}.second"
NOTEBOOK = f"solutions/{SET}/{SET}.ipynb"


def of_a_task(name: str, lines: tuple[int, ...]) -> list[str]:
    """What is unwritten of a task whose solutions stand in these lines: functional, loops, mistakes, objects."""
    texts = ("without assignments", "with loops and lists", "a real mistake", "with a class")
    files = ("functional", "loops", "mistakes", "objects")
    says = [f"make a real mistake in {name}." if "mistake" in text else f"solve {name} {text}." for text in texts]
    return [
        f"course_lib/problem_sets/{SET}/{name}.py, line 1: say what this task asks, and where it comes from.",
        f"{NOTEBOOK}, cell part-{name}: write the exercise.",
        *(f"tests/problem_sets/{SET}/{f}.py, line {n}: {s}" for f, n, s in zip(files, lines, says, strict=True)),
    ]


UNWRITTEN = {
    LECTURE: [
        "README.md, line {row}: name the modules it shows.",
        "course_lib/reader/contents.toml, line {does}: say what a reader can do after it.",
        "course_lib/reader/contents.toml, line {needs}: say what a reader must know before it.",
        f"lectures/{LECTURE}.ipynb, cell title: say in three sentences what this lecture asks.",
        f"lectures/{LECTURE}.ipynb, cell title: name what the reader can do then.",
        f"lectures/{LECTURE}.ipynb, cell title: say what a reader must know before it.",
        f"lectures/{LECTURE}.ipynb, cell part-example: write the sections.",
        f"lectures/{LECTURE}.ipynb, cell exercise-easy: write an easy exercise.",
        f"lectures/{LECTURE}.ipynb, cell exercise-medium: write an exercise that makes one think.",
        f"lectures/{LECTURE}.ipynb, cell exercise-hard: write a hard exercise.",
        f"lectures/{LECTURE}.ipynb, cell summary: say what to keep.",
        f"lectures/{LECTURE}.ipynb, cell summary: name the lectures and papers that this one follows.",
        f"tests/notebooks/prose_{LECTURE}.py, line 8: say what the text says in numbers, and assert it.",
        f"tests/notebooks/seeds_{LECTURE}.py, line 8: name the author and the figure, table or example, and assert "
        "what it shows.",
    ],
    SET: [
        f"course_lib/problem_sets/{SET}/__init__.py, line 1: say what it is about, here, in its title and in "
        "the title of its notebook.",
        f"{NOTEBOOK}, cell title: say what this set is about.",
        f"{NOTEBOOK}, cell part-question: ask it, and add its rubric.",
        f"{NOTEBOOK}, cell {SET}_question: give a model answer.",
        *of_a_task("running_sums", (4, 4, 4, 13)),
    ],
    TASK: of_a_task("second", (8, 12, 15, 29)),
}
HELD = ("tests/test_repository.py", "tests/grading/test_tasks.py", "tests/grading/test_release.py", "tests/notebooks")


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Course:
    """A fresh clone, with a history of its own."""
    course = Course.create(tmp_path_factory.mktemp("skeleton") / "course", whole=True)
    for command in ("init", "--quiet"), ("add", "--all"):
        run("git", *command, cwd=course.folder, env=course.environment)
    return course


def new(clone: Course, name: str, fails: bool = False) -> str:
    """What the command says."""
    command = (sys.executable, "-m", "course_lib.maintain.skeleton", name)
    return run(*command, cwd=clone.folder, env=clone.environment, fails=fails)


@pytest.fixture(scope="module")
def made(clone) -> dict[str, str]:
    """What the command says, for all kinds."""
    return {name: new(clone, name) for name in (LECTURE, SET, TASK)}


def expected(clone: Course, *made: str) -> list[str]:
    """What is unwritten when these are made, sorted."""
    lines = (clone.folder / "README.md").read_text(encoding="utf-8").splitlines()
    row = next(number for number, line in enumerate(lines, start=1) if LECTURE in line)
    cards = (clone.folder / "course_lib/reader/contents.toml").read_text(encoding="utf-8").splitlines()
    at = {"row": row, "does": len(cards) - 1, "needs": len(cards)}
    return sorted(line.format(**at) for name in made for line in UNWRITTEN[name])


def test_the_command_lists_what_is_unwritten_with_its_file_and_its_cell_or_line(clone, made):
    for last, name in enumerate(made, start=1):
        listed = made[name].partition("unwritten:\n  ")[2].splitlines()
        assert sorted(line.strip() for line in listed) == expected(clone, *list(made)[:last])


def test_every_test_passes_but_the_one_that_says_so(clone, made):
    of_all = "unwritten or readme or ruff or course_imports"
    chosen = ("-k", f"{SET} or {LECTURE} or {of_all}", "-p", "no:cacheprovider", "-q", "-n", "0")
    said = run(sys.executable, "-m", "pytest", *HELD, *chosen, cwd=clone.folder, env=clone.environment, fails=True)
    assert re.findall(r"(?m)^(?:FAILED|ERROR) (\S+)", said) == ["tests/test_repository.py::test_nothing_is_unwritten"]
    assert int(re.search(r"(\d+) passed", said)[1]) > 50
    listed = said.partition("unwritten:\n")[2].splitlines()[: sum(map(len, UNWRITTEN.values()))]
    assert sorted(listed) == expected(clone, *made)


def test_it_says_that_git_was_told_of_the_new_files(clone, made):
    assert all(said.count("git add --intent-to-add") == 1 for said in made.values())
    listed = run("git", "ls-files", cwd=clone.folder, env=clone.environment).splitlines()
    assert f"course_lib/problem_sets/{SET}/second.py" in listed and f"lectures/{LECTURE}.ipynb" in listed


def test_a_second_task_comes_before_the_question_with_its_points(clone, made):
    for folder in "solutions", "assignments":
        cells = nbformat.read(clone.folder / folder / SET / f"{SET}.ipynb", 4).cells
        headings = [line for cell in cells for line in cell.source.splitlines() if line.startswith("## ")]
        numbered = "## 1 · Running sums (4 points)", "## 2 · Second (4 points)", "## 3 · A question (2 points)"
        assert tuple(headings) == (*numbered, "## Ready?")
        assert "10 points: 8 are given by the tests, 2 by a person" in cells[0].source
        ids = [cell.id for cell in cells]
        assert ids.index(f"{SET}_second") == ids.index("part-second") + 1 == ids.index(f"{SET}_second__negative") - 1


@pytest.mark.parametrize("name", [LECTURE, SET, TASK, f"{SET}.running_sums"])
def test_nothing_is_written_over(clone, made, name):
    before = contents(clone.folder / "tests") | contents(clone.folder / "course_lib/problem_sets")
    said = new(clone, name, fails=True)
    assert f"{name} cannot be made" in said and "is there already" in said
    assert contents(clone.folder / "tests") | contents(clone.folder / "course_lib/problem_sets") == before


def test_a_task_that_cannot_be_put_into_its_notebook_leaves_nothing_behind(clone, made):
    notebook = clone.folder / NOTEBOOK
    written = notebook.read_text(encoding="utf-8")
    notebook.write_text(written.replace("10 points: 8 are", "10 points: 9 are"), encoding="utf-8")
    folders = [clone.folder / folder.format(SET) for folder in skeleton.FOLDERS]
    before = [contents(folder) for folder in folders]
    said = new(clone, f"{SET}.third", fails=True)
    assert f'the text of {SET}.ipynb must say once "… points: 8 are given by the tests"' in said
    assert [contents(folder) for folder in folders] == before
    notebook.write_text(written, encoding="utf-8")


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """A root where nothing of the course can be written over; problem set 1 lies there."""
    for folder in skeleton.FOLDERS:
        shutil.copytree(ROOT / folder.format("ps1"), tmp_path / folder.format("ps1"))
    monkeypatch.setattr(skeleton, "ROOT", tmp_path)
    before = contents(tmp_path)
    yield
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["ps0", "ps", "4_attention", "04_Attention", "04 attention", "../ps3", "", "ps0.sums"])
def test_another_kind_of_name_is_refused(name, elsewhere):
    with pytest.raises(ValueError, match=re.escape(f"got {name!r}")):
        skeleton.make(name)


@pytest.mark.parametrize("task", ["", "2nd", "two words", "Second", "../second", "class", "sum", "_second", "größe"])
def test_a_task_whose_name_is_none_of_a_function_is_refused(task, elsewhere):
    with pytest.raises(ValueError, match=re.escape(f'as "ps1.running_sums"; got {task!r}')):
        skeleton.make(f"ps1.{task}")


def test_a_task_of_a_set_that_is_not_there_is_refused(elsewhere):
    with pytest.raises(ValueError, match=f"there is no problem set '{SET}'; `make new NAME={SET}` makes it"):
        skeleton.make(f"{SET}.second")


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("decode", "course_lib/problem_sets/ps1/decode.py is"),
        ("pairwise", "tests/problem_sets/ps1/functional.py has 'pairwise'"),
        ("encoder", "tests/problem_sets/ps1/objects.py has 'Encoder'"),
    ],
)
def test_a_task_whose_name_means_something_else_already_is_refused(name, where, elsewhere):
    with pytest.raises(FileExistsError, match=f"ps1.{name} cannot be made: {where} (there )?already"):
        skeleton.make(f"ps1.{name}")


def test_a_module_is_imported_in_order_and_listed_last():
    text = "from lib.ps0 import a, c\n\nMODULES = (c, a)\nSET = 1  # kept\n"
    longer = "from lib.ps0 import (\n    a,\n    b,\n    c,\n)\n\nMODULES = (c, a, b)\nSET = 1  # kept\n"
    assert with_module(text, "lib.ps0", "b") == text.replace("a, c", "a, b, c").replace("c, a)", "c, a, b)")
    assert with_module(longer, "lib.ps0", "d") == longer.replace("    c,\n", "    c,\n    d,\n").replace("b)", "b, d)")
    long = f"b{'x' * 100}"
    assert f"import (\n    a,\n    {long},\n    c,\n)\n\nMODULES = (c, a, {long})" in with_module(text, "lib.ps0", long)


@pytest.mark.parametrize("text", ["MODULES = ()", "from lib.ps0 import a", "from lib.ps0 import a\nMODULES = [a]"])
def test_a_set_that_lists_its_modules_otherwise_is_refused(text):
    with pytest.raises(ValueError, match="one `from lib.ps0 import …` and one `MODULES = "):
        with_module(text, "lib.ps0", "b")


README = "Text.\n\n| lecture | module | problem set |\n|---|---|---|\n{}\n| a | table |\n"
ROWS = (
    "| [01 A](lectures/01_a.ipynb) | `a` | |\n",
    "| [02 B](lectures/02_b.ipynb) | `b` | [ps1](assignments/ps1/ps1.ipynb) |\n",
)


def lecture(text: str) -> str:
    return readme.with_lecture(text, "09", "Metrics", "lectures/09_metrics.ipynb")


def ps8(text: str) -> str:
    return readme.with_problem_set(text, "ps8")


@pytest.mark.parametrize("order", [(lecture, ps8), (ps8, lecture)], ids=["lecture first", "problem set first"])
def test_a_lecture_and_its_problem_set_share_a_row_in_either_order(order):
    row = "| [09 Metrics](lectures/09_metrics.ipynb) | unwritten: name the modules it shows. |"
    first, second = order
    text = README.format("".join(ROWS))
    assert second(first(text)) == README.format("".join(ROWS) + f"{row} [ps8](assignments/ps8/ps8.ipynb) |\n")
    assert lecture(text) == README.format("".join(ROWS) + f"{row} |\n")
    assert ps8(text) == README.format("".join(ROWS) + "| | | [ps8](assignments/ps8/ps8.ipynb) |\n")


def test_a_row_comes_behind_those_of_earlier_lectures():
    text = ps8(README.format("".join(ROWS)))
    both = readme.with_problem_set(text, "ps3")
    assert both.index("[ps1]") < both.index("[ps3]") < both.index("[ps8]")
    assert "`a` | [ps0](assignments/ps0/ps0.ipynb) |" in readme.with_problem_set(text, "ps0")
    with pytest.raises(ValueError, match="README.md must have the table"):
        readme.with_problem_set("Text.\n", "ps3")


def test_what_fails_on_the_way_leaves_every_file_as_it_was(tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    before = contents(tmp_path)
    with pytest.raises(KeyboardInterrupt), all_or_nothing(*(tmp_path / name for name in ("old", "b", "new", "c"))):
        (tmp_path / "old" / "a").write_text("other")
        (tmp_path / "old" / "more").write_text("")
        (tmp_path / "b").unlink()
        (tmp_path / "new").mkdir()
        (tmp_path / "c").write_text("c")
        raise KeyboardInterrupt
    assert contents(tmp_path) == before and not (tmp_path / "new").exists()


SAYS = {  # a text, the sentences that are found in it
    'x = "no"  # unwritten: more.  And this.\n': ["line 1: more."],
    '"""Sums (unwritten: the (only) source)."""\nx = 1  # unwritten: a line\ny = 2  # no.\n': [
        "line 1: the (only) source",
        "line 2: a line",
    ],
    "# unwritten: a sentence of\n# two lines. More.\n\n# unwritten: more\n\nx = 1.\n": [
        "line 1: a sentence of two lines.",
        "line 4: more",
    ],
    '"""A.\n\nunwritten: the "best"\nof all, at 0.5 points. B."""': ['line 3: the "best" of all, at 0.5 points.'],
    "| a | unwritten: the module | b |\n\n- unwritten: one\n- unwritten: two!\n": [
        "line 1: the module",
        "line 3: one",
        "line 4: two!",
    ],
    "Nothing here is unwritten.\n": [],
}


@pytest.mark.parametrize(("text", "says"), SAYS.items(), ids=range(len(SAYS)))
def test_the_whole_sentence_is_listed(text, says, tmp_path):
    (tmp_path / ".gitignore").write_text("")
    (tmp_path / "a.py").write_text(text)
    assert unwritten(tmp_path) == [f"a.py, {each}" for each in says]


def test_no_two_entries_are_the_same(tmp_path):
    (tmp_path / ".gitignore").write_text("")
    cells = [nbformat.v4.new_markdown_cell("unwritten: this.\n\nunwritten: this.", id=name) for name in ("a", "b")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "n.ipynb")
    assert unwritten(tmp_path) == ["n.ipynb, cell a: this.", "n.ipynb, cell b: this."]
