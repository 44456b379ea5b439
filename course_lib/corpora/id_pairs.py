"""Sentence pairs as pairs of ids: the step between text and batches."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from course_lib.subwords.vocabulary import Vocabulary


class Tokenizer(Protocol):
    """What cuts a sentence into pieces: BPE, WordPiece, SentencePiece, Characters, Words."""

    def encode(self, sentence: str) -> list[str]:
        """The pieces of a sentence."""


def id_pairs(
    sentences: Iterable[tuple[str, str]],
    tokenizer: Tokenizer,
    vocabulary: Vocabulary,
    target_tokenizer: Tokenizer | None = None,
    target_vocabulary: Vocabulary | None = None,
) -> list[tuple[list[int], list[int]]]:
    """Each (source, target) sentence pair as (source ids, target ids), without bos, eos and padding.

    Both sides are cut by `tokenizer` and numbered by `vocabulary`, unless the target has its own. A piece outside the
    vocabulary gets its unk_id. Raises ValueError where there is no pair; TypeError for one that is not two strings.
    """
    target_tokenizer, target_vocabulary = target_tokenizer or tokenizer, target_vocabulary or vocabulary
    pairs = []
    for number, pair in enumerate(sentences):
        if not isinstance(pair, Sequence) or [type(side) for side in pair] != [str, str]:
            raise TypeError(f"sentences must be pairs of strings, got as number {number}: {pair!r:.80}")
        source, target = pair
        pairs.append((vocabulary.ids(tokenizer.encode(source)), target_vocabulary.ids(target_tokenizer.encode(target))))
    if not pairs:
        raise ValueError("sentences must hold at least one (source, target) pair, got none")
    return pairs
