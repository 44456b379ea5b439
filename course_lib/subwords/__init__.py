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
