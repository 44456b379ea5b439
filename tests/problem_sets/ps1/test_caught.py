"""Wrong versions of problem set 1 that looked right on every case once: each loses now, and where it should."""

from functools import partial
from itertools import pairwise
from math import log

from course_lib.problem_sets.ps1 import apply_merges, decode, diagnose, learn_wordpieces, longest_match
from course_lib.problem_sets.ps1.lent import wordpiece_gain as lent_gain
from course_lib.subwords.pairs import merge
from tests.grading.caught import each_row, is_caught


def letters_only_without_marker(pieces):
    """isalpha is asked where a piece does not end a word."""
    words, now = [], ""
    for piece in pieces:
        if piece.endswith("</w>"):
            words.append(now + piece.removesuffix("</w>"))
            now = ""
        else:
            now += "".join(each for each in piece if each.isalpha())
    return " ".join(words + [now] * (now != ""))


def repeated_words_dropped(pieces):
    words = "".join(pieces).replace("</w>", " ").split()
    return " ".join(word for i, word in enumerate(words) if not i or word != words[i - 1])


def gain(joined):
    """The gain of a merge that makes the piece joined(a, b)."""

    def gained(counts, a, b, n_ab):
        after = dict(counts)
        for piece, more in (a, -n_ab), (b, -n_ab), (joined(a, b), n_ab):
            after[piece] = after.get(piece, 0) + more
        before, now = (sum(n * log(n / sum(each.values())) for n in each.values() if n) for each in (counts, after))
        return now - before

    return gained


def continuations(letters):
    """Matching where what continues a word is known by its `letters`."""

    def matched(word, vocabulary):
        first, inside = {*vocabulary}, {letters(piece) for piece in vocabulary if piece.startswith("##")}
        pieces, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                if word[start:end] in (inside if start else first):
                    pieces.append("##" * (start > 0) + word[start:end])
                    start = end
                    break
            else:
                return ["<unk>"]
        return pieces

    return matched


def merged_by_index(pieces, pair, symbol):
    """As long as the first piece that is the left one of the pair has the right one behind it."""
    pieces = [*pieces]
    while pair[0] in pieces:
        i = pieces.index(pair[0])
        if pieces[i + 1 : i + 2] != [pair[1]]:
            break
        pieces[i : i + 2] = [symbol]
    return tuple(pieces)


def learner(places, letters=lambda piece: piece.removeprefix("##")):
    """Learning where a pair has so many `places` in a word, of how often it stands there, and of the pair.

    The second of its pieces adds its `letters`.
    """

    def learn(dictionary, merges):
        words = [((word[0], *("##" + each for each in word[1:])), n) for word, n in dictionary.items()]
        learned = []
        while len(learned) < merges:
            counts, pairs = {}, {}
            for pieces, n in words:
                for piece in pieces:
                    counts[piece] = counts.get(piece, 0) + n
                neighbours = [*pairwise(pieces)]
                for pair in dict.fromkeys(neighbours):
                    pairs[pair] = pairs.get(pair, 0) + n * places(neighbours.count(pair), pair)
            gains = {(a, b): lent_gain(counts, a, b, n) for (a, b), n in pairs.items()}
            best = max(gains, key=gains.get, default=None)
            if best is None or gains[best] <= 0:
                break
            learned.append(best)
            joined = best[0] + letters(best[1])
            words = [(merge(pieces, best, joined), n) for pieces, n in words]
        return learned

    return learn


