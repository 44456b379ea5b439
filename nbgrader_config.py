"""How nbgrader grades this course. An instructor runs, in this folder:

nbgrader generate_assignment ps1     once
nbgrader autograde ps1               after each collection
"""

import os
import sys
from pathlib import Path

from course_lib.grading.nbgrader_hooks.autograde import install
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

# Students' code runs in a sandbox, the tests in a kernel of their own (course_lib/grading/isolation).
install()
HOOKS = "course_lib.grading.nbgrader_hooks"
c.Autograde.autograde_preprocessors = [  # of what is graded
    f"{HOOKS}.save_grades.SaveGrades",
    f"{HOOKS}.late.LatePenalty",
]
c.GenerateFeedback.force = True  # feedback always says what the gradebook says now
c.GenerateFeedback.preprocessors = [
    f"{HOOKS}.late.LatePenalty",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
    f"{HOOKS}.feedback.CleanFeedback",
]

c.ExchangeFactory.release_feedback = f"{HOOKS}.exchange.ReleaseFeedback"

# What students write is shown, never run: in the feedback, and in Formgrader.
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.preprocessors = [f"{HOOKS}.formgrader.NamesAsText"]
c.HTMLExporter.filters = {
    "markdown2html": f"{HOOKS}.sanitize.markdown",
    "clean_html": f"{HOOKS}.sanitize.html",
    "highlight_code": f"{HOOKS}.sanitize.code",
    "strip_files_prefix": f"{HOOKS}.sanitize.unchanged",
}

# What one submission may use, where the course wants it otherwise than course_lib/grading/isolation/limits.py says:
# c.IsolatedExecute.limits = {"notebook_seconds": 600, "memory_mb": 8192}

# How many submissions are graded at the same time: one for each processor, if nothing is said here.
# c.IsolatedAutograde.workers = 4

# Workers on several machines grade instead, if a scheduler of dask.distributed is named (solutions/README.md says how):
# c.IsolatedAutograde.scheduler = "tls://grading.example.org:8786"

# Late work, once the due date is known: `nbgrader db assignment add ps1 --duedate="2026-05-04 23:59 +0200"`. The zone
# has to be a number: a name such as CEST is read as UTC on a machine that does not know it.
# c.LatePenalty.per_day = 0.10  # what each started day costs, as a share of the points earned: 10 %
# c.LatePenalty.at_most = 0.50  # and never more than half
# c.LatePenalty.extensions = {"ps1": {"ada": 3}}  # ada has three days more for ps1

# Collecting from Moodle or Canvas: put their download into downloaded/ps1/archive/ and run `nbgrader zip_collect ps1`.
# A student's id is the name that stands in the path of each file, up to the first underscore:
#   Moodle   Ada Lovelace_1234567_assignsubmission_file_/ps1.ipynb    →  Ada Lovelace
#   Canvas   lovelaceada_LATE_4711_90210_ps1-1.ipynb                  →  lovelaceada
# Two students of one name are told apart by the number. Other platforms: change the pattern, keep the four names in it.
c.ZipCollectApp.extractor_plugin = f"{HOOKS}.collect.Unpack"
c.ZipCollectApp.collector_plugin = f"{HOOKS}.collect.ByStudent"
c.ByStudent.named_regexp = (
    r"(?:.*?/)??"  # folders around it, if the outermost is not the student's
    r"(?P<student_id>[^/_]+)"  # the name
    r"(?P<late>_LATE|_late)?"  # Canvas: handed in late
    r"_(?P<number>\d+)_"  # Canvas: the number of the student; Moodle: of the submission
    r"(?:assignsubmission_\w+/|\d+_)"  # Moodle: the end of the student's folder; Canvas: the number of the file
    r"(?:.*/)?"  # folders that the student made
    r"(?P<file_id>[^/]+?)(?:-\d+)?(?:\.\w+)?"  # the file's own name, without the count of a file handed in again
)

c.ExportApp.plugin_class = (
    "course_lib.grading.nbgrader_hooks.export.Export"  # grades.csv with names, and numbers of the LMS
)

# Where no sandbox works nothing is graded, unless you say that you trust every submission with your files and rights:
# c.IsolatedExecute.trust_submissions = True
