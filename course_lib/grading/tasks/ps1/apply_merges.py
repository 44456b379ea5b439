"""ps1.apply_merges: a word segmented by the merges of byte pair encoding, in training order (Straka 2021)."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.isolate import isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps1.learn_merges import marked, merge_first_only, merge_in_text
from course_lib.grading.tasks.ps1.words import END, merge_list, spell
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair, merge


def reference(text: str, merges: list[Pair]) -> list[str]:
    """The pieces of the word `text`: every merge in training order, attached marker, unseen characters kept."""
    return list(BPE((), merges).segment(text))


# Wrong versions: the definition with one part exchanged.


def application(merge: Callable = merge, symbols: Callable = marked) -> Callable[[str, list[Pair]], list[str]]:
    """Segmentation as defined, with some part exchanged."""

    def apply(text: str, merges: list[Pair]) -> list[str]:
        pieces = symbols(text)
        for pair in merges:
            pieces = merge(pieces, pair)
        return list(pieces)

    return apply


def merge_from_right(pieces: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    return merge(pieces[::-1], pair[::-1], "".join(pair))[::-1]


defined = application()
first_only = application(merge=merge_first_only)
in_text = application(merge=merge_in_text)
from_right = application(merge=merge_from_right)


def late_marker(text: str, merges: list[Pair]) -> list[str]:
    *pieces, last = application(symbols=tuple)(text, merges)
    return [*pieces, last + END]


def longest_piece(text: str, merges: list[Pair]) -> list[str]:
    known, symbols, pieces = {"".join(pair) for pair in merges}, marked(text), []
    while symbols:
        ends = range(len(symbols), 0, -1)
        end = next((end for end in ends if "".join(symbols[:end]) in known), 1)
        pieces.append("".join(symbols[:end]))
        symbols = symbols[end:]
    return pieces


def left_to_right(text: str, merges: list[Pair]) -> list[str]:
    pieces, known, i = [*marked(text)], set(merges), 0
    while i < len(pieces) - 1:
        if (pieces[i], pieces[i + 1]) in known:
            pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
            i = 0
        else:
            i += 1
    return pieces


def unknown_piece(text: str, merges: list[Pair]) -> list[str]:
    known = {letter for pair in merges for letter in "".join(pair).removesuffix(END)}
    return [piece if piece[0] in known else "<unk>" for piece in defined(text, merges)]


# Cases


def case(text: str, merges: list[Pair]) -> Case:
    letters, count = len(text), len(merges)
    return Case((text, merges), f"a word of {letters} letter{'s' * (letters != 1)}, {count} merge{'s' * (count != 1)}")


MISTAKES = (longest_piece, left_to_right, late_marker, first_only, from_right, in_text, unknown_piece)
shows = isolating(defined, MISTAKES, case)


def draw_word(rng: Random, size: int) -> tuple[str, list[Pair]]:
    merges = merge_list(rng, 3 + size // 3)
    return spell(rng, merges, 2 + size // 4), merges


draw_marker = shows(late_marker)(draw_word)


@shows(left_to_right)
def draw_order(rng: Random, size: int) -> tuple[str, list[Pair]]:
    x, y, z = rng.sample("abdei", 3)
    merges = merge_list(rng, size // 3, start=[(y, z), (x, y), (x, y + z)])
    return spell(rng, merges, size // 4) + x + y + z + spell(rng, merges, 1), merges


@shows(longest_piece, in_text)
def draw_longest(rng: Random, size: int) -> tuple[str, list[Pair]]:
    w, x, y, z = rng.sample("abdei", 4)
    merges = merge_list(rng, size // 3, start=[(x, y), (w, y), (y, z), (x, y + z)])
    return spell(rng, merges, size // 4) + x + y + z + w + y + z + spell(rng, merges, 1), merges


@shows(first_only)
def draw_repeats(rng: Random, size: int) -> tuple[str, list[Pair]]:
    merges = merge_list(rng, 2 + size // 3)
    again = spell(rng, merges, 1)
    return again + spell(rng, merges, 1 + size // 6) + again + spell(rng, merges, 1), merges


@shows(from_right)
def draw_overlap(rng: Random, size: int) -> tuple[str, list[Pair]]:
    letter = rng.choice("abdei")
    merges = merge_list(rng, 1 + size // 3, start=[(letter, letter)])
    return spell(rng, merges, 1) + letter * rng.choice((3, 5)) + spell(rng, merges, 1 + size // 6), merges


@shows(in_text)
def draw_boundaries(rng: Random, size: int) -> tuple[str, list[Pair]]:
    x, y, z = rng.sample("abdei", 3)
    merges = merge_list(rng, 1 + size // 3, start=[(x, y), (y, z)])
    return spell(rng, merges, size // 4) + x + y + z + spell(rng, merges, 1), merges


@shows(unknown_piece)
def draw_unseen(rng: Random, size: int) -> tuple[str, list[Pair]]:
    if size == 0:
        return rng.choice("xyzäöü"), []
    merges = merge_list(rng, 2 + size // 3)
    return spell(rng, merges, 1) + rng.choice("xyzäöüß") + spell(rng, merges, 1 + size // 6), merges


TASK = Task(
    name="ps1.apply_merges",
    title="Apply BPE merges",
    reference=reference,
    criteria=(
        Criterion("marker", 1, "Merging begins with the last letter and its '</w>' as one symbol.", draw_marker),
        Criterion(
            "order", 1, "The merge learned earliest comes first, wherever in the word its pair stands.", draw_order
        ),
        Criterion("longest", 1, "A long piece is used only if the merges lead to it.", draw_longest),
        Criterion("repeats", 1, "A merge is applied to every occurrence of its pair in the word.", draw_repeats),
        Criterion(
            "overlap", 0.5, "Of overlapping occurrences the left one is merged: 'a a a' becomes 'aa a'.", draw_overlap
        ),
        Criterion("boundaries", 1, "Only whole pieces merge: 'e','s' is not found in 'le','s'.", draw_boundaries),
        Criterion("unseen", 0.5, "A character that no merge knows stays a piece of its own.", draw_unseen),
    ),
    misconceptions=(
        Misconception(
            "marker added at the end",
            late_marker,
            "marker",
            "You put '</w>' on the last piece when the merges are done. Merges such as 's','t</w>' wait for it, and "
            "those of a plain 's','t' must not touch the end of the word.",
        ),
        Misconception(
            "left to right",
            left_to_right,
            "order",
            "You merge the leftmost pair that is among the merges. A pair further right may have been learned earlier, "
            "and then its turn is first: let the merges lead, not the word.",
        ),
        Misconception(
            "longest piece first",
            longest_piece,
            "longest",
            "You cut off the longest piece that any merge makes. That is another algorithm: in training order an "
            "earlier merge may have taken the letters that this piece would need.",
        ),
        Misconception(
            "first occurrence only",
            first_only,
            "repeats",
            "You merge a pair where it occurs first and go on to the next merge; in 'b a n a n a' the pair 'n','a' "
            "stands twice.",
        ),
        Misconception(
            "merging from the right",
            from_right,
            "overlap",
            "In a run such as 'a a a' you merge the last two. Training read words from the left; so must you.",
        ),
        Misconception(
            "merging in joined text",
            in_text,
            "boundaries",
            "You replace 'e s' in the joined text, and so also inside 'le s'. Compare whole pieces.",
        ),
        Misconception(
            "unseen characters replaced",
            unknown_piece,
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
