"""The n-gram explorer's state, without a browser: its scores are sacreBLEU's, its n-grams those that BLEU counts."""

import base64
import gzip
import json
import math
import re

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from course_lib.widgets import NgramExplorer

REFERENCES = ["The cat is on the mat.", "There is a cat on the mat."]  # Papineni et al. 2002
THE = "the the the the the the the"
sentences = st.lists(st.sampled_from(["a", "b", "c", "."]), min_size=1, max_size=9).map(" ".join)
outputs = st.one_of(st.just(""), sentences)
references = st.lists(sentences, min_size=1, max_size=3)
smoothings = st.sampled_from(["none", "floor", "add-k", "exp"])


@given(outputs, references, smoothings)
def test_the_scores_are_sacrebleus(output, texts, smoothing):
    view = NgramExplorer(output, texts, smoothing=smoothing).view
    bleu = sacrebleu.BLEU(smooth_method=smoothing, effective_order=True).sentence_score(output, texts)
    assert view["bleu"] == pytest.approx(bleu.score)
    assert view["chrf"] == pytest.approx(sacrebleu.CHRF().sentence_score(output, texts).score)
    assert view["ter"] == pytest.approx(sacrebleu.TER().sentence_score(output, texts).score)
    assert (view["c"], view["r"]) == (bleu.sys_len, bleu.ref_len)
    if smoothing != "add-k":  # of which sacreBLEU gives the counts with what it has added
        assert [order["matches"] for order in view["orders"]] == bleu.counts
        assert [order["total"] for order in view["orders"]] == bleu.totals


@given(outputs, references, smoothings)
def test_the_logs_add_up_to_bleus(output, texts, smoothing):
    view = NgramExplorer(output, texts, smoothing=smoothing).view
    logs = [-math.inf if factor["log"] is None else factor["log"] for factor in view["factors"]]
    bleu = sacrebleu.BLEU(smooth_method=smoothing, effective_order=True).sentence_score(output, texts).score
    assert 100 * math.exp(sum(logs)) == pytest.approx(bleu) == pytest.approx(view["factors"][-1]["after"])
    assert [factor["name"] for factor in view["factors"]] == ["BP", "p1", "p2", "p3", "p4"]
    assert all(log <= 1e-12 for log in logs)


@given(sentences, references)
def test_each_order_counts_what_is_matched(output, texts):
    view = NgramExplorer(output, texts).view
    for n, order in enumerate(view["orders"], 1):
        assert [one["at"] for one in order["ngrams"]] == list(range(order["total"]))
        assert sum(one["state"] == "matched" for one in order["ngrams"]) == order["matches"]
        for one in order["ngrams"]:
            assert one["ngram"] == view["hypothesis"][one["at"] : one["at"] + n]
            places = [view["references"][r][i : i + n] for r, i in one["places"]]
            assert places == [one["ngram"]] * len(places)
            assert (one["match"] in one["places"]) if one["state"] == "matched" else one["match"] is None
            assert bool(places) == (one["state"] != "absent") == (one["most"] > 0)


def test_the_seven_the_of_papineni_are_clipped_to_two():
    first = NgramExplorer(THE, REFERENCES).view["orders"][0]
    assert [one["state"] for one in first["ngrams"]] == ["matched"] + ["clipped"] * 6  # "The" is another word
    assert {(one["count"], one["most"], one["counted"]) for one in first["ngrams"]} == {(7, 1, 1)}
    lower = NgramExplorer(THE, [text.lower() for text in REFERENCES]).view["orders"][0]
    assert (lower["matches"], lower["total"]) == (2, 7) and lower["p"] == pytest.approx(2 / 7)


def test_an_edit_is_scored_and_another_output_is_shown_as_given():
    explorer = NgramExplorer({"seven": THE, "good": REFERENCES[0]}, REFERENCES, at=1)
    assert explorer.view["bleu"] == pytest.approx(100) and explorer.text == REFERENCES[0]
    explorer.edit("  The cat  is on a mat. ")
    expected = sacrebleu.BLEU(effective_order=True).sentence_score("The cat is on a mat.", REFERENCES).score
    assert explorer.text == "The cat is on a mat." and explorer.view["bleu"] == pytest.approx(expected)
    assert explorer.views[1]["bleu"] == pytest.approx(100)
    explorer.at = 0
    assert (explorer.text, explorer.edited) == (THE, {})
    explorer.edit(THE)
    assert explorer.edited == {}


def test_a_picked_ngram_stays_while_it_stands_there():
    explorer = NgramExplorer("a b c d", ["a b"], picked=[2, 1])
    explorer.edit("a b c e f")
    assert explorer.picked == [2, 1]
    explorer.edit("a b d")
    assert explorer.picked == []


