"""Problem set 1 solved with classes that keep their own state, and regular expressions."""

import re


class Word:
    def __init__(self, text, frequency):
        self.pieces, self.frequency = [*text[:-1], text[-1] + "</w>"], frequency

    def pairs(self):
        return [(left, right) for left, right in zip(self.pieces, self.pieces[1:], strict=False)]

    def merge(self, pair):
        pattern = re.escape(f" {pair[0]} {pair[1]} ")
        text = " " + "  ".join(self.pieces) + " "
        self.pieces = re.sub(pattern.replace(r"\ ", " ").replace("  ", " ").replace(
            f"{re.escape(pair[0])} {re.escape(pair[1])}", f"{re.escape(pair[0])}  {re.escape(pair[1])}"
        ), f" {pair[0]}{pair[1]} ".replace("\\", r"\\"), text).split()


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
