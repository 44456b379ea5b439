"""Tools for drawing a task's cases, shared by all problem sets.

arguments.py  arguments that a call must leave as they were
isolate.py    cases that show the mistakes they are meant to show, and no other
numbers.py    random tensors and padded batches
precision.py  values of the right dtype, and as precise as that
probes.py     ways to exercise a function: some of its values
training.py   gradients for every input and weight, arguments left alone; the criteria of a task that trains
unfit.py      wrong versions of any function that are unfit for training, each with its hint
"""
