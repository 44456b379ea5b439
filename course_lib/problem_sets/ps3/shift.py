"""ps3.shift: sentence pairs as a batch for teacher forcing (Straka 2021), reversed as Sutskever et al. (2014) did."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad as widened

from course_lib.corpora import batches
from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.probes import Probe, arguments_alone, dtypes_of, returned_values
from course_lib.grading.compare import is_tensor, kind
from course_lib.grading.declare import changing, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion, Parts
from course_lib.problem_sets.ps3.models import Pairs, special

VALUES = "source target_in target_out"


def reference(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> tuple[Tensor, Tensor, Tensor]:
    """The source x_1 … x_n eos, what the decoder reads, bos y_1 … y_m, and what it is to write, y_1 … y_m eos."""
    batch = batches.collate([(x[::-1] if reverse else x, y) for x, y in pairs], special(pad, bos, eos))
    return batch.source, batch.target_in, batch.target_out


# Mistakes


def padded(rows, pad, least=0):
    longest = max(least, *map(len, rows))
    return torch.tensor([row + [pad] * (longest - len(row)) for row in rows])


def defined(
    pairs,
    pad,
    bos,
    eos,
    reverse,
    source=lambda x, eos: [*x, eos],
    turned=lambda x, eos: [*x[::-1], eos],
    read=lambda y, bos, eos: [bos, *y],
    written=lambda y, bos, eos: [*y, eos],
    fill=padded,
):
    sources = [(turned if reverse else source)(x, eos) for x, _ in pairs]
    targets = ([row(y, bos, eos) for _, y in pairs] for row in (read, written))
    return tuple(fill(rows, pad) for rows in (sources, *targets))


wrong = versions(defined)
not_shifted = wrong("input", read=lambda y, bos, eos: [*y, eos])(
    "Your decoder reads at each step the very word that it is to write there: it learns to copy. It reads the word "
    "before, and bos at first."
)


@mistake("input")
def input_and_output_swapped(*given):
    """You return target_out before target_in. The order is source, target_in, target_out."""
    source, target_in, target_out = defined(*given)
    return source, target_out, target_in


end_in_the_input = wrong("input", read=lambda y, bos, eos: [bos, *y, eos])(
    "Your decoder reads eos. After eos it writes nothing, so it never needs to read it."
)
start_in_the_output = wrong("output", written=lambda y, bos, eos: [bos, *y, eos])(
    "Your decoder is to write bos. That is given: what it writes begins with y_1."
)
no_end_in_the_output = wrong("output", written=lambda y, bos, eos: y)(
    "Your decoder never learns to stop: what it is to write ends in eos."
)
no_end_in_the_source = wrong("source", source=lambda x, eos: x, turned=lambda x, eos: x[::-1])(
    "The source, too, ends in eos: x_1 … x_n, eos."
)


@mistake("padding")
def cut_from_the_padded_batch(pairs, pad, bos, eos, reverse):
    """In your target_in only the longest sentence is without eos; behind the words of a shorter one eos stands. A row
    of target_in is bos and the words of its own sentence, and then padding."""
    whole = padded([[bos, *y, eos] for _, y in pairs], pad)
    return defined(pairs, pad, bos, eos, reverse)[0], whole[:, :-1], whole[:, 1:]


@mistake("padding")
def end_behind_the_padding(pairs, pad, bos, eos, reverse):
    """You put eos behind the padding of a shorter sentence. It follows the sentence's own last word."""
    source, target_in, _ = defined(pairs, pad, bos, eos, reverse)
    y = padded([y for _, y in pairs], pad)
    return source, target_in, torch.cat([y, torch.full((len(y), 1), eos)], 1)


a_column_too_many = wrong("padding", fill=lambda rows, pad: widened(padded(rows, pad), (0, 1), value=pad))(
    "Your rows are wider than the longest sentence: a last column holds nothing but padding."
)
ids_in_int32 = wrong("input", fill=lambda rows, pad: padded(rows, pad).int())(
    "Your ids are int32. Ids are int64, which torch.tensor makes of whole numbers by itself."
)
ids_as_floats = wrong("input", fill=lambda rows, pad: padded(rows, pad).float())(
    "Your ids are floats: were they put into torch.zeros(…)? Ids are whole numbers, int64."
)
padding_is_always_0 = wrong("padding", fill=lambda rows, pad: padded(rows, 0))(
    "You pad with 0. Here padding is the id `pad`."
)


