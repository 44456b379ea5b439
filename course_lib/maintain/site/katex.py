"""What draws formulas, KaTeX from npm: `python -m course_lib.maintain.site.katex` (needs npm of Node.js).

It writes assets/katex/: the script, the style, its fonts in the one form that all browsers read, the licence, and a
stamp of all that. They are committed, so that a site is made without npm.
"""

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

VERSION = "0.16.22"
KATEX = Path(__file__).parent / "assets" / "katex"
STAMP = "stamp.txt"
OTHER_FONTS = re.compile(r',url\([^()]+\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)')


def stamp(folder: Path) -> str:
    """The version, and a digest of all files in `folder` but the stamp itself."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name != STAMP:
            digest.update(f"{file.relative_to(folder).as_posix()}\n".encode() + file.read_bytes())
    return f"katex {VERSION} {digest.hexdigest()[:32]}\n"


def main() -> None:
    """Fetch the package into a temporary folder, and take what a page needs. Says so where there is no npm."""
    if shutil.which("npm") is None:
        raise SystemExit("There is no npm, which fetches KaTeX: it comes with Node.js.")
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "package.json").write_text(json.dumps({"dependencies": {"katex": VERSION}}))
        subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=name, check=True)
        package = Path(name) / "node_modules" / "katex"
        shutil.rmtree(KATEX, ignore_errors=True)
        (KATEX / "fonts").mkdir(parents=True)
        for font in (package / "dist" / "fonts").glob("*.woff2"):
            shutil.copyfile(font, KATEX / "fonts" / font.name)
        shutil.copyfile(package / "dist" / "katex.min.js", KATEX / "katex.min.js")
        shutil.copyfile(package / "LICENSE", KATEX / "katex.LICENSE.txt")
        style = (package / "dist" / "katex.min.css").read_text(encoding="utf-8")
        (KATEX / "katex.min.css").write_text(OTHER_FONTS.sub("", style), encoding="utf-8")
    (KATEX / STAMP).write_text(stamp(KATEX), encoding="utf-8")


if __name__ == "__main__":
    main()
