"""Problem set 1 solved with plain loops."""

import math


def learn_merges(dictionary, merges):
    words = []
    for word in dictionary:
        pieces = list(word)
        pieces[-1] = pieces[-1] + "</w>"
        words.append([pieces, dictionary[word]])
    learned = []
    for _ in range(merges):
        counts = {}
        for pieces, frequency in words:
            for i in range(len(pieces) - 1):
                pair = (pieces[i], pieces[i + 1])
                if pair not in counts:
                    counts[pair] = 0
                counts[pair] += frequency
        if not counts:
            break
        best = None
        for pair in counts:
            if best is None or counts[pair] > counts[best]:
                best = pair
        learned.append(best)
        for entry in words:
            pieces = entry[0]
            i = 0
            while i < len(pieces) - 1:
                if pieces[i] == best[0] and pieces[i + 1] == best[1]:
                    pieces[i : i + 2] = [best[0] + best[1]]
                i += 1
    return learned


def apply_merges(word, merges):
    pieces = list(word)
    pieces[-1] += "</w>"
    for left, right in merges:
        i = 0
        while i < len(pieces) - 1:
            if pieces[i] == left and pieces[i + 1] == right:
                pieces[i] = left + right
                del pieces[i + 1]
            i += 1
    return pieces


def decode(pieces):
    text = ""
    space = ""
    for piece in pieces:
        text += space
        if piece.endswith("</w>"):
            text += piece[: -len("</w>")]
            space = " "
        else:
            text += piece
            space = ""
    return text


def wordpiece_gain(counts, a, b, n_ab):
    ab = a + (b[2:] if b.startswith("##") else b)
    after = dict(counts)
    after[a] = after[a] - n_ab
    after[b] = after[b] - n_ab
    after[ab] = after.get(ab, 0) + n_ab
    gain = 0.0
    for table, sign in ((after, 1), (counts, -1)):
        total = 0
        for piece in table:
            total += table[piece]
        for piece in table:
            if table[piece] > 0:
                gain += sign * table[piece] * math.log(table[piece] / total)
    return gain


def longest_match(word, vocabulary):
    pieces = []
    start = 0
    while start < len(word):
        found = None
        for end in range(start + 1, len(word) + 1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocabulary:
                found = piece
                stop = end
        if found is None:
            return ["<unk>"]
        pieces.append(found)
        start = stop
    return pieces


def learn_wordpieces(dictionary, merges):
    words = []
    for word in dictionary:
        pieces = [word[0]]
        for letter in word[1:]:
            pieces.append("##" + letter)
        words.append((pieces, dictionary[word]))
    learned = []
    while len(learned) < merges:
        best, best_gain, best_words = None, 0.0, None
        for pair in _pairs(words):
            merged = [(_merged(pieces, pair), frequency) for pieces, frequency in words]
            gain = _log_likelihood(merged) - _log_likelihood(words)
            if gain > best_gain:
                best, best_gain, best_words = pair, gain, merged
        if best is None:
            break
        learned.append(best)
        words = best_words
    return learned


def _pairs(words):
    pairs = []
    for pieces, _ in words:
        for i in range(len(pieces) - 1):
            if (pieces[i], pieces[i + 1]) not in pairs:
                pairs.append((pieces[i], pieces[i + 1]))
    return pairs


def _merged(pieces, pair):
    merged = []
    i = 0
    while i < len(pieces):
        if i + 1 < len(pieces) and (pieces[i], pieces[i + 1]) == pair:
            merged.append(pair[0] + pair[1][2:])
            i += 2
        else:
            merged.append(pieces[i])
            i += 1
    return merged


def _log_likelihood(words):
    counts = {}
    for pieces, frequency in words:
        for piece in pieces:
            counts[piece] = counts.get(piece, 0) + frequency
    total = sum(counts.values())
    return sum(n * math.log(n / total) for n in counts.values())


def _leftmost(word, merges):
    pieces = list(word)
    pieces[-1] += "</w>"
    again = True
    while again:
        again = False
        for i in range(len(pieces) - 1):
            if (pieces[i], pieces[i + 1]) in merges:
                pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
                again = True
                break
    return pieces


def _longest(word, merges):
    made = [left + right for left, right in merges]
    symbols = list(word)
    symbols[-1] += "</w>"
    pieces = []
    while symbols:
        length = len(symbols)
        while length > 1 and "".join(symbols[:length]) not in made:
            length -= 1
        pieces.append("".join(symbols[:length]))
        symbols = symbols[length:]
    return pieces


def _late_marker(word, merges):
    pieces = list(word)
    for left, right in merges:
        i = 0
        while i < len(pieces) - 1:
            if pieces[i] == left and pieces[i + 1] == right:
                pieces[i : i + 2] = [left + right]
            i += 1
    pieces[-1] += "</w>"
    return pieces


def _first_only(word, merges):
    pieces = list(word)
    pieces[-1] += "</w>"
    for left, right in merges:
        for i in range(len(pieces) - 1):
            if pieces[i] == left and pieces[i + 1] == right:
                pieces[i : i + 2] = [left + right]
                break
    return pieces


def diagnose(merges, observed):
    candidates = {
        "none": apply_merges,
        "longest match": _longest,
        "left to right": _leftmost,
        "late marker": _late_marker,
        "first only": _first_only,
    }
    for name in list(candidates):
        for word, pieces in observed:
            if candidates[name](word, merges) != pieces:
                del candidates[name]
                break
    (name,) = candidates
    return name
