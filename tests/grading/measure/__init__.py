"""What the graded tasks are worth, measured on generated solutions, right and wrong: a command a table.

python -m tests.grading.measure.secrets ps2    right solutions under many secrets: each must earn everything
python -m tests.grading.measure.mutation ps2   right solutions with one change: each must lose points, visibly
python -m tests.grading.measure.hints ps2      wrong solutions: what the hints say of them must be true
python -m tests.grading.measure.similarity     copies in disguise (disguise.py), and independent work: which are found
"""
