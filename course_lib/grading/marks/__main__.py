"""`python -m course_lib.grading.marks ps1 --into Grades.csv`: see `--help`."""

import argparse
import sys

from nbgrader.apps import ExportApp

PLUGIN = "course_lib.grading.marks.plugin.Marks"


def main(arguments: list[str]) -> None:
    """Hand over to `nbgrader export`, in the folder of the course."""
    parser = argparse.ArgumentParser(prog="python -m course_lib.grading.marks", description=__doc__)
    parser.add_argument("assignment", help="the problem set, ps1 for example")
    parser.add_argument("--into", required=True, help="the table downloaded from Moodle or Canvas")
    parser.add_argument(
        "--column", default="", help='Canvas: the column, "Essay 1 (101)"; by default ps1, or its title'
    )
    parser.add_argument("--names", default="", help="a table student_id,platform, where names do not tell who is who")
    parser.add_argument("--scale", action="store_true", help="give the same share of the platform's points")
    parser.add_argument("--to", default="", help="the file to write; else reports/Grades-ps1.csv")
    said = parser.parse_args(arguments)
    options = {"into": said.into, "column": said.column, "names": said.names, "scale": said.scale, "to": said.to}
    given = [f"--Marks.{name}={value}" for name, value in options.items() if value]
    ExportApp.launch_instance(argv=[f"--exporter={PLUGIN}", f"--assignment={said.assignment}", *given])


if __name__ == "__main__":
    main(sys.argv[1:])
