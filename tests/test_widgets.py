"""The widgets' state, without a browser: what the BPE stepper shows is what the library's trace says."""

import base64
import gzip
import json
import re
import warnings

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbconvert import HTMLExporter

from course_lib.subwords import BPE, count_pairs, merge
from course_lib.widgets import BPEStepper, base
from course_lib.widgets.bpe_panel import explain, formula, learn_panel, places
from course_lib.widgets.bpe_stepper import as_dictionary, as_text

SEED = {"low": 5, "lower": 2, "newest": 6, "widest": 3}  # Liu and Malykh (2022)
SECOND = {"low": 1, "lowest": 1, "newer": 1, "wider": 1}  # Straka (2021)

words = st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=6).filter(
    lambda word: word.split() == [word] and "</w>" not in word and "·" not in word
)
dictionaries = st.dictionaries(words, st.integers(1, 9), min_size=1, max_size=6)
rules = st.tuples(st.sampled_from(["first", "largest"]), st.sampled_from(["attached", "separate"]))


def pieces_at(panel: dict, k: int) -> list[list[str]]:
    return [next(pieces for when, pieces in reversed(word["history"]) if when <= k) for word in panel["words"]]


@given(dictionaries, rules, st.integers(0, 8))
def test_each_position_is_the_definition_of_bpe(dictionary, rule, merges):
    tie, marker = rule
    panel = learn_panel("", dictionary, merges, tie, marker, {})
    assert [(word["word"], word["count"]) for word in panel["words"]] == list(dictionary.items())
    segmented = [BPE((), (), marker).symbols(word) for word in dictionary]
    vocabulary = set(panel["vocabulary"])
    for k, position in enumerate(panel["positions"]):
        assert pieces_at(panel, k) == [list(pieces) for pieces in segmented]
        counts = count_pairs(dict(zip(segmented, dictionary.values(), strict=True)))
        assert [p["count"] for p in position["pairs"]] == sorted(counts.values(), reverse=True)[:12]
        for shown in position["pairs"]:
            assert counts[tuple(shown["pair"])] == shown["count"]
            assert shown["tied"] == (shown["count"] == max(counts.values()))
            assert sum(frequency * times for frequency, times, _ in shown["terms"]) + shown["rest"] == shown["count"]
        if k == len(panel["merges"]):
            assert position["chosen"] is None
            break
        chosen = tuple(position["chosen"])
        assert counts[chosen] == max(counts.values())
        segmented = [merge(pieces, chosen) for pieces in segmented]
        vocabulary.add("".join(chosen))
        assert panel["merges"][k] == {
            "pair": list(chosen),
            "symbol": "".join(chosen),
            "vocabulary_size": len(vocabulary),
        }


def test_a_formula_names_the_words():
    pieces = [["b", "an", "an", "a"], ["an", "an"], ["x"], ["a", "a", "a"]]
    counted = [("banana", 3), ("anan", 2), ("x", 7), ("aaa", 2)]
    found = places({("an", "an"), ("a", "a"), ("x", "x")}, counted, pieces)
    assert found == {("an", "an"): [[3, 1, "banana"], [2, 1, "anan"]], ("a", "a"): [[2, 2, "aaa"]], ("x", "x"): []}
    assert formula(5, found["an", "an"]) == {"terms": [[3, 1, "banana"], [2, 1, "anan"]], "rest": 0}
    assert formula(9, found["an", "an"])["rest"] == 4  # occurrences in words that are not followed


def test_a_large_dictionary_shows_what_changed_first():
    dictionary = {f"{'abcdef'[i % 6]}x{i:o}": 1 + i % 9 for i in range(100)}
    panel = learn_panel("", dictionary, 20, "first", "attached", {})
    for k, position in enumerate(panel["positions"]):
        rows = [panel["words"][i] for i in position["shown"]]
        changed = [i for i, row in enumerate(rows) if k and any(when == k for when, _ in row["history"])]
        first = len([i for n, i in enumerate(changed[:8]) if n == i])
        counts = [row["count"] for row in rows]
        assert len({row["word"] for row in rows}) == 24 and bool(first) == bool(k)
        assert first == len(changed[:8])  # up to eight that changed, then the most frequent
        assert counts[:first] == sorted(counts[:first], reverse=True)
        assert counts[first:] == sorted(counts[first:], reverse=True)
        for pair in position["pairs"]:
            assert all("".join(pair["pair"]).removesuffix("</w>") in word for _, _, word in pair["terms"])


def test_why_the_seeds_first_merge_is_taken():
    why = BPEStepper(SEED, merges=10).panels[0]["positions"][0]["why"]
    assert "".join(why) == (
        "e s and s t</w> both occur 9 times. "
        "The rule “first” takes e s: it is met first when the dictionary is read from the top."
    )
    assert why[1::2] == ["e s", "s t</w>", "e s"]
    why = "".join(BPEStepper(SEED, merges=1, tie="largest").panels[0]["positions"][0]["why"])
    assert "“largest” takes s t</w>: it comes last in alphabetical order." in why


