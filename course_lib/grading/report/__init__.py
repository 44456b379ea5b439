"""What a class understood, on one page: `python -m course_lib.grading.report ps3`.

It writes reports/ps3.html, one file that needs no network, and reports/ps3.csv, a row for each test of each student.

__main__.py   the command; plugin.py: the same for nbgrader (`nbgrader export --exporter=…`)
gather.py     the class, as the gradebook and the graded notebooks have it; records.py: what is kept of it
trouble.py    which limit or refusal stands behind a verdict
summary.py    what to say of a class: marks, criteria, mistakes
page.py       the page (report.html.j2 within frame.html.j2, page.css) and the table beside it
"""
