"""Lecture 04: what it takes from the seeds comes in the order of its sections."""

from .lecture import seeds, sources


def test_each_row_names_a_cell_and_most_come_in_the_order_of_the_sections():
    cells = list(sources("04_encoder_decoder"))
    places = [cells.index(row.cell) for row in seeds("04_encoder_decoder").values()]
    assert sum(a > b for a, b in zip(places, places[1:], strict=False)) <= 1
