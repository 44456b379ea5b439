"""ps4.hard_alignment: from attention between pieces to links between words (sums and means as Clark et al. 2019)."""

from collections.abc import Callable
from functools import partial, reduce
from operator import itemgetter
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.cases.numbers import count
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.link_probes import as_written, in_one_order, of_words
from course_lib.problem_sets.ps4.links import END, EOS, Links, attention, chosen, clear, mean, spans, spelled, table


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


# Mistakes


def same(pieces):
    return pieces


def alone(pieces):
    """Every piece a word of its own."""
    return [END] * (len(pieces) - 1) + [EOS]


def defined(weights, source, target, source_as=same, target_as=same, to=sum, of=mean, choose=chosen):
    return choose(table(weights, source_as(source), target_as(target), to, of))


wrong, first, last = versions(defined), itemgetter(0), itemgetter(-1)
target_before_source = wrong("words", choose=lambda rows: {(i, j) for j, i in chosen(rows)})(
    "Your links are (i, j), the target word first. A link is (j, i): the source word comes first."
)


def counted_from(j: int, i: int) -> Callable:
    """Links whose first source word has the number j, and whose first target word has the number i."""
    return lambda rows: {(source + j, target + i) for source, target in chosen(rows)}


words_counted_from_1 = wrong("words", choose=counted_from(1, 1))("You count words from 1. Count them from 0.")
source_words_counted_from_1 = wrong("words", choose=counted_from(1, 0))(
    "You count the words of the source from 1. Count them from 0, as those of the target."
)
target_words_counted_from_1 = wrong("words", choose=counted_from(0, 1))(
    "You count the words of the target from 1. Count them from 0, as those of the source."
)


@mistake("words")
def the_source_chooses(*given):
    """You take the largest weight of each column: every source word gets a link. Each target word chooses."""
    rows = table(*given)
    return {(j, max(range(len(rows)), key=lambda i: rows[i][j])) for j in range(len(rows[0]) - 1)}


@mistake("words")
def all_that_get_more_than_an_even_share(*given):
    """You link every source word above the average. A target word has one link at most: to the largest."""
    rows = table(*given)
    return {(j, i) for i, row in enumerate(rows) for j, weight in enumerate(row[:-1]) if weight > 1 / len(row)}


a_least_weight_asked_for = wrong("words", choose=lambda rows: {(j, i) for j, i in chosen(rows) if rows[i][j] > 0.2})(
    "You link a word only if its weight is above some number. In a long source the largest may be small: it is enough "
    "that no other word, and not '<eos>', gets more."
)
first_piece_of_a_source_word = wrong("source", to=first)(
    "You look at the first piece of each source word only. Add what all its pieces get."
)
last_piece_of_a_source_word = wrong("source", to=last)(
    "You look at the last piece of each source word only. Add what all its pieces get."
)
BEST = "You take the best piece of each source word: a word in three pieces loses. Add what all its pieces get."
best_piece_of_a_source_word = wrong("source", to=max)(BEST)


@mistake("source", BEST)
def best_piece_of_a_source_word_of_the_mean(weights, source, target):
    rows = table(weights, alone(source), target)
    return chosen([[*(max(row[j] for j in span) for span in spans(source)), row[-1]] for row in rows])


pieces_of_the_source_not_joined = wrong("source", source_as=alone)(
    "You link source pieces. Join them to words first: add what all pieces of a word get, and count words."
)
pieces_not_joined = wrong("source", source_as=alone, target_as=alone)(
    "You link pieces to pieces. Join both to words first: add over a source word's pieces, take the mean over a target "
    "word's, and count words."
)
mean_of_the_pieces_of_a_source_word = wrong("source", to=mean)(
    "You take the mean over a source word's pieces: then words of many pieces get less. What is looked at is added; "
    "the mean is for the pieces that look."
)


def without_short_ends(pieces):
    """A piece of one letter ends no word: its marker is not seen."""
    return [piece.removesuffix(END) if len(piece) == 1 + len(END) else piece for piece in pieces]


SHORT = (
    "You do not see that a piece of one letter, such as 'a</w>', ends a word. Whatever ends with '</w>' does, however "
    "short it is. Look at str.endswith."
)
short_pieces_end_no_word = wrong("words", source_as=without_short_ends, target_as=without_short_ends)(SHORT)
short_pieces_end_no_source_word = wrong("words", source_as=without_short_ends)(SHORT)
short_pieces_end_no_target_word = wrong("words", target_as=without_short_ends)(SHORT)


