"""Links between words from attention between pieces: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable, Sequence

from torch import Tensor

END, EOS = "</w>", "<eos>"
Links = set[tuple[int, int]]  # (j, i): source word j, target word i, counted from 0


def spans(pieces: list[str]) -> list[range]:
    """The places of each word's pieces; "<eos>" is none."""
    found, first = [], 0
    for place, piece in enumerate(pieces):
        if piece.endswith(END):
            found.append(range(first, place + 1))
            first = place + 1
    return found


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def first(values: Sequence[float]) -> float:
    return values[0]


def last(values: Sequence[float]) -> float:
    return values[-1]


def table(
    weights: Tensor, source: list[str], target: list[str], to: Callable = sum, of: Callable = mean
) -> list[list[float]]:
    """Of each target word: how much goes to each source word, and, last of all, to "<eos>"."""
    places = [*spans(source), range(len(source) - 1, len(source))]
    rows = [[to([row[j] for j in place]) for place in places] for row in weights.double().tolist()]
    return [[of([rows[i][k] for i in span]) for k in range(len(places))] for span in spans(target)]


def chosen(rows: list[list[float]]) -> Links:
    """Each row's largest place, unless it is the last."""
    best = [max(range(len(row)), key=row.__getitem__) for row in rows]
    return {(j, i) for i, j in enumerate(best) if j < len(rows[i]) - 1}


def defined(*arguments, **instead: Callable) -> Links:
    return chosen(table(*arguments, **instead))


def target_first(*arguments) -> Links:
    return {(i, j) for j, i in defined(*arguments)}


def eos_taken_out_of_the_source(weights: Tensor, source: list[str], target: list[str]) -> Links:
    found = defined(weights, source, target)
    source.pop()
    return found


def eos_taken_out(weights: Tensor, source: list[str], target: list[str]) -> Links:
    found = eos_taken_out_of_the_source(weights, source, target)
    target.pop()
    return found


def added_up_in_place(weights: Tensor, source: list[str], target: list[str]) -> Links:
    found = defined(weights, source, target)
    for span in spans(source):
        weights[:, span[0]] = weights[:, span[0] : span[-1] + 1].sum(1)
    return found


def from_the_source(*arguments) -> Links:
    rows = table(*arguments)
    return {(j, max(range(len(rows)), key=lambda i: rows[i][j])) for j in range(len(rows[0]) - 1)}


def all_that_are_equal_or_more(*arguments) -> Links:
    """Every source word that gets more than its even share."""
    return {
        (j, i) for i, row in enumerate(table(*arguments)) for j, weight in enumerate(row[:-1]) if weight > 1 / len(row)
    }


def more_than_a_fifth(*arguments) -> Links:
    """Links only where the word gets more than 0.2."""
    rows = table(*arguments)
    return {(j, i) for j, i in chosen(rows) if rows[i][j] > 0.2}


def first_source_piece(*arguments) -> Links:
    return defined(*arguments, to=first)


def best_source_piece(*arguments) -> Links:
    return defined(*arguments, to=max)


def alone(pieces: list[str]) -> list[str]:
    """Every piece a word of its own."""
    return [END] * (len(pieces) - 1) + [EOS]


def best_piece_of_the_mean(weights: Tensor, source: list[str], target: list[str]) -> Links:
    """The mean of a target word's rows first, then the best piece of each source word."""
    rows = table(weights, alone(source), target)
    return chosen([[*(max(row[j] for j in span) for span in spans(source)), row[-1]] for row in rows])


def source_pieces_linked(weights: Tensor, source: list[str], target: list[str]) -> Links:
    return defined(weights, alone(source), target)


def pieces_linked(weights: Tensor, source: list[str], target: list[str]) -> Links:
    return defined(weights, alone(source), alone(target))


def mean_source_piece(*arguments) -> Links:
    return defined(*arguments, to=mean)


def last_source_piece(*arguments) -> Links:
    return defined(*arguments, to=last)


def first_target_piece(*arguments) -> Links:
    return defined(*arguments, of=first)


def best_target_piece(*arguments) -> Links:
    return defined(*arguments, of=max)


def last_target_piece(*arguments) -> Links:
    return defined(*arguments, of=last)


def every_target_piece(weights: Tensor, source: list[str], target: list[str]) -> Links:
    """Each piece of a target word with a link of its own."""
    word = {place: i for i, span in enumerate(spans(target)) for place in span}
    each = chosen(table(weights, source, [END] * len(target)))
    return {(j, word[place]) for j, place in each if place in word}


def pieces_counted(weights: Tensor, source: list[str], target: list[str]) -> Links:
    """Places of pieces in place of numbers of words: where each word begins."""
    begins, ends = ([span[0] for span in spans(pieces)] for pieces in (source, target))
    return {(begins[j], ends[i]) for j, i in defined(weights, source, target)}


def eos_beside(weights: Tensor, source: list[str], target: list[str], eos: Callable[[Tensor], float]) -> Links:
    """Links where the best word has more than `eos` of the rows of the target word's pieces."""
    words = [row[:-1] for row in table(weights, source, target)]
    last = [eos(weights[span[0] : span[-1] + 1]) for span in spans(target)]
    return chosen([[*row, each] for row, each in zip(words, last, strict=True)])


def eos_of_the_first_piece(*arguments) -> Links:
    return eos_beside(*arguments, eos=lambda rows: float(rows[0, -1]))


def eos_of_the_last_piece(*arguments) -> Links:
    return eos_beside(*arguments, eos=lambda rows: float(rows[-1, -1]))


def eos_above_every_piece(*arguments) -> Links:
    """No link where "<eos>" gets more than any single piece, though a word of several gets more."""

    def eos(rows: Tensor) -> float:
        row = rows.double().mean(0)
        return 2.0 if row.argmax() == len(row) - 1 else -1.0

    return eos_beside(*arguments, eos=eos)


def eos_left_out(*arguments) -> Links:
    return chosen([[*row[:-1], -1.0] for row in table(*arguments)])


def eos_linked(*arguments) -> Links:
    return chosen([[*row, -1.0] for row in table(*arguments)])


def eos_asks(weights: Tensor, source: list[str], target: list[str]) -> Links:
    return defined(weights, source, [*target[:-1], EOS + END])
