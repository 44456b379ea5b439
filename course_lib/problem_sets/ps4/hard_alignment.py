"""ps4.hard_alignment: from attention between pieces to links between words (sums and means as Clark et al. 2019)."""

from functools import partial

import torch
from torch import Tensor

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps4 import links
from course_lib.problem_sets.ps4.cases_hard_alignment import (
    SOURCE,
    TARGET,
    as_written,
    draw_all,
    draw_nothing,
    draw_pieces,
    draw_words,
    in_one_order,
)
from course_lib.problem_sets.ps4.links import END, Links


def reference(weights: Tensor, source: list[str], target: list[str]) -> Links:
    """{(j, i): source word j has the largest part of target word i's weight, and "<eos>" has not}, as found."""
    return found(weights, source, target)


def found(weights: Tensor, source: list[str], target: list[str]) -> Links:
    """The words' weights as a product, M_y α M_x^⊤ with M 1 where a piece belongs to a word, each row over its sum."""
    of, to = membership(target)[:-1], membership(source)
    words = (of / of.sum(1, keepdim=True)) @ weights.double() @ to.T
    best = words.argmax(1)
    return {(int(j), i) for i, j in enumerate(best) if j < len(to) - 1}


def membership(pieces: list[str]) -> Tensor:
    """M (word, piece), its last row for "<eos>"."""
    number = torch.tensor([piece.endswith(END) for piece in pieces]).cumsum(0).roll(1)
    number[0] = 0
    return (torch.arange(int(number[-1]) + 1).unsqueeze(1) == number).double()


def hard_alignment(weights, source, target):
    """What the exercise after this one may use: its source is lent to it, so it stands alone."""

    def words(pieces):
        ends = [place + 1 for place, piece in enumerate(pieces) if piece.endswith("</w>")]
        return list(zip([0, *ends], ends, strict=False))

    linked = set()
    for i, (start, end) in enumerate(words(target)):
        row = weights[start:end].double().mean(0)
        parts = [float(row[first:last].sum()) for first, last in words(source)]
        best = max(range(len(parts)), key=parts.__getitem__)
        if parts[best] > row[-1]:
            linked.add((best, i))
    return linked


Linked = partial(Criterion, visible=8, graded=16, probe=in_one_order)

TASK = Task(
    name="ps4.hard_alignment",
    title="From attention to word alignment",
    reference=reference,
    criteria=(
        Criterion(
            "words",
            1,
            "Every word is one piece: the source word with the largest weight.",
            draw_words,
            4,
            probe=as_written,
        ),
        Linked("source", 1, "A source word gets what all its pieces get.", draw_pieces(*SOURCE, more=(3, 0))),
        Linked("target", 1, "A target word has the mean of its pieces' rows.", draw_pieces(*TARGET, more=(0, 3))),
        Linked(
            "nothing",
            1,
            "No link where '<eos>' gets most, and none of the target's '<eos>'.",
            draw_nothing,
            visible=4,
            graded=12,
        ),
        Linked("together", 0.5, "All of it.", draw_all),
        Criterion(
            "arguments",
            0.5,
            "The weights and the pieces are afterwards as they were.",
            draw_all,
            4,
            probe=leaving("weights source target"),
        ),
    ),
    misconceptions=(
        Misconception(
            "target before source",
            links.target_first,
            "words",
            "Your links are (i, j), the target word first. A link is (j, i): the source word comes first.",
        ),
        Misconception(
            "the source chooses",
            links.from_the_source,
            "words",
            "You take the largest weight of each column: every source word gets a link. Each target word chooses.",
        ),
        Misconception(
            "all that get more than an even share",
            links.all_that_are_equal_or_more,
            "words",
            "You link every source word above the average. A target word has one link at most: to the largest.",
        ),
        Misconception(
            "a least weight asked for",
            links.more_than_a_fifth,
            "words",
            "You link a word only if its weight is above some number. In a long source the largest may be small: it "
            "is enough that no other word, and not '<eos>', gets more.",
        ),
        Misconception(
            "first piece of a source word",
            links.first_source_piece,
            "source",
            "You look at the first piece of each source word only. Add what all its pieces get.",
        ),
        Misconception(
            "last piece of a source word",
            links.last_source_piece,
            "source",
            "You look at the last piece of each source word only. Add what all its pieces get.",
        ),
        Misconception(
            "best piece of a source word",
            links.best_source_piece,
            "source",
            "You take the best piece of each source word: a word in three pieces loses. Add what all its pieces get.",
        ),
        Misconception(
            "best piece of a source word, of the mean",
            links.best_piece_of_the_mean,
            "source",
            "You take the best piece of each source word: a word in three pieces loses. Add what all its pieces get.",
        ),
        Misconception(
            "pieces of the source not joined",
            links.source_pieces_linked,
            "source",
            "You link source pieces. Join them to words first: add what all pieces of a word get, and count words.",
        ),
        Misconception(
            "pieces not joined",
            links.pieces_linked,
            "source",
            "You link pieces to pieces. Join both to words first: add over a source word's pieces, take the mean over "
            "a target word's, and count words.",
        ),
        Misconception(
            "mean of a source word's pieces",
            links.mean_source_piece,
            "source",
            "You take the mean over a source word's pieces: then words of many pieces get less. What is looked at is "
            "added; the mean is for the pieces that look.",
        ),
        Misconception(
            "numbers of pieces",
            links.pieces_counted,
            "source",
            "Your links name places of pieces. Count words.",
        ),
        Misconception(
            "first piece of a target word",
            links.first_target_piece,
            "target",
            "You look at the row of a target word's first piece only. Take the mean of all its rows.",
        ),
        Misconception(
            "last piece of a target word",
            links.last_target_piece,
            "target",
            "You look at the row of a target word's last piece only. Take the mean of all its rows.",
        ),
        Misconception(
            "best piece of a target word",
            links.best_target_piece,
            "target",
            "You take the largest weight among a target word's pieces. Take the mean of its rows.",
        ),
        Misconception(
            "a link for every piece",
            links.every_target_piece,
            "target",
            "Each piece of a target word makes a link of its own. Take the mean of its rows first: one choice a word.",
        ),
        Misconception(
            "'<eos>' left out",
            links.eos_left_out,
            "nothing",
            "You leave out the column of '<eos>', so every word gets a link. Where '<eos>' gets most there is none.",
        ),
        Misconception(
            "'<eos>' linked",
            links.eos_linked,
            "nothing",
            "You link target words to '<eos>' as if it were a word. There is no link where it gets most.",
        ),
        Misconception(
            "'<eos>' chooses",
            links.eos_asks,
            "words",
            "You link the target's '<eos>', too. It is no word.",
        ),
        Misconception(
            "'<eos>' taken out of the caller's lists",
            links.eos_taken_out,
            "arguments",
            "You take '<eos>' out of the lists that you were given. Make new ones: source[:-1].",
        ),
        Misconception(
            "'<eos>' taken out of the caller's source",
            links.eos_taken_out_of_the_source,
            "arguments",
            "You take '<eos>' out of the source that you were given. Make a new list: source[:-1].",
        ),
        Misconception(
            "pieces added up in place",
            links.added_up_in_place,
            "arguments",
            "You add up a source word's pieces within the weights that you were given. Put the sums into a new tensor.",
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
