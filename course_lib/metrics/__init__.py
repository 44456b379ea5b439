"""How good is a translation (lecture 09)? Metrics from their parts, tests of significance, and human judgement.

`references[k]` are all references of `hypotheses[k]`, a list in a list. A score has parts, a frozen dataclass; the
parts of segments add up to those of a corpus. sacreBLEU is the oracle of the tests, and what a report should quote.

segments.py       sentences and references, checked and cut into tokens; sacreBLEU's streams
bleu.py           BLEU: clipped n-grams, brevity, smoothing; ngram_matches.py: which n-gram matched where
chrf.py           chrF, chrF++; ter.py: word error rate, TER
matching.py       BERTScore's greedy matching, with the states of our own encoders
reported.py       sacreBLEU's score with its signature
significance.py   bootstrap and randomisation, of any metric whose parts add up
judgement.py      ratings by people: Likert, direct assessment, ranking; rating_file.py: as a rating form writes them
agreement.py      of raters: κ of Cohen and Fleiss, Krippendorff's α; correlation.py: of a metric and people
truth/            a judge that knows the meaning: adequacy and fluency, computed from the grammar
"""

from course_lib.metrics.agreement import (
    category_counts,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    observed_agreement,
)
from course_lib.metrics.bleu import (
    BLEU,
    bleu_score,
    brevity_penalty,
    clipped,
    closest_length,
    corpus_bleu,
    ngrams,
    precisions,
    segment_bleu,
    sentence_bleu,
)
from course_lib.metrics.chrf import ChrF, chrf_score, corpus_chrf, segment_chrf, sentence_chrf
from course_lib.metrics.correlation import pearson
from course_lib.metrics.judgement import (
    Rating,
    direct_assessment,
    mean_scores,
    relative_improvement,
    standardised,
    win_rates,
)
from course_lib.metrics.matching import Idf, Matching, encoder_states, greedy_matching, match_sentences, rescaled
from course_lib.metrics.ngram_matches import NgramMatches, Occurrence, ngram_matches
from course_lib.metrics.reported import Reported, reported
from course_lib.metrics.segments import from_streams, streams
from course_lib.metrics.significance import (
    bootstrap_interval,
    paired_bootstrap,
    paired_permutation,
    ratio,
    resampled_differences,
    statistics,
    swapped_differences,
)
from course_lib.metrics.ter import EditRate, corpus_ter, edit_path, segment_ter, word_edits

__all__ = [
    "BLEU",
    "ChrF",
    "EditRate",
    "Idf",
    "Matching",
    "NgramMatches",
    "Occurrence",
    "Rating",
    "Reported",
    "bleu_score",
    "bootstrap_interval",
    "brevity_penalty",
    "category_counts",
    "chrf_score",
    "clipped",
    "closest_length",
    "cohen_kappa",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "direct_assessment",
    "edit_path",
    "encoder_states",
    "fleiss_kappa",
    "from_streams",
    "greedy_matching",
    "krippendorff_alpha",
    "match_sentences",
    "mean_scores",
    "ngram_matches",
    "ngrams",
    "observed_agreement",
    "paired_bootstrap",
    "paired_permutation",
    "pearson",
    "precisions",
    "ratio",
    "relative_improvement",
    "reported",
    "resampled_differences",
    "rescaled",
    "segment_bleu",
    "segment_chrf",
    "segment_ter",
    "sentence_bleu",
    "sentence_chrf",
    "standardised",
    "statistics",
    "streams",
    "swapped_differences",
    "win_rates",
    "word_edits",
]
