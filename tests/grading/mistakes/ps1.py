"""Problem set 1 with a real mistake in every function: what one student of the sample class hands in."""


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


def apply_merges(word, merges):
    known = {left + right for left, right in merges}
    symbols, pieces = [*word[:-1], word[-1] + "</w>"], []
    while symbols:
        length = len(symbols)
        while length > 1 and "".join(symbols[:length]) not in known:  # the longest piece, not the earliest merge
            length -= 1
        pieces.append("".join(symbols[:length]))
        symbols = symbols[length:]
    return pieces


def decode(pieces):
    return "".join(pieces).replace("</w>", " ")  # a space behind the last word too
