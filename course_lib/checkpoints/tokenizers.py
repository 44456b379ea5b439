"""Tokenizers as plain data, to travel in the file of their model."""

from base64 import b64decode, b64encode
from collections.abc import Iterable

from course_lib.subwords import BPE, Characters, SentencePiece, Words

Tokenizer = BPE | Words | Characters | SentencePiece


def learned(kind: str, sentences: Iterable[str], size: int) -> Tokenizer:
    """A tokenizer of that kind: "bpe" with `size` merges, the `size` most frequent "words", or all "characters"."""
    match kind:
        case "bpe":
            return BPE.learn(sentences, size)
        case "words":
            return Words.learn(sentences, size)
        case "characters":
            return Characters.learn(sentences)
    raise ValueError(f'kind must be "bpe", "words" or "characters", got {kind!r}')


def stored(tokenizer: Tokenizer) -> dict:
    """What JSON can hold of it, for `restored`."""
    if isinstance(tokenizer, BPE):
        return {"kind": "bpe", "characters": tokenizer.characters, "merges": tokenizer.merges}
    if isinstance(tokenizer, SentencePiece):
        return {"kind": "sentencepiece", "model": b64encode(tokenizer.model).decode()}
    return {"kind": type(tokenizer).__name__.lower(), "vocabulary": tokenizer.vocabulary}


def restored(data: dict) -> Tokenizer:
    """The tokenizer that `stored` gave."""
    if data["kind"] == "bpe":
        return BPE(data["characters"], [tuple(pair) for pair in data["merges"]])
    if data["kind"] == "sentencepiece":
        return SentencePiece(b64decode(data["model"]))
    return {"words": Words, "characters": Characters}[data["kind"]](data["vocabulary"])
