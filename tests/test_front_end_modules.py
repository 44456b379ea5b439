"""The widgets' JavaScript as modules: each name comes from where it is imported, and what is joined is up to date."""

import re
import shutil

import pytest

from course_lib.maintain import node, widgets

EXPORT = re.compile(r"^export (?:const|function) ([\w$]+)", re.MULTILINE)
EACH_MODULE = pytest.mark.parametrize("file", widgets.modules(), ids=lambda file: file.name)
EACH_ENTRY = pytest.mark.parametrize("name", widgets.entries())


def text(file):
    return file.read_text(encoding="utf-8")


def up_to_date(name, suffix):
    """Whether a joined file has the stamp that its sources give it, and nothing was written into it by hand."""
    joined = text(widgets.BUILT / f"{name}.{suffix}")
    head_lines = widgets.HEADS[suffix].count("\n")
    return widgets.stamped(name, suffix, joined.split("\n", head_lines)[head_lines]) == joined


@EACH_ENTRY
def test_the_joined_files_are_up_to_date(name):
    for suffix in widgets.HEADS:
        assert up_to_date(name, suffix), f"{name}.{suffix}: run `python -m course_lib.maintain.widgets`"


def test_there_is_a_joined_file_for_each_widget_and_no_other():
    joined = {file.name for file in widgets.BUILT.iterdir()}
    assert joined == {f"{name}.{suffix}" for name in widgets.entries() for suffix in widgets.HEADS}


@pytest.mark.parametrize("changed", ["bpe_stepper.js", "base.js", "stepper.css", "built/bpe_stepper.js"])
def test_a_change_that_is_not_joined_is_seen(changed, tmp_path, monkeypatch):
    folder = tmp_path / "widgets"
    shutil.copytree(widgets.SOURCES, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    monkeypatch.setattr(widgets, "SOURCES", folder)
    monkeypatch.setattr(widgets, "BUILT", folder / "built")
    assert up_to_date("bpe_stepper", "js")
    with (folder / changed).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert not up_to_date("bpe_stepper", "js")
    assert up_to_date("sentence_map", "js") == (changed != "base.js")


@EACH_MODULE
def test_what_a_module_imports_is_there(file):
    imports = widgets.IMPORT.findall(text(file))
    assert len(imports) == len(re.findall(r"^import\b", text(file), re.MULTILINE)), "an import in another form"
    for names, imported in imports:
        wanted = {name.strip() for name in names.split(",")} - {""}
        assert bool(wanted) == imported.endswith(".js")
        assert wanted <= set(EXPORT.findall(text(file.with_name(imported))))


def test_what_a_module_exports_is_imported():
    imports = {
        (n.strip(), to)
        for file in widgets.modules()
        for names, to in widgets.IMPORT.findall(text(file))
        for n in names.split(",")
    }
    for file in widgets.modules():
        assert [name for name in EXPORT.findall(text(file)) if (name, file.name) not in imports] == []


@pytest.mark.parametrize("kind", ["js", "css", "html"])
def test_no_line_is_longer_than_120_characters(kind):
    for file in sorted(widgets.SOURCES.glob(f"*.{kind}")):
        long = [n for n, line in enumerate(text(file).splitlines(), 1) if len(line) > 120]
        assert long == [], f"{file.name}, lines {long}"


@pytest.fixture
def tools():
    """What `make lint` has fetched by npm; where it has not, the test is skipped."""
    try:
        return [node.program(name) for name in ("biome", "esbuild")]
    except node.NoNode as none:
        pytest.skip(str(none))


def test_the_linter_has_nothing_to_say(tools, capfd):
    assert widgets.biome("check").returncode == 0, capfd.readouterr()


def test_what_is_joined_is_what_esbuild_makes(tools):
    assert {file.name: text(file) for file in widgets.BUILT.iterdir()} == widgets.join()
