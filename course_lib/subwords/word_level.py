"""Every word a piece: short sequences, but each word outside the vocabulary is unknown."""

from collections.abc import Iterable, Mapping

from course_lib.subwords.words import dictionary


class Words:
    """Cuts a sentence into its words, which are what `str.split` leaves between whitespace."""

    def __init__(self, vocabulary: Iterable[str]):
        self.vocabulary = list(vocabulary)

    @classmethod
    def learn(cls, corpus: Mapping[str, int] | str | Iterable[str], limit: int | None = None) -> "Words":
        """The words of a corpus, the most frequent first, of equally frequent the one met first; `limit` of them.

        Raises ValueError for an empty corpus, and for a limit below 1.
        """
        if limit is not None and limit < 1:
            raise ValueError(f"limit must be 1 or more words, or None for all, got {limit}")
        counts = dictionary(corpus)
        return cls(sorted(counts, key=counts.__getitem__, reverse=True)[:limit])  # a stable sort

    def encode(self, sentence: str) -> list[str]:
        """`"to be or" → to be or`. A word that is not in the vocabulary stays itself: `Vocabulary` knows it is not."""
        return sentence.split()

    def decode(self, pieces: Iterable[str]) -> str:
        """The sentence. `decode(encode(text)) == " ".join(text.split())`."""
        return " ".join(pieces)
