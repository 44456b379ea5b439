"""The attention heatmap's state, without a browser: it shows what the translators' traces hold, and forces them."""

import base64
import gzip
import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.alignment import alignment_error_rate
from course_lib.checkpoints import RNNRecipe, translator
from course_lib.corpora.grammar import sample
from course_lib.subwords import BPE
from course_lib.widgets import AttentionHeatmap
from course_lib.widgets.attention_views import GoldPair, differences, gold_pair, rate
from tests.toy_translator import ToyTranslator

TEXT = "die Katze sieht den Hund"
GOLD = GoldPair(
    TEXT.split(),
    ["the", "cat", "sees", "a", "dog"],
    {(0, 0), (1, 1), (2, 2), (4, 4)},
    {(0, 0), (1, 1), (2, 2), (4, 4), (3, 3), (0, 1)},
    {"IBM Model 1": {(0, 0), (1, 1), (4, 2)}},
)


def heatmap(sentences=GOLD, translators=None, **settings):
    return AttentionHeatmap(translators or {"toy": ToyTranslator()}, sentences, **settings)


def entry(widget, model=0):
    return widget.views[widget.at]["models"][model]


def test_a_reading_is_the_trace():
    widget, trace = heatmap(TEXT), ToyTranslator().trace(TEXT)
    reading = entry(widget)["free"]
    assert reading["translation"] == trace.target_words[:-1] and reading["rate"] is None
    sides = {"words": (trace.source_words, trace.target_words, trace.word_attention)}
    sides["pieces"] = (trace.source, trace.target, trace.attention)
    for level, (source, target, attention) in sides.items():
        drawn = reading["levels"][level]
        assert (drawn["source"], drawn["target"]) == (source, target)
        assert drawn["weights"] == [pytest.approx([1000 * a for a in row], abs=0.5) for row in attention]
        assert drawn["best"] == [row.index(max(row)) for row in attention]
    assert json.loads(json.dumps(widget.state())) == widget.state()


def test_what_else_was_likely_comes_from_the_trace():
    widget, trace = heatmap(TEXT), ToyTranslator().trace(TEXT)
    reading = entry(widget)["free"]
    for one, piece, log_p, best in zip(reading["likeliest"], trace.target, trace.log_probs, trace.best, strict=True):
        assert one["written"].rstrip("…") == piece.removesuffix("</w>") and one["p"] == round(1000 * math.exp(log_p))
        assert [p for _, p in one["best"]] == [round(1000 * math.exp(p)) for _, p in best[:4]]
    assert [name for name, _ in reading["likeliest"][2]["best"]] == ["ca…", "cow", "ho…", "pig"]
    words = reading["levels"]["words"]
    assert [word for step, word in enumerate(words["target"]) for _ in words["steps"][step]] == [
        trace.target_words[n] for n in trace.target_word_of
    ]
    assert reading["levels"]["pieces"]["steps"] == [[t] for t in range(len(trace.target))]


def test_a_trace_without_probabilities_has_no_runners_up():
    assert entry(heatmap(TEXT, {"toy": ToyTranslator(runners_up=0)}))["free"]["likeliest"] is None


def test_the_error_rate_is_the_librarys():
    widget = heatmap()
    possible = [GOLD.possible]
    assert entry(widget)["free"]["rate"]["aer"] == alignment_error_rate(
        [{(n, n) for n in range(5)}], [GOLD.sure], possible
    )
    other = widget.views[0]["gold"]["others"][0]
    assert other["name"] == "IBM Model 1"
    assert other["aer"] == alignment_error_rate([GOLD.others["IBM Model 1"]], [GOLD.sure], possible) == 1 - 4 / 7
    assert widget.views[0]["gold"]["possible"] == [[0, 1], [3, 3]]


links = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8)


@given(links, links, links)
def test_a_rate_comes_from_its_numbers(predicted, sure, more):
    drawn = rate(predicted, GoldPair(["a"] * 4, ["b"] * 4, sure, sure | more))
    total = sum(drawn["links"])
    assert drawn["aer"] == pytest.approx(1 - sum(drawn["found"]) / total if total else 0)


def test_the_gold_translation_is_written_and_compared():
    gold = GoldPair(TEXT.split(), ["the", "dog", "sees", "a", "cat"], {(4, 1), (1, 4)})
    model = entry(heatmap(gold))
    assert model["free"]["rate"] is None  # it writes other words
    assert model["reference"]["translation"] == list(gold.target)
    assert model["reference"]["rate"] == {"aer": 1.0, "found": [0, 0], "links": [5, 2]}