@mistake("source")
def numbers_of_pieces(weights, source, target):
    """Your links name places of pieces. Count words."""
    begins, ends = ([span[0] for span in spans(pieces)] for pieces in (source, target))
    return {(begins[j], ends[i]) for j, i in defined(weights, source, target)}


first_piece_of_a_target_word = wrong("target", of=first)(
    "You look at the row of a target word's first piece only. Take the mean of all its rows."
)
last_piece_of_a_target_word = wrong("target", of=last)(
    "You look at the row of a target word's last piece only. Take the mean of all its rows."
)
best_piece_of_a_target_word = wrong("target", of=max)(
    "You take the largest weight among a target word's pieces. Take the mean of its rows."
)
halved_at_each_piece_of_a_target_word = wrong("target", of=partial(reduce, lambda sofar, row: (sofar + row) / 2))(
    "You add a row and divide by 2, piece after piece: of three rows, the last counts as much as the other two "
    "together. Add them all, then divide once, by their number."
)


@mistake("target")
def a_link_for_every_piece(weights, source, target):
    """Each piece of a target word makes a link of its own. Take the mean of its rows first: one choice a word."""
    word = {place: i for i, span in enumerate(spans(target)) for place in span}
    each = chosen(table(weights, source, [END] * len(target)))
    return {(j, word[place]) for j, place in each if place in word}


def voted(weights, source, target, first=max):
    """Links of what most pieces of a target word choose; `first`: of those chosen equally often."""
    rows = table(weights, source, [END] * len(target))
    best = [max(range(len(row)), key=row.__getitem__) for row in rows]
    linked = set()
    for i, span in enumerate(spans(target)):
        votes = [best[place] for place in span]
        most = [j for j in votes if votes.count(j) == max(map(votes.count, votes))]
        linked.add((first(most, key=lambda j: sum(rows[place][j] for place in span)), i))
    return {(j, i) for j, i in linked if j < len(spans(source))}


@mistake("target")
def the_choice_of_most_pieces(weights, source, target):
    """You let each piece of a target word choose, and take what is chosen most often. Take the mean of their rows
    first: one choice a word."""
    return voted(weights, source, target, first=lambda most, key: most[0])


def eos_gets(part: Callable[[float], float]) -> Callable:
    """Links where "<eos>" is taken to get `part` of what it gets."""
    return lambda rows: chosen([[*row[:-1], part(row[-1])] for row in rows])


def with_eos(rows: list[list[float]]) -> Links:
    """Links of the source's "<eos>", too."""
    return chosen([[*row, -1.0] for row in rows])


def eos_as_word(target: list[str]) -> list[str]:
    return [*target[:-1], EOS + END]


eos_left_out = wrong("nothing", choose=eos_gets(lambda part: -1.0))(
    "You leave out the column of '<eos>', so every word gets a link. Where '<eos>' gets most there is none."
)
eos_linked = wrong("nothing", choose=with_eos)(
    "You link target words to '<eos>' as if it were a word. There is no link where it gets most."
)
eos_chooses = wrong("nothing", target_as=eos_as_word)("You link the target's '<eos>', too. It is no word.")
eos_a_word_of_both = wrong("nothing", target_as=eos_as_word, choose=with_eos)(
    "You take '<eos>' for a word, in the source and in the target. It is none: leave out the target's row of '<eos>', "
    "and make no link where the source's '<eos>' gets most."
)
eos_only_above_half = wrong("nothing", choose=eos_gets(lambda part: 1.0 if part > 0.5 else -1.0))(
    "You leave out a link only where '<eos>' gets more than half. Less may be enough: there is no link where '<eos>' "
    "gets more than any word."
)


@mistake("arguments")
def eos_taken_out_of_the_lists_of_the_caller(weights, source, target):
    """You take '<eos>' out of the lists that you were given. Make new ones: source[:-1]."""
    found = eos_taken_out_of_the_source_of_the_caller(weights, source, target)
    target.pop()
    return found


@changing("arguments", defined)
def eos_taken_out_of_the_source_of_the_caller(weights, source, target):
    """You take '<eos>' out of the source that you were given. Make a new list: source[:-1]."""
    source.pop()


