"""`python -m course_lib.grading.report ps3 …`: the report on each problem set named, in reports/."""

import sys

from nbgrader.apps import ExportApp

from course_lib.grading.registry import names

REPORT = "course_lib.grading.report.plugin.Report"


def main(arguments: list[str], exporter: str = REPORT) -> None:
    """Hand over to `nbgrader export`, in the folder of the course; options of nbgrader's may follow."""
    chosen = [each for each in arguments if not each.startswith("-")]
    if not chosen or {*chosen} - {*names()}:
        raise SystemExit(f"name one problem set or more of {', '.join(names())}, got {' '.join(chosen) or 'none'}")
    options = [each for each in arguments if each.startswith("-")]
    ExportApp.launch_instance(argv=[f"--exporter={exporter}", *(f"--assignment={name}" for name in chosen), *options])


if __name__ == "__main__":
    main(sys.argv[1:])
