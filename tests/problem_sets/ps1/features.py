"""What the cases of problem set 1 show."""

from itertools import pairwise

from course_lib.problem_sets.ps1 import apply_merges, decode, diagnose, learn_merges, learn_wordpieces, longest_match
from course_lib.problem_sets.ps1.words import END


def odd_piece(pieces):
    return any(not piece.isalpha() for piece in pieces if not piece.endswith(END))


def word_twice_in_a_row(pieces):
    return any(word == following for word, following in pairwise(decode.defined(pieces).split()))


def counted_by_half(holds):
    """Whether a word holds the repeated letter so, and another merge comes first if half of the pairs are counted."""

    def there(entries, merges):
        decides = learn_wordpieces.half_of_the_neighbours_counted(entries, merges) != learn_wordpieces.defined(
            entries, merges
        )
        return decides and any(holds([a for a, b in pairwise(word) if a == b], word) for word in entries)

    return there


def the_first_finds_nothing(word, merges):
    return len(merges) > 1 and apply_merges.defined(word, merges[:1]) == apply_merges.defined(word, [])


def longer_than(letters):
    """Whether a piece of more than so many letters is found."""
    return lambda word, vocabulary: any(
        len(piece.removeprefix("##")) > letters for piece in longest_match.defined(word, vocabulary)
    )


def marker_of_merges_matters(merges, observed):
    return diagnose.defined(merges, observed) == "late marker" and diagnose.bare(merges, observed)


def decided_otherwise(module, *mistakes):
    """That each of these mistakes of a task gives something else, or IndexError, as a feature of its name."""

    def differs(function):
        def there(*given):
            try:
                return function(*given) != module.defined(*given)
            except IndexError:
                return True

        return there

    functions = {each.name: each.function for each in module.TASK.misconceptions}
    return {f"not found: {name}": differs(functions[name]) for name in mistakes}


PASSED_OVER = (
    *("a pair passed over after a merge", "pairs of a list that changes"),
    "pairs of the list before the merge",
)
FEATURES = {
    ("learn_merges", "counts"): decided_otherwise(
        learn_merges, "past the end after a merge", "past the end after any merge"
    ),
    ("learn_merges", "repeats"): decided_otherwise(learn_merges, "past the end after two merges"),
    ("learn_merges", "end"): decided_otherwise(learn_merges, *PASSED_OVER, "second piece written again"),
    ("apply_merges", "marker"): decided_otherwise(
        *(apply_merges, "past the end after a merge", "past the end after any merge"), "second piece written again"
    ),
    ("apply_merges", "repeats"): {
        "going on by two loses, and pairs of a list that changes do not": lambda *given: (
            apply_merges.seen_by_pairs(*given)
            and apply_merges.a_pair_passed_over_after_a_merge(*given) != apply_merges.defined(*given)
        )
    }
    | decided_otherwise(apply_merges, *PASSED_OVER, "past the end after two merges"),
    ("apply_merges", "order"): {
        "the first merge finds nothing, and a later one does": lambda word, merges: (
            the_first_finds_nothing(word, merges)
            and apply_merges.stopped_at_a_merge_that_finds_nothing(word, merges) != apply_merges.defined(word, merges)
        )
    },
    ("apply_merges", "longest"): {
        "two neighbours make the same as another pair": apply_merges.joined_alike,
        "no two neighbours make the longest piece": lambda *given: not apply_merges.joined_alike(*given),
    },
    ("decode", "cut"): {
        "pieces of which none has a marker": lambda pieces: pieces and not any(piece.endswith(END) for piece in pieces)
    },
    ("decode", "letters"): {
        "'<' and '>' in pieces without marker": lambda pieces: {"<", ">"} <= {*pieces},
        "a character that is no letter in a piece without marker": odd_piece,
        "a word that begins with '.', and one that begins with ','": lambda pieces: all(
            f" {sign}" in decode.defined(pieces) for sign in ".,"
        ),
        "a '/' between letters": lambda pieces: any(len(piece.strip("/")) > 1 and "/" in piece[1:] for piece in pieces),
    },
    ("decode", "words"): {
        "a word twice in a row": word_twice_in_a_row,
        "a word of one letter": lambda pieces: any(len(word) == 1 for word in decode.defined(pieces).split()),
    },
    ("wordpiece_gain", "pieces"): {
        "b is the letter '#'": lambda counts, a, b, n_ab: b == "###",
        "'##' between letters of b": lambda counts, a, b, n_ab: "##" in b[3:],
        "'##' between letters of a": lambda counts, a, b, n_ab: "##" in a[1:],
    },
    ("longest_match", "whole"): {"a piece of more than nine letters": longer_than(9)},
    ("longest_match", "unknown"): {"a word of one letter": lambda word, vocabulary: len(word) == 1},
    ("longest_match", "places"): {
        "a piece inside a word that begins with '#'": lambda word, vocabulary: any(
            piece.startswith("###") and piece[2:] in word[1:] for piece in vocabulary
        ),
        "a piece inside a word that begins with '##'": lambda word, vocabulary: any(
            piece.startswith("####") and piece[2:] in word[1:] for piece in vocabulary
        ),
    },
    ("learn_wordpieces", "frequencies"): {
        "a word of one letter decides": lambda *given: (
            learn_wordpieces.words_of_one_letter_left_out(*given) != learn_wordpieces.defined(*given)
        )
    },
    ("learn_wordpieces", "pieces"): decided_otherwise(
        *(learn_wordpieces, "every hash taken away", "every mark of b taken away", "places counted in joined text"),
    ),
    ("learn_wordpieces", "twice"): {
        "a piece before a pair that begins as the pair does": lambda *given: (
            learn_wordpieces.merged_by_index(*given) != learn_wordpieces.defined(*given)
        )
    },
    ("learn_wordpieces", "runs"): {
        "a run of four decides": counted_by_half(lambda equal, word: any(4 * each in word for each in equal)),
        "two runs of two in a word decide": counted_by_half(lambda equal, word: 3 > len(equal) > 1 == len({*equal})),
    },
    ("diagnose", "each"): {
        "a late marker, and merges that wait for it": marker_of_merges_matters,
        "a late marker in words of two letters": lambda merges, observed: (
            diagnose.of_two_letters(merges, observed) and diagnose.defined(merges, observed) == "late marker"
        ),
    }
    | decided_otherwise(
        *(diagnose, "longest match from the right", "longest piece wherever it stands", "never the whole word"),
        *("never to the end", "never at the end", "late marker if an end is unknown"),
        *("always none as by joined strings", "always longest match as by joined strings"),
        *("always first only as by joined strings", "every fault taken for longest match"),
        *("late marker and first only taken for left to right", "first only taken for late marker"),
    ),
    ("diagnose", "last"): {
        "a word of one letter": lambda merges, observed: any(len(word) == 1 for word, _ in observed)
    },
    ("diagnose", "together"): decided_otherwise(
        *(diagnose, "wrong words decide", "wrong words decide in another order", "first only if a pair is left"),
    ),
    ("diagnose", "again"): decided_otherwise(
        diagnose, "one pass from the left", "sweeps from the left", "sweeps past what was merged"
    ),
    ("diagnose", "arguments"): {"merges and observations out of order": diagnose.out_of_order},
}
