"""Answers in a file: what is saved is read again, by several who write; a broken line is named."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.metrics import Rating, rating_file
from course_lib.metrics.rating_file import Answer, load, read_answers, save

ANSWER = Answer("me", 1, "likert", 3, "beam", "Ein Hund.", {"adequacy": 4, "fluency": 5})
LINE = json.dumps(vars(ANSWER))
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)  # line ends of all kinds among them


@st.composite
def answers(draw):
    scale = draw(st.sampled_from(["likert", "direct", "ranking"]))
    scores = st.floats(0, 100) if scale == "direct" else st.integers(1, 5)
    return Answer(
        rater=draw(names),
        round=draw(st.integers(1, 3)),
        scale=scale,
        item=draw(st.integers(0, 3) | names),
        system=draw(names),
        output=draw(names),
        scores={aspect: draw(scores) for aspect in rating_file.ASPECTS[scale]},
    )


@given(st.lists(answers(), max_size=6))
def test_what_is_saved_is_read_again_and_the_last_answer_counts(tmp_path_factory, given_answers):
    path = tmp_path_factory.mktemp("answers") / "folder" / "ratings.jsonl"
    for answer in given_answers:
        save(path, [answer])
    last = {answer.key: answer for answer in given_answers}
    assert not given_answers or {answer.key: answer for answer in read_answers(path)} == last


def test_nobody_who_writes_at_the_same_time_loses_an_answer(tmp_path):
    path = tmp_path / "ratings.jsonl"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: save(path, [vary(item=k), vary(item=k, system="b")]), range(24)))
    assert sorted(answer.item for answer in read_answers(path)) == sorted([*range(24)] * 2)
    items = [json.loads(line)["item"] for line in path.read_text().splitlines()]
    assert items[::2] == items[1::2]  # the answers of one screen stand together


def test_a_file_without_a_last_line_end_is_mended(tmp_path):
    path = tmp_path / "ratings.jsonl"
    path.write_text(LINE)
    save(path, [vary(item=4)])
    assert [answer.item for answer in read_answers(path)] == [3, 4]


def test_ratings_of_one_aspect_and_round(tmp_path):
    path = tmp_path / "ratings.jsonl"
    save(path, [ANSWER, vary(rater="you"), vary(round=2, scores={"adequacy": 1, "fluency": 1})])
    assert load(path, "fluency") == [Rating("me", 3, "beam", 5), Rating("you", 3, "beam", 5)]
    assert load(path, "adequacy", round=2) == [Rating("me", 3, "beam", 1)]
    with pytest.raises(ValueError, match="aspect must be named: .*ratings.jsonl has adequacy, fluency"):
        load(path)
    with pytest.raises(ValueError, match="has adequacy, fluency in round 1; asked for: quality"):
        load(path, "quality")
    with pytest.raises(ValueError, match="has no answers in round 3; asked for: any aspect"):
        load(path, round=3)
    save(other := tmp_path / "direct.jsonl", [vary(scale="direct", scores={"quality": 62.5})])
    assert load(other) == [Rating("me", 3, "beam", 62.5)]


def vary(**fields):
    return Answer(**(vars(ANSWER) | fields))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "no JSON"),
        (LINE[:-4], "no JSON"),
        ("[1]", "an answer must be a JSON object, got"),
        ("{}", "rater, round, scale, item, system, output, scores must be there, got only nothing"),
        (LINE.replace('"system"', '"sytem"'), "system must be there, got only rater"),
        (LINE[:-1] + ', "time": 3}', "an answer has no field time"),
        (LINE.replace('"me"', "7"), "rater must be a string, got 7"),
        (LINE.replace('"item": 3', '"item": 3.5'), "item must be a string or a whole number, got 3.5"),
        (LINE.replace('"round": 1', '"round": 0'), "round must be a whole number from 1, got 0"),
        (LINE.replace('"round": 1', '"round": true'), "round must be a whole number from 1, got True"),
        (LINE.replace('"likert"', '"stars"'), "scale must be one of likert, direct, ranking, got 'stars'"),
        (LINE.replace('"adequacy"', '"accuracy"'), "scores must have adequacy and fluency, got"),
        (LINE.replace('"adequacy": 4', '"adequacy": 6'), "adequacy must be a number from 1 to 5, got 6"),
        (LINE.replace('"adequacy": 4', '"adequacy": NaN'), "adequacy must be a number from 1 to 5, got nan"),
        (LINE.replace('"adequacy": 4', '"adequacy": 2.5'), "adequacy must be a whole number, got 2.5"),
        ("\xff", "no JSON"),
    ],
)
def test_a_broken_line_is_named(tmp_path, line, message):
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(f"{LINE}\n\n".encode() + line.encode("latin-1") + b"\n")
    with pytest.raises(ValueError, match=f"ratings.jsonl, line 3: {message}"):
        read_answers(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_answers(tmp_path / "ratings.jsonl")
