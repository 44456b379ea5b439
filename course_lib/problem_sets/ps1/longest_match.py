"""ps1.longest_match: WordPiece's segmentation, greedy longest match from the left (Liu and Malykh 2022)."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps1 import words
from course_lib.subwords import wordpiece
from course_lib.subwords.likelihood import CONTINUES


def reference(word: str, vocabulary: list[str]) -> list[str]:
    """The pieces of `word`, each the longest in `vocabulary` that fits, '##' before all but the first; or ["<unk>"]."""
    return list(wordpiece.longest_match(word, set(vocabulary)))


# Mistakes


def longest_first(start, length):
    return range(length, start, -1)


def piece_at(word, start, end):
    return CONTINUES * (start > 0) + word[start:end]


def without_mark(word, start, end):
    return word[start:end]


def defined(word, vocabulary, ends=longest_first, write=piece_at, stuck=lambda pieces: ["<unk>"]):
    pieces, start = [], 0
    while start < len(word):
        fits = (end for end in ends(start, len(word)) if write(word, start, end) in vocabulary)
        if not (end := next(fits, None)):
            return stuck(pieces)
        pieces.append(write(word, start, end))
        start = end
    return pieces


wrong = versions(defined)
shortest_piece = wrong("whole", ends=lambda start, length: range(start + 1, length + 1))(
    "You take the first end that gives a piece, and so the shortest. Try the far end of the word first."
)


@mistake("longest")
def first_piece_of_the_list(word, vocabulary):
    """You take the piece that the vocabulary lists first. Its order means nothing: the longest that fits wins."""
    pieces, start = [], 0
    while start < len(word):
        marker = CONTINUES * (start > 0)
        fits = (p for p in vocabulary if p.startswith(marker) and word.startswith(p.removeprefix(marker), start))
        if not (piece := next(fits, None)):
            return ["<unk>"]
        pieces.append(piece)
        start += len(piece) - len(marker)
    return pieces


pieces_of_one_letter_overlooked = wrong("single", ends=lambda start, length: range(length, start + 1, -1))(
    "You never look up a piece of one letter: where does the loop over the ends of a piece stop?"
)


@changing("arguments", defined)
def vocabulary_sorted_in_place(word, vocabulary):
    """You sort the vocabulary that you are given. Its order is that of the ids: use sorted."""
    vocabulary.sort(key=len, reverse=True)


@mistake("left")
def from_the_right(word, vocabulary):
    """You begin at the end of the word. Take the longest beginning first, then go on behind it."""
    pieces, end = [], len(word)
    while end:
        start = next((start for start in range(end) if piece_at(word, start, end) in vocabulary), None)
        if start is None:
            return ["<unk>"]
        pieces.insert(0, piece_at(word, start, end))
        end = start
    return pieces


no_mark_inside_a_word = wrong("longest", write=without_mark)(
    "Behind the first piece, what you look up and what you return must begin with '##'."
)


@mistake("places")
def the_mark_makes_no_difference(word, vocabulary):
    """You let any piece fit at any place. 'er' begins a word and '##er' continues one: they are two pieces."""
    known = [piece.removeprefix(CONTINUES) for piece in vocabulary]
    first, *others = defined(word, known, write=without_mark)
    return [first, *(CONTINUES + piece for piece in others)]


@mistake("places")
def every_hash_taken_away(word, vocabulary):
    """You take away every '#' at a piece's beginning, as str.lstrip('#') does. Only the mark '##' goes: a letter may be
    '#', too. Look at str.removeprefix."""
    known = [CONTINUES * piece.startswith(CONTINUES) + piece.lstrip("#") for piece in vocabulary]
    return defined(word, known)


@mistake("places")
def every_mark_taken_away(word, vocabulary):
    """You take away every '##', as str.replace does. Only the mark at a piece's beginning goes: '##' may be two letters
    of the word, too. Look at str.removeprefix."""
    known = [CONTINUES * piece.startswith(CONTINUES) + piece.replace(CONTINUES, "") for piece in vocabulary]
    return defined(word, known)


@mistake("unknown")
def unknown_letters(word, vocabulary):
    """You write '<unk>' for a letter and go on. Here one such place makes the whole word unknown."""
    letters = [piece_at(word, i, i + 1) for i in range(len(word))]
    return [piece if piece in vocabulary else "<unk>" for piece in defined(word, [*vocabulary, *letters])]


unknown_rest = wrong("unknown", stuck=lambda pieces: [*pieces, "<unk>"])(
    "You keep the pieces found before the place where nothing fits. The result is '<unk>' alone."
)


@mistake("greedy")
def backtracking(word, vocabulary):
    """You try a shorter piece when the longest leads nowhere. Greedy matching never goes back."""

    def covers(start):
        if start == len(word):
            yield []
        for end in longest_first(start, len(word)):
            if (piece := piece_at(word, start, end)) in vocabulary:
                yield from ([piece, *rest] for rest in covers(end))

    return next(covers(0), ["<unk>"])


# Cases: a word of parts a, b, …, and a vocabulary of some parts, and of what several of them make together


def case(word: str, vocabulary: list[str]) -> Case:
    return Case((word, vocabulary), f"a word of {len(word)} letters, a vocabulary of {len(vocabulary)} pieces")


MISTAKES = (
    *(no_mark_inside_a_word, shortest_piece, first_piece_of_the_list, the_mark_makes_no_difference, from_the_right),
    *(unknown_letters, unknown_rest, backtracking, pieces_of_one_letter_overlooked),
    *(every_hash_taken_away, every_mark_taken_away),
)
shows = isolating(defined, MISTAKES, case)


def parts(rng: Random, count: int, least: int = 2, letters: int = 4) -> list[str]:
    """`count` parts of a word, of a few letters of every kind that come again and again."""
    alphabet = "".join(rng.sample(words.LETTERS, letters) + rng.sample(words.CAPITALS + words.SIGNS + words.RARE, 2))
    return [words.word(rng, rng.randint(least, 3), alphabet, repeats=True) for _ in range(count)]


def inside(*pieces: str) -> list[str]:
    return [CONTINUES + piece for piece in pieces]


def shuffled(rng: Random, *pieces: str) -> list[str]:
    """A vocabulary of `pieces` and two that fit nowhere."""
    found = [*dict.fromkeys(pieces), "v" + rng.choice("1234567"), "##w" + rng.choice("1234567")]
    return rng.sample(found, len(found))


def drawn(
    count: int, pieces: Callable[..., tuple[str, ...]], begins: str = ""
) -> Callable[[Random, int], tuple[str, list[str]]]:
    """A word of `count` parts or more, all but the first with `begins` in front; a vocabulary of their `pieces`."""

    def draw(rng: Random, size: int) -> tuple[str, list[str]]:
        first, *others = parts(rng, count + size // 4)
        found = [first, *(begins + part for part in others)]
        return "".join(found), shuffled(rng, *pieces(*found))

    return draw


draw_whole, draw_long = (
    shows(shortest_piece)(drawn(count, lambda a, *rest: (a + "".join(rest), a, *inside(*rest, "".join(rest)))))
    for count in (2, 5)
)
draw_longest = shows(shortest_piece, first_piece_of_the_list, no_mark_inside_a_word)(
    drawn(4, lambda a, b, c, d, *rest: (a, a + b, *inside(b, c, c + d, d, *rest)))
)
draw_left = shows(from_the_right, shortest_piece, no_mark_inside_a_word)(
    drawn(5, lambda a, b, c, d, e, *rest: (a, a + b, *inside(b, c, c + d, e, d + e, *rest)))
)
draw_inside = shows(the_mark_makes_no_difference, no_mark_inside_a_word)(
    drawn(3, lambda a, b, c, *rest: (a, b + c, *inside(b, c, *rest)))
)
draw_beginning = shows(the_mark_makes_no_difference, unknown_letters)(
    drawn(2, lambda a, b, *rest: (b, *inside(a, b, *rest)))
)
draw_hash = shows(every_hash_taken_away, no_mark_inside_a_word, apart=False)(
    drawn(2, lambda a, *rest: (a, *inside(*rest)), "#")
)
draw_hashes = shows(every_hash_taken_away, every_mark_taken_away, no_mark_inside_a_word, apart=False)(
    drawn(2, lambda a, *rest: (a, *inside(*rest)), "##")
)
draw_covered = shows(no_mark_inside_a_word)(drawn(3, lambda a, *rest: (a, *inside(*rest))))
draw_unknown = shows(unknown_letters, unknown_rest)(drawn(3, lambda a, b, c, *rest: (a, *inside(c, *rest))))
draw_unknown_at_once = shows(unknown_letters)(drawn(2, lambda a, *rest: (*inside(a[1:], *rest),)))
draw_dead_end = shows(backtracking, unknown_letters, unknown_rest)(
    drawn(3, lambda a, b, c, *rest: (a, a + b, *inside(b, b + c, *rest, a[-1] + "".join([b, c, *rest]))))
)


@shows(pieces_of_one_letter_overlooked, no_mark_inside_a_word, apart=False)
def draw_single(rng: Random, size: int) -> tuple[str, list[str]]:
    a, *rest = (part[: rng.choice((1, 3))] for part in parts(rng, 3 + size // 4, 1, 12))
    return "".join([a, *rest]), shuffled(rng, a, *inside(*rest))


@shows()
def draw_unknown_letter(rng: Random, size: int) -> tuple[str, list[str]]:
    letter, *others = words.word(rng, 4 + size // 4, words.LETTERS, repeats=False)
    return letter, shuffled(rng, *others, *inside(*others))


TASK = task(
    __name__,
    "Greedy longest match",
    criteria=(
        criterion("whole", 0.5, alternate(draw_whole, draw_long))("A word that is in the vocabulary is one piece."),
        criterion("longest", 1, draw_longest)("At each place the longest piece that fits is taken."),
        criterion("single", 0.5, draw_single)("A piece may be a single character."),
        criterion("left", 0.5, draw_left)("Pieces are taken from the left to the right."),
        criterion("places", 1, alternate(draw_inside, draw_beginning, draw_hash, draw_hashes), visible=4)(
            "A piece with '##' fits only inside a word, one without only at its beginning."
        ),
        criterion(
            "unknown", 0.5, alternate(draw_unknown, draw_covered, draw_unknown_at_once, draw_unknown_letter), visible=4
        )("A word with a place where nothing fits is ['<unk>'] as a whole; other words are not."),
        criterion("greedy", 0.5, alternate(draw_dead_end, draw_covered))(
            "A piece once taken stays, even if nothing fits after it."
        ),
        arguments(0.5, draw_covered)("The vocabulary is afterwards as it was, in the same order."),
    ),
    forbidden=(
        "course_lib.subwords.wordpiece.longest_match",
        "course_lib.subwords.longest_match",
        "course_lib.subwords.wordpiece.WordPiece.segment",
        "course_lib.subwords.wordpiece.WordPiece.encode",
        "tokenizers.models.WordPiece",
    ),
)
