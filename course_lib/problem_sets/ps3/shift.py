"""ps3.shift: sentence pairs as a batch for teacher forcing (Straka 2021), reversed as Sutskever et al. (2014) did."""

from functools import partial

from course_lib.corpora import batches
from course_lib.grading.cases.probes import left_alone
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps3 import wrong_shift as wrong
from course_lib.problem_sets.ps3.cases_shift import (
    VALUES,
    beside_itself_alone,
    draw,
    draw_several,
    draw_several_reversed,
    input_and_dtypes,
    looking_at,
    one,
    source_alone_changes,
)
from course_lib.problem_sets.ps3.models import special
from course_lib.problem_sets.ps3.wrong_shift import Batch, Pairs


def reference(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    """The source x_1 … x_n eos, what the decoder reads, bos y_1 … y_m, and what it is to write, y_1 … y_m eos."""
    batch = batches.collate([(x[::-1] if reverse else x, y) for x, y in pairs], special(pad, bos, eos))
    return batch.source, batch.target_in, batch.target_out


Ids = partial(Criterion, graded=4)  # each case shows what is wrong: a few will do

TASK = Task(
    name="ps3.shift",
    title="A batch for teacher forcing",
    reference=reference,
    criteria=(
        Ids("input", 1, "The decoder reads bos, y_1 … y_m; all ids are int64.", one(False), probe=input_and_dtypes),
        Ids("output", 1, "It is to write y_1 … y_m, eos.", one(False), probe=looking_at("target_out")),
        Ids("source", 0.5, "The encoder reads x_1 … x_n, eos.", one(False), probe=looking_at("source")),
        Ids(
            "padding",
            1,
            "Pairs of several lengths: pad behind each sentence, no wider than the longest of its side.",
            draw_several,
            probe=beside_itself_alone(VALUES, narrow=True),
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
            "a column too many",
            wrong.one_column_too_wide,
            "padding",
            "Your rows are wider than the longest sentence: a last column holds nothing but padding.",
        ),
        Misconception(
            "ids in int32",
            wrong.in_int32,
            "input",
            "Your ids are int32. Ids are int64, which torch.tensor makes of whole numbers by itself.",
        ),
        Misconception(
            "ids as floats",
            wrong.as_floats,
            "input",
            "Your ids are floats: were they put into torch.zeros(…)? Ids are whole numbers, int64.",
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