@pytest.mark.parametrize(
    ("counts", "maxima", "chosen", "sentence"),
    [
        ([2, 1], 1, 0, "a b occurs twice, more often than any other pair."),
        ([1, 1], 2, 1, "a b and b c both occur once. You chose b c; the rule “first” would take a b."),
        ([4, 4, 4], 3, 2, "a b, b c and c d all occur 4 times. You chose c d; the rule “first” would take a b."),
        ([4, 4, 4, 4], 4, 3, "a b, b c and 2 more all occur 4 times. You chose d e; the rule “first” would take a b."),
    ],
)
def test_explanations(counts, maxima, chosen, sentence):
    pairs = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]
    ranked = list(zip(pairs, counts, strict=False))
    assert "".join(explain(ranked, pairs[:maxima], pairs[chosen], "first")) == sentence


def test_strakas_sequence_is_a_sequence_of_choices():
    """Straka (2021): r · → r·, l o → lo, lo w → low, e r· → er·. Each is one of the most frequent pairs."""
    sequence = [("r", "·"), ("l", "o"), ("lo", "w"), ("e", "r·")]
    stepper = BPEStepper(SECOND, merges=4, marker="separate", choices=[dict(enumerate(sequence))])
    panel = stepper.panels[0]
    assert [tuple(step["pair"]) for step in panel["merges"]] == sequence
    assert pieces_at(panel, 4) == [
        ["low", "·"],
        ["low", "e", "s", "t", "·"],
        ["n", "e", "w", "er·"],
        ["w", "i", "d", "er·"],
    ]
    assert len([pair for pair in panel["positions"][0]["pairs"] if pair["tied"]]) == 5
    with pytest.raises(ValueError, match="more frequent pairs exist"):
        BPEStepper(SECOND, merges=4, marker="separate", choices=[{0: ("i", "d")}])


def test_how_it_ends():
    assert "asked for" in BPEStepper(SEED, merges=2).panels[0]["positions"][-1]["why"][0]
    ended = BPEStepper({"ab": 1}, merges=9).panels[0]
    assert len(ended["merges"]) == 1 and ended["positions"][-1]["pairs"] == []
    assert "every word is one piece" in ended["positions"][-1]["why"][0]


def test_several_corpora_step_together():
    stepper = BPEStepper("aaab ab", ["one sentence", "and one more"], labels=["A", "B"], merges=20, step=99)
    assert [panel["label"] for panel in stepper.panels] == ["A", "B"]
    assert stepper.step == stepper.last == len(stepper.panels[1]["merges"]) > len(stepper.panels[0]["merges"])
    assert stepper.texts == ["aaab ab", "one sentence\nand one more"]


def test_a_request_is_learned_and_answered():
    stepper, sent = BPEStepper(SEED, merges=4, step=4), []
    stepper.send = sent.append
    stepper.predictions = {"0:0": ["e", "s"]}
    wanted = {"texts": ["aa aa b"], "merges": 3, "tie": "largest", "marker": "separate", "choices": [[[0, "a", "a"]]]}
    stepper._handle_custom_msg({"ask": wanted, "id": 7}, [])
    assert sent == [{"id": 7, "error": None}]
    assert (stepper.texts, stepper.tie, stepper.marker, stepper.step) == (["aa aa b"], "largest", "separate", 0)
    assert stepper.predictions == {}
    stepper.step = 2
    before = stepper.panels
    stepper._handle_custom_msg({"ask": {**wanted, "texts": ["   "]}, "id": 8}, [])
    assert sent[-1]["id"] == 8 and "empty" in sent[-1]["error"]
    assert stepper.panels is before and stepper.texts == ["aa aa b"]
    stepper._handle_custom_msg({"ask": {**wanted, "tie": "first"}, "id": 9}, [])
    assert sent[-1] == {"id": 9, "error": None} and stepper.step == 2  # the same text: the reader stays


def test_a_failure_is_told_too():
    """Of a request that breaks the code the reader hears, and the kernel's log has the traceback."""
    stepper, sent = BPEStepper(SEED, merges=4), []
    stepper.send = sent.append
    with pytest.raises(TypeError):
        stepper._receive(stepper, {"ask": {"texts": ["a"]}, "id": 1}, [])
    assert sent[0]["id"] == 1 and sent[0]["error"].startswith("TypeError: ")


