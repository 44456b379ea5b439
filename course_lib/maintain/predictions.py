"""Predictions of a lecture: a guess box below each question, and its answer folded until the reader opens it.

A question is a quotation "> **Predict.** …", its answer the paragraph "**Answer.** …" and what belongs to it: a list, a
table or a formula that it announces.
"""

import re

import nbformat
from nbformat.v4 import new_code_cell

GUESS = "guess-"  # the ids of the boxes' cells begin so
OPEN = '<details style="margin-bottom: 1em"><summary>Show the answer</summary>'
CLOSE = "</details>"
QUESTION, ANSWER = "**Predict.**", "**Answer.**"
BEYOND = re.compile(r"#|> \*\*Predict|\[[^\]]+\]: ")  # what never belongs to an answer


def folded(source: str) -> str:
    """The Markdown `source` with its answer folded. A fold that is there stays as it is, so that an author may end it
    further below."""
    blocks = source.split("\n\n")
    first = next((place for place, block in enumerate(blocks) if block.startswith(ANSWER)), None)
    if first is None or OPEN in blocks[:first]:
        return source
    last = first
    while last + 1 < len(blocks) and _belongs(blocks[last], blocks[last + 1]):
        last += 1
    return "\n\n".join([*blocks[:first], OPEN, *blocks[first : last + 1], CLOSE, *blocks[last + 1 :]])


def _belongs(block: str, following: str) -> bool:
    """Whether an answer goes on: what it announces, and the rest of a sentence behind a formula."""
    if BEYOND.match(following):
        return False
    announced = block.rstrip().endswith((":", ",")) or bool(re.match(r"\$\$|[-*] |\d+\. |\|", following))
    return announced or (block.rstrip().endswith("$$") and following[:1].islower())


def predicted(notebook: nbformat.NotebookNode, number: str) -> None:
    """Give lecture `number` ("05") a guess box for each question, and fold the answers.

    A box's cell is guess-ID below the cell ID. Raises ValueError for a cell with two questions.
    """
    cells = []
    for cell in notebook.cells:
        if cell.id.startswith(GUESS):
            continue
        cells.append(cell)
        if cell.cell_type != "markdown":
            continue
        cell.source = folded(cell.source)
        if (asked := cell.source.count(QUESTION)) > 1:
            raise ValueError(f"cell {cell.id} of lecture {number} must have one question at most, it has {asked}")
        if asked:
            cells.append(new_code_cell(f'predict("{number}/{cell.id}")', id=f"{GUESS}{cell.id}"))
    notebook.cells = cells
