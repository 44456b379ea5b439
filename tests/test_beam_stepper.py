"""The beam tree's state without a browser: what it shows is what the library's searches say."""

import base64
import gzip
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.checkpoints import RNNRecipe, translator
from course_lib.search.beam import beam
from course_lib.search.greedy import greedy
from course_lib.search.hypothesis import gnmt, plain, power
from course_lib.subwords import BPE, Vocabulary, Words
from course_lib.translator import Translator
from course_lib.widgets import BeamStepper
from tests.pie import SUMS, pie
from tests.test_beam import EOS, POLICIES, A, B, toys
from tests.toy import ToyModel

RANKINGS = {("plain", 0.6): plain, ("gnmt", 0.6): gnmt(0.6), ("power", 1.0): power(1.0)}
translators = toys().map(lambda model: Translator(model, Words("abc"), Vocabulary("abc")))
drawn = settings(deadline=None, max_examples=15)


def path(widget, end):
    """The nodes from the start to this one."""
    found = []
    while end is not None:
        found.append(widget.nodes[end])
        end = found[-1]["parent"]
    return found[::-1]


def text(widget, end):
    return " ".join(node["piece"] for node in path(widget, end))


@drawn
@given(translators, st.integers(1, 4), st.sampled_from(POLICIES), st.sampled_from(list(RANKINGS)), st.integers(1, 6))
def test_outputs_are_those_of_the_search(made, k, policy, ranking, longest):
    finished, stop = policy
    rule = {"finished": finished, "stop": stop, "normalise": ranking[0], "alpha": ranking[1], "max_length": longest}
    widget = BeamStepper(made, "a", k, **rule)
    source, search = made.read(["a"]), {"finished": finished, "stop": stop, "normalise": RANKINGS[ranking]}
    best = beam(made.model, *source, longest, k, **search)[0][0]
    row = widget.outputs[0]
    assert (row["text"], row["log_p"], row["score"], row["finished"], row["length"]) == (
        made.written(best.words), best.log_probability, best.score, best.finished, best.length,
    )  # fmt: skip
    if stop != "bound":  # which ends as soon as the best one is proved
        found = beam(made.model, *source, longest, k, n_best=k, **search)[0]
        kept = [row for row in widget.outputs if row["kept"]][:k]
        assert [row["score"] for row in kept] == [one.score for one in found]
    for row in widget.outputs:
        nodes = path(widget, row["end"])
        assert " ".join(node["piece"] for node in nodes if not node["ends"]) == row["text"]
        assert sum(node["log_prob"] for node in nodes) == pytest.approx(row["log_p"], abs=1e-3)
        assert nodes[-1]["score"] == pytest.approx(row["score"], abs=1e-3) and nodes[-1]["ends"] == row["finished"]
    places = [row["plain_rank"] for row in widget.outputs if row["kept"]]
    in_place = sorted(zip(places, (row["log_p"] for row in widget.outputs), strict=False))
    assert sorted(places) == list(range(1, len(places) + 1))
    assert [p for _, p in in_place] == sorted((p for _, p in in_place), reverse=True)


@drawn
@given(translators, st.integers(1, 4), st.sampled_from(POLICIES), st.sampled_from(list(RANKINGS)), st.integers(1, 6))
def test_the_rules_say_when_the_search_ends(made, k, policy, ranking, longest):
    finished, stop = policy
    rule = {"finished": finished, "normalise": ranking[0], "alpha": ranking[1], "max_length": longest}
    widget = BeamStepper(made, "a", k, stop=stop, **rule)
    last = len(widget.decisions)
    holds = [
        {"nothing": not one["alive"], "length": t == longest, "count": one["done"] >= k, "bound": one["proved"]}
        for t, one in enumerate(widget.decisions, 1)
    ]
    names = {"nothing", "length", stop}
    assert holds[-1][widget.ending] and not any(one[name] for one in holds[:-1] for name in names)
    whole = BeamStepper(made, "a", k, stop="length", **rule)
    for here, one in zip(whole.decisions[:last], widget.decisions, strict=True):
        assert here == one
        if one["proved"] and finished == "aside":  # the bound holds: nothing better comes
            assert whole.outputs[0]["score"] == one["best"]


@drawn
@given(translators, st.integers(1, 3), st.integers(2, 5), st.data())
def test_a_revived_branch_is_the_search_with_that_prefix(made, k, longest, data):
    widget = BeamStepper(made, "a", k, max_length=longest, normalise="gnmt")
    before, source = list(widget.nodes), made.read(["a"])
    assert made.written(greedy(made.model, *source, longest)[0]) == widget.greedy["text"]
    chosen = [n for n, node in enumerate(widget.nodes) if node["fate"] == "pruned" and not node["ends"]]
    chosen = [n for n in chosen if widget.nodes[n]["depth"] < longest]
    for n in data.draw(st.lists(st.sampled_from(chosen), max_size=3)) if chosen else []:
        widget.answer(revive=n)
        row, prefix = widget.revived[str(n)], made.vocabulary.ids(node["piece"] for node in path(widget, n))
        best = beam(made.model, *source, longest, k, prefix=prefix, normalise=gnmt(0.6))[0][0]
        assert (row["text"], row["score"]) == (made.written(best.words), best.score)
        nodes = path(widget, row["end"])
        assert widget.nodes[n] in nodes and nodes[-1]["total"] == pytest.approx(row["log_p"], abs=1e-4)
        assert {node["fate"] for node in nodes[len(prefix) :]} <= {"revived", "greedy"}
    assert widget.nodes[: len(before)] == before


