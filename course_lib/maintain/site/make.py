"""The whole site: pages, what they need, the search's index; written beside the old one, which it then replaces."""

import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

import nbformat
from tqdm import tqdm

from course_lib.maintain.site.executed import executed, library_digest
from course_lib.maintain.site.pages import Pages
from course_lib.maintain.site.places import PICTURES, page_of
from course_lib.maintain.site.search import index, sections
from course_lib.reader.contents import GLOSSARY, START, lectures, problem_sets

ASSETS = Path(__file__).parent / "assets"
KEPT = "build/site"  # below the course's folder: outputs of lectures


class Unwanted(ValueError):
    """What is asked for is no lecture of the course; the message names it and those that there are."""


def make(
    root: Path,
    to: Path,
    *,
    full: bool = False,
    only: Collection[str] = (),
    kept: Path | None = None,
    repository: str = "",
) -> None:
    """Write the site of the course at `root` to the folder `to`, whole or not at all; what stood there is gone.

    `full`: with the experiments' real sizes. `only`: the numbers of the lectures to execute ("00" is the start page);
    the others' pages say that they have no results. `kept`: where outputs are kept for the next time. `repository`:
    where the course lies on GitHub, "owner/name", so that pages lead to Colab and Binder.
    """
    told = lectures(root)
    numbers = {START: "00"} | {each.path: each.number for each in told}
    if unknown := set(only) - set(numbers.values()):
        raise Unwanted(f"there is no lecture {', '.join(sorted(unknown))}: there are {', '.join(numbers.values())}")
    chosen = [path for path, number in numbers.items() if not only or number in only]
    notebooks = {path: nbformat.read(root / path, 4) for path in chosen if (root / path).is_file()}
    library = library_digest(root)
    with tqdm(total=sum(len(notebook.cells) for notebook in notebooks.values()), unit="cell", disable=None) as bar:
        for path in notebooks:
            bar.set_description(Path(path).stem)
            notebooks[path] = executed(root / path, kept or root / KEPT, library, full=full, done=bar.update)
    others = [*numbers, GLOSSARY, *(each.path for each in problem_sets(root))]
    for path in (path for path in others if path not in notebooks and (root / path).is_file()):
        notebooks[path] = nbformat.read(root / path, 4)
    with tempfile.TemporaryDirectory(dir=_made(to.parent), prefix=f".{to.name}-") as name:
        folder = Path(name) / to.name
        shutil.copytree(ASSETS, folder)
        _write(folder, root, Pages(root, told, full, repository), notebooks, set(chosen))
        if to.exists():
            to.rename(Path(name) / "old")
        folder.rename(to)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _write(
    folder: Path, root: Path, pages: Pages, notebooks: dict[str, nbformat.NotebookNode], run: Collection[str]
) -> None:
    needed, listed = set(), []
    for path, notebook in notebooks.items():
        made, wanted = pages.page(path, notebook, path in run)
        _page(folder, path, made)
        needed |= wanted
        listed += sections(page_of(path), notebook)
    for path in sorted(needed - set(notebooks)):
        if Path(path).suffix in PICTURES:
            shutil.copyfile(root / path, _made(folder / "pictures") / Path(path).name)
        elif Path(path).suffix == ".py":
            _page(folder, path, pages.source(path)[0])
        elif Path(path).suffix == ".md":
            _page(folder, path, pages.document(path)[0])
        else:
            raise ValueError(f"a page links to {path}, of which the site makes no page")
    (folder / "search_index.js").write_text(index(listed), encoding="utf-8", newline="\n")


def _page(folder: Path, path: str, made: str) -> None:
    (folder / page_of(path)).write_text(made, encoding="utf-8", newline="\n")
