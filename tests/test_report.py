"""What lectures show of the experiments: a row for every name, each seed in the picture, claims between these rows."""

import pytest

from course_lib.checkpoints import evidence, report


def record(score: float, few: int = 30) -> dict:
    def of(start: int) -> dict:
        bins = [
            {"from": start, "to": start + 4, "sentences": 30, "all": score},
            {"from": start + 5, "to": start + 9, "sentences": few, "all": score - 10},
        ]
        return {"all": score, "by_length": bins, "aer": {"rows": score / 100, "symmetrised": score / 200}}

    return {"results": {"test": of(1), "long": of(31)}}


@pytest.fixture
def recorded(monkeypatch):
    """The records are these: run → record."""
    records: dict[str, dict] = {}
    monkeypatch.setattr(evidence, "about", records.__getitem__)
    monkeypatch.setattr(evidence, "is_recorded", records.__contains__)
    return records


@pytest.fixture
def drawn(monkeypatch):
    """What was displayed."""
    pictures: list = []
    monkeypatch.setattr(report, "display", pictures.append)
    return pictures


def test_a_row_that_has_not_been_run_is_in_the_table_and_not_in_the_picture(recorded, drawn):
    recorded |= {"rnn.luong": record(50), "rnn.luong-2": record(54)}
    found = report.recorded({"attention": "rnn.luong", "one vector": "rnn.none"})
    assert found.rows == [["attention", 2, "52.0 (50.0 … 54.0)"], ["one vector", 0, "–"]]
    assert found.header[-1].startswith("BLEU on test") and found.caption == "rows that have been run: 1 of 2"
    (picture,) = drawn
    assert picture.alt.endswith("attention: 52.0 (50.0 to 54.0).")


def test_the_decimals_are_those_of_the_measure_and_no_picture_is_drawn_of_nothing(recorded, drawn):
    assert report.recorded(["rnn.luong"], "aer, both").rows == [["rnn.luong", 0, "–"]] and not drawn
    recorded["rnn.luong"] = record(50)
    assert report.recorded(["rnn.luong"], "aer, both").rows == [["rnn.luong", 1, "0.250"]]
    assert "rnn.luong: 0.250 (0.250 to 0.250)" in drawn[0].alt


def test_bleu_by_length_goes_on_from_test_to_long_with_a_range_and_without_bins_of_few_sentences(recorded):
    recorded |= {"rnn.luong": record(50, few=19), "rnn.luong-1": record(60, few=19), "rnn.none": record(40)}
    picture = report.lengths({"attention": "rnn.luong", "one vector": "rnn.none", "not run": "rnn.forward"})
    (axis,) = picture.figure.axes
    assert {line.get_label(): list(line.get_ydata()) for line in axis.lines} == {
        "attention": [55, 55],
        "one vector": [40, 30, 40, 30],
    }
    (shade,) = axis.collections
    assert {50, 60} <= set(shade.get_paths()[0].vertices[:, 1])


def test_verdicts_are_on_claims_that_compare_two_of_the_rows(recorded):
    found = report.verdicts("rnn.luong", "rnn.words", "rnn.characters")
    assert [line[2:4] for line in found.rows] == [
        ["rnn.luong: –", "rnn.words: –"],
        ["rnn.luong: –", "rnn.characters: –"],
    ]
    assert found.caption == "too few runs: 2"
    called = report.verdicts(called={"attention": "rnn.luong", "whole words": "rnn.words"})
    assert [line[2:4] for line in called.rows] == [["attention: –", "whole words: –"]]
    assert len(report.verdicts("rnn.luong: beam 1", "rnn.luong: beam 5").rows) == 1
