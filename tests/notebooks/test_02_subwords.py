"""What lecture 02 takes from the seeds is in a cell, and is asserted there: `test_lectures.py` runs those cells."""

import re

import nbformat
import pytest

from ..grading.course import ROOT

NOTEBOOK = nbformat.read(ROOT / "lectures" / "02_subwords.ipynb", 4)
CELLS = {cell.id: cell.source for cell in NOTEBOOK.cells}

# figure, table or claim of a seed → the cell that shows it, and what it must hold
SEEDS = {
    "Liu and Malykh: softmax over a large vocabulary is slow": ("softmax-cost", "timeit.repeat"),
    "Liu and Malykh: word-level systems have about 500k words": ("softmax-cost", "500_000"),
    "Liu and Malykh: vocabularies are open, larger where morphology is rich": (
        "heaps",
        "types[0] < types[1] < types[2]",
    ),
    "Liu and Malykh: figure, vocabulary size against BLEU (Koehn 2005)": ("growth", "plots.vocabulary_growth"),
    "Liu and Malykh: UNK in the source hides which word it was": ("unk-same", "assert max"),
    "Liu and Malykh: UNK in the target cannot be read": ("unk-share", "assert rows[2][1] > 50"),
    "Thadani: table, BLEU of all sentences and without UNK": (
        "unk-bleu",
        '"RNNsearch-50 (with attention)": (26.75, 34.16)',
    ),
    "Liu and Malykh: character-level models": ("characters", "Characters.learn"),
    "Liu and Malykh: dictionary 1 and its counts": ("bpe-by-hand", 'counts["e", "s"] == counts["s", "t</w>"] == 6 + 3'),
    "Liu and Malykh: dictionary 1, the first vocabulary": ("bpe-dictionary-1", '"l o w</w> w e r</w> n s t</w> i d"'),
    "Liu and Malykh: dictionary 1, its three merges": ("bpe-dictionary-1", '== ["es", "est</w>", "lo"]'),
    "Straka: dictionary 2, a possible sequence of merges": ("bpe-dictionary-2", "all(step.chosen in step.maxima"),
    "Liu and Malykh: t and t</w> differ; Straka: a separate marker": ("marker", '== ["es", "est"]'),
    "Straka: merges in training order; Liu and Malykh: longest piece": ("order", "segment_longest"),
    "Straka: WordPiece joins the pair with the largest gain in likelihood": ("wordpiece-scores", '("##s", "##t")'),
    "Straka: WordPiece is cut by longest match": ("longest-match-cell", "longest_match"),
    "Straka: BPE and WordPiece give similar results": ("compare-agree", "assert all"),
    "Thadani: Jet makers feud over seat width": ("gnmt", "Jet makers feud over seat width with big orders at stake"),
    "Liu and Malykh: SentencePiece reads raw text": (
        "sentencepiece-train",
        "unigram.decode(unigram.encode(line)) == line",
    ),
    "Liu and Malykh: text length against vocabulary size": ("size-length", "plots.length_against_vocabulary"),
    "Straka: joint BPE": ("joint", 'train["en"] + train["de"]'),
    "Straka: 32k to 64k subwords": ("units", "64_000"),
    "Li: the Transformer's vocabularies, 37k BPE and 32k word-piece": ("units", "37_000"),
}


@pytest.mark.parametrize("row", SEEDS)
def test_a_row_of_the_seeds_has_its_cell(row):
    cell, holds = SEEDS[row]
    assert cell in CELLS, f"no cell {cell!r} for {row!r}"
    assert holds in CELLS[cell]


def test_each_section_lets_the_reader_predict():
    sections = re.split(r"^## (?=\d)", "\n".join(CELLS.values()), flags=re.MULTILINE)[1:]
    assert len(sections) == 9
    assert [section.partition("\n")[0] for section in sections if "**Predict" not in section] == []


def test_the_stepper_stands_where_the_lecture_needs_it():
    steppers = {
        cell: source for cell, source in CELLS.items() if source.lstrip().splitlines()[-1].startswith("BPEStepper(")
    }
    assert "predict=True" in steppers["stepper-dictionary-1"]
    assert "choices=" in steppers["stepper-dictionary-2"]
    assert {"stepper-own-text", "stepper-languages"} < set(steppers)


def test_a_cell_fits_on_a_screen():
    assert [cell.id for cell in NOTEBOOK.cells if cell.cell_type == "code" and cell.source.count("\n") > 39] == []


def test_the_bridge_leads_to_the_problem_set():
    (target,) = re.findall(r"\]\(\.\./(assignments/[^)]+)\)", CELLS["summary"])
    assert (ROOT / target).is_file()