@mistake("padding")
def padded_with_eos(pairs, pad, bos, eos, reverse):
    """You pad with eos. Padding has an id of its own, `pad`."""
    return defined(pairs, eos, bos, eos, reverse)


padding_in_front = wrong("padding", fill=lambda rows, pad: padded([row[::-1] for row in rows], pad).flip(1))(
    "You pad in front of the sentence. Padding stands behind it."
)


@mistake("padding")
def both_sides_equally_wide(pairs, *others):
    """You pad source and target to one width. Each side is as wide as its own longest sentence."""
    longest = 1 + max(len(side) for pair in pairs for side in pair)
    return defined(pairs, *others, fill=partial(padded, least=longest))


never_reversed = wrong("reversed", turned=lambda x, eos: [*x, eos])(
    "Your source is the same with reverse=True and without."
)
always_reversed = wrong("source", source=lambda x, eos: [*x[::-1], eos])(
    "You reverse the source even where reverse is False."
)
eos_reversed_as_well = wrong("reversed", turned=lambda x, eos: [eos, *x[::-1]])(
    "You reverse eos as well: it comes first. The words are reversed, and eos still ends them."
)


@mistake("reversed")
def the_whole_row_reversed(*given):
    """You reverse the whole row, with eos and padding: they come first. Reverse the words, then add the rest."""
    source, *targets = never_reversed(*given)
    return source.flip(1) if given[-1] else source, *targets


@mistake("reversed")
def target_reversed_as_well(pairs, pad, bos, eos, reverse):
    """You reverse the target, too. The translation is written from its beginning, as ever."""
    return defined([(x, y[::-1] if reverse else y) for x, y in pairs], pad, bos, eos, reverse)


@mistake("arguments")
def sources_of_the_caller_turned_round(pairs, pad, bos, eos, reverse):
    """After your call, sources in the caller's `pairs` are turned round. Leave `pairs` and its lists as they are: make
    new ones, x[::-1], in a variable of your own."""
    for x, _ in pairs:
        if reverse:
            x.reverse()
    return defined(pairs, pad, bos, eos, False)


@changing("arguments", defined)
def eos_in_the_targets_of_the_caller(pairs, pad, bos, eos, reverse):
    """After your call, targets in the caller's `pairs` end in eos. Leave `pairs` and its lists as they are: make new
    ones, [*y, eos], in a variable of your own."""
    for _, y in pairs:
        y.append(eos)


# Cases


def draw(several: bool = False, reversing: tuple[bool, ...] = (False,)) -> Callable[[Random, int], Case]:
    """One pair, or three of which each side has other lengths, and the first once more.

    A word may occur twice, also in a row. `reversing`: whether the source is to be reversed, in turn.
    """

    def drawn(rng: Random, size: int) -> Case:
        reverse = reversing[size % len(reversing)]
        pad, bos, eos, *words = rng.sample(range(1, 12), 9)
        lengths = [rng.sample(range(2, 7), 3) for _ in range(2)] if several else [[rng.randint(2, 5)]] * 2
        while several and max(lengths[0]) == max(lengths[1]):
            lengths = [rng.sample(range(1, 7), 3) for _ in range(2)]

        def sentence(n: int) -> list[int]:
            first, last = rng.sample(words, 2)  # read from its end it is another
            return [first, *rng.choices(words, k=n - 2), last] if n > 1 else [first]

        pairs = [(sentence(n), sentence(m)) for n, m in zip(*lengths, strict=True)]
        pairs += [tuple(map(list, pair)) for pair in pairs[:several]]
        sizes = " and ".join(f"{len(x)} → {len(y)}" for x, y in pairs)
        text = f"{len(pairs)} pair{'s' * several} of {sizes} words" + ", source reversed" * reverse
        return Case((pairs, pad, bos, eos, reverse), text)

    return drawn


def looking_at(wanted: str, dtypes: bool = False) -> Probe:
    """The probe that looks at one of the three tensors, however much is padded, and at the dtypes of all if asked."""

    def probe(function: Callable, case: Case) -> Parts:
        values = returned_values(function, case.arguments, VALUES.split())
        seen = Parts({wanted: without_padding(as_ids(values[wanted]), case.arguments[1])})
        return Parts(seen | dtypes_of(values)) if dtypes else seen

    return probe


