"""Problem set 1 with a real mistake in every function: what one student of the sample class hands in."""

from math import log


def merge(pieces, pair):
    merged = []
    for piece in pieces:
        if merged and (merged[-1], piece) == pair:
            merged[-1] += piece
        else:
            merged.append(piece)
    return merged


def learn_merges(dictionary, merges):
    words = [[*word[:-1], word[-1] + "</w>"] for word in dictionary]
    learned = []
    for _ in range(merges):
        counts = {}
        for pieces in words:
            for pair in zip(pieces, pieces[1:], strict=False):
                counts[pair] = counts.get(pair, 0) + 1  # a word that occurs five times counts once
        if not counts:
            break
        learned.append(max(counts, key=counts.get))
        words = [merge(pieces, learned[-1]) for pieces in words]
    return learned


learn_merges.loses = "words counted once", "counts marker chain ties repeats boundaries characters"


def longest_first(word, merges):
    known = {left + right for left, right in merges}
    symbols, pieces = [*word[:-1], word[-1] + "</w>"], []
    while symbols:
        length = len(symbols)
        while length > 1 and "".join(symbols[:length]) not in known:  # the longest piece, not the earliest merge
            length -= 1
        pieces.append("".join(symbols[:length]))
        symbols = symbols[length:]
    return pieces


def apply_merges(word, merges):
    return longest_first(word, merges)


apply_merges.loses = "longest piece first", "longest"


def decode(pieces):
    return "".join(pieces).replace("</w>", " ")  # a space behind the last word too


decode.loses = "a space after the last word", "pieces words letters capitals"


def wordpiece_gain(counts, a, b, n_ab):
    total = sum(counts.values())  # one N for both sums, though a merge makes it smaller
    after = dict(counts)
    after[a] -= n_ab
    after[b] -= n_ab
    joined = a + b.removeprefix("##")
    after[joined] = after.get(joined, 0) + n_ab
    before, now = [sum(n * log(n / total) for n in each.values() if n) for each in (counts, after)]
    return now - before


wordpiece_gain.loses = "N left as it was", "alone others vanishing double existing pieces"


def longest_match(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = "##" * (start > 0) + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            return [*pieces, "<unk>"]  # what was found before is kept
    return pieces


longest_match.loses = "unknown rest", "unknown greedy"


def learn_wordpieces(dictionary, merges):
    words = [([word[0], *("##" + letter for letter in word[1:])], n) for word, n in dictionary.items()]
    learned = []
    while len(learned) < merges:
        counts = {}
        for pieces, n in words:
            for pair in zip(pieces, pieces[1:], strict=False):
                counts[pair] = counts.get(pair, 0) + n
        if not counts:
            break
        left, right = max(counts, key=counts.get)  # the most frequent pair, as in byte pair encoding
        learned.append((left, right))
        for pieces, _ in words:
            i = 0
            while i < len(pieces) - 1:
                if pieces[i : i + 2] == [left, right]:
                    pieces[i : i + 2] = [left + right.removeprefix("##")]
                i += 1
    return learned


learn_wordpieces.loses = "most frequent pair", "gain frequencies fresh pieces stop runs twice"


def in_order(word, merges):
    pieces = [*word[:-1], word[-1] + "</w>"]
    for pair in merges:
        pieces = merge(pieces, tuple(pair))
    return pieces


def left_to_right(word, merges):
    pieces, i = [*word[:-1], word[-1] + "</w>"], 0
    while i < len(pieces) - 1:
        if (pieces[i], pieces[i + 1]) in merges:
            pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
            i = 0
        else:
            i += 1
    return pieces


def late_marker(word, merges):
    pieces = list(word)
    for pair in merges:
        pieces = merge(pieces, pair)
    return [*pieces[:-1], pieces[-1] + "</w>"]


def diagnose(merges, observed):
    word, pieces = observed[0]  # the first word alone, as if the others could not tell more
    encoders = {
        "none": in_order,
        "longest match": longest_first,
        "left to right": left_to_right,
        "late marker": late_marker,
    }
    return next((name for name, encode in encoders.items() if encode(word, merges) == pieces), "first only")


diagnose.loses = "the first word decides", "last together pieces again"
