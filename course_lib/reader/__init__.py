"""The course as its reader finds it: what there is.

contents.py    the lectures and problem sets in their order, with contents.toml: what a card says of a lecture
"""
