"""Sentences for the exercises on BLEU, and what may not do their work."""

from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.compare import kind

Tokens = list[str]
References = list[Tokens]  # all of one sentence

WORDS = (
    *("the", "a", "one", "cat", "dog", "bird", "man", "girl", "old", "red", "small", "sat", "ran", "saw", "was"),
    *("is", "on", "in", "at", "by", "near", "and", "but", "then", "house", "garden", "tree", "river", "street"),
    *("now", "here", "often", "never"),
)
SIGNS = (".", ",", "!", "?", ";", ":")
OURS = ("ngrams", "clipped", "closest_length", "brevity_penalty", "precisions", "bleu_score") + tuple(
    f"{unit}_bleu" for unit in ("segment", "corpus", "sentence")
)
FORBIDDEN = (
    *(f"course_lib.metrics.{package}{name}" for package in ("", "bleu.") for name in OURS),
    *(f"course_lib.metrics.{name}" for name in ("bleu.count", "ngram_matches.ngram_matches")),
    *(f"sacrebleu.{name}_bleu" for name in ("corpus", "sentence", "raw_corpus")),
    *(f"sacrebleu.metrics.bleu.BLEU.{name}" for name in ("corpus_score", "sentence_score", "compute_bleu")),
    "sacrebleu.metrics.bleu.BLEU._compute_segment_statistics",
    "sacrebleu.metrics.bleu.BLEU._get_closest_ref_len",
    *(
        f"nltk.translate.bleu_score.{name}"
        for name in ("modified_precision", "brevity_penalty", "closest_ref_length", "corpus_bleu", "sentence_bleu")
    ),
)


def different(rng: Random, length: int, without: Tokens | tuple = ()) -> Tokens:
    """So many words, each another, and none of those."""
    return rng.sample([word for word in WORDS if word not in without], length)


def edited(rng: Random, tokens: Tokens, times: int) -> Tokens:
    """The tokens with so many of them replaced by words that do not stand there."""
    new, places = different(rng, times, tokens), rng.sample(range(len(tokens)), times)
    return [new[places.index(i)] if i in places else token for i, token in enumerate(tokens)]


def in_two_forms(rng: Random, length: int) -> tuple[Tokens, Tokens]:
    """Two texts of the same words: two have a capital letter in one text alone; one sign is the same, one is not."""
    words = different(rng, length)
    same, *ends = rng.sample(SIGNS, 3)
    plain, other = ([*words[:-1], same, words[-1], end] for end in ends)
    return rng.sample([plain, [*map(str.capitalize, other[:2]), *other[2:]]], 2)


def in_no_order(rng: Random, length: int) -> tuple[Tokens, References]:
    """A hypothesis and three references of it: each has a capital letter, a sign and a word twice.

    Neither the words of a text are in order, forwards or backwards, nor are the references by their lengths.
    """

    def text(words: Tokens, more: int) -> Tokens:
        return [words[0].capitalize(), *words[1:], rng.choice(SIGNS), *words[1 : 2 + more]]

    words, lengths = different(rng, length), rng.choice(((1, 3, 2), (2, 3, 1), (3, 1, 2), (2, 1, 3)))
    return text(words, 0), [text(edited(rng, words, 1), more) for more in lengths]


def lower_cased(tokens: Tokens) -> Tokens:
    return [*map(str.lower, tokens)]


def without_signs(tokens: Tokens) -> Tokens:
    return [token for token in tokens if token not in SIGNS]


def with_signs_cut_off(tokens: Tokens) -> Tokens:
    return [token.strip("".join(SIGNS)) for token in tokens]


def lower_cased_in_place(texts: References) -> None:
    for each in texts:
        each[:] = lower_cased(each)


def whole(value: object) -> object:
    """A number without a fraction as a whole one."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def pair(value: object) -> tuple:
    """The pair (matched, total); raises StudentError for what is none."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise StudentError(f"it returned {kind(value)}, not a pair (matched, total)")
    if any(isinstance(each, str) for each in value):
        raise StudentError("it returned a pair of texts, not of numbers")
    return tuple(map(whole, value))
