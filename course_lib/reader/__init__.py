"""The course as its reader finds it: what there is, how long it takes, how far the reader has come.

contents.py    the lectures and problem sets in their order, with contents.toml: what a card says of a lecture
glossary.toml  terms and symbols, each with the section that introduces it
minutes.py     how long a lecture takes, counted
record.py      my_course.json, which a reader leaves behind; progress.py: cells run and points earned, kept in it
"""
