"""The corpus in figures: each figure on sentences few enough to count by hand."""

from pathlib import Path

from course_lib.alignment import Model1
from course_lib.corpora.grammar import Example, report, sample
from course_lib.corpora.grammar.lexicon import NOUNS, VERBS
from course_lib.corpora.grammar.meaning import Clause, Entity, Named, Utterance

DOG, ANNA = Entity("dog"), Named("Anna", "f")
SLEPT = Example.of(Utterance(Clause("sleep", DOG, tense="past")))  # the dog slept . / der Hund hat geschlafen .
CALLED = Example.of(Utterance(Clause("see", ANNA, DOG, tense="past")))  # Anna saw the dog .


def test_words_are_counted_without_names():
    assert report.words([SLEPT, CALLED], "en") == {"the": 2, "dog": 2, "slept": 1, "saw": 1, ".": 2}


def test_vocabulary_of_two_sentences():
    rows = {row[0]: row[1:] for row in report.vocabulary([SLEPT], [CALLED])}
    assert rows["en"] == ["4.0", "0.0%", "4", "100.0%", "25.00%"]  # "saw" is unknown, of saw, the, dog and "."


def test_lengths_are_counted_by_fives():
    assert list(report.lengths([SLEPT, CALLED])) == [["1 to 5", "2", "1", "1"], ["6 to 10", "0", "1", "1"]]


def test_german_verbs_cross_their_objects():
    assert report.crossings([SLEPT], "en", "de") == 0
    assert report.crossings([SLEPT, CALLED], "en", "de") == 0.5  # saw the dog, den Hund gesehen


def test_word_by_word_takes_the_most_probable_word_and_copies_unknown_ones():
    model = Model1([(["das", "Haus"], ["the", "house"]), (["das", "Buch"], ["the", "book"])]).fit(10)
    assert report.word_by_word(model, [["das", "Buch", "Anna"]]) == [["the", "book", "Anna"]]


def test_the_report_has_a_table_for_each_question():
    parts = list(report.report(60, 12, 6))
    assert sum("| --- |" in part for part in parts) == 4
    assert parts[-1].count("to") >= len(report.PAIRS)


def test_the_readme_is_of_this_lexicon():
    readme = Path(report.__file__).with_name("README.md").read_text(encoding="utf-8")
    assert f"{len(NOUNS)} nouns and {len(VERBS)} verbs" in readme


def test_the_samples_that_were_read_by_hand_are_still_these():
    text = " ".join(Path(report.__file__).with_name("README.md").read_text(encoding="utf-8").split())
    for split, n, number in (("train", 100, 33), ("test", 60, 54), ("long", 30, 19)):
        drawn = sample(n, seed=11, split=split)
        assert f'"{drawn[number].text("en")}"' in text and f"number {number}" in text
