"""Search: from a model's probabilities to a sentence. It knows the protocol of models and nothing else of them.

greedy.py      the likeliest word at every step; sample.py: words by their probability
beam.py        the k likeliest beginnings; definition.py: the same as it is defined; tree.py: all that it weighed
best_first.py, exhaustive.py    the best output, proven or found by trying all
limits.py      after how many pieces an output is cut off
hypothesis.py  what a search gives back, and how lengths are made comparable
ensemble.py    several models as one; table.py: a model that is a table
"""