def test_an_example_of_the_grammar_is_gold():
    example = sample(1, seed=3)[0]
    pair = gold_pair(example, "de", "en", {"none": set()})
    assert (pair.source, pair.target) == (example.sentences["de"], example.sentences["en"])
    assert pair.sure == example.alignment("de", "en") and pair.possible == example.possible("de", "en")


@pytest.mark.parametrize(
    ("level", "row", "column", "steps", "pieces"), [("words", 1, 4, [2, 3], [8, 9]), ("pieces", 2, 9, [2], [9])]
)
def test_forcing_a_word_translates_anew(level, row, column, steps, pieces):
    widget = heatmap()
    widget.force("toy", row, column, level)
    model = entry(widget)
    assert [(one["steps"], one["pieces"]) for one in model["forced"]] == [(steps, pieces)]
    assert model["held"]["translation"] == ["the", "dog", "sees", "a", "dog"]
    assert model["held"]["levels"]["words"]["weights"][1] == [0, 0, 0, 0, 1000, 0]
    assert model["held"]["levels"]["words"]["p"][1] == round(1000 * math.exp(-0.5 * len(steps)))
    assert model["rows"] == {"words": [1], "pieces": steps}
    assert model["differences"]["before"][1] == ["cat", False] and model["differences"]["after"][1] == ["dog", False]
    assert all(kept for n, (_, kept) in enumerate(model["differences"]["after"]) if n != 1)
    assert model["free"]["translation"] == ["the", "cat", "sees", "a", "dog"]


def test_only_the_pieces_of_the_new_word_are_forced():
    widget = heatmap()
    widget.force("toy", 2, 3)  # "sees", two pieces, becomes "a", one
    assert entry(widget)["forced"][0]["steps"] == [4] and entry(widget)["rows"] == {"words": [2], "pieces": [4]}
    assert entry(widget)["held"]["translation"] == ["the", "cat", "a", "a", "dog"]
    assert entry(widget)["held"]["levels"]["words"]["weights"][3] == [50, 50, 50, 750, 50, 50]


def test_forced_steps_add_up_and_are_undone_one_by_one():
    widget = heatmap(translators={"one": ToyTranslator(), "two": ToyTranslator(0.9)})
    before = widget.views
    widget.force("two", 1, 4)
    widget.force("two", 4, 1)
    assert entry(widget, 1)["held"]["translation"] == ["the", "dog", "sees", "a", "cat"]
    assert entry(widget, 0) == before[0]["models"][0]
    widget.undo("two")
    assert entry(widget, 1)["held"]["translation"] == ["the", "dog", "sees", "a", "dog"]
    widget.undo("two")
    assert widget.views == before


def test_a_sentence_that_ends_early_forgets_later_steps():
    widget = heatmap()
    widget.force("toy", 4, 1)
    widget.force("toy", 1, 5)  # to </s>
    assert entry(widget)["held"]["translation"] == ["the"]
    assert entry(widget)["rows"] == {"words": [1], "pieces": [2]}


def test_the_readers_sentence_stands_after_those_given():
    widget, sent = heatmap([GOLD, "die Katze"]), []
    widget.send = sent.append
    for text in ("den Hund", "  Hund "):
        widget._handle_custom_msg({"ask": {"read": text}, "id": 1}, [])
    assert [view["text"] for view in widget.views] == [TEXT, "die Katze", "Hund"]
    assert (widget.at, widget.text) == (2, "Hund") and widget.views[2]["gold"] is None
    widget._handle_custom_msg(
        {"ask": {"force": {"model": "toy", "row": 0, "column": 1, "level": "words"}}, "id": 2}, []
    )
    assert entry(widget)["held"]["translation"] == []
    widget._handle_custom_msg({"ask": {"undo": "toy"}, "id": 3}, [])
    assert entry(widget)["held"] is None
    assert sent == [{"id": n, "error": None} for n in (1, 1, 2, 3)]


