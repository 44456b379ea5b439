"""Marks into the table that Moodle or Canvas takes: `python -m course_lib.grading.marks ps1 --into Grades.csv`.

Download the table from the platform (Moodle: the assignment's *grading worksheet*; Canvas: *Export entire gradebook*),
let this fill in the marks, upload the result there. Who waits for a person, or handed in nothing, keeps an empty field.

__main__.py  the command; plugin.py: the same for nbgrader
sheet.py     a platform's table: which column has the marks, how many points it wants
people.py    which of its rows is which student
"""
