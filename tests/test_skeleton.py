"""`make new` makes a lecture and a problem set that pass every test but one: it says what is unwritten, and no more."""

import re
import sys

import pytest

from course_lib.grading.registry import names
from course_lib.maintain import skeleton

from .grading.course import Course, run
from .notebooks.lecture import LECTURES

pytestmark = pytest.mark.xdist_group("skeleton")
SET, LECTURE = f"ps{len(names()) + 1}", f"{len(LECTURES) + 1:02}_running_sums"
UNWRITTEN = {
    SET: [
        f"course_lib/problem_sets/{SET}/__init__.py: what problem set {SET} is about.",
        f"course_lib/problem_sets/{SET}/running_sums.py: the task and its source",
        f"solutions/{SET}/{SET}.ipynb: what this set is about.",
        f"solutions/{SET}/{SET}.ipynb: the exercise.",
        f"solutions/{SET}/{SET}.ipynb: it, and its rubric.",
        f"solutions/{SET}/{SET}.ipynb: a model answer.",
        f"tests/problem_sets/{SET}/mistakes.py: every task",
        *(
            f"tests/problem_sets/{SET}/{style}.py: a solution of every task"
            for style in ("functional", "loops", "objects")
        ),
    ],
    LECTURE: [
        "README.md: the module",
        f"lectures/{LECTURE}.ipynb: the question of this lecture, in three sentences.",
        f"lectures/{LECTURE}.ipynb: what.",
        f"lectures/{LECTURE}.ipynb: the sections.",
        *[f"lectures/{LECTURE}.ipynb: an exercise."] * 3,
        f"lectures/{LECTURE}.ipynb: what to keep.",
        f"lectures/{LECTURE}.ipynb: lectures and papers.",
        f"tests/notebooks/prose_{LECTURE}.py: what the text says",
        f"tests/notebooks/seeds_{LECTURE}.py: author, and the figure, table or example",
    ],
}
HELD = ("tests/test_repository.py", "tests/grading/test_tasks.py", "tests/grading/test_release.py", "tests/notebooks")


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Course:
    """A fresh clone, with a history of its own."""
    course = Course.create(tmp_path_factory.mktemp("skeleton") / "course", whole=True)
    for command in ("init", "--quiet"), ("add", "--all"):
        run("git", *command, cwd=course.folder, env=course.environment)
    return course


@pytest.fixture(scope="module")
def made(clone) -> dict[str, str]:
    """What the command says, for both kinds; the lecture comes first, so that its row waits for its problem set."""
    command = (sys.executable, "-m", "course_lib.maintain.skeleton")
    return {name: run(*command, name, cwd=clone.folder, env=clone.environment) for name in (LECTURE, SET)}


def test_the_command_lists_what_is_unwritten(made):
    listed = {name: said.partition("unwritten:\n  ")[2].splitlines() for name, said in made.items()}
    assert [line.strip() for line in listed[LECTURE]] == UNWRITTEN[LECTURE]
    assert sorted(line.strip() for line in listed[SET]) == sorted(UNWRITTEN[LECTURE] + UNWRITTEN[SET])


def test_every_test_passes_but_the_one_that_says_so(clone, made):
    chosen = ("-k", f"test_repository or {SET} or {LECTURE}", "-p", "no:cacheprovider", "-q", "-n", "0")
    said = run(sys.executable, "-m", "pytest", *HELD, *chosen, cwd=clone.folder, env=clone.environment, fails=True)
    assert re.findall(r"(?m)^(?:FAILED|ERROR) (\S+)", said) == ["tests/test_repository.py::test_nothing_is_unwritten"]
    assert int(re.search(r"(\d+) passed", said)[1]) > 100
    listed = said.partition("unwritten:\n")[2].splitlines()[: sum(map(len, UNWRITTEN.values()))]
    assert sorted(listed) == sorted(UNWRITTEN[LECTURE] + UNWRITTEN[SET])


def test_the_readme_has_one_row_for_the_two(clone, made):
    text, links = (
        (clone.folder / "README.md").read_text(),
        (f"lectures/{LECTURE}.ipynb", f"assignments/{SET}/{SET}.ipynb"),
    )
    rows = [line for line in text.splitlines() if any(f"]({link})" in line for link in links)]
    assert all(text.count(f"]({link})") == 1 for link in links)
    assert len(rows) == (1 if int(SET[2:]) + 1 == int(LECTURE[:2]) else 2)


def test_nothing_is_written_over(clone, made):
    command = (sys.executable, "-m", "course_lib.maintain.skeleton")
    for name in SET, LECTURE:
        said = run(*command, name, cwd=clone.folder, env=clone.environment, fails=True)
        assert f"{name} cannot be made" in said and "is there already" in said


@pytest.mark.parametrize("name", ["ps0", "ps", "4_attention", "04_Attention", "04 attention", "../ps3", ""])
def test_another_kind_of_name_is_refused(name):
    with pytest.raises(ValueError, match=re.escape(f"got {name!r}")):
        skeleton.make(name)


def test_this_course_is_found_unwritten_where_it_says_so(tmp_path):
    (tmp_path / ".gitignore").write_text("")
    (tmp_path / "a.py").write_text('"""Sums (unwritten: the source)."""\nx = 1  # unwritten: more\n')
    (tmp_path / "b.md").write_text("Nothing here is unwritten.\n")
    assert skeleton.unwritten(tmp_path) == ["a.py: the source", "a.py: more"]
