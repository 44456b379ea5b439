"""`python -m course_lib.maintain.site [--full] [--to FOLDER] [NN …]`: the course as a site, in dist/site/."""

import argparse
import sys
import time
from pathlib import Path

from course_lib.maintain.site.elsewhere import NoRepository
from course_lib.maintain.site.executed import NotExecuted
from course_lib.maintain.site.make import Unwanted, make
from course_lib.maintain.site.places import NowhereToGo
from course_lib.reader.contents import ROOT


def main(arguments: list[str]) -> int:
    """Make the site; returns 1 and says why where it cannot be made whole."""
    parser = argparse.ArgumentParser(prog="python -m course_lib.maintain.site", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="NN", help="execute these lectures alone, as 02; without: all")
    parser.add_argument("--full", action="store_true", help="experiments of the real size, which may take hours")
    parser.add_argument("--to", type=Path, default=ROOT / "dist" / "site", metavar="FOLDER")
    parser.add_argument(
        "--repository", default="", metavar="OWNER/NAME", help="on GitHub: adds links to Colab and Binder"
    )
    wanted = parser.parse_args(arguments)
    began = time.monotonic()
    try:
        make(ROOT, wanted.to, full=wanted.full, only=wanted.only, repository=wanted.repository)
    except (NotExecuted, NowhereToGo, NoRepository, Unwanted) as why:
        print(why, file=sys.stderr)
        return 1
    files = [file for file in wanted.to.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files) / 1e6
    print(f"{wanted.to / 'index.html'}: {len(files)} files, {size:.1f} MB, in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
