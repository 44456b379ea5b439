"""What the cases of problem set 1 show."""

from itertools import pairwise

from course_lib.problem_sets.ps1 import decode, diagnose, learn_wordpieces
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


FEATURES = {
    ("decode", "letters"): {"a character that is no letter in a piece without marker": odd_piece},
    ("decode", "words"): {"a word twice in a row": word_twice_in_a_row},
    ("wordpiece_gain", "pieces"): {"b is the letter '#'": lambda counts, a, b, n_ab: b == "###"},
    ("longest_match", "places"): {
        "a piece inside a word that begins with '#'": lambda word, vocabulary: any(
            piece.startswith("###") and piece[2:] in word[1:] for piece in vocabulary
        )
    },
    ("learn_wordpieces", "runs"): {
        "a run of four decides": counted_by_half(lambda equal, word: any(4 * each in word for each in equal)),
        "two runs of two in a word decide": counted_by_half(lambda equal, word: 3 > len(equal) > 1 == len({*equal})),
    },
    ("diagnose", "arguments"): {"merges and observations out of order": diagnose.out_of_order},
}
