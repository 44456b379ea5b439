"""What each output word depends on, under three assumptions (lecture 01; Straka 2021)."""

from collections.abc import Sequence

from course_lib.diagrams.diagram import Diagram, step, word

PITCH, ROW = 1.7, 1.1  # of the staircase


def dependence(words: Sequence[str]) -> Diagram:
    """Arrows into an output word come from all it depends on: the input; the word before; all words before.

    Words stand on a staircase, so that every arrow has a way of its own. Raises ValueError for fewer than three
    words, or more than nine.
    """
    if isinstance(words, str) or not 3 <= len(words) <= 9:
        raise ValueError(f"words must be a list of three to nine, got {words!r}")
    times = range(1, len(words) + 1)
    bottom = 0.6 + ROW * len(words)
    rows = {t: round(bottom - ROW * t, 2) for t in times}
    at = {t: round(0.8 + PITCH * t, 2) for t in times}
    outputs = [
        word(f"y{t}", f"y{chr(0x2080 + t)} = {said}", at[t], rows[t], f"output word {t}, {said}")
        for t, said in zip(times, words, strict=True)
    ]
    return Diagram(
        "What an output word depends on",
        (round(at[times[-1]] + 1.2, 2), round(bottom + 0.6, 2)),
        step("P(y_i | x)", "Independent outputs, as in CTC: each word is chosen from the input alone."),
        word("x", "x", 0.8, bottom, "all of the input"),
        *outputs,
        "; ".join(f"x |- y{t}" for t in times),
        step(
            "P(y_i | x, y_{i−1})", "Neighbours only, as in a linear-chain CRF: each word also sees the word before it."
        ),
        "; ".join(f"y{t - 1} |- y{t}" for t in times[1:]),
        step("P(y_i | x, y_1, …, y_{i−1})", "Sequence-to-sequence: each word sees the input and all words before it."),
        "; ".join(f"y{earlier} |- y{t}" for t in times[2:] for earlier in range(1, t - 1)),
    )