def test_a_page_that_cannot_be_made_is_told_too(monkeypatch):
    stepper, sent = BPEStepper(SEED, merges=4), []
    stepper.send = sent.append
    stepper._receive(stepper, {"save": True, "id": "save"}, [])
    assert sent.pop() == {"id": "save", "error": None, "page": stepper.page()}
    monkeypatch.setattr(stepper, "page", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        stepper._receive(stepper, {"save": True, "id": "save"}, [])
    assert sent == [{"id": "save", "error": "ZeroDivisionError: division by zero"}]


def test_predictions_are_scored():
    stepper = BPEStepper(SEED, merges=4, predict=True)
    assert stepper.score == (0, 0)
    stepper.predictions = {"0:0": ["s", "t</w>"], "0:1": ["l", "o"], "0:2": stepper.panels[0]["positions"][2]["chosen"]}
    assert stepper.score == (2, 3)  # s t</w> is as frequent as e s


def test_predictions_stay_where_a_word_is_cut_alone():
    stepper = BPEStepper(SEED, merges=4, predict=True)
    stepper.predictions = guessed = {"0:0": ["s", "t</w>"]}
    stepper.learn(stepper.texts, 4, word="lowest")
    assert (stepper.word, stepper.predictions, stepper.score) == ("lowest", guessed, (1, 1))
    for changes in ({"merges": 3}, {"tie": "largest"}, {"marker": "separate"}, {"choices": [{0: ("s", "t</w>")}]}):
        stepper.learn(stepper.texts, **{"merges": 4, **changes})
        assert stepper.predictions == {}
        stepper.learn(stepper.texts, 4)
        stepper.predictions = guessed


@given(dictionaries)
def test_a_dictionary_survives_the_text_field(dictionary):
    assert as_dictionary(as_text(dictionary)) == dictionary


def test_a_text_is_counted_and_a_list_is_read():
    assert as_dictionary("to be or not to be") == {"to": 2, "be": 2, "or": 1, "not": 1}
    assert as_dictionary("\n low 5 \n\nlower\t2\n") == {"low": 5, "lower": 2}
    assert as_dictionary("low 5\nlower") == {"low": 1, "5": 1, "lower": 1}
    with pytest.raises(ValueError, match="'low' is listed twice"):
        as_dictionary("low 5\nlow 2")
    with pytest.raises(ValueError, match="frequency 0"):
        as_dictionary("low 0")


@pytest.mark.parametrize(
    ("corpora", "settings", "message"),
    [
        ([], {}, "at least one corpus"),
        (["a"], {"labels": ["A", "B"]}, "label for each"),
        (["a"], {"merges": 301}, "merges must be from 0 to 300, got 301"),
        (["a"], {"merges": -1}, "merges must be"),
        (["a"], {"choices": [{}, {}]}, "expected 1 texts and choices"),
        (["x" * 200_001], {}, "200,000 characters, got 200,001"),
        ([""], {}, "empty|no word|at least one word"),
    ],
)
def test_what_will_not_do_is_refused(corpora, settings, message):
    with pytest.raises(ValueError, match=message):
        BPEStepper(*corpora, **settings)


def test_a_large_text_stays_small():
    text = " ".join(f"w{i % 1500:o}x{i % 7}" for i in range(6000))
    page = BPEStepper(text, merges=100).page()
    assert len(page) < 150_000


def test_the_page_is_whole_and_safe():
    stepper = BPEStepper("</script><!--<script> <b>&amp;", merges=3, labels=['"><script>alert(1)</script>'])
    page = stepper.page()
    state = json.loads(gzip.decompress(base64.b64decode(re.search(r'atob\("(.*?)"\)', page).group(1))))
    assert state["texts"] == ["</script><!--<script> <b>&amp;"]
    assert state["live"] is False and stepper.live
    assert page.count("</script>") == 1 and "<!--" not in page
    assert not re.search(r"(src|href)=|url\(|https?://(?!www\.w3\.org/2000/svg)", page)
    assert 'sandbox="allow-scripts allow-downloads"' in stepper.frame() and "<script>alert" not in stepper.frame()


def test_save_writes_the_page(tmp_path):
    stepper = BPEStepper(SEED, merges=2)
    stepper.save(tmp_path / "folder" / "stepper.html")
    assert (tmp_path / "folder" / "stepper.html").read_text(encoding="utf-8") == stepper.page()


def test_the_live_widget_and_the_frame_are_outputs_of_their_own(monkeypatch):
    """In one output JupyterLab takes the live one, and shows "model not found" where it is no more."""
    stepper, shown = BPEStepper(SEED, merges=2), []
    monkeypatch.setattr(base, "display", lambda data, raw, metadata=None: shown.append(data))
    stepper._ipython_display_()
    live, frame = shown
    assert live[base.VIEW]["model_id"] == stepper.model_id and live["text/html"] == ""
    assert frame == {"text/html": stepper.frame(), "text/plain": repr(stepper)}
    assert stepper.get_state("frame_name")["frame_name"] in frame["text/html"] and "frame_name" not in stepper.state()
    outputs = [nbformat.v4.new_output("display_data", data=data) for data in shown]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=outputs)])
    nbformat.validate(made)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        html, _ = HTMLExporter().from_notebook_node(made)
    assert html.count("<iframe") == 1
    shown.clear()
    monkeypatch.setattr(base, "unattended", lambda: True)
    stepper._ipython_display_()
    assert shown == [frame]
