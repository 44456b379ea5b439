"""ps1.apply_merges: a word segmented by the merges of byte pair encoding, in training order (Straka 2021)."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Parts, Task
from course_lib.problem_sets.ps1 import wrong_apply_merges as wrong
from course_lib.problem_sets.ps1.words import CAPITALS, END, RARE, SIGNS, merge_list, spell
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair


def reference(word: str, merges: list[Pair]) -> list[str]:
    """The pieces of `word`: every merge in training order, attached marker, unseen characters kept."""
    return list(BPE((), merges).segment(word))


# Cases: all criteria but the marker's look at the letters alone.


def letters(function: Callable, case: Case) -> Parts:
    """The pieces, however the end of the word is marked."""
    pieces = function(*case.arguments)
    if isinstance(pieces, (list, tuple)) and all(isinstance(piece, str) for piece in pieces):
        pieces = [piece.removesuffix(END) for piece in pieces if piece != END]
    return Parts({f"the list of pieces, with '{END}' left aside,": pieces})


def case(text: str, merges: list[Pair]) -> Case:
    length, count = len(text), len(merges)
    return Case((text, merges), f"a word of {length} letter{'s' * (length != 1)}, {count} merge{'s' * (count != 1)}")


MARKERS = (wrong.late_marker, wrong.separate_marker)
MISTAKES = (
    *(wrong.longest_piece, wrong.left_to_right, *MARKERS, wrong.first_only, wrong.from_right),
    *(wrong.in_text, wrong.by_pattern, wrong.unknown_piece, wrong.first_alone),
)
shows = isolating(wrong.defined, MISTAKES, case)


def draw_end(rng: Random, size: int) -> tuple[str, list[Pair]]:
    merges = merge_list(rng, 3 + size // 3)
    return spell(rng, merges, 2 + size // 4), merges


def joined_late(text: str, merges: list[Pair]) -> bool:
    """Whether the last letter is merged only where the marker comes late."""
    return len(wrong.late_marker(text, merges)) < len(wrong.defined(text, merges))


joined = shows(*MARKERS, free=(wrong.first_alone,), when=lambda *drawn: not joined_late(*drawn))(draw_end)
apart = shows(*MARKERS, free=(wrong.first_alone, wrong.in_text), apart=False, when=joined_late)(draw_end)


@shows(wrong.left_to_right, free=(wrong.first_alone,), probe=letters)
def draw_order(rng: Random, size: int) -> tuple[str, list[Pair]]:
    x, y, z = rng.sample("abdei", 3)
    merges = merge_list(rng, size // 3, start=[(y, z), (x, y), (x, y + z)])
    return spell(rng, merges, size // 4) + x + y + z + spell(rng, merges, 1), merges


@shows(wrong.longest_piece, wrong.in_text, free=(wrong.first_alone,), probe=letters)
def draw_longest(rng: Random, size: int) -> tuple[str, list[Pair]]:
    w, x, y, z = rng.sample("abdei", 4)
    merges = merge_list(rng, size // 3, start=[(x, y), (w, y), (y, z), (x, y + z)])
    return spell(rng, merges, size // 4) + x + y + z + w + y + z + spell(rng, merges, 1), merges


@shows(wrong.first_only, free=(wrong.first_alone,), probe=letters)
def draw_repeats(rng: Random, size: int) -> tuple[str, list[Pair]]:
    merges = merge_list(rng, 2 + size // 3)
    again = spell(rng, merges, 1)
    return again + spell(rng, merges, 1 + size // 6) + again + spell(rng, merges, 1), merges


@shows(wrong.from_right, probe=letters)
def draw_overlap(rng: Random, size: int) -> tuple[str, list[Pair]]:
    letter = rng.choice("abdei")
    merges = merge_list(rng, 1 + size // 3, start=[(letter, letter)])
    return spell(rng, merges, 1) + letter * rng.choice((3, 5)) + spell(rng, merges, 1 + size // 6), merges


@shows(wrong.in_text, free=(wrong.first_alone,), probe=letters)
def draw_boundaries(rng: Random, size: int) -> tuple[str, list[Pair]]:
    x, y, z = rng.sample("abdei", 3)
    merges = merge_list(rng, 1 + size // 3, start=[(x, y), (y, z)])
    return spell(rng, merges, size // 4) + x + y + z + spell(rng, merges, 1), merges


@shows(wrong.by_pattern, free=(wrong.first_alone,), probe=letters)
def draw_characters(rng: Random, size: int) -> tuple[str, list[Pair]]:
    (x, y, z), sign = rng.sample(CAPITALS, 3), rng.choice(SIGNS)
    merges = [(x, sign), (y, z), *merge_list(rng, 1 + size // 4)]
    parts = rng.sample([x + sign, x + z, y + z], 3)
    return "".join(parts) + merges[-1][0][0], merges


@shows(wrong.unknown_piece, free=(wrong.first_alone,), probe=letters)
def draw_unseen(rng: Random, size: int) -> tuple[str, list[Pair]]:
    if size == 0:
        return rng.choice(RARE), []
    merges = merge_list(rng, 2 + size // 3)
    return spell(rng, merges, 1) + rng.choice(RARE) + spell(rng, merges, 1 + size // 6), merges


@shows(free=(wrong.first_alone,), probe=letters)
def draw_plain(rng: Random, size: int) -> tuple[str, list[Pair]]:
    merges = merge_list(rng, 2 + size // 3)
    return spell(rng, merges, 2), merges


TASK = Task(
    name="ps1.apply_merges",
    title="Apply BPE merges",
    reference=reference,
    criteria=(
        Criterion(
            "marker",
            1,
            "Merging begins with the last letter and its '</w>' as one symbol.",
            alternate(joined, apart),
            visible=4,
        ),
        Criterion(
            "order",
            1,
            "The merge learned earliest comes first, wherever in the word its pair stands.",
            draw_order,
            probe=letters,
        ),
        Criterion("longest", 1, "A long piece is used only if the merges lead to it.", draw_longest, probe=letters),
        Criterion("repeats", 0.5, "A merge is applied to every occurrence of its pair.", draw_repeats, probe=letters),
        Criterion(
            "overlap",
            0.5,
            "Of overlapping occurrences the left one is merged: 'a a a' becomes 'aa a'.",
            draw_overlap,
            probe=letters,
        ),
        Criterion(
            "boundaries",
            0.5,
            "Only whole pieces merge: 'e','s' is not found in 'le','s'.",
            draw_boundaries,
            probe=letters,
        ),
        Criterion("characters", 0.5, "A character is a character, '.' and '$' too.", draw_characters, probe=letters),
        Criterion(
            "unseen", 0.5, "A character that no merge knows stays a piece of its own.", draw_unseen, probe=letters
        ),
        Criterion(
            "arguments", 0.5, "The list of merges is afterwards as it was.", draw_plain, probe=leaving("word merges")
        ),
    ),
    misconceptions=(
        Misconception(
            "marker added at the end",
            wrong.late_marker,
            "marker",
            "You put '</w>' on the last piece when the merges are done. Merges such as 's','t</w>' wait for it, and "
            "those of a plain 's','t' must not touch the end of the word.",
        ),
        Misconception(
            "end marker as a symbol of its own",
            wrong.separate_marker,
            "marker",
            "You write '</w>' as a symbol behind the word: l o w </w>. Here the last letter carries it: l o w</w>.",
        ),
        Misconception(
            "no end marker",
            wrong.no_marker,
            "marker",
            "Your pieces carry no '</w>'. The last letter of the word is one symbol with the marker, as in training.",
        ),
        Misconception(
            "one merge and no more",
            wrong.first_alone,
            "order",
            "You return after the first merge: is `return` inside the loop?",
        ),
        Misconception(
            "left to right",
            wrong.left_to_right,
            "order",
            "You merge the leftmost pair that is among the merges. A pair further right may have been learned earlier, "
            "and then its turn is first: let the merges lead, not the word.",
        ),
        Misconception(
            "longest piece first",
            wrong.longest_piece,
            "longest",
            "You cut off the longest piece that any merge makes. That is another algorithm: in training order an "
            "earlier merge may have taken the letters that this piece would need.",
        ),
        Misconception(
            "first occurrence only",
            wrong.first_only,
            "repeats",
            "You merge a pair where it occurs first and go on to the next merge; in 'b a n a n a' the pair 'n','a' "
            "stands twice.",
        ),
        Misconception(
            "merging from the right",
            wrong.from_right,
            "overlap",
            "In a run such as 'a a a' you merge the last two. Training read words from the left; so must you.",
        ),
        Misconception(
            "merging in joined text",
            wrong.in_text,
            "boundaries",
            "You replace 'e s' in the joined text, and so also inside 'le s'. Compare whole pieces.",
        ),
        Misconception(
            "a pattern that is not escaped",
            wrong.by_pattern,
            "characters",
            "You put the pair into a regular expression as it is; there '.' stands for any character. Use re.escape, "
            "or compare pieces.",
        ),
        Misconception(
            "the merges used up",
            wrong.used_up,
            "arguments",
            "You take merges out of the list that you are given: the next word finds none. Work on a copy.",
        ),
        Misconception(
            "unseen characters replaced",
            wrong.unknown_piece,
            "unseen",
            "You write '<unk>' for a piece that no merge knows. Here it stays as it is: nothing is lost in decoding.",
        ),
    ),
    forbidden=(
        "course_lib.subwords.bpe.BPE.segment",
        "course_lib.subwords.bpe.BPE.encode",
        "course_lib.subwords.bpe.BPE.segment_longest",
        "course_lib.subwords.pairs.merge",
        "course_lib.subwords.merge",
        "subword_nmt.apply_bpe.encode",
        "subword_nmt.apply_bpe.BPE",
        "tokenizers.models.BPE",
    ),
)
