"""`python -m tests.grading.measure.secrets ps2 --secrets 1000`: what honest solutions lose under many secrets.

A case is decidable if no honest way to compute changes what is right: then every number in the last column is 0. What
has been tried is kept in a file, so that a run that was stopped goes on where it stood.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from course_lib.files import write_atomically
from course_lib.grading.boundary.proxy import Student
from course_lib.grading.boundary.student_side import Objects
from course_lib.grading.task import Task
from course_lib.grading.tasks import names, problem_set
from course_lib.grading.trial import attempt

from .honest import honest
