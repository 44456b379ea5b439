from course_lib.subwords.bpe import BPE, MARKERS, count_pairs, merge
from course_lib.subwords.bpe_trace import BPEStep, BPETrace
from course_lib.subwords.words import UNK, word_counts

__all__ = ["BPE", "MARKERS", "UNK", "BPEStep", "BPETrace", "count_pairs", "merge", "word_counts"]
