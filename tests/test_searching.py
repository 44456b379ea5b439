"""The record of searches: what it measures is what was found, and it can be made again."""

import json
import math
from types import SimpleNamespace

import pytest
import torch

from course_lib import checkpoints
from course_lib.checkpoints import searching
from course_lib.checkpoints.evaluation import bleu
from course_lib.corpora.grammar import sample
from course_lib.recurrent import LSTM, RNNEncoder
from course_lib.search.table import TableModel
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.subwords import Vocabulary, Words
from course_lib.translator import Translator

EXAMPLES = sample(6, split="test")


def translator(table, others=0):
    model = TableModel(table, others)
    return Translator(model, Words(model.vocabulary.id_to_piece[4:]), model.vocabulary)


def random_translator(seed=0, words=None):
    words = words or sorted({word for example in EXAMPLES for word in example.sentences["de"]})
    torch.manual_seed(seed)
    model = EncoderDecoder(RNNEncoder(len(words) + 4, LSTM(4, 6)), RNNDecoder(len(words) + 4, LSTM(4, 6)))
    return Translator(model, Words(words), Vocabulary(words))


def examples(*readings):
    return [SimpleNamespace(text=lambda language: "x", references=lambda s, t, y=y: list(y)) for y in readings]


# The best output is "b c", 0.36; greedy writes "a c", 0.30
MISSED = translator({"": {"a": 0.6, "b": 0.4}, "a": {"c": 0.5, "d": 0.5}, "b": {"c": 0.9, "d": 0.1}})


def test_the_two_kinds_of_error_are_told_apart():
    found = searching.errors(MISSED, examples(["b c"], ["a c", "z"], ["a d"]), (1, 2))
    assert (found["sentences"], found["decided"], found["model_errors"]) == (3, 3, 2)
    assert found["searches"] == [
        {"beam_size": 1, "search_errors": 3, "right": 1, "right_though_missed": 1},
        {"beam_size": 2, "search_errors": 0, "right": 1, "right_though_missed": 0},
    ]


def test_what_cannot_be_decided_is_left_out():
    assert searching.most_probable_output(MISSED, "x").log_probability == pytest.approx(math.log(0.36))
    assert searching.most_probable_output(MISSED, "x", most=1) is None
    nothing = searching.errors(MISSED, examples(["b c"]), (1,), most=1)
    assert nothing["decided"] == nothing["model_errors"] == nothing["searches"][0]["search_errors"] == 0


def test_what_is_measured_is_what_was_found():
    sure = translator({"": {"Er": 1.0}, "Er": {"schläft": 0.5, "</s>": 0.5}, "Er schläft": {".": 1.0}})
    row = searching.measured(sure, EXAMPLES, 3, normalise=searching.power(1), stop="length")
    words = sum(len(example.sentences["de"]) for example in EXAMPLES)
    assert row["length"] == round(3 * len(EXAMPLES) / words, 4)  # ln 0.5 / 4 is more than ln 0.5 / 2
    assert row["log_probability"] == pytest.approx(math.log(0.5), abs=1e-4)
    expected = bleu(["Er schläft ."] * len(EXAMPLES), EXAMPLES, "en", "de")
    assert row["all"] == pytest.approx(expected["all"], abs=0.01)


def test_an_ensemble_of_equal_members_is_each_of_them():
    one = random_translator()
    rows = searching.ensembles([one, one], EXAMPLES[:3], beam_size=2)
    assert [(row["models"], row["mean"]) for row in rows] == [(1, ""), (1, ""), (2, "probabilities"), (2, "logarithms")]
    assert all(row["log_probability"] == pytest.approx(rows[0]["log_probability"], abs=1e-3) for row in rows)
    assert len({row["all"] for row in rows}) == 1


def test_members_with_other_pieces_are_refused():
    with pytest.raises(ValueError, match="members must have the same pieces in the same order"):
        searching.together([random_translator(words=["a", "b"]), random_translator(words=["b", "a"])])


def test_the_record_is_written_and_can_be_read(tmp_path, monkeypatch):
    monkeypatch.setattr(searching, "load", lambda name: random_translator(seed=len(name)))
    record = searching.make(tmp_path, sentences=3, judged=2, beams=(1, 2))
    assert json.loads(json.dumps(record)) == checkpoints.about("search", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["records"]


def test_the_record_of_the_course_holds_what_the_lecture_shows():
    record = checkpoints.about("search")
    assert record["command"] == "python -m course_lib.checkpoints search" and record["device"]
    assert set(record["models"]) == set(searching.MODELS) and set(record["ensembles"]) == {
        name for name, members in searching.ENSEMBLES.items() if members
    }
    for name, splits in searching.MODELS.items():
        for split in splits:
            for rows in record["models"][name][split].values():
                assert [row["beam_size"] for row in rows] == list(searching.BEAMS)
                assert all(0 <= row["one"] <= row["all"] <= 100 for row in rows)
    for name, rows in record["ensembles"].items():
        assert len(rows) == len(searching.ENSEMBLES[name]) + 2 * (len(searching.ENSEMBLES[name]) - 1)
