"""Problem set 1 solved with classes that keep their own state."""

import math


class Word:
    def __init__(self, text, frequency=1):
        self.pieces, self.frequency = [*text[:-1], text[-1] + "</w>"], frequency

    def pairs(self):
        return list(zip(self.pieces, self.pieces[1:], strict=False))

    def merge(self, pair):
        while pair in self.pairs():
            i = self.pairs().index(pair)
            self.pieces[i : i + 2] = ["".join(pair)]


class Learner:
    def __init__(self, dictionary):
        self.words = [Word(text, frequency) for text, frequency in dictionary.items()]

    def best(self):
        seen = [(pair, word.frequency) for word in self.words for pair in word.pairs()]
        order = list(dict.fromkeys(pair for pair, _ in seen))
        totals = {pair: sum(n for p, n in seen if p == pair) for pair in order}
        return min(order, key=lambda pair: (-totals[pair], order.index(pair)), default=None)

    def run(self, merges):
        while merges and (pair := self.best()):
            for word in self.words:
                word.merge(pair)
            merges -= 1
            yield pair


def learn_merges(dictionary, merges):
    return list(Learner(dictionary).run(merges))


class Encoder:
    """Merges the pair of lowest rank that is there, until none is."""

    def __init__(self, merges):
        self.rank = {pair: i for i, pair in enumerate(merges)}

    def encode(self, text):
        word = Word(text)
        while known := [pair for pair in word.pairs() if pair in self.rank]:
            word.merge(min(known, key=self.rank.get))
        return word.pieces


def apply_merges(word, merges):
    return Encoder(merges).encode(word)


class Reader:
    """Words that are finished, and the letters of the one that is not yet."""

    def __init__(self):
        self.words, self.letters = [], ""

    def read(self, piece):
        self.letters += piece.removesuffix("</w>")
        if piece.endswith("</w>"):
            self.words.append(self.letters)
            self.letters = ""

    def __str__(self):
        return " ".join(self.words + [self.letters] * bool(self.letters))


def decode(pieces):
    reader = Reader()
    for piece in pieces:
        reader.read(piece)
    return str(reader)


class Unigrams:
    def __init__(self, counts):
        self.counts = {piece: n for piece, n in counts.items() if n}
        self.total = sum(self.counts.values())

    def log_likelihood(self):
        return math.fsum(n * (math.log(n) - math.log(self.total)) for n in self.counts.values())


class Growing(Unigrams):
    def add(self, piece, n):
        return Growing({**self.counts, piece: self.counts.get(piece, 0) + n})

    def merged(self, a, b, n):
        return self.add(a, -n).add(b, -n).add(a + b.removeprefix("##"), n)


def wordpiece_gain(counts, a, b, n_ab):
    before = Growing(counts)
    return before.merged(a, b, n_ab).log_likelihood() - before.log_likelihood()


class Vocabulary:
    """Pieces by decreasing length: the first that fits is the longest."""

    def __init__(self, pieces):
        self.inner = sorted((p[2:] for p in pieces if p.startswith("##")), key=len, reverse=True)
        self.initial = sorted((p for p in pieces if not p.startswith("##")), key=len, reverse=True)

    def cut(self, word):
        yield (piece := next(piece for piece in self.initial if word.startswith(piece)))
        start = len(piece)
        while start < len(word):
            piece = next((piece for piece in self.inner if word.startswith(piece, start)), None)
            if piece is None:
                raise LookupError(word[start:])
            yield "##" + piece
            start += len(piece)


def longest_match(word, vocabulary):
    try:
        return list(Vocabulary(vocabulary).cut(word))
    except (LookupError, RuntimeError):
        return ["<unk>"]


class Text(Unigrams):
    """Words in pieces, and the counts that they give."""

    def __init__(self, words):
        self.words = words
        counts = {}
        for pieces, n in words:
            for piece in pieces:
                counts[piece] = counts.get(piece, 0) + n
        super().__init__(counts)

    def pairs(self):
        return {(a, b) for pieces, _ in self.words for a, b in zip(pieces, pieces[1:], strict=False)}

    def after(self, pair):
        return Text([(list(self.joined(pieces, *pair)), n) for pieces, n in self.words])

    @staticmethod
    def joined(pieces, a, b):
        rest = iter(range(len(pieces)))
        for i in rest:
            if pieces[i : i + 2] == [a, b]:
                next(rest)
                yield a + b.removeprefix("##")
            else:
                yield pieces[i]


def learn_wordpieces(dictionary, merges):
    text = Text([([word[0], *("##" + letter for letter in word[1:])], n) for word, n in dictionary.items()])
    learned = []
    for _ in range(merges):
        choices = [(text.after(pair).log_likelihood(), pair) for pair in text.pairs()]
        if not choices or max(choices)[0] <= text.log_likelihood():
            break
        learned.append(max(choices)[1])
        text = text.after(learned[-1])
    return learned


class FirstOnly(Encoder):
    def encode(self, text):
        word = Word(text)
        for pair in self.rank:
            if pair in word.pairs():
                i = word.pairs().index(pair)
                word.pieces[i : i + 2] = ["".join(pair)]
        return word.pieces


class LeftToRight(Encoder):
    def encode(self, text):
        word = Word(text)
        while known := [i for i, pair in enumerate(word.pairs()) if pair in self.rank]:
            word.pieces[known[0] : known[0] + 2] = ["".join(word.pairs()[known[0]])]
        return word.pieces


class LateMarker(Encoder):
    def encode(self, text):
        *pieces, last = Encoder(pair for pair in self.rank if "</w>" not in pair[1]).encode(text + "\0")[:-1]
        return [*pieces, last + "</w>"]


class LongestMatch(Encoder):
    def encode(self, text):
        made, symbols, pieces = {"".join(pair) for pair in self.rank}, Word(text).pieces, []
        while symbols:
            ends = [i for i in range(2, len(symbols) + 1) if "".join(symbols[:i]) in made]
            end = max(ends, default=1)
            pieces.append("".join(symbols[:end]))
            symbols = symbols[end:]
        return pieces


SUSPECTS = {
    "none": Encoder,
    "longest match": LongestMatch,
    "left to right": LeftToRight,
    "late marker": LateMarker,
    "first only": FirstOnly,
}


def diagnose(merges, observed):
    suspects = {name: kind(merges) for name, kind in SUSPECTS.items()}
    for word, pieces in observed:
        suspects = {name: encoder for name, encoder in suspects.items() if encoder.encode(word) == pieces}
    return "/".join(suspects)