def test_a_translator_of_the_course_is_read_and_forced():
    example = min(sample(20, seed=1), key=lambda one: len(one.sentences["en"]))
    bpe = BPE.learn([" ".join(example.sentences[language]) for language in ("en", "de")], 10)
    made = translator(RNNRecipe(embedding=8, hidden=8), bpe)
    widget = heatmap(gold_pair(example, "en", "de"), {"tiny": made})
    drawn, trace = entry(widget)["reference"], made.align(widget.text, example.sentences["de"])
    assert drawn["translation"] == list(example.sentences["de"])
    assert drawn["levels"]["pieces"]["weights"][0] == pytest.approx([1000 * a for a in trace.attention[0]], abs=0.5)
    rate = alignment_error_rate([trace.links], [example.alignment("en", "de")], [example.possible("en", "de")])
    assert drawn["rate"]["aer"] == rate
    widget.force("tiny", 0, 1)
    (first, *_), best = drawn["likeliest"], made.align(widget.text, example.sentences["de"], 4).best[0]
    assert [p for _, p in first["best"]] == [round(1000 * math.exp(p)) for _, p in best] and len(best) == 4
    source_words = entry(widget)["held"]["levels"]["words"]["source"]
    assert entry(widget)["held"]["levels"]["words"]["weights"][0] == [1000 * (n == 1) for n in range(len(source_words))]


def test_the_text_is_that_of_the_sentence_shown():
    widget = heatmap([GOLD, "die Katze"])
    widget.at = 1
    assert widget.text == "die Katze"
    with pytest.raises(ValueError, match="at must be from 0 to 1, got 2"):
        widget.at = 2


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"read": "der Hund"}, "unknown words: der"),
        ({"read": " "}, "at least one word"),
        ({"read": "die " * 61}, "60 words, got 61"),
        ({"force": {"model": "toy", "row": 6, "column": 0}}, "row must lie in 0..5, got 6"),
        ({"force": {"model": "toy", "row": 0, "column": -1}}, "column must lie in 0..5, got -1"),
        ({"force": {"model": "toy", "row": 0, "column": 0, "level": "letters"}}, "one of words, pieces, got 'letters'"),
        ({"force": {"model": "who", "row": 0, "column": 0}}, "model must be one of toy, blind, got 'who'"),
        ({"force": {"model": "blind", "row": 0, "column": 0}}, "'blind' has no attention"),
        ({"force": {"model": "toy", "row": 0, "column": 0}, "shown": "die"}, "asked of another sentence, “die”"),
        ({"undo": "toy", "shown": "die"}, "asked of another sentence, “die”"),
    ],
)
def test_what_is_refused_changes_nothing(request_, message):
    widget, sent = heatmap(translators={"toy": ToyTranslator(), "blind": ToyTranslator(attentive=False)}), []
    widget.send = sent.append
    before = widget.state()
    widget._handle_custom_msg({"ask": request_, "id": 5}, [])
    assert sent[0]["id"] == 5 and message in sent[0]["error"]
    assert widget.state() == before


@pytest.mark.parametrize(
    ("translators", "sentences", "settings", "message"),
    [
        ({}, TEXT, {}, "translators must be 1 to 4 by name, got 0"),
        ({"toy": ToyTranslator()}, [], {}, "sentences must be 1 to 30, got 0"),
        ({"toy": ToyTranslator()}, TEXT, {"level": "letters"}, "level must be one of words, pieces, got 'letters'"),
        ({"toy": ToyTranslator()}, TEXT, {"form": "film"}, "form must be one of grid, lines, movie, got 'film'"),
    ],
)
def test_what_will_not_do_is_refused(translators, sentences, settings, message):
    with pytest.raises(ValueError, match=message):
        AttentionHeatmap(translators, sentences, **settings)


def test_gold_words_must_be_the_translators():
    with pytest.raises(ValueError, match="gold target words are"):
        heatmap(GoldPair(["die"], ["the cat"], {(0, 0)}))


def test_a_translator_without_attention_is_shown_too():
    model = entry(heatmap(translators={"blind": ToyTranslator(attentive=False)}))
    assert model["free"]["translation"] == ["the", "cat", "sees", "a", "dog"]
    assert (model["free"]["rate"], model["free"]["levels"]) == (None, None)


@given(st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7))
def test_words_that_stay_are_a_common_subsequence(before, after):
    drawn = differences(before, after)
    assert [word for word, _ in drawn["before"]] == before and [word for word, _ in drawn["after"]] == after
    kept = [[word for word, same in drawn[side] if same] for side in ("before", "after")]
    assert kept[0] == kept[1] and (before != after or kept[0] == before)


def test_the_page_is_whole():
    widget = heatmap([GOLD, "die Katze"])
    widget.force("toy", 1, 4)
    page = widget.page()
    state = json.loads(gzip.decompress(base64.b64decode(re.search(r'atob\("(.*?)"\)', page).group(1))))
    assert state["live"] is False and state["views"] == widget.views
    assert not re.search(r"(src|href)=|url\(|https?://(?!www\.w3\.org/2000/svg)", page)
