"""What BertViz draws with, d3 and jQuery from npm: `python -m course_lib.maintain.vendor` (needs npm of Node.js).

It writes course_lib/widgets/vendored/d3_jquery.js, which holds what BertViz uses of d3 5.7 and jQuery and nothing else,
as `libraries` ($, select, …), and their licences beside it.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from course_lib.files import write_atomically
from course_lib.maintain import node

VENDORED = Path(__file__).parents[1] / "widgets" / "vendored"
PACKAGES = {  # d3 5.7 is a collection of packages: those of its time
    **{"d3-color": "1.4.1", "d3-scale": "2.2.2", "d3-scale-chromatic": "1.5.0", "d3-selection": "1.4.2"},
    **{"d3-shape": "1.3.7", "d3-path": "1.0.9", "d3-collection": "1.0.7", "jquery": "3.7.1"},
    "esbuild": node.PROGRAMS["esbuild"],
}
ENTRY = """export { hsl } from "d3-color";
export { default as scaleOrdinal } from "d3-scale/src/ordinal.js";
export { default as schemeCategory10 } from "d3-scale-chromatic/src/categorical/category10.js";
export { select, selectAll } from "d3-selection";
export { default as line } from "d3-shape/src/line.js";
export { default as $ } from "jquery/dist/jquery.slim.js";
"""
BANNER = "/* d3 and jQuery (licences beside this file), made by python -m course_lib.maintain.vendor */"
BUNDLE = ("--bundle", "--minify", "--legal-comments=none", "--format=iife", "--global-name=libraries")


def main() -> None:
    """Fetch the packages into a temporary folder, take what is used of them, and the licence of each that is in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "package.json").write_text(json.dumps({"dependencies": PACKAGES, "overrides": PACKAGES}))
        (folder / "entry.js").write_text(ENTRY)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=folder, check=True)
        esbuild = (
            "node_modules/.bin/esbuild",
            "entry.js",
            *BUNDLE,
            f"--banner:js={BANNER}",
            "--metafile=used.json",
            "--outfile=out.js",
        )
        subprocess.run(esbuild, cwd=folder, check=True)
        (output,) = json.loads((folder / "used.json").read_text())["outputs"].values()
        used = sorted({path.split("/")[1] for path in output["inputs"] if path.startswith("node_modules/")})
        licences = []
        for package in used:
            (licence,) = (folder / "node_modules" / package).glob("LICENSE*")
            licences.append(f"{package} {PACKAGES[package]}\n\n{licence.read_text(encoding='utf-8').strip()}\n")
        texts = {"d3_jquery.js": (folder / "out.js").read_text(encoding="utf-8")}
        texts["d3_jquery.LICENSE.txt"] = "\n\n".join(licences)
    for file, content in texts.items():
        with write_atomically(VENDORED / file) as made:
            made.write(content)


if __name__ == "__main__":
    main()
