"""An n-gram language model: interpolated Kneser-Ney."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

BOS, EOS = "<s>", "</s>"


class NgramModel:
    """p(w | the n-1 words before it), Kneser-Ney, interpolated as in Chen and Goodman 1999, with one discount D.

        p(w | h) = max(c(h w) - D, 0) / c(h ·) + D N(h ·) / c(h ·) · p(w | h without its first word)

    c(h w) counts how often the n-gram was seen if it is of the longest order, and else after how many different words,
    |{v: v h w}|; N(h ·) is how many different words follow h. Where h was never seen, p(w | h) is that of the shorter
    history. The recursion ends in 1 / (|V| + 1): the words of training, </s> among them, and one for all unseen words.
    Logarithms are natural. Raises ValueError for an order below 1, a discount outside (0, 1), or no sentence.
    """

    def __init__(self, sentences: Iterable[Sequence[str]], order: int = 3, discount: float = 0.75):
        if order < 1 or not 0 < discount < 1:
            raise ValueError(f"order must be at least 1 and discount within (0, 1), got {order} and {discount}")
        self.order, self.discount = order, discount
        counts = [defaultdict(Counter) for _ in range(order)]  # [length of the history][history][word]
        for sentence in sentences:
            words = [BOS] * (order - 1) + [*sentence, EOS]
            for end in range(order - 1, len(words)):
                counts[-1][tuple(words[end - order + 1 : end])][words[end]] += 1
        if not counts[-1]:
            raise ValueError("sentences must hold at least one, got none")
        for length in range(order - 1, 0, -1):
            for history, words in counts[length].items():
                counts[length - 1][history[1:]].update(words.keys())
        self.counts = counts
        self.totals = [{history: words.total() for history, words in table.items()} for table in counts]
        self.vocabulary = frozenset(counts[0][()])
        self._logs: dict[tuple[tuple[str, ...], str], float] = {}  # what `extend` was asked before

    def probability(self, word: str, history: Sequence[str] = ()) -> float:
        """p(word | the last n-1 words of `history`); a sentence's start is padded with <s>, its end is </s>."""
        return self._interpolated(word, tuple(history)[max(0, len(history) - self.order + 1) :])

    def _interpolated(self, word: str, history: tuple[str, ...]) -> float:
        shorter = self._interpolated(word, history[1:]) if history else 1 / (len(self.vocabulary) + 1)
        followers = self.counts[len(history)].get(history)
        if followers is None:
            return shorter
        total = self.totals[len(history)][history]
        return max(followers[word] - self.discount, 0) / total + self.discount * len(followers) / total * shorter

    def extend(self, history: tuple[str, ...], words: Sequence[str]) -> tuple[float, tuple[str, ...]]:
        """(Σ log p of `words` after `history`, the history after them); a history is the last n-1 words."""
        total = 0.0
        for word in words:
            if (log := self._logs.get((history, word))) is None:
                log = self._logs[history, word] = math.log(self.probability(word, history))
            total += log
            history = (*history, word)[1:] if self.order > 1 else ()
        return total, history

    def log_probability(self, sentence: Sequence[str]) -> float:
        """Σ_i log p(w_i | w_1 … w_{i-1}) over the words of `sentence` and </s>."""
        return self.extend((BOS,) * (self.order - 1), [*sentence, EOS])[0]

    def perplexity(self, sentences: Iterable[Sequence[str]]) -> float:
        """exp(-Σ log p / number of words), </s> counted as a word. Raises ValueError for no sentences."""
        if not (sentences := list(sentences)):
            raise ValueError("sentences must hold at least one, got none")
        size = sum(len(sentence) + 1 for sentence in sentences)
        return math.exp(-sum(map(self.log_probability, sentences)) / size)
