"""ps3.shift: sentence pairs as a batch for teacher forcing (Straka 2021), reversed as Sutskever et al. (2014) did."""

from collections.abc import Callable
from functools import partial
from random import Random

from course_lib.corpora import batches
from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.probes import Probe, called, dtype, left_alone
from course_lib.grading.compare import is_tensor, kind
from course_lib.grading.task import Case, Criterion, Misconception, Parts, Task
from course_lib.grading.tasks.ps3 import wrong_shift as wrong
from course_lib.grading.tasks.ps3.models import special
from course_lib.grading.tasks.ps3.wrong_shift import Batch, Pairs

VALUES = "source target_in target_out"
TARGETS = ("target_in", "target_out")


def reference(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    """The source x_1 … x_n eos, what the decoder reads, bos y_1 … y_m, and what it is to write, y_1 … y_m eos."""
    batch = batches.collate([(x[::-1] if reverse else x, y) for x, y in pairs], special(pad, bos, eos))
    return batch.source, batch.target_in, batch.target_out


# Cases


def draw(rng: Random, several: bool, reverse: bool) -> Case:
    """One pair, or three of which each side has other lengths; a word may occur twice, also in a row."""
    pad, bos, eos, *words = rng.sample(range(1, 12), 9)
    lengths = [rng.sample(range(2, 7), 3) for _ in range(2)] if several else [[rng.randint(2, 5)]] * 2
    if several:
        while max(lengths[0]) == max(lengths[1]):
            lengths = [rng.sample(range(1, 7), 3) for _ in range(2)]

    def sentence(n: int) -> list[int]:
        first, last = rng.sample(words, 2)  # read from its end it is another
        return [first, *rng.choices(words, k=n - 2), last] if n > 1 else [first]

    pairs = [(sentence(n), sentence(m)) for n, m in zip(*lengths, strict=True)]
    sizes = " and ".join(f"{n} → {m}" for n, m in zip(*lengths, strict=True))
    words_of = f"{len(pairs)} pair{'s' * several} of {sizes} words" + ", source reversed" * reverse
    return Case((pairs, pad, bos, eos, reverse), words_of)


def one(reverse: bool) -> Callable[[Random, int], Case]:
    return lambda rng, size: draw(rng, False, reverse)


def draw_several(rng: Random, size: int) -> Case:
    return draw(rng, True, False)


def draw_several_reversed(rng: Random, size: int) -> Case:
    return draw(rng, True, True)


def looking_at(wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the three tensors."""

    def probe(function: Callable, case: Case) -> Parts:
        values = called(function, case.arguments, VALUES.split())
        return Parts((name, values[name]) for name in wanted.split())

    return probe


def beside_itself_alone(wanted: str) -> Probe:
    """The probe that compares each row of a batch with what the same pair gives alone: only padding is added."""

    def probe(function: Callable, case: Case) -> Parts:
        pairs, *rest = case.arguments
        batch = rows_of(function, case.arguments)
        seen = Parts()
        for b, pair in enumerate(pairs):
            alone = rows_of(function, ([pair], *rest))
            for name in wanted.split():
                row, (own,) = batch[name][b], alone[name]
                seen[f'"row {b} of {name} begins with the row that this pair alone gives"'] = row[: len(own)] == own
                seen[f"what the batch adds to row {b} of {name}"] = row[len(own) :]
        return seen

    return probe


def source_alone_changes(function: Callable, case: Case) -> Parts:
    """The probe that looks at the words of the source, and whether the rest is what it is without reversing."""
    *given, _ = case.arguments
    n = len(given[0][0][0])
    there, back = (rows_of(function, (*given, reverse)) for reverse in (True, False))
    targets = {f'"{name} is the same as without reversing"': there[name] == back[name] for name in TARGETS}
    behind = {
        '"behind the words of source stands what stands there without reversing"': there["source"][0][n:]
        == back["source"][0][n:]
    }
    return Parts({"the words of source": there["source"][0][:n], **behind, **targets})


def rows_of(function: Callable, arguments: tuple) -> dict[str, list[list[int]]]:
    """The rows of the three tensors; raises StudentError for what is none, has other rows than pairs, or no ids."""
    values = called(function, arguments, VALUES.split())
    for name, value in values.items():
        if not is_tensor(value) or value.dim() != 2 or len(value) != len(arguments[0]):
            raise StudentError(f"{name} is {kind(value)}, not a tensor with a row for each pair")
        if value.is_floating_point():
            raise StudentError(f"{name} has dtype {dtype(value)}, not int64: ids are whole numbers")
    return {name: value.tolist() for name, value in values.items()}


Ids = partial(Criterion, graded=4)  # each case shows what is wrong: a few will do

TASK = Task(
    name="ps3.shift",
    title="A batch for teacher forcing",
    reference=reference,
    criteria=(
        Ids("input", 1, "The decoder reads bos, y_1 … y_m.", one(False), probe=looking_at("target_in")),
        Ids("output", 1, "It is to write y_1 … y_m, eos.", one(False), probe=looking_at("target_out")),
        Ids("source", 0.5, "The encoder reads x_1 … x_n, eos.", one(False), probe=looking_at("source")),
        Ids(
            "padding",
            1,
            "Pairs of several lengths: pad behind each sentence, no wider than the longest of its side.",
            draw_several,
            probe=beside_itself_alone(VALUES),
        ),
        Ids(
            "reversed",
            0.5,
            "Reversed, the source is x_n … x_1, eos; nothing else.",
            one(True),
            probe=source_alone_changes,
        ),
        Ids(
            "reversed_batch",
            0.5,
            "Of a reversed batch, too, padding stands behind.",
            draw_several_reversed,
            probe=beside_itself_alone("source"),
        ),
        Ids(
            "arguments",
            0.5,
            "The pairs are afterwards as they were.",
            lambda rng, size: draw(rng, True, bool(size % 2)),
            probe=left_alone("pairs pad bos eos reverse", VALUES),
        ),
    ),
    misconceptions=(
        Misconception(
            "not shifted",
            wrong.not_shifted,
            "input",
            "Your decoder reads at each step the very word that it is to write there: it learns to copy. It reads the "
            "word before, and bos at first.",
        ),
        Misconception(
            "input and output swapped",
            wrong.swapped,
            "input",
            "You return target_out before target_in. The order is source, target_in, target_out.",
        ),
        Misconception(
            "end in the input",
            wrong.input_with_the_end,
            "input",
            "Your decoder reads eos. After eos it writes nothing, so it never needs to read it.",
        ),
        Misconception(
            "start in the output",
            wrong.output_with_the_start,
            "output",
            "Your decoder is to write bos. That is given: what it writes begins with y_1.",
        ),
        Misconception(
            "no end in the output",
            wrong.output_without_the_end,
            "output",
            "Your decoder never learns to stop: what it is to write ends in eos.",
        ),
        Misconception(
            "no end in the source",
            wrong.source_without_the_end,
            "source",
            "The source, too, ends in eos: x_1 … x_n, eos.",
        ),
        Misconception(
            "cut from the padded batch",
            wrong.cut_from_the_batch,
            "padding",
            "In your target_in only the longest sentence is without eos; behind the words of a shorter one eos stands. "
            "A row of target_in is bos and the words of its own sentence, and then padding.",
        ),
        Misconception(
            "end behind the padding",
            wrong.end_behind_the_padding,
            "padding",
            "You put eos behind the padding of a shorter sentence. It follows the sentence's own last word.",
        ),
        Misconception(
            "padding is always 0", wrong.padded_with_zeros, "padding", "You pad with 0. Here padding is the id `pad`."
        ),
        Misconception(
            "padded with eos",
            wrong.padded_with_the_end,
            "padding",
            "You pad with eos. Padding has an id of its own, `pad`.",
        ),
        Misconception(
            "padding in front",
            wrong.padded_in_front,
            "padding",
            "You pad in front of the sentence. Padding stands behind it.",
        ),
        Misconception(
            "both sides equally wide",
            wrong.both_as_wide,
            "padding",
            "You pad source and target to one width. Each side is as wide as its own longest sentence.",
        ),
        Misconception(
            "never reversed", wrong.never_reversed, "reversed", "Your source is the same with reverse=True and without."
        ),
        Misconception(
            "always reversed", wrong.always_reversed, "source", "You reverse the source even where reverse is False."
        ),
        Misconception(
            "eos reversed as well",
            wrong.end_reversed,
            "reversed",
            "You reverse eos as well: it comes first. The words are reversed, and eos still ends them.",
        ),
        Misconception(
            "the whole row reversed",
            wrong.whole_row_reversed,
            "reversed",
            "You reverse the whole row, with eos and padding: they come first. Reverse the words, then add the rest.",
        ),
        Misconception(
            "target reversed as well",
            wrong.target_reversed,
            "reversed",
            "You reverse the target, too. The translation is written from its beginning, as ever.",
        ),
        Misconception(
            "reversed in place",
            wrong.reversed_in_place,
            "arguments",
            "You turn the caller's own lists round. Make new ones: reversed(x), or x[::-1].",
        ),
        Misconception(
            "eos appended to the caller's list",
            wrong.end_appended,
            "arguments",
            "You append to the caller's own lists. Make new ones: [*y, eos].",
        ),
    ),
    forbidden=("course_lib.corpora.batches.collate", "course_lib.corpora.batches.Batches"),
)
