"""Lecture 06: nothing gives away what the reader is asked to predict."""

from .lecture import sources


def test_no_table_shows_the_tree_before_it_is_predicted():
    cells = list(sources("06_search").items())
    shown = next(place for place, (_, source) in enumerate(cells) if "beam_tree(pie" in source)
    assert shown > [name for name, _ in cells].index("walk-tree")