def as_ids(value: Any) -> Any:
    """A tensor of whole numbers in any dtype as one of ids; anything else as it is."""
    return value.long() if is_tensor(value) and bool((value == value.long()).all()) else value


def without_padding(value: Any, pad: int) -> Any:
    """A batch of rows without the last columns in which nothing but `pad` stands."""
    while is_tensor(value) and value.dim() == 2 and value.shape[1] and bool((value[:, -1] == pad).all()):
        value = value[:, :-1]
    return value


def beside_itself_alone(wanted: str, narrow: bool = False) -> Probe:
    """The probe that compares each row of a batch with what the same pair gives alone: only padding is added.

    `narrow`: and no column of nothing but padding.
    """

    def probe(function: Callable, case: Case) -> Parts:
        pairs, *rest = case.arguments
        batch = rows_of(function, case.arguments)
        empty = {name: all(row and row[-1] == rest[0] for row in batch[name]) for name in wanted.split() if narrow}
        seen = Parts((f'"the last column of {name} is nothing but padding"', there) for name, there in empty.items())
        for b, pair in enumerate(pairs):
            alone = rows_of(function, ([pair], *rest))
            for name in wanted.split():
                row, (own,) = batch[name][b], alone[name]
                seen[f'"row {b} of {name} begins with the row that this pair alone gives"'] = row[: len(own)] == own
                seen[f"the padding that the batch adds to row {b} of {name}"] = row[len(own) :]
        return seen

    return probe


def source_alone_changes(function: Callable, case: Case) -> Parts:
    """The probe that looks at the words of the source, and whether the rest is what it is without reversing."""
    *given, _ = case.arguments
    n = len(given[0][0][0])
    there, back = (rows_of(function, (*given, reverse)) for reverse in (True, False))
    (turned,), (straight,) = there["source"], back["source"]
    seen = Parts({"the words of source": turned[:n]})
    seen['"behind the words of source stands what stands there without reversing"'] = turned[n:] == straight[n:]
    for name in ("target_in", "target_out"):
        seen[f'"{name} is the same as without reversing"'] = there[name] == back[name]
    return seen


def rows_of(function: Callable, arguments: tuple) -> dict[str, list[list[int]]]:
    """The rows of the three tensors; raises StudentError for what is none, has other rows than pairs, or no ids."""
    values = returned_values(function, arguments, VALUES.split())
    for name, value in values.items():
        if not is_tensor(value) or value.dim() != 2 or len(value) != len(arguments[0]):
            raise StudentError(f"{name} is {kind(value)}, not a tensor with a row for each pair")
        if as_ids(value).is_floating_point():
            raise StudentError(f"{name} holds numbers that are not whole: no ids")
    return {name: as_ids(value).tolist() for name, value in values.items()}


TASK = task(
    __name__,
    "A batch for teacher forcing",
    kind=partial(Criterion, graded=4),  # each case shows what is wrong: a few will do
    criteria=(
        criterion("input", 1, draw(), looking_at("target_in", dtypes=True))(
            "The decoder reads bos, y_1 … y_m; all ids are int64."
        ),
        criterion("output", 1, draw(), looking_at("target_out"))("It is to write y_1 … y_m, eos."),
        criterion("source", 0.5, draw(), looking_at("source"))("The encoder reads x_1 … x_n, eos."),
        criterion("padding", 1, draw(True), beside_itself_alone(VALUES, narrow=True))(
            "Pairs of several lengths: pad behind each sentence, no wider than the longest of its side."
        ),
        criterion("reversed", 0.5, draw(reversing=(True,)), source_alone_changes)(
            "Reversed, the source is x_n … x_1, eos; nothing else."
        ),
        criterion("reversed_batch", 0.5, draw(True, (True,)), beside_itself_alone("source"))(
            "Of a reversed batch, too, padding stands behind."
        ),
        criterion("arguments", 0.5, draw(True, (False, True)), arguments_alone("pairs pad bos eos reverse", VALUES))(
            "The pairs are afterwards as they were."
        ),
    ),
    forbidden=("course_lib.corpora.batches.collate", "course_lib.corpora.batches.Batches"),
)
