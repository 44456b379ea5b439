"""What students see of their graded notebook: no hidden test, and nothing that runs in a browser."""

import re

from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor

HIDDEN = re.compile(r"\n?[^\n]*BEGIN HIDDEN TESTS.*?(END HIDDEN TESTS[^\n]*|\Z)", re.DOTALL)


class CleanFeedback(NbGraderPreprocessor):
    """In `c.GenerateFeedback.preprocessors`, behind GetGrades."""

    def preprocess_cell(self, cell, resources, index):
        if utils.is_locked(cell):
            cell.source = HIDDEN.sub("", cell.source)
        return cell, resources
