"""What maintainers run: the students' zip, skeletons of lectures and problem sets, the widgets' files.

student_zip.py  `make student`
skeleton.py     `make new NAME=…`, of templates/; notebooks.py: the notebooks that it makes
added_task.py   `make new NAME=ps8.second`: one more task; readme.py, cards.py: what the README and the start
                page say of a lecture; undo.py: all files or none
navigation.py   what follows from the prose: sections.py, links.py, predictions.py, needs.py, the way on,
                start_page.py, glossary_page.py, plan.py (the instructors' tables), summary_pictures.py
kernels.py      how a kernel that executes a notebook is spoken to
unwritten.py    what is still to be written, with its place
widgets.py      joins the widgets' modules; node.py: the programs of Node.js for it
vendor.py       d3 and jQuery, from npm
site/           `make site`: the lectures as pages
"""
