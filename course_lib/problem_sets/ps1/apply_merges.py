"""ps1.apply_merges: a word segmented by the merges of byte pair encoding, in training order (Straka 2021)."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps1 import pieces
from course_lib.problem_sets.ps1.pieces import marked, once_through, swept
from course_lib.problem_sets.ps1.words import CAPITALS, END, RARE, SIGNS, merge_list, spell
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair, merge

SEGMENTS = (  # what gives a word's pieces at once
    *(f"course_lib.subwords.bpe.BPE.{name}" for name in ("segment", "encode", "segment_longest")),
    *("subword_nmt.apply_bpe.encode", "subword_nmt.apply_bpe.BPE"),
)


def reference(word: str, merges: list[Pair]) -> list[str]:
    """The pieces of `word`: every merge in training order, attached marker, unseen characters kept."""
    return list(BPE((), merges).segment(word))


# Mistakes


def defined(word, merges, merge=merge, symbols=marked):
    pieces = symbols(word)
    for pair in merges:
        pieces = merge(pieces, pair)
    return list(pieces)


wrong = versions(defined)


@mistake("marker")
def marker_added_at_the_end(word, merges):
    """While you merge, the last letter is without its '</w>', which comes to the last piece only when the merges are
    done. Merges such as 's','t</w>' wait for it, and those of a plain 's','t' must not touch the end of the word."""
    return list(marked(defined(word, merges, symbols=tuple)))


end_marker_as_a_symbol_of_its_own = wrong("marker", symbols=pieces.marked_apart)(pieces.MARKER_APART)
no_end_marker = wrong("marker", symbols=tuple)(
    "Your pieces carry no '</w>'. The last letter of the word is one symbol with the marker, as in training."
)
one_merge_and_no_more = mistake("order", pieces.ONE_MERGE)(
    lambda word, merges: defined(word, merges[:1]) if merges else None
)


@mistake("order")
def stopped_at_a_merge_that_finds_nothing(word, merges):
    """You stop at the first merge whose pair does not stand in the word. Later merges may find theirs: go on."""
    pieces = marked(word)
    for pair in merges:
        if pair not in pairwise(pieces):
            break
        pieces = merge(pieces, pair)
    return list(pieces)


@mistake("order")
def left_to_right(word, merges):
    """You merge the leftmost pair that is among the merges. A pair further right may have been learned earlier, and
    then its turn is first: let the merges lead, not the word."""
    pieces = [*marked(word)]
    while place := next((i for i, pair in enumerate(pairwise(pieces), start=1) if pair in merges), None):
        pieces[place - 1 : place + 1] = [pieces[place - 1] + pieces[place]]
    return pieces


def in_one_pass(word, merges, sweep=once_through):
    """From the left, but never back: told as `left_to_right` is."""
    return sweep(marked(word), merges)


@mistake("longest")
def longest_piece_first(word, merges):
    """You cut off the longest piece that any merge makes. That is another algorithm: in training order an earlier merge
    may have taken the letters that this piece would need."""
    known, symbols, pieces = {"".join(pair) for pair in merges}, marked(word), []
    while symbols:
        ends = range(len(symbols), 0, -1)
        end = next((end for end in ends if "".join(symbols[:end]) in known), 1)
        pieces.append("".join(symbols[:end]))
        symbols = symbols[end:]
    return pieces


def merged_if_joined_alike(pieces, pair):
    """Any two neighbours are merged that make the same string as the pair."""
    found = []
    for piece in pieces:
        if found and found[-1] + piece == "".join(pair):
            found[-1] += piece
        else:
            found.append(piece)
    return tuple(found)


joined_strings_compared = wrong("longest", merge=merged_if_joined_alike)(
    "You compare what two pieces make together: 'ab','c' makes the same as 'a','bc', and is another pair. Compare the "
    "two pieces, each with its own."
)
first_occurrence_only = wrong("repeats", merge=pieces.merged_once)(
    "You merge a pair where it occurs first and go on to the next merge; in 'b a n a n a' the pair 'n','a' stands "
    "twice."
)
past_the_end_after_a_merge = wrong("marker", merge=pieces.past_the_end_after_a_merge)(pieces.PAST_THE_END)
past_the_end_after_any_merge = wrong("marker", merge=pieces.past_the_end_after_any_merge)(pieces.PAST_THE_END)
past_the_end_after_two_merges = wrong("repeats", merge=pieces.past_the_end_after_two_merges)(pieces.PAST_THE_END)
a_pair_passed_over_after_a_merge = wrong("repeats", merge=pieces.merged_and_passed_over)(pieces.PASSED_OVER)
pairs_of_a_list_that_changes = wrong("repeats", merge=pieces.merged_in_living_pairs)(pieces.PASSED_OVER)
pairs_of_the_list_before_the_merge = wrong("repeats", merge=pieces.merged_in_old_pairs)(pieces.PASSED_OVER)
second_piece_written_again = wrong("marker", merge=pieces.merged_and_written_again)(pieces.WRITTEN_AGAIN)
merging_from_the_right = wrong("overlap", merge=pieces.merged_from_right)(
    "In a run such as 'a a a' you merge the last two. Training read words from the left; so must you."
)
merging_in_joined_text = wrong("boundaries", merge=pieces.merged_in_text)(pieces.IN_TEXT)
a_pattern_that_is_not_escaped = wrong("characters", merge=pieces.merged_by_pattern)(pieces.NOT_ESCAPED)
the_merges_used_up = mistake(
    "arguments", "You take merges out of the list that you are given: the next word finds none. Work on a copy."
)(pieces.emptying(1, defined))


@mistake("unseen")
def unseen_characters_replaced(word, merges):
    """You write '<unk>' for a piece that no merge knows. Here it stays as it is: nothing is lost in decoding."""
    known = {letter for pair in merges for letter in "".join(pair).removesuffix(END)}
    return [piece if piece[0] in known else "<unk>" for piece in defined(word, merges)]


# Cases: all criteria but the marker's look at the letters alone.


def letters(function: Callable, case: Case) -> Parts:
    """The pieces, however the end of the word is marked."""
    pieces = function(*case.arguments)
    if isinstance(pieces, (list, tuple)) and all(isinstance(piece, str) for piece in pieces):
        pieces = [piece.removesuffix(END) for piece in pieces if piece != END]
    return Parts({f"the list of pieces, with '{END}' left aside,": pieces})


def case(word: str, merges: list[Pair]) -> Case:
    length, count = len(word), len(merges)
    return Case((word, merges), f"a word of {length} letter{'s' * (length != 1)}, {count} merge{'s' * (count != 1)}")


MARKERS = (marker_added_at_the_end, end_marker_as_a_symbol_of_its_own)
FROM_THE_LEFT = left_to_right, in_one_pass, partial(in_one_pass, sweep=swept)
MISTAKES = (
    *(longest_piece_first, *FROM_THE_LEFT, *MARKERS, first_occurrence_only, merging_from_the_right),
    *(merging_in_joined_text, a_pattern_that_is_not_escaped, unseen_characters_replaced, one_merge_and_no_more),
)
ONE = (one_merge_and_no_more,)
PASSED_OVER = (a_pair_passed_over_after_a_merge, pairs_of_a_list_that_changes, pairs_of_the_list_before_the_merge)
shows = isolating(defined, MISTAKES, case)
of_letters = partial(shows, free=ONE, probe=letters)


def draw_end(rng: Random, size: int) -> tuple[str, list[Pair]]:
    merges = merge_list(rng, 3 + size // 3)
    return spell(rng, merges, 2 + size // 4), merges


def joined_late(word: str, merges: list[Pair]) -> bool:
    """Whether the last letter is merged only where the marker comes late."""
    return len(marker_added_at_the_end(word, merges)) < len(defined(word, merges))


def joined_alike(word: str, merges: list[Pair]) -> bool:
    """Whether two neighbours make the same as a pair that they are not."""
    return joined_strings_compared(word, merges) != defined(word, merges)


def joined_late_behind_a_merge(word: str, merges: list[Pair]) -> bool:
    """Whether, besides, a piece before the last is made by a merge."""
    return joined_late(word, merges) and any(len(piece) > 1 for piece in defined(word, merges)[:-1])


joined = shows(*MARKERS, free=ONE, when=lambda *drawn: not joined_late(*drawn))(draw_end)
apart = shows(*MARKERS, free=(*ONE, merging_in_joined_text), apart=False, when=joined_late_behind_a_merge)(draw_end)


@shows(end_marker_as_a_symbol_of_its_own)
def draw_one_letter(rng: Random, size: int) -> tuple[str, list[Pair]]:
    merges = merge_list(rng, 2 + size // 3)
    return merges[0][0][0], merges


def alike_from_the_left(word: str, merges: list[Pair]) -> bool:
    """Whether it makes no difference how one goes from the left."""
    return len({tuple(encode(word, merges)) for encode in FROM_THE_LEFT}) == 1


@of_letters(*FROM_THE_LEFT, apart=False, when=alike_from_the_left)
def draw_order(rng: Random, size: int) -> tuple[str, list[Pair]]:
    x, y, z = rng.sample("abdei", 3)
    merges = merge_list(rng, size // 3, start=[(y, z), (x, y), (x, y + z)])
    return spell(rng, merges, size // 4) + x + y + z + spell(rng, merges, 1), merges


@of_letters(stopped_at_a_merge_that_finds_nothing)
def draw_missing(rng: Random, size: int) -> tuple[str, list[Pair]]:
    """The first merge is of two letters that are not in the word."""
    (x, y), (u, v) = rng.sample("abdei", 2), rng.sample(RARE, 2)
    merges = merge_list(rng, size // 3, start=[(u, v), (x, y)])
    return spell(rng, merges[1:], 1 + size // 4) + x + y + spell(rng, merges[1:], 1), merges


@of_letters(longest_piece_first, merging_in_joined_text, when=joined_alike)
def draw_longest(rng: Random, size: int) -> tuple[str, list[Pair]]:
    w, x, y, z = rng.sample("abdei", 4)
    merges = merge_list(rng, size // 3, start=[(x, y), (w, y), (y, z), (x, y + z)])
    return spell(rng, merges, size // 4) + x + y + z + w + y + z + spell(rng, merges, 1), merges


@shows(
    longest_piece_first,
    free=(*ONE, merging_in_joined_text),
    probe=letters,
    when=lambda *drawn: not joined_alike(*drawn),
)
def draw_far(rng: Random, size: int) -> tuple[str, list[Pair]]:
    """No two neighbours ever make the longest piece."""
    w, x, y, z = rng.sample("abdei", 4)
    merges = merge_list(rng, size // 3, start=[(w, x), (x, y), (x + y, z), (w, x + y + z)])
    return spell(rng, merges, size // 4) + w + x + y + z + spell(rng, merges, 1), merges


@of_letters(merging_in_joined_text)
def draw_boundaries(rng: Random, size: int) -> tuple[str, list[Pair]]:
    x, y, z = rng.sample("abdei", 3)
    merges = merge_list(rng, 1 + size // 3, start=[(x, y), (y, z)])
    return spell(rng, merges, size // 4) + x + y + z + spell(rng, merges, 1), merges


@of_letters(first_occurrence_only)
def draw_repeats(rng: Random, size: int) -> tuple[str, list[Pair]]:
    merges = merge_list(rng, 2 + size // 3)
    again = spell(rng, merges, 1)
    return again + spell(rng, merges, 1 + size // 6) + again + spell(rng, merges, 1), merges


@of_letters(first_occurrence_only, *PASSED_OVER, apart=False)
def draw_in_a_row(rng: Random, size: int) -> tuple[str, list[Pair]]:
    """A pair stands twice in a row."""
    x, y = rng.sample("abdei", 2)
    merges = merge_list(rng, 1 + size // 3, start=[(x, y)])
    return spell(rng, merges, size // 4) + (x + y) * 2 + spell(rng, merges, 1), merges


def seen_by_pairs(word: str, merges: list[Pair]) -> bool:
    """Whether the neighbours in a list that changes tell all places of the pairs."""
    return pairs_of_a_list_that_changes(word, merges) == defined(word, merges)


@of_letters(first_occurrence_only, a_pair_passed_over_after_a_merge, apart=False, when=seen_by_pairs)
def draw_four(rng: Random, size: int) -> tuple[str, list[Pair]]:
    """A run of four letters or more."""
    letter = rng.choice("abdei")
    merges = merge_list(rng, 1 + size // 3, start=[(letter, letter)])
    return spell(rng, merges, 1 + size // 6) + letter * 4 + spell(rng, merges, 1), merges


@shows(merging_from_the_right, probe=letters)
def draw_overlap(rng: Random, size: int) -> tuple[str, list[Pair]]:
    letter = rng.choice("abdei")
    merges = merge_list(rng, 1 + size // 3, start=[(letter, letter)])
    return spell(rng, merges, 1) + letter * rng.choice((3, 5)) + spell(rng, merges, 1 + size // 6), merges


@of_letters(a_pattern_that_is_not_escaped)
def draw_characters(rng: Random, size: int) -> tuple[str, list[Pair]]:
    (x, y, z), sign = rng.sample(CAPITALS, 3), rng.choice(SIGNS)
    merges = [(x, sign), (y, z), *merge_list(rng, 1 + size // 4)]
    parts = rng.sample([x + sign, x + z, y + z], 3)
    return "".join(parts) + merges[-1][0][0], merges


@of_letters(unseen_characters_replaced)
def draw_unseen(rng: Random, size: int) -> tuple[str, list[Pair]]:
    if size == 0:
        return rng.choice(RARE), []
    merges = merge_list(rng, 2 + size // 3)
    return spell(rng, merges, 1) + rng.choice(RARE) + spell(rng, merges, 1 + size // 6), merges


@of_letters()
def draw_plain(rng: Random, size: int) -> tuple[str, list[Pair]]:
    merges = merge_list(rng, 2 + size // 3)
    return spell(rng, merges, 2), merges


TASK = task(
    __name__,
    "Apply BPE merges",
    criteria=(
        criterion("marker", 1, alternate(joined, apart, draw_one_letter))(
            "Merging begins with the last letter and its '</w>' as one symbol, also in a word of one letter."
        ),
        criterion("order", 1, alternate(draw_order, draw_missing), letters)(
            "The merge learned earliest comes first, wherever in the word its pair stands."
        ),
        criterion("longest", 1, alternate(draw_longest, draw_far), letters)(
            "A long piece is used only if the merges lead to it."
        ),
        criterion("repeats", 0.5, alternate(draw_repeats, draw_in_a_row, draw_repeats, draw_four), letters, visible=4)(
            "A merge is applied to every occurrence of its pair."
        ),
        criterion("overlap", 0.5, draw_overlap, letters)(
            "Of overlapping occurrences the left one is merged: 'a a a' becomes 'aa a'."
        ),
        criterion("boundaries", 0.5, draw_boundaries, letters)(
            "Only whole pieces merge: 'e','s' is not found in 'le','s'."
        ),
        criterion("characters", 0.5, draw_characters, letters)("A character is a character, '.' and '$' too."),
        criterion("unseen", 0.5, draw_unseen, letters)("A character that no merge knows stays a piece of its own."),
        arguments(0.5, draw_plain)("The list of merges is afterwards as it was."),
    ),
    forbidden=(*SEGMENTS, "course_lib.subwords.pairs.merge", "course_lib.subwords.merge", "tokenizers.models.BPE"),
)
