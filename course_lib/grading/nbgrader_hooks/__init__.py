"""What nbgrader calls, named in nbgrader_config.py.

collect.py      zip_collect: submissions from Moodle or Canvas
lock.py         one command at a time on a course; postgres.py: on a gradebook that PostgreSQL keeps
one_by_one.py   each submission by itself
autograde.py    autograde: hands submissions over, and records what came; progress.py: how far it is
receiving.py    what was handed in, received by intake.py; links.py: whose a linked file is
material.py     what submissions are graded with, as data; who_grades.py: who does it
at_once.py      several at the same time; workers.py: by processes of this machine; cluster.py: of several machines
submission.py   one submission graded: text in, the graded notebook out
rebuild.py      the notebook that is graded: the released one with the student's sources
execute.py      which cell runs in which kernel; outputs.py: what is kept of outputs
sanitize.py     everything that is shown of a student's, made harmless
save_grades.py  the grades of a notebook in the gradebook; late.py: what lateness costs
feedback.py     generate_feedback: what students see
exchange.py     release_feedback, where students hand in through nbgrader's exchange
formgrader.py   Formgrader: names as text
export.py       export: the grades as a table
"""
