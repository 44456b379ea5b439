"""Subwords (lecture 02): tokenizers that cut a sentence into pieces, and the vocabulary that numbers these.

words.py       from text to a dictionary of words; pairs.py: byte pair encoding as it is defined
bpe.py         the same and fast, by pair_index.py; byte_level.py: on bytes; bpe_trace.py: step by step
wordpiece.py   merges by likelihood.py, and the longest match; unigram.py: SentencePiece
viterbi.py     the most probable pieces of a text
characters.py, word_level.py    the two ends: every character a piece, every word a piece
vocabulary.py  pieces ↔ ids; storage.py: a tokenizer as a file
"""

from course_lib.subwords.bpe import BPE, MARKERS
from course_lib.subwords.bpe_trace import BPEStep, BPETrace, trace_bpe
from course_lib.subwords.characters import Characters
from course_lib.subwords.likelihood import gain, log_likelihood, piece_counts, ratio
from course_lib.subwords.pairs import Pair, count_pairs, merge
from course_lib.subwords.unigram import SentencePiece
from course_lib.subwords.vocabulary import Vocabulary
from course_lib.subwords.word_level import Words
from course_lib.subwords.wordpiece import WordPiece, longest_match
from course_lib.subwords.words import UNK, word_counts

__all__ = [
    "BPE",
    "MARKERS",
    "UNK",
    "BPEStep",
    "BPETrace",
    "Characters",
    "Pair",
    "SentencePiece",
    "Vocabulary",
    "WordPiece",
    "Words",
    "count_pairs",
    "gain",
    "log_likelihood",
    "longest_match",
    "merge",
    "piece_counts",
    "ratio",
    "trace_bpe",
    "word_counts",
]
