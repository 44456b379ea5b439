"""How far one row of tokens is from another: Levenshtein's distance, and which tokens stand against each other."""

from collections.abc import Sequence


class Distance:
    """d(x, y), the least number of insertions, deletions and substitutions that make `output` y of any x.

    y is fixed, so that a search can ask for many x: the rows of the table are the bits of one whole number (Hyyrö 2003,
    "A bit-vector algorithm for computing Levenshtein and Damerau edit distances").
    """

    def __init__(self, output: Sequence[str]):
        self.length = len(output)
        self.where: dict[str, int] = {}
        for j, token in enumerate(output):
            self.where[token] = self.where.get(token, 0) | 1 << j

    def __call__(self, tokens: Sequence[str]) -> int:
        if not self.length:
            return len(tokens)
        full, last = (1 << self.length) - 1, 1 << (self.length - 1)
        more, less, distance = full, 0, self.length  # where the column goes up and down
        for token in tokens:
            same = self.where.get(token, 0)
            diagonal = (((same & more) + more) ^ more) | same | less
            up, down = less | (full & ~(diagonal | more)), diagonal & more
            distance += bool(up & last) - bool(down & last)
            up = up << 1 | 1
            more, less = (down << 1 | (full & ~(diagonal | up))) & full, up & diagonal & full
        return distance


Pair = tuple[int | None, int | None]


def aligned(tokens: Sequence[str], output: Sequence[str]) -> list[Pair]:
    """A least row of edits: (i, j) for kept and substituted tokens, (i, None) for deleted, (None, j) for inserted ones.

    Of equally short rows, the one that keeps and substitutes from the end first.
    """
    rows = [list(range(len(output) + 1))]
    for i, token in enumerate(tokens):
        above, row = rows[-1], [i + 1]
        for j, other in enumerate(output):
            row.append(min(above[j] + (token != other), above[j + 1] + 1, row[j] + 1))
        rows.append(row)
    i, j, pairs = len(tokens), len(output), []
    while i or j:
        if i and j and rows[i][j] == rows[i - 1][j - 1] + (tokens[i - 1] != output[j - 1]):
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif i and rows[i][j] == rows[i - 1][j] + 1:
            i -= 1
            pairs.append((i, None))
        else:
            j -= 1
            pairs.append((None, j))
    return pairs[::-1]
