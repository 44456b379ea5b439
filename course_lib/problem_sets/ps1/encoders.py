"""Encoders for the diagnosis: right, with one fault each, and such a fault as it is wrongly written."""

from functools import lru_cache

from course_lib.problem_sets.ps1 import apply_merges
from course_lib.problem_sets.ps1.pieces import marked, merged_once


def remembering(encode):
    """`encode`, that does each word once: every version of the diagnosis asks for the same pieces."""
    pieces = lru_cache(maxsize=4096)(encode)
    return lambda word, merges: list(pieces(word, tuple(merges)))


ENCODERS = {
    "none": remembering(apply_merges.defined),
    "longest match": remembering(apply_merges.longest_piece_first),
    "left to right": remembering(apply_merges.left_to_right),
    "late marker": remembering(apply_merges.marker_added_at_the_end),
    "first only": remembering(apply_merges.first_occurrence_only),
}
FAULTS = list(ENCODERS)[1:]


def explaining(merges, observed, encoders=ENCODERS):
    """The names that explain every observation."""
    return [
        name for name, encode in encoders.items() if all(encode(word, merges) == pieces for word, pieces in observed)
    ]


# The longest match, wrongly written


def longest_up_to(last, word, merges):
    """From the left the longest piece; `last(start, end)` is where a piece that begins at `start` can end at most."""
    made, symbols, pieces = {"".join(pair) for pair in merges}, marked(word), []
    start = 0
    while start < len(symbols):
        ends = range(last(start, len(symbols)), start, -1)
        end = next((end for end in ends if "".join(symbols[start:end]) in made), start + 1)
        pieces.append("".join(symbols[start:end]))
        start = end
    return pieces


def longest_from_the_right(word, merges):
    made, symbols, pieces = {"".join(pair) for pair in merges}, marked(word), []
    while symbols:
        start = next((s for s in range(len(symbols)) if "".join(symbols[s:]) in made), len(symbols) - 1)
        pieces.insert(0, "".join(symbols[start:]))
        symbols = symbols[:start]
    return pieces


def longest_anywhere(word, merges):
    made = {"".join(pair) for pair in merges}

    def cut(symbols):
        spans = [(s, e) for s in range(len(symbols)) for e in range(s + 2, len(symbols) + 1)]
        spans = [(s, e) for s, e in spans if "".join(symbols[s:e]) in made]
        if not spans:
            return [*symbols]
        s, e = max(spans, key=lambda span: span[1] - span[0])
        return [*cut(symbols[:s]), "".join(symbols[s:e]), *cut(symbols[e:])]

    return cut(marked(word))


# First only, wrongly written


def first_but_not_last(word, merges):
    pieces = marked(word)
    for pair in merges:
        pieces = (*merged_once(pieces[:-1], pair), pieces[-1])
    return [*pieces]


# From the left, wrongly written: in sweeps


def again_and_again(sweep):
    """Sweeps until one finds nothing."""

    def encode(word, merges):
        pieces, before = [*marked(word)], []
        while before != pieces:
            before, pieces = pieces, sweep(pieces, merges)
        return pieces

    return encode
