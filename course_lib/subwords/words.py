"""From text to a dictionary of words and their frequencies: where every subword algorithm begins."""

from collections import Counter
from collections.abc import Iterable, Mapping

UNK = "<unk>"  # what stands for a piece outside the vocabulary
CACHE_SIZE = 100_000  # words whose segmentation a tokenizer remembers


def word_counts(text: str | Iterable[str]) -> dict[str, int]:
    """How often each word occurs, in order of first appearance; a word is what `str.split` leaves between whitespace.

    `text` is one string or an iterable of sentences: `word_counts("a b a") == {"a": 2, "b": 1}`.
    Raises ValueError if there is no word, or a word holds a lone surrogate (half a character: it has no UTF-8 form),
    TypeError if a sentence is no string.
    """
    counts: Counter[str] = Counter()
    for sentence in [text] if isinstance(text, str) else text:
        if not isinstance(sentence, str):
            raise TypeError(f"text must be a string or strings, got {type(sentence).__name__}: {sentence!r:.40}")
        counts.update(sentence.split())
    return dictionary(counts)


def dictionary(corpus: Mapping[str, int] | str | Iterable[str]) -> dict[str, int]:
    """A corpus as a checked dictionary of words: a mapping word → frequency is taken as it is, text is counted.

    Raises ValueError for an empty corpus, a frequency < 1, a word that is empty, holds whitespace or a lone surrogate.
    """
    if not isinstance(corpus, Mapping):
        return word_counts(corpus)
    if not corpus:
        raise ValueError("corpus is empty: expected at least one word")
    for word, count in corpus.items():
        if word.split() != [word]:
            raise ValueError(f"corpus holds {word!r}: expected words, not empty and without whitespace")
        if not count >= 1:
            raise ValueError(f"corpus gives {word!r} the frequency {count}: expected 1 or more")
    for word in corpus if _surrogates("".join(corpus)) else ():
        if _surrogates(word):
            raise ValueError(f"corpus holds {word!r}: a lone surrogate is half a character; was a file read as UTF-8?")
    return dict(corpus)


def check_word(word: str) -> None:
    """Raise ValueError if `word` is empty or holds whitespace."""
    if word.split() != [word]:
        raise ValueError(f"expected one word without whitespace, got {word!r}")


def check_marker(words: Iterable[str], marker: str) -> None:
    """Raise ValueError if a word contains the `marker` that is to show where words begin or end."""
    for word in words:
        if marker in word:
            raise ValueError(f"the word {word!r} contains the marker {marker!r}, which must not occur in the text")


def _surrogates(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
