"""The comparison as nbgrader calls it: an exporter, for the folders of nbgrader_config.py. It writes no gradebook."""

from pathlib import Path

import nbformat
from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin

from course_lib.files import write_atomically
from course_lib.grading.registry import problem_set
from course_lib.grading.similarity import compare, page, pieces


class Similarity(ExportPlugin):
    """`nbgrader export --exporter=….similarity.plugin.Similarity --assignment=ps3`; `--to` names a folder."""

    def export(self, gradebook: Gradebook) -> None:
        course, folder = self.parent.coursedir, Path(self.to or "reports")
        for name in map(str, self.assignment):
            tasks, file = problem_set(name).tasks, f"{name}.ipynb"
            released = nbformat.read(Path(course.format_path(course.release_directory, ".", name), file), 4)
            solved = nbformat.read(Path(course.format_path(course.source_directory, ".", name), file), 4)
            works = {
                path.parents[1].name: pieces.own_code(nbformat.read(path, 4), released, tasks)
                for path in sorted(Path(course.root, course.autograded_directory).glob(f"*/{name}/{file}"))
            }
            solution = pieces.own_code(solved, released, tasks)
            found = compare.pairs(works, pieces.given_code(released), solution)
            for suffix, text in (("html", page.html(name, len(works), found)), ("csv", page.table(found))):
                with write_atomically(folder / f"{name}-similarity.{suffix}") as out:
                    out.write(text)
            self.log.info("%d pairs are alike: %s", len(found), folder / f"{name}-similarity.html")
