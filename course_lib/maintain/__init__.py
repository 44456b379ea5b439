"""What maintainers run: the students' zip, and skeletons of lectures and problem sets.

student_zip.py  `make student`
skeleton.py     `make new NAME=…`, of templates/; notebooks.py: the notebooks that it makes
vendor.py       d3 and jQuery, from npm
"""
