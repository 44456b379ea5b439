"""Sentences and their references as every metric here takes them, and the mistakes that are made with them.

A segment is one sentence of a test set. `references[k]` holds all references of `hypotheses[k]`: a list in a list, also
where there is one reference. sacreBLEU turns this around: its *streams* are first references, second references, ….
"""

import warnings
from collections.abc import Sequence
from functools import cache

from sacrebleu.metrics import BLEU

Tokens = tuple[str, ...]
TOKENIZED = 100  # lines that end in " .": from so many on, sacreBLEU warns


def checked(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """Both as lists. An empty hypothesis is an output like others; an empty reference is none.

    Raises TypeError for one string in place of a list, and for what are no strings; ValueError for no hypothesis, for
    unequal lengths, a hypothesis without references, and an empty reference.
    """
    _check_lists(hypotheses, references)
    for k, hypothesis in enumerate(hypotheses):
        if not isinstance(hypothesis, str):
            raise TypeError(
                f"hypotheses[{k}] must be a string, got {_kind(hypothesis)}: {hypothesis!r:.40}. Are hypotheses and "
                "references swapped? Sentences that are cut into tokens already need tokenizer=None, where there is one"
            )
    for k, texts in enumerate(references):
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(f"references[{k}] must hold strings, got {_kind(text)}: {text!r:.40}")
            if not text.strip():
                raise ValueError(f"references[{k}] holds an empty reference: {text!r}")
    return list(hypotheses), [list(texts) for texts in references]


def tokenized(
    hypotheses: Sequence[str] | Sequence[Sequence[str]],
    references: Sequence[Sequence[str]] | Sequence[Sequence[Sequence[str]]],
    tokenizer: str | None = "13a",
    lowercase: bool = False,
) -> tuple[list[Tokens], list[list[Tokens]]]:
    """The tokens of hypotheses and references, by one of sacreBLEU's tokenizers ("13a", "intl", "char", "zh", "none").

    With `tokenizer` None both are lists of tokens already. Running text is wanted otherwise: where 100 hypotheses or
    more end in " .", they were cut into tokens before, and a UserWarning says so. Raises as `checked`, and ValueError
    for a tokenizer that sacreBLEU does not have.
    """
    lower = str.lower if lowercase else str
    if tokenizer is None:
        _check_lists(hypotheses, references)

        def tokens(sentence: Sequence[str]) -> Tokens:
            if isinstance(sentence, str) or not all(isinstance(token, str) for token in sentence):
                raise TypeError(f"with tokenizer=None a sentence must be a list of tokens, got {sentence!r:.40}")
            return tuple(map(lower, sentence))

    else:
        cut = _tokenizer(tokenizer)
        hypotheses, references = checked(hypotheses, references)
        if (ended := sum(hypothesis.endswith(" .") for hypothesis in hypotheses)) >= TOKENIZED:
            warnings.warn(
                f'{ended} hypotheses end in " .": they look tokenized. Score running text, or give lists of tokens '
                "with tokenizer=None",
                stacklevel=4,
            )

        def tokens(sentence: str) -> Tokens:
            return tuple(cut(lower(sentence).rstrip()).split())

    return [tokens(sentence) for sentence in hypotheses], [[tokens(text) for text in texts] for texts in references]


def streams(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """The references of all segments as sacreBLEU takes them: a list for each first, second, … reference.

    A segment with fewer references than another has None in the rest: [[a], [b, c]] → [[a, b], [None, c]].
    """
    most = max(map(len, references), default=0)
    return [[texts[k] if k < len(texts) else None for texts in references] for k in range(most)]


def from_streams(streams: Sequence[Sequence[str | None]]) -> list[list[str]]:
    """sacreBLEU's streams as the references of each segment: [[a, b], [None, c]] → [[a], [b, c]].

    Raises ValueError for streams of unequal length.
    """
    if len(lengths := {len(stream) for stream in streams}) > 1:
        raise ValueError(f"streams must be equally long, got lengths {sorted(lengths)}")
    return [[text for text in texts if text is not None] for texts in zip(*streams, strict=True)]


def _check_lists(hypotheses: Sequence, references: Sequence) -> None:
    """That they are lists of like length, and the references lists in a list."""
    for name, value in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(value, str):
            raise TypeError(f"{name} must be a list with an entry for each sentence, got one string: {value!r:.40}")
    if not len(hypotheses):
        raise ValueError("hypotheses must hold at least one sentence, got none")
    for k, texts in enumerate(references):
        if isinstance(texts, str):
            raise TypeError(
                f"references[{k}] must be a list of references, got one string: {texts!r:.40}. "
                "With one reference a sentence, give [[r] for r in references]"
            )
    if len(hypotheses) != len(references):
        message = f"references must be as many as hypotheses, {len(hypotheses)}, got {len(references)}"
        if len(references) and all(len(texts) == len(hypotheses) for texts in references):
            message += ". They look like sacreBLEU's streams: `from_streams` turns them"
        raise ValueError(message)
    for k, texts in enumerate(references):
        if not len(texts):
            raise ValueError(f"references[{k}] must hold at least one reference, got none")


@cache
def _tokenizer(name: str):
    if name not in BLEU.TOKENIZERS:
        raise ValueError(f"tokenizer must be None or one of {', '.join(BLEU.TOKENIZERS)}, got {name!r}")
    return BLEU(tokenize=name).tokenizer


def _kind(value: object) -> str:
    return "a list" if isinstance(value, (list, tuple)) else type(value).__name__
