"""How nbgrader grades this course. An instructor runs, in this folder:

nbgrader generate_assignment ps1     once
nbgrader autograde ps1               after each collection
"""

import os
import sys
from pathlib import Path

from course_lib.grading.seeds import make_secret

HERE = Path(__file__).resolve().parent

c = get_config()  # noqa: F821

# Where things lie: solutions/ is written by hand, assignments/ is made from it, the rest is made while grading.
c.CourseDirectory.root = str(HERE)
c.CourseDirectory.course_id = "seq2seq"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "assignments"
c.CourseDirectory.db_url = f"sqlite:///{HERE / 'gradebook.db'}?timeout=60"  # a busy gradebook is waited for, 60 s

# assignments/ is committed: a fresh clone makes it again, the same to the byte, to fill its empty gradebook.
c.GenerateAssignment.force = True
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError  # your turn"}

# nbgrader calls its helper programs by name: find them beside this Python, also where no environment is activated.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

# The hidden cases are drawn from this secret (mode 600): keep it with the gradebook, never publish it.
os.environ["COURSE_SECRET"] = str(HERE / ".course_secret")
if os.access(HERE, os.W_OK):
    make_secret(HERE / ".course_secret")
