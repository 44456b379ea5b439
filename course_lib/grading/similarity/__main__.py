"""`python -m course_lib.grading.similarity ps3 …`: pairs whose code is alike, in reports/."""

import sys

from course_lib.grading.report.__main__ import main

if __name__ == "__main__":
    main(sys.argv[1:], "course_lib.grading.similarity.plugin.Similarity")