@changing("arguments", defined)
def pieces_added_up_in_place(weights, source, target):
    """You add up a source word's pieces within the weights that you were given. Put the sums into a new tensor."""
    for span in spans(source):
        weights[:, span[0]] = weights[:, span[0] : span[-1] + 1].sum(1)


def eos_beside(weights, source, target, eos):
    """Links where the best word has more than `eos` of the rows of the target word's pieces."""
    words = [row[:-1] for row in table(weights, source, target)]
    last = [eos(weights[span[0] : span[-1] + 1]) for span in spans(target)]
    return chosen([[*row, each] for row, each in zip(words, last, strict=True)])


PIECES = "You compare '<eos>' with single source pieces. Compare it with words: with what all pieces of a word get."


@mistake("together", PIECES)
def eos_above_every_piece(weights, source, target):
    linked = {i for _, i in pieces_of_the_source_not_joined(weights, source, target)}
    return {(j, i) for j, i in eos_left_out(weights, source, target) if i in linked}


@mistake("together", PIECES)
def eos_above_every_piece_of_the_word(weights, source, target):
    pieces = table(weights, source, target, to=max)
    return {(j, i) for j, i in eos_left_out(weights, source, target) if pieces[i][j] > pieces[i][-1]}


@mistake("together")
def pieces_looked_up_in_the_list(weights, source, target):
    """You look up a piece's place by list.index. Where a piece comes twice, both get the place of the first. Count the
    places, by enumerate, say."""
    rows, columns = ([pieces.index(piece) for piece in pieces] for pieces in (target, source))
    return defined(weights[rows][:, columns], source, target)


def words(pieces):
    return [[pieces[place] for place in span] for span in spans(pieces)]


@mistake("together")
def equal_words_of_the_source_added(weights, source, target):
    """A word that comes twice in the source has one entry in your table, with what both get: is it a dict of words?
    They are two words. A word's number tells them apart."""
    rows, names = table(weights, source, target), words(source)
    return chosen(
        [
            [*(sum(part for part, name in zip(row, names, strict=False) if name == each) for each in names), row[-1]]
            for row in rows
        ]
    )


def last_of_equal_words_of_the_source(weights, source, target):
    rows, names = table(weights, source, target), words(source)
    return chosen(
        [[*(-1 if name in names[j + 1 :] else row[j] for j, name in enumerate(names)), row[-1]] for row in rows]
    )


def last_of_equal_words_of_the_target(weights, source, target):
    last = {str(name): row for name, row in zip(words(target), table(weights, source, target), strict=True)}
    return chosen([last[str(name)] for name in words(target)])


eos_of_the_first_piece = partial(eos_beside, eos=lambda rows: float(rows[0, -1]))
eos_of_the_last_piece = partial(eos_beside, eos=lambda rows: float(rows[-1, -1]))

# Cases

ORDER = target_before_source, the_source_chooses, all_that_get_more_than_an_even_share
SOURCE = [partial(defined, to=each) for each in (first, last, max, mean)]
OF_TARGET = halved_at_each_piece_of_a_target_word, a_link_for_every_piece, voted
TARGET = [*(partial(defined, of=each) for each in (first, last, max)), *OF_TARGET]
NOTHING = eos_left_out, eos_linked, eos_chooses
EOS_BESIDE_PIECES = eos_above_every_piece, eos_above_every_piece_of_the_word
EVERY = (*ORDER, *SOURCE, *TARGET, *NOTHING, eos_only_above_half, *EOS_BESIDE_PIECES)
SHORT_ENDS = short_pieces_end_no_word, short_pieces_end_no_source_word, short_pieces_end_no_target_word
TWICE = (
    pieces_looked_up_in_the_list,
    equal_words_of_the_source_added,
    last_of_equal_words_of_the_source,
    last_of_equal_words_of_the_target,
)
OF_ALL = eos_above_every_piece, eos_of_the_first_piece, eos_of_the_last_piece


def case(weights: Tensor, source: list[str], target: list[str]) -> Case:
    x, y = (f"{count(len(spans(each)), 'word')} in {count(len(each) - 1, 'piece')}" for each in (source, target))
    return Case((weights, source, target), f"source of {x}, target of {y}")


shows = isolating(defined, EVERY, case)


