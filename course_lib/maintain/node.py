"""Programs of Node.js for those who change the widgets, in the environment's own folder `node`, at fixed versions."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(sys.prefix) / "node"
PROGRAMS = {"@biomejs/biome": "2.6.8", "esbuild": "0.25.12"}  # each is one program, without packages of its own


class NoNode(RuntimeError):
    """A program of Node.js is not there and cannot be fetched; the message says why."""


def program(name: str) -> Path:
    """The path of "biome" or "esbuild". Raises NoNode where they were not fetched."""
    path = FOLDER / "node_modules" / ".bin" / name
    if not path.exists() or _listed() != PROGRAMS:
        raise NoNode(f"{name} is not there: run `python -m course_lib.maintain.widgets` where there is npm of Node.js")
    return path


def fetch() -> None:
    """Fetch the programs by npm, unless they are there. Raises NoNode without npm or where it fails."""
    if _listed() == PROGRAMS and (FOLDER / "node_modules").is_dir():
        return
    if shutil.which("npm") is None:
        raise NoNode("there is no npm: it comes with Node.js")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    (FOLDER / "package.json").write_text(json.dumps({"dependencies": PROGRAMS}), encoding="utf-8")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund"], cwd=FOLDER, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        shutil.rmtree(FOLDER, ignore_errors=True)
        raise NoNode(f"npm could not fetch {', '.join(PROGRAMS)}:\n{done.stderr}")


def _listed() -> dict:
    """What was fetched last."""
    package = FOLDER / "package.json"
    return json.loads(package.read_text(encoding="utf-8"))["dependencies"] if package.exists() else {}
