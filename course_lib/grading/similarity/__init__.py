"""Pairs of students whose code is alike: `python -m course_lib.grading.similarity ps3`.

It writes reports/ps3-similarity.html, the pairs side by side, and a table beside it. It wants the extra
(`pip install -e '.[similarity]'`), reads graded notebooks, and changes no mark. A pair is a reason to read both codes,
and to ask; it proves nothing. What it finds of copies in disguise: `python -m tests.grading.measure.similarity`.

__main__.py  the command; plugin.py: the same for nbgrader
pieces.py    the students' own code of each task, the release's and the solution's
compare.py   fingerprints, and how much of one code stands in another (copydetect)
page.py      the page (similarity.html.j2) and the table
"""
