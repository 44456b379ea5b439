"""Right versions of exercises 2 and 4, lent to the exercises that build on them: each imports what it needs itself."""


def apply_merges(word: str, merges: list) -> list[str]:
    """The pieces of `word` by all `merges` in order."""
    pieces = [*word[:-1], word[-1] + "</w>"]
    for pair in merges:
        i = 0
        while i < len(pieces) - 1:
            if (pieces[i], pieces[i + 1]) == tuple(pair):
                pieces[i : i + 2] = ["".join(pair)]
            i += 1
    return pieces


def wordpiece_gain(counts: dict, a: str, b: str, n_ab: int) -> float:
    """L(after) − L(before) of writing ab `n_ab` times for a and b."""
    from math import log

    after = dict(counts)
    for piece, more in (a, -n_ab), (b, -n_ab), (a + b.removeprefix("##"), n_ab):
        after[piece] = after.get(piece, 0) + more
    before, now = (sum(n * log(n / sum(each.values())) for n in each.values() if n > 0) for each in (counts, after))
    return now - before