def test_the_walk_through_keeps_what_a_search_by_hand_keeps():
    widget = BeamStepper(pie(), "il a m' entarté", 2)
    kept = [
        {text(widget, n) for n, node in enumerate(widget.nodes) if (node["depth"], node["fate"]) == (t, "kept")}
        for t in range(1, 6)
    ]
    assert kept == [
        {"he", "I"},
        {"he hit", "I was"},
        {"he hit a", "he hit me"},
        {"he hit a pie", "he hit me with"},
        {"he hit me with one", "he hit me with a"},
    ]
    sums = {text(widget, n): node["total"] for n, node in enumerate(widget.nodes)}
    shown = {f"{before} {word}".strip(): s for before, following in SUMS.items() for word, s in following.items()}
    assert all(sums[words] == pytest.approx(s, abs=1e-3) for words, s in shown.items() if words in sums)
    assert widget.outputs[0]["text"] == "he hit me with a pie"


def test_what_leaves_the_beam_is_no_output():
    widget = BeamStepper(pie(), "a", 2, finished="in_beam", stop="length", max_length=9)
    gone = [n for n, node in enumerate(widget.nodes) if node["gone"]]
    assert [row["end"] for row in widget.outputs if not row["kept"]] == gone
    for n in gone:
        assert widget.nodes[n]["fate"] == "finished" and widget.nodes[n]["gone"] > widget.nodes[n]["depth"]


def test_where_all_that_is_finished_left_the_beam_what_lives_is_the_output():
    table = {(): {EOS: 0.1, A: 0.45, B: 0.45}, (A,): {A: 0.6, B: 0.4}, (B,): {A: 0.6, B: 0.4}}
    made = Translator(ToyModel([table], 7), Words("abc"), Vocabulary("abc"))
    widget = BeamStepper(made, "a", 3, finished="in_beam", max_length=2)
    rows = [(row["text"], row["finished"], row["kept"], row["plain_rank"]) for row in widget.outputs]
    assert rows == [("a a", False, True, 1), ("b a", False, True, 2), ("a b", False, True, 3), ("", True, False, None)]


def test_the_word_so_far_stands_before_a_piece():
    bpe = BPE.learn("die Bauern", 0)
    made = translator(RNNRecipe(embedding=8, hidden=8), bpe)
    widget = BeamStepper(made, "die", 2, max_length=5)
    for n, node in enumerate(widget.nodes):
        word = []
        for one in path(widget, n)[:-1]:
            word = [*word, one["piece"][:-1]] if one["goes_on"] else []
        sign = node["piece"].startswith("<")
        assert node["before"] == ("" if sign else "".join(f"{piece}·" for piece in word))
        assert node["goes_on"] == node["piece"].endswith("…")
    assert any(node["before"].count("·") > 1 for node in widget.nodes)


def test_it_opens_grown_unless_the_reader_is_to_predict():
    widget = BeamStepper(pie(), "a b", 2)
    assert widget.step == widget.last == 14 and BeamStepper(pie(), "a b", 2, predict=True).step == 1
    assert BeamStepper(pie(), "a b", 2, max_length=2).step == 4 and BeamStepper(pie(), "a b", 2, step=0).step == 0
    widget.step = 9
    widget.search("b", 2)
    assert widget.step == widget.last


@drawn
@given(translators, st.sampled_from(POLICIES), st.sampled_from(list(RANKINGS)), st.integers(1, 5))
def test_what_is_compared_is_what_each_search_finds(made, policy, ranking, longest):
    finished, stop = policy
    rule = {"finished": finished, "stop": stop, "normalise": ranking[0], "alpha": ranking[1], "max_length": longest}
    widget = BeamStepper(made, "a", 2, compare=(1, 4), **rule)
    assert [row["k"] for row in widget.compared] == [1, 4]
    for row in widget.compared:
        alone = BeamStepper(made, "a", row["k"], **rule).outputs[0]
        assert {key: alone[key] for key in ("text", "log_p", "score", "length", "finished")} == {
            key: row[key] for key in ("text", "log_p", "score", "length", "finished")
        }
        inner = {parent for parent, _ in row["paths"]}
        ends = [n for n in range(len(row["paths"])) if n not in inner]
        assert len(ends) <= row["found"] <= row["k"] and sum(best for _, best in row["paths"]) == row["length"]
        assert all(parent is None or parent < n for n, (parent, _) in enumerate(row["paths"]))
    widget.search("b", 3, **rule)
    assert [row["k"] for row in widget.compared] == [1, 4]


