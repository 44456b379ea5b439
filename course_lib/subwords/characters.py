"""Every character a piece: no unknown words, but long sequences."""

from collections.abc import Iterable, Mapping

from course_lib.subwords.words import check_marker, dictionary

SPACE = "▁"  # stands between words, as in SentencePiece


class Characters:
    """Cuts a sentence into its characters (Unicode code points), `▁` for the space between words."""

    def __init__(self, vocabulary: Iterable[str]):
        self.vocabulary = list(vocabulary)

    @classmethod
    def learn(cls, corpus: Mapping[str, int] | str | Iterable[str]) -> "Characters":
        """The characters of a corpus in order of first appearance, after `▁`.

        Raises ValueError for an empty corpus, or one that contains `▁` itself.
        """
        words = dictionary(corpus)
        check_marker(words, SPACE)
        return cls(dict.fromkeys([SPACE, *"".join(words)]))

    def encode(self, sentence: str) -> list[str]:
        """`"to be" → t o ▁ b e`. A character never seen stays itself. Raises ValueError if the sentence holds `▁`."""
        words = sentence.split()
        check_marker(words, SPACE)
        return list(SPACE.join(words))

    def decode(self, pieces: Iterable[str]) -> str:
        """The sentence. `decode(encode(text)) == " ".join(text.split())`."""
        return "".join(pieces).replace(SPACE, " ")
