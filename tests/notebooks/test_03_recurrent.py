"""Lecture 03: Thadani's slides come in their order."""

from .lecture import seeds, sources


def test_thadanis_slides_come_in_their_order():
    cells, shown = list(sources("03_recurrent")), seeds("03_recurrent").items()
    places = [cells.index(row.cell) for says, row in shown if says.startswith("Thadani")]
    assert places == sorted(places)