def test_a_long_sentence_is_searched_up_to_the_longest_output():
    assert BeamStepper(pie(), "a " * 60, 2).max_length == 60  # the translator itself would write 130
    with pytest.raises(ValueError, match="a sentence may have 60 pieces, got 500"):
        BeamStepper(pie(), "a " * 500, 2)


def test_predictions_are_scored_by_what_is_as_probable():
    widget = BeamStepper(pie(), "a", 2, predict=True)
    by_text = {text(widget, n): n for n in range(len(widget.nodes))}
    widget.predictions = {
        "1": [by_text["I"], by_text["he"]],
        "2": [by_text["he hit"], by_text["I got"]],
    }
    assert widget.score == (1, 2)


def test_a_new_search_keeps_the_place_of_the_same_sentence():
    widget = BeamStepper(pie(), "a b", 2, step=99, predict=True)
    assert widget.step == widget.last
    widget.predictions = {"1": [0]}
    widget.answer(search={"text": " a  b ", "k": 1, "max_length": 3})
    assert (widget.text, widget.k, widget.step, widget.last, widget.predictions) == ("a b", 1, 6, 6, {})
    widget.step = 3
    widget.search("a b", 2)
    assert widget.step == 3 and widget.max_length == 2 * 2 + 10
    widget.search("b", 2)
    assert widget.step == 1  # he predicts


def test_pieces_are_named_as_they_are_read():
    bpe = BPE.learn("the cat sees a dog", 5)
    widget = BeamStepper(translator(RNNRecipe(embedding=8, hidden=8), bpe), "the cat", 3, max_length=4)
    names = {node["piece"] for node in widget.nodes}
    marked = {piece.removesuffix("</w>") if piece.endswith("</w>") else f"{piece}…" for piece in bpe.vocabulary}
    assert names <= marked | {"<pad>", "<unk>", "<s>", "</s>"}


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"search": {"text": " ", "k": 2}}, "at least one word"),
        ({"search": {"text": "a", "k": 9}}, "k must be from 1 to 8, got 9"),
        ({"search": {"text": "a", "k": 0}}, "k must be from 1 to 8, got 0"),
        (
            {"search": {"text": "a", "k": 2, "max_length": 61}},
            "the longest output (max_length) must be from 1 to 60, got 61",
        ),
        ({"search": {"text": "a " * 70, "k": 2, "max_length": 9}}, "a sentence may have 60 pieces, got 70"),
        ({"search": {"text": "a", "k": 2, "stop": "never"}}, "stop must be one of count, bound, length, got 'never'"),
        ({"search": {"text": "a", "k": 2, "finished": "x"}}, "finished must be one of aside, in_beam, got 'x'"),
        ({"search": {"text": "a", "k": 2, "normalise": "x"}}, "one of plain, gnmt, power, got 'x'"),
        ({"search": {"text": "a", "k": 2, "normalise": "power", "alpha": -1}}, "alpha must be at least 0, got -1"),
        ({"compare": []}, "sizes must be 1 to 4 beam sizes, got 0"),
        ({"compare": [1, 101]}, "sizes must be from 1 to 100, got 101"),
        ({"revive": 999}, "number must be from 0 to"),
        ({"revive": 1, "shown": {"text": "a b", "k": 3}}, "that was asked of another search’s tree"),
        ({"revive": 0}, "number must be a node that could go on and did not, got 0"),
    ],
)
def test_what_is_refused_changes_nothing(request_, message):
    widget, sent = BeamStepper(pie(), "a b", 2), []
    widget.send = sent.append
    before = widget.state()
    widget._handle_custom_msg({"ask": request_, "id": 5}, [])
    assert sent[0]["id"] == 5 and message in sent[0]["error"]
    assert widget.state() == before


def test_an_end_is_not_revived():
    widget = BeamStepper(pie(), "a b", 2, max_length=8)
    end = next(n for n, node in enumerate(widget.nodes) if node["piece"] == "</s>")
    with pytest.raises(ValueError, match="could go on and did not"):
        widget.revive(end)
    short = BeamStepper(pie(), "a b", 2, max_length=1)
    with pytest.raises(ValueError, match="it has 1 words already"):
        short.revive(0)
    assert not any(node["ends"] for node in short.nodes)
    assert [row["finished"] for row in short.outputs] == [False, False] and short.ending == "length"


def test_the_page_is_whole():
    widget = BeamStepper(pie(), "a b", 2)
    page = widget.page()
    state = json.loads(gzip.decompress(base64.b64decode(re.search(r'atob\("(.*?)"\)', page).group(1))))
    assert state["live"] is False and state["nodes"] == widget.nodes
    assert not re.search(r"(src|href)=|url\(|https?://(?!www\.w3\.org/2000/svg)", page)
