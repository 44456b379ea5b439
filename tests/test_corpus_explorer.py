"""The corpus explorer's state, without a browser: what it draws is the corpus and the library's error rate."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.alignment import alignment_error_rate
from course_lib.corpora.grammar import sample
from course_lib.widgets import CorpusExplorer
from course_lib.widgets.corpus_explorer import AlignedPair, aligned_pairs, compared

PAIRS = [
    AlignedPair(["das", "Haus"], ["the", "house"], {(0, 0), (1, 1)}, {"b", "a"}),
    AlignedPair(["zur", "Schule"], ["to", "the", "school"], {(0, 0), (0, 1), (1, 2)}),
]
links = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8)


def test_examples_of_the_grammar_become_plain_records():
    examples = sample(30, seed=4)
    explorer = CorpusExplorer(aligned_pairs(examples, "fr", "de"), ("French", "German"))
    assert json.loads(json.dumps(explorer.pairs)) == explorer.pairs
    for example, pair in zip(examples, explorer.pairs, strict=True):
        assert (tuple(pair["source"]), tuple(pair["target"])) == (example.sentences["fr"], example.sentences["de"])
        assert {tuple(link) for link in pair["links"]} == example.alignment("fr", "de")
        assert pair["tags"] == sorted(example.features)


@given(links, links)
def test_predicted_links_are_found_missing_or_spurious(predicted, gold):
    parts = compared(predicted, gold)
    found, missing, spurious = ({tuple(link) for link in parts[name]} for name in ("found", "missing", "spurious"))
    assert found | spurious == predicted and found | missing == gold
    assert not (found & spurious or found & missing or missing & spurious)
    total = 2 * len(found) + len(missing) + len(spurious)
    assert parts["aer"] == pytest.approx(1 - 2 * len(found) / total if total else 0)
    assert parts["aer"] == alignment_error_rate([predicted], [gold])


def test_a_comparison_worked_by_hand():
    explorer = CorpusExplorer(PAIRS, predicted={"mine": [{(0, 0), (0, 1)}, set()]}, overlay="mine", at=1)
    assert explorer.predicted["mine"] == [
        {"found": [[0, 0]], "missing": [[1, 1]], "spurious": [[0, 1]], "aer": 0.5},
        {"found": [], "missing": [[0, 0], [0, 1], [1, 2]], "spurious": [], "aer": 1.0},
    ]
    assert explorer.pairs[0]["tags"] == ["a", "b"] and (explorer.at, explorer.overlay) == (1, "mine")


@pytest.mark.parametrize(
    ("pairs", "settings", "message"),
    [
        ([], {}, "1 to 1,000 sentence pairs, got 0"),
        (PAIRS * 501, {}, "1 to 1,000 sentence pairs, got 1,002"),
        (PAIRS, {"at": 2}, "at must be from 0 to 1, got 2"),
        (PAIRS, {"overlay": "other", "predicted": {"mine": [set(), set()]}}, "overlay must be one of mine"),
        (PAIRS, {"predicted": {"mine": [set()]}}, "'mine' must have one alignment for each of 2 pairs, got 1"),
        (PAIRS, {"predicted": {"mine": [set(), {(2, 0)}]}}, r"'mine' links words that pair 1 .* \[\(2, 0\)\]"),
        ([AlignedPair(["a"], ["b"], {(0, 1)})], {}, r"'links' links words that pair 0 \(1 source and 1 target words\)"),
    ],
)
def test_what_will_not_do_is_refused(pairs, settings, message):
    with pytest.raises(ValueError, match=message):
        CorpusExplorer(pairs, **settings)
