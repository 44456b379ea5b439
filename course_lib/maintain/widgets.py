"""The widgets' JavaScript: `python -m course_lib.maintain.widgets` formats it, lints it, and joins it for the browser.

A widget's module and all that it imports become one file in course_lib/widgets/built/, its style likewise. They are
committed: only who changes the JavaScript or the CSS needs npm of Node.js. A stamp in a file's first lines holds it to
its sources (see tests/test_front_ends.py), also where there is no npm.
"""

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from course_lib.files import write_atomically
from course_lib.maintain import node

SOURCES = Path(__file__).parents[1] / "widgets"  # not imported: a new widget has no joined file yet
BUILT = SOURCES / "built"
SITE = Path(__file__).parent / "site" / "assets"  # whose scripts are linted, and not joined
IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./([\w.]+)";$', re.MULTILINE)  # the one way to import here
ENTRY = re.compile(r"^export default ", re.MULTILINE)
JOIN = ("--bundle", "--format=esm", "--target=esnext", "--charset=utf8", "--log-level=warning")
CONFIGURATION = Path(__file__).parent / "biome"
HEADS = {
    "js": "// {name}.js and what it imports, joined by python -m course_lib.maintain.widgets.\n// stamp {stamp}\n",
    "css": "/* {name}.js and the style that it imports, joined by python -m course_lib.maintain.widgets.\n"
    "   stamp {stamp} */\n",
}


def modules() -> list[Path]:
    """All JavaScript that is written here."""
    return sorted(SOURCES.glob("*.js"))


def entries() -> list[str]:
    """The names of the widgets: the modules with a default export, which a browser calls."""
    return [module.stem for module in modules() if ENTRY.search(module.read_text(encoding="utf-8"))]


def sources(name: str) -> list[Path]:
    """A widget's module, and all files that it imports or that they import, sorted."""
    found, waiting = set(), [SOURCES / f"{name}.js"]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        if file.suffix == ".js":
            waiting += [SOURCES / imported for _, imported in IMPORT.findall(file.read_text(encoding="utf-8"))]
    return sorted(found)


def stamped(name: str, suffix: str, joined: str) -> str:
    """The joined file below its head, whose stamp changes when a source, a setting or the file itself is changed."""
    digest = hashlib.sha256(f"{node.PROGRAMS['esbuild']} {JOIN}\n{joined}".encode())
    for file in sources(name):
        digest.update(f"\n{file.name}\n{file.read_text(encoding='utf-8')}".encode())
    return HEADS[suffix].format(name=name, stamp=digest.hexdigest()[:32]) + joined


def join() -> dict[str, str]:
    """Each file of built/ by its name, as esbuild makes it now. Raises node.NoNode where there is no esbuild."""
    esbuild = node.program("esbuild")
    with tempfile.TemporaryDirectory() as folder:
        files = [f"{name}.js" for name in entries()]
        subprocess.run([esbuild, *files, *JOIN, f"--outdir={folder}"], cwd=SOURCES, check=True)
        joined = {file.name: file.read_text(encoding="utf-8") for file in sorted(Path(folder).iterdir())}
    return {name: stamped(*name.split("."), text) for name, text in joined.items()}


def biome(*command: str) -> subprocess.CompletedProcess:
    """Run Biome on all modules and the site's scripts, as the course has set it. Raises node.NoNode without one."""
    files = [*modules(), *sorted(SITE.glob("*.js"))]
    arguments = [*command, "--error-on-warnings", f"--config-path={CONFIGURATION}", *files]
    return subprocess.run([node.program("biome"), *arguments], cwd=SOURCES)


def main() -> int:
    """Format, lint and join. Returns 1 where the linter objects; where there is no npm, says so and does nothing."""
    try:
        node.fetch()
    except node.NoNode as why:
        print(f"The widgets' JavaScript is neither linted nor joined: {why}", file=sys.stderr)
        return 0
    if biome("check", "--write").returncode:
        return 1
    made = join()
    for file in BUILT.glob("*"):
        if file.name not in made:
            file.unlink()
    for name, text in made.items():
        with write_atomically(BUILT / name) as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
