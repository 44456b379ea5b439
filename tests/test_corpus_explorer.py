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
    AlignedPair(["zur", "Schule"], ["to", "the", "school"], {(0, 0), (1, 2)}, possible={(0, 1)}),
]
links = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8)


def test_examples_of_the_grammar_become_plain_records():
    examples = sample(30, seed=4)
    explorer = CorpusExplorer(aligned_pairs(examples, "fr", "de"), ("French", "German"))
    assert json.loads(json.dumps(explorer.pairs)) == explorer.pairs
    for example, pair in zip(examples, explorer.pairs, strict=True):
        assert (tuple(pair["source"]), tuple(pair["target"])) == (example.sentences["fr"], example.sentences["de"])
        sure, possible = ({tuple(link) for link in pair[name]} for name in ("links", "possible"))
        assert (sure, sure | possible) == (example.alignment("fr", "de"), example.possible("fr", "de"))
        assert not sure & possible
        assert pair["tags"] == sorted(example.features)


@given(links, links, links)
def test_predicted_links_are_found_allowed_or_spurious(predicted, sure, possible):
    parts = compared(predicted, sure, possible)
    kinds = ("found", "allowed", "missing", "spurious")
    found, allowed, missing, spurious = ({tuple(link) for link in parts[name]} for name in kinds)
    assert found | allowed | spurious == predicted and found | missing == sure
    assert allowed <= possible - sure and not spurious & (sure | possible)
    assert sum(len(parts[name]) for name in kinds) == len(predicted | sure)
    total = len(predicted) + len(sure)
    assert parts["aer"] == pytest.approx(1 - (2 * len(found) + len(allowed)) / total if total else 0)
    assert parts["aer"] == alignment_error_rate([predicted], [sure], [sure | possible])


def test_a_comparison_worked_by_hand():
    explorer = CorpusExplorer(PAIRS, predicted={"mine": [{(0, 0), (0, 1)}, {(0, 0), (0, 1)}]}, overlay="mine", at=1)
    assert explorer.predicted["mine"] == [
        {"found": [[0, 0]], "allowed": [], "missing": [[1, 1]], "spurious": [[0, 1]], "aer": 0.5},
        {"found": [[0, 0]], "allowed": [[0, 1]], "missing": [[1, 2]], "spurious": [], "aer": 0.25},
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
        ([AlignedPair(["a"], ["b"], {(0, 0)}, possible={(0, 1)})], {}, r"'possible' links words that pair 0"),
        ([AlignedPair(["a"], ["b"], {(0, 1)})], {}, r"'links' links words that pair 0 \(1 source and 1 target words\)"),
    ],
)
def test_what_will_not_do_is_refused(pairs, settings, message):
    with pytest.raises(ValueError, match=message):
        CorpusExplorer(pairs, **settings)