def pair(
    more: tuple[int, int],
    eos: float,
    words: tuple[int | None, int | None] = (None, None),
    short: bool = False,
    twice: bool = False,
) -> Callable:
    """Draws a source and a target with up to so `more` pieces than words, and the attention between them.

    `words`: how many words the source and the target have; None: two or more. `short`: some end with one letter.
    `twice`: a word comes twice in each, of three words or more.
    """

    def drawn(rng: Random, size: int) -> tuple:
        numbers = [number or rng.randint(2 + twice, 4 + size // 4) for number in words]
        source, target = (
            spelled(rng, n, n + (extra and rng.randint(1, extra)), short, twice)
            for n, extra in zip(numbers, more, strict=True)
        )
        return attention(rng, target, source, eos), source, target

    return drawn


def long(rng: Random, size: int) -> tuple:
    """A long source, and weights that are nearly even but for one word's; "<eos>" gets next to none."""
    source, target = (spelled(rng, words, words) for words in (rng.randint(10, 12), rng.randint(2, 3)))
    rows = torch.tensor([[rng.uniform(0.8, 1.0) for _ in source] for _ in target])
    for row in rows:
        row[rng.randrange(len(source) - 1)] = 1.5
    rows[:, -1] *= 0.01
    return rows / rows.sum(1, keepdim=True), source, target


def draw_words(rng: Random, size: int) -> Case:
    """In turn: any numbers of words, some of one letter; one target word; one source word; a long source, in which no
    word gets 0.2."""
    wanted, draw = (
        ((*ORDER, *SHORT_ENDS), pair((0, 0), 0.01, short=True)),
        (ORDER, pair((0, 0), 0.01, words=(None, 1))),
        (ORDER[:2], pair((0, 0), 0.01, words=(1, None))),
        ((*ORDER, a_least_weight_asked_for), long),
    )[size % 4]
    return shows(*wanted, free=ORDER, apart=False, probe=as_written, when=clear)(draw)(rng, size)


def draw_pieces(wanted: list[Callable], more: tuple[int, int]) -> Callable[[Random, int], Case]:
    """Cases that show one of these mistakes after the other, the others as they come."""
    free = (*ORDER, *wanted)
    return alternate(*(shows(each, free=free, probe=of_words, when=clear)(pair(more, 0.01)) for each in wanted))


def draw_nothing(rng: Random, size: int) -> Case:
    """In turn: any numbers of words; one target word, so that there is no link at all; one source word; again one
    target word. In the first two "<eos>" gets most with less than half, in the others with more.
    """
    words, wanted = (
        ((None, None), (*NOTHING, eos_only_above_half)),
        ((None, 1), (*NOTHING, eos_only_above_half)),
        ((1, None), NOTHING),
        ((None, 1), NOTHING),
    )[size % 4]
    seen = shows(*wanted, free=ORDER, apart=False, probe=in_one_order, when=clear)
    return seen(pair((0, 0), 2.0, words))(rng, size)


def draw_all(rng: Random, size: int) -> Case:
    """Words that end with a piece of one letter are among them, and one that comes twice."""
    wanted = OF_ALL[size % 3], TWICE[size % 4], *SHORT_ENDS
    seen = shows(*wanted, free=EVERY, apart=False, probe=of_words, when=clear)
    return seen(pair((3, 3), 1.0, short=True, twice=True))(rng, size + 4)


TASK = task(
    __name__,
    "From attention to word alignment",
    criteria=(
        criterion("words", 1, draw_words, as_written, visible=4)(
            "Every word is one piece: the source word with the largest weight."
        ),
        criterion("source", 1, draw_pieces(SOURCE, more=(3, 0)), of_words, visible=8, graded=16)(
            "A source word gets what all its pieces get."
        ),
        criterion("target", 1, draw_pieces(TARGET, more=(0, 3)), of_words, visible=8, graded=16)(
            "A target word has the mean of its pieces' rows."
        ),
        criterion("nothing", 1, draw_nothing, in_one_order, visible=4)(
            "No link where '<eos>' gets most, and none of the target's '<eos>'."
        ),
        criterion("together", 0.5, draw_all, of_words, visible=8, graded=16)("All of it."),
        arguments(0.5, draw_all, visible=4)("The weights and the pieces are afterwards as they were."),
    ),
    forbidden=(f"{__name__}.found",),
)
