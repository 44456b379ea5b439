"""Honest work that is easily taken for an attack, or lost: it must earn everything."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from .attack import FULL, Attack, behind, first, save

IMPORTS = """
import sentencepiece, tokenizers, transformers, bertviz
import course_lib.subwords.bpe as reference
from course_lib.subwords import BPE
from course_lib.recurrent import LSTM
from subword_nmt.learn_bpe import learn_bpe
class Mine(LSTM): pass
"""
CHECKED = """
import torch
from course_lib.subwords import BPE
assert torch.nn.LSTMCell(2, 2)(torch.zeros(1, 2))[0].shape == (1, 2)
expected = BPE.learn({"low": 5}, 1)
assert learn_merges({"low": 5}, 1) == list(expected.merges)
"""


def importing(folder: Path, notebook: nbformat.NotebookNode) -> None:
    """Libraries imported in every solution cell and never used."""
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "code":
            cell.source = IMPORTS + cell.source
    save(folder, notebook)


def exiting(folder: Path, notebook: nbformat.NotebookNode) -> None:
    """Cells that end the kernel, each in its own way, before and between the tasks."""
    save(
        folder,
        behind(first(notebook, "exit()", "quit()", "import sys\nsys.exit()", "import os\nos._exit(0)"), "exit()"),
    )


def forgotten(folder: Path, notebook: nbformat.NotebookNode) -> None:
    """The cells without metadata and with other ids, as some editors save them."""
    make = {"code": new_code_cell, "markdown": new_markdown_cell}
    cells = [make[cell.cell_type](cell.source, id=f"other-{n}") for n, cell in enumerate(notebook.cells)]
    save(folder, new_notebook(cells=cells))


def honest(name: str, tries: str, limit: str, write) -> Attack:
    return Attack(name, f"honest work: {tries}", limit, write=write, shows="", deserves=FULL)


ATTACKS = (
    honest("unused imports", "imports what it does not use", "stand-ins can be imported", importing),
    honest(
        "self-check",
        "a comparison with a library, left in a cell of its own",
        "own cells cost nothing",
        lambda folder, notebook: save(folder, behind(notebook, CHECKED)),
    ),
    honest("exit", "exit() and the like in cells of its own", "they end nothing, or are not run again", exiting),
    honest("no metadata", "no metadata, other ids", "cells are known by what they define", forgotten),
)
LIMITS: dict[str, float] = {}
