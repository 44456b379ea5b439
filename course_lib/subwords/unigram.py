"""Unigram and BPE by SentencePiece: the library that practitioners use, on raw sentences.

Kudo (2018), "Subword Regularization" (the unigram model); Kudo and Richardson (2018), "SentencePiece". A piece that
begins a word begins with `▁`.
"""

import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import sentencepiece

from course_lib.files import write_atomically
from course_lib.subwords.words import check_marker, dictionary

SPACE = "▁"


class SentencePiece:
    """A trained SentencePiece model; the library's own processor is `processor`."""

    def __init__(self, model: bytes):
        """`model` holds the bytes of a SentencePiece model file. Raises ValueError if it does not."""
        self.model = model
        try:
            if not model:
                raise RuntimeError("it is empty")
            self.processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        except RuntimeError as error:
            raise ValueError(f"not a SentencePiece model: {error}") from error
        ids = range(self.processor.get_piece_size())
        self.vocabulary = [
            self.processor.id_to_piece(i)
            for i in ids
            if not self.processor.is_unknown(i) and not self.processor.is_control(i)
        ]

    @classmethod
    def train(
        cls,
        corpus: str | Iterable[str],
        vocabulary_size: int,
        model: Literal["unigram", "bpe"] = "unigram",
    ) -> "SentencePiece":
        """Train on sentences (or the lines of a text): `vocabulary_size` pieces, `<unk>` among them.

        Every character is covered (except NUL, `▅` and the text `<unk>`, which SentencePiece reserves) and none
        is normalised; one thread, so the same text gives the same model.
        Raises ValueError for an empty corpus, a `▁` in it, a size too large or too small for it.
        """
        if vocabulary_size < 1:
            raise ValueError(f"vocabulary_size must be 1 or more, got {vocabulary_size}")
        lines = corpus.split("\n") if isinstance(corpus, str) else corpus
        sentences = [" ".join(line.split()) for line in lines]
        check_marker(dictionary(sentences), SPACE)
        written = io.BytesIO()
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(sentence for sentence in sentences if sentence),
                model_writer=written,
                model_type=model,
                vocab_size=vocabulary_size,
                character_coverage=1.0,
                normalization_rule_name="identity",
                max_sentence_length=max(len(sentence.encode()) for sentence in sentences) + 1,
                bos_id=-1,
                eos_id=-1,
                num_threads=1,
                minloglevel=2,
            )
        except RuntimeError as error:
            reason = str(error).split("] ")[-1]  # without SentencePiece's own source line
            raise ValueError(f"vocabulary_size {vocabulary_size} does not fit this corpus: {reason}") from error
        return cls(written.getvalue())

    def encode(self, sentence: str) -> list[str]:
        """The most probable pieces of a sentence. Raises ValueError if it holds `▁`."""
        return self.processor.encode(self._prepare(sentence), out_type=str)

    def sample(self, sentence: str, alpha: float = 0.2) -> list[str]:
        """Pieces drawn at random among all segmentations, P ∝ p^α (unigram only): subword regularisation.

        α is the inverse of a temperature: 0 draws all alike, and the larger, the more often the most probable.
        `sentencepiece.set_random_generator_seed` makes the draws repeatable.
        """
        prepared = self._prepare(sentence)
        return self.processor.encode(prepared, out_type=str, enable_sampling=True, alpha=alpha, nbest_size=-1)

    def decode(self, pieces: Iterable[str]) -> str:
        """The sentence. `decode(encode(text)) == " ".join(text.split())`."""
        return self.processor.decode(list(pieces))

    def save(self, path: str | os.PathLike) -> None:
        """Write SentencePiece's own model file, completely or not at all."""
        with write_atomically(path, "wb") as file:
            file.write(self.model)

    @classmethod
    def load(cls, path: str | os.PathLike) -> "SentencePiece":
        """Read a SentencePiece model file. Raises ValueError if it is none."""
        return cls(Path(path).read_bytes())

    def _prepare(self, sentence: str) -> str:
        words = sentence.split()
        check_marker(words, SPACE)
        return " ".join(words)