def test_each_output_can_have_its_own_references():
    explorer = NgramExplorer(["a", "b"], [["a"], ["c", "b"]])
    assert explorer.names == ["output 1", "output 2"]
    assert [view["references"] for view in explorer.views] == [[["a"]], [["c"], ["b"]]]
    explorer.at = 1
    explorer.edit("c")
    assert explorer.view["bleu"] == pytest.approx(100)


def test_requests_are_answered():
    explorer, sent = NgramExplorer("a b x d", ["a b c d"]), []
    explorer.send = sent.append
    explorer._handle_custom_msg({"ask": {"smooth": "none"}, "id": 1}, [])
    assert (explorer.smoothing, explorer.view["bleu"]) == ("none", 0.0)
    explorer._handle_custom_msg({"ask": {"edit": "a b c"}, "id": 2}, [])
    explorer._handle_custom_msg({"ask": {"smooth": "exp"}, "id": 3}, [])
    assert explorer.edited["bleu"] == pytest.approx(100 * math.exp(1 - 4 / 3))
    explorer._handle_custom_msg({"ask": {"edit": "a " * 61}, "id": 4}, [])
    assert sent == [{"id": id, "error": None} for id in (1, 2, 3)] + [
        {"id": 4, "error": "an output may have 60 tokens, got 61"}
    ]
    assert explorer.text == "a b c"


def test_ter_of_a_long_text_follows_later():
    explorer = NgramExplorer("a b", [" ".join("abcdefghij" * 3)])
    text = " ".join("jihgfedcba" * 3)
    explorer.answer(edit=text)
    assert explorer.view["ter"] is None and explorer.view["bleu"] > 0
    explorer.answer(add_ter=True)
    expected = sacrebleu.TER().sentence_score(text, explorer.references[0]).score
    assert explorer.view["ter"] == pytest.approx(expected)
    other = NgramExplorer("a b", explorer.references[0])
    other.edit(text)
    assert other.view == explorer.view


def test_the_saved_page_holds_what_is_shown():
    explorer = NgramExplorer({"one": "a b", "two": "b"}, ["a b"], picked=[2, 0])
    explorer.edit("a b b")
    packed = re.search(r'JSON.parse\(await unzipped\(atob\("([^"]+)"', explorer.page()).group(1)
    state = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert state["edited"] == explorer.view and state["picked"] == [2, 0] and state["live"] is False
    assert len(state["views"]) == 2


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (([], ["a"]), {}, ValueError, "hypotheses must be 1 to 30 outputs, got 0"),
        ((["a"] * 31, ["a"]), {}, ValueError, "hypotheses must be 1 to 30 outputs, got 31"),
        (([["a"]], ["a"]), {}, TypeError, "hypotheses must be strings, got list for 'output 1'"),
        (("a", "a"), {}, TypeError, "references must be a list of references, got one string: 'a'"),
        (("a", []), {}, ValueError, "an output must have 1 to 6 references, got 0"),
        (("a", ["a"] * 7), {}, ValueError, "an output must have 1 to 6 references, got 7"),
        (("a", [" "]), {}, ValueError, "empty reference"),
        (("a", [["a"], ["b"]]), {}, ValueError, "one list for each of 1 outputs, got 2"),
        ((["a", "b"], [["a"], "b"]), {}, TypeError, "all strings or all lists of strings, got 'b' at 1"),
        (("a", [[3]]), {}, TypeError, "references must be strings, got int: 3"),
        (("a", ["a " * 61]), {}, ValueError, "a reference may have 60 tokens, got 61"),
        (("a", ["a"]), {"at": 1}, ValueError, "at must be from 0 to 0, got 1"),
        (("a b", ["a"]), {"picked": [2, 1]}, ValueError, r"picked must be \(n, position\)"),
        (("a b", ["a"]), {"picked": [5, 0]}, ValueError, r"picked must be \(n, position\)"),
        (("a", ["a"]), {"smoothing": "max"}, ValueError, "smoothing must be one of none, floor, add-k, exp, got 'max'"),
    ],
)
def test_what_will_not_do_is_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        NgramExplorer(*arguments, **options)


def test_a_refused_setting_changes_nothing():
    explorer = NgramExplorer("a b", ["a b"])
    for name, value in (("at", 1), ("at", -1), ("picked", [1, 2])):
        with pytest.raises(ValueError, match=f"{name} must be"):
            setattr(explorer, name, value)
    with pytest.raises(ValueError, match="smoothing must be"):
        explorer.smooth("max")
    assert (explorer.at, explorer.picked, explorer.smoothing) == (0, [], "exp")