def half_if_equal(stands, pair):
    return stands if pair[0] != pair[1] else max(1, stands // 2)


def observations_sorted(merges, observed):
    observed.sort()
    return diagnose.defined(merges, observed)


def one_letter_without_marker(word, merges):
    return apply_merges.defined(word, merges) if len(word) > 1 else [word]


def first_letter_always_known(word, vocabulary):
    return longest_match.defined(word, [*vocabulary, word[0]])


def one_letter_always_known(word, vocabulary):
    return longest_match.defined(word, vocabulary) if len(word) > 1 else [word]


def up_to_a_merge_that_finds_nothing(word, merges):
    pieces = [*word[:-1], word[-1] + "</w>"]
    for left, right in merges:
        if left not in word or right.removesuffix("</w>") not in word:
            break
        pieces = merge(tuple(pieces), (left, right))
    return list(pieces)


def once_from_the_left(word, merges):
    """One way through the word, in place, and never back."""
    pieces = [*word[:-1], word[-1] + "</w>"]
    for i in range(len(pieces)):
        if tuple(pieces[i : i + 2]) in merges:
            pieces[i : i + 2] = ["".join(pieces[i : i + 2])]
    return pieces


def never_back_to_the_left(merges, observed):
    return diagnose.defined(merges, observed, left_to_right=once_from_the_left)


def slashes_deleted(pieces):
    return "".join(pieces).replace("/", "").replace("<w>", " ").strip()


def no_space_before_stops(pieces):
    """As for readers, not for a decoder."""
    return decode.defined(pieces).replace(" .", ".").replace(" ,", ",")


def markers_behind_two_letters(pieces):
    """A marker is taken for one only where at least two letters stand before it."""
    text = ""
    for piece in pieces:
        text += piece.removesuffix("</w>") + " " if piece.endswith("</w>") and len(piece) > 5 else piece
    return text.strip()


def up_to_the_last_marker(pieces):
    """Whole words, then what follows the last marker: where none stands there is no last one."""
    text = "".join(pieces)
    end = text.rindex("</w>") if pieces else 0
    return (text[:end].replace("</w>", " ") + " " + text[end:].removeprefix("</w>")).strip()


def ended_by(is_end):
    """A piece ends a word where `is_end` says so; then its last four characters go."""
    return lambda pieces: "".join(piece[:-4] + " " if is_end(piece) else piece for piece in pieces).strip()


def words_once(pieces):
    return " ".join(dict.fromkeys("".join(pieces).replace("</w>", " ").split()))


def joined_alike(word, merges):
    pieces = [*word[:-1], word[-1] + "</w>"]
    for left, right in merges:
        i = 0
        while i < len(pieces) - 1:
            if pieces[i] + pieces[i + 1] == left + right:
                pieces[i : i + 2] = [left + right]
            else:
                i += 1
    return pieces


def marker_as_a_symbol_until_the_end(word, merges):
    pieces = (*word, "</w>")
    for pair in merges:
        pieces = merge(pieces, pair)
    return [*pieces[:-2], pieces[-2] + pieces[-1]]


def eight_letters_at_most(word, vocabulary):
    return longest_match.defined(word, [piece for piece in vocabulary if len(piece.removeprefix("##")) <= 8])


def without_words_of_one_letter(dictionary, merges):
    return learn_wordpieces.defined({word: n for word, n in dictionary.items() if word[1:]}, merges)


def late_marker_by_merges_without_marker(merges, observed):
    unmarked = [(left, right.removesuffix("</w>")) for left, right in merges]
    encoders = diagnose.ENCODERS | {"late marker": lambda word, _: apply_merges.marker_added_at_the_end(word, unmarked)}
    return next(iter(diagnose.explaining(merges, observed, encoders)), "none")


def first_fault_of_all_wrong_words(order):
    """Words that come out right are passed over; faults are asked in this order."""

    def diagnosed(merges, observed):
        wrong = [(word, pieces) for word, pieces in observed if diagnose.ENCODERS["none"](word, merges) != pieces]
        found = diagnose.explaining(merges, wrong) if wrong else ()
        return next((fault for fault in order if fault in found), "none")

    return diagnosed


def of_words_of(letters):
    """Only words of so many letters or more count, where there are any."""
    return lambda merges, observed: diagnose.defined(
        merges, [each for each in observed if len(each[0]) >= letters] or observed[:0]
    )


def words_of_two_letters_or_more(merges, observed):
    if any(len(word) == 1 for word, _ in observed):
        raise IndexError("list index out of range")
    return diagnose.defined(merges, observed)


def merged_in_place(pieces, pair):
    """A range that ends where the list did before it was merged."""
    for i in range(len(pieces) - 1):
        if (pieces[i], pieces[i + 1]) == pair:
            pieces[i] += pieces.pop(i + 1)
    return pieces


def merged_by_letters(pieces, pair, more=0):
    """The second piece is looked at only behind the first one."""
    left, right = pair
    for i in range(len(pieces) - 1 + more):
        if pieces[i] == left and pieces[i + 1] == right:
            pieces[i : i + 2] = [left + right]
    return pieces


def merged_by_steps(pieces, pair):
    i = 0
    while i + 1 < len(pieces):
        if (pieces[i], pieces[i + 1]) == pair:
            pieces[i] += pieces[i + 1]
            del pieces[i + 1]
            i += 1
        i += 1
    return pieces


def merged_over_neighbours(pieces, pair):
    for i, (left, right) in enumerate(pairwise(pieces)):
        if (left, right) == pair:
            pieces[i : i + 2] = [left + right]
    return pieces


def merged_over_a_shifted_copy(pieces, pair):
    for i, (left, right) in enumerate(zip(pieces, pieces[1:], strict=False)):
        if (left, right) == pair:
            pieces[i : i + 2] = [left + right]
    return pieces


def merged_by_a_for_loop(pieces, pair):
    merged = []
    for i in range(len(pieces)):
        if i < len(pieces) - 1 and (pieces[i], pieces[i + 1]) == pair:
            merged.append(pieces[i] + pieces[i + 1])
            i += 1  # noqa: PLW2901 (it changes nothing)
        else:
            merged.append(pieces[i])
    return merged


def applied(merge):
    """Encoding that merges a list so."""

    def apply_merges(word, merges):
        pieces = [*word[:-1], word[-1] + "</w>"]
        for pair in merges:
            pieces = merge(pieces, pair)
        return pieces

    return apply_merges


def learnt(merge):
    """Learning that merges a list so."""

    def learn_merges(dictionary, merges):
        words = [([*word[:-1], word[-1] + "</w>"], n) for word, n in dictionary.items()]
        learned = []
        while len(learned) < merges:
            counts = {}
            for pieces, n in words:
                for pair in pairwise(pieces):
                    counts[pair] = counts.get(pair, 0) + n
            if not counts:
                break
            learned.append(max(counts, key=counts.get))
            words = [(merge(pieces, learned[-1]), n) for pieces, n in words]
        return learned

    return learn_merges


def joined_alike_for(*joined):
    """The strings of these encoders are compared, of the others the lists."""

    def diagnosed(merges, observed):
        for name, encode in diagnose.ENCODERS.items():
            if all(
                "".join(encode(word, merges)) == "".join(pieces) if name in joined else encode(word, merges) == pieces
                for word, pieces in observed
            ):
                return name

    return diagnosed


IN_PLACE = (  # a way to merge, the criteria that notice it, and the mistake
    (merged_in_place, "marker", "counts", "past the end after a merge"),
    (partial(merged_by_letters, more=1), "marker", "counts", "past the end after any merge"),
    (merged_by_letters, "repeats", "repeats", "past the end after two merges"),
    (merged_by_steps, "repeats", "end", "a pair passed over after a merge"),
    (merged_over_a_shifted_copy, "repeats", "end", "pairs of the list before the merge"),
    (merged_by_a_for_loop, "marker", "end", "second piece written again"),
)
EITHER_WAY = "wrong words decide", "wrong words decide in another order"
ROWS = (
    *(
        ("diagnose", first_fault_of_all_wrong_words(order), "together", name)
        for order, name in zip((diagnose.FAULTS, diagnose.FAULTS[::-1]), EITHER_WAY, strict=True)
    ),
    *(("apply_merges", applied(merge), criterion, name) for merge, criterion, _, name in IN_PLACE),
    *(("learn_merges", learnt(merge), criterion, name) for merge, _, criterion, name in IN_PLACE),
    ("apply_merges", applied(merged_over_neighbours), "repeats", "pairs of a list that changes"),
    ("learn_merges", learnt(merged_over_neighbours), "end", "a pair passed over after a merge"),  # they differ in runs
    ("diagnose", joined_alike_for(*diagnose.ENCODERS), "each", "always none as by joined strings"),
    ("diagnose", joined_alike_for(*diagnose.FAULTS), "each", "every fault taken for longest match"),
    (
        *("diagnose", joined_alike_for("left to right")),
        *("each", "late marker and first only taken for left to right"),
    ),
    ("diagnose", joined_alike_for("late marker"), "each", "first only taken for late marker"),
    ("diagnose", of_words_of(3), "each", None),
    ("diagnose", never_back_to_the_left, "again", "one pass past what was merged"),
    ("apply_merges", once_from_the_left, "order", "left to right"),
    ("diagnose", words_of_two_letters_or_more, "last", None),
    ("apply_merges", up_to_a_merge_that_finds_nothing, "order", None),
    ("apply_merges", joined_alike, "longest", "joined strings compared"),
    ("apply_merges", marker_as_a_symbol_until_the_end, "marker", "marker added at the end"),
    ("decode", slashes_deleted, "letters", None),
    ("decode", no_space_before_stops, "letters", None),
    ("decode", up_to_the_last_marker, "cut", None),
    ("decode", ended_by(lambda piece: piece[-1] == ">"), "letters", None),
    ("decode", ended_by(lambda piece: "<" in piece), "letters", None),
    ("decode", markers_behind_two_letters, "words", None),
    ("decode", words_once, "words", "a repeated word left out"),
    ("longest_match", eight_letters_at_most, "whole", None),
    ("learn_wordpieces", without_words_of_one_letter, "frequencies", "words of one letter left out"),
    ("diagnose", late_marker_by_merges_without_marker, "each", None),
    ("apply_merges", one_letter_without_marker, "marker", None),
    ("longest_match", first_letter_always_known, "unknown", None),
    ("longest_match", one_letter_always_known, "unknown", None),
    ("decode", letters_only_without_marker, "letters", "only letters kept inside a word"),
    ("decode", repeated_words_dropped, "words", "a repeated word left out"),
    ("wordpiece_gain", gain(lambda a, b: a + b.lstrip("#")), "pieces", "every hash taken away"),
    ("wordpiece_gain", gain(lambda a, b: a + b.replace("##", "")), "pieces", "every mark of b taken away"),
    (
        *("wordpiece_gain", gain(lambda a, b: "##" * a.startswith("##") + (a + b).replace("##", ""))),
        *("pieces", "every mark of both taken away"),
    ),
    ("wordpiece_gain", gain(lambda a, b: a + b.split("##")[1]), "pieces", None),
    ("wordpiece_gain", gain(lambda a, b: a + b.split("##")[-1]), "pieces", None),
    ("longest_match", continuations(lambda piece: piece.lstrip("#")), "places", "every hash taken away"),
    ("longest_match", continuations(lambda piece: piece.replace("##", "")), "places", "every mark taken away"),
    ("learn_wordpieces", partial(learn_wordpieces.defined, merge=merged_by_index), "twice", None),
    ("learn_wordpieces", learner(half_if_equal, lambda piece: piece.lstrip("#")), "pieces", None),
    ("learn_wordpieces", learner(half_if_equal, lambda piece: piece.replace("##", "")), "pieces", None),
    ("learn_wordpieces", learner(half_if_equal), "runs", "half of the neighbours counted"),
    ("learn_wordpieces", learner(lambda stands, pair: stands), "runs", "overlapping pairs"),
    ("diagnose", observations_sorted, "arguments", "the observations sorted"),
)


@each_row("ps1", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
