"""The grammar corpus's splits: disjoint by construction, deterministic, of any size."""

import subprocess
import sys
from collections import Counter

import pytest

from course_lib.corpora.grammar import LANGUAGES, LONGEST, SPLITS, Example, examples, sample
from course_lib.corpora.grammar.lexicon import ADJECTIVES, COMPOUNDS, NOUNS, VERBS, function_words
from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Named, Property, Speaker, Utterance, nodes
from course_lib.corpora.grammar.names import held_out
from course_lib.corpora.grammar.splits import BIN, FUNCTION, PARTS, families, held_forms, held_slots, key

pytestmark = pytest.mark.xdist_group("grammar-splits")  # one worker draws the splits
WHOLE = [split for split in SPLITS if split not in PARTS]


@pytest.fixture(scope="module")
def splits(of_test, of_long):
    """Sentences of every split; those of `test` and `long`, which take longest to draw, are drawn once for all."""
    sizes = {split: 3000 if split == "train" else 400 for split in WHOLE}
    drawn = {"test": of_test[: sizes["test"]], "long": of_long[: sizes["long"]]}
    return {split: drawn.get(split) or sample(size, seed=7, split=split) for split, size in sizes.items()}


@pytest.fixture(scope="module")
def of_test():
    """The first sentences of the split that models are compared on: fewer are the first of these."""
    return sample(850, split="test")


@pytest.fixture(scope="module")
def of_long():
    return sample(500, split="long")


def test_no_meaning_and_no_sentence_is_in_two_splits(splits):
    for view in (lambda e: repr(e.meaning), *(lambda e, code=code: e.text(code).casefold() for code in LANGUAGES)):
        owner = {}
        for split, drawn in splits.items():
            for example in drawn:
                assert owner.setdefault(view(example), split) == split


def test_the_parts_of_train_share_nothing_and_are_of_train(splits):
    assert PARTS == ("en-de", "en-fr", "de-fr", "en", "de", "fr")
    parts = {part: sample(150, seed=8, split=part) for part in PARTS}
    elsewhere = {
        e.text(code).casefold() for split in WHOLE if split != "train" for e in splits[split] for code in LANGUAGES
    }
    for code in LANGUAGES:
        texts = [e.text(code).casefold() for drawn in parts.values() for e in drawn]
        assert len({(part, e.text(code).casefold()) for part in PARTS for e in parts[part]}) == len(set(texts))
        assert elsewhere.isdisjoint(texts)


def words_of(code):
    """What a reader of one language can know: the families that each word is of, none for a function word."""
    family, module = families(), LANGUAGES[code]
    found = {}
    for concept, _, forms in module.inventory():
        found |= {form.casefold(): {family[concept]} for form in forms}
    for head, modifiers in COMPOUNDS.items():
        for modifier in modifiers:
            for tokens in module.compound(head, modifier):
                if len(tokens) == 1:
                    found[tokens[0].casefold()] = {family["noun", head], family["noun", modifier]}
    return found | {word.casefold(): set() for word in function_words(code)}


def read_key(words, example, code):
    names = {node.name for node in nodes(example.meaning) if isinstance(node, Named)}
    read = set()
    for token in example.sentences[code]:
        if token in names:
            read.add(token)
        elif not token.isdigit():
            read |= {"/".join(concept) for concept in words[token.casefold()] - {families()[FUNCTION]}}
    return tuple(sorted(read))


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_sentence_in_any_language_tells_the_key_that_splits_it(splits, code):
    """The construction itself: were it to fail in one language, equal sentences could be in train and in test."""
    words = words_of(code)
    for drawn in splits.values():
        for example in drawn:
            assert read_key(words, example, code) == key(example.meaning), example.sentences[code]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_word_of_the_lexicon_tells_its_key(code):
    cat = Entity("cat")
    meanings = [
        Clause("see", Entity(noun, plural, modifier=modifier), cat, tense=tense)
        for noun in NOUNS
        for plural in (False, True)[: 1 if "mass" in NOUNS[noun] else 2]
        for modifier in (None, *COMPOUNDS.get(noun, ()))
        for tense in ("present", "past")
    ]
    meanings += [
        Clause(verb, subject, cat if frame.objects else None, tense=tense, modal=modal)
        for verb, frame in VERBS.items()
        if verb != "exist"
        for subject in (cat, Entity("cow", True), Speaker(1), Speaker(2), Speaker(1, True))
        for tense, modal in (("present", None), ("habit", None), ("past", None), ("ongoing", None), ("habit", "can"))
    ]
    for adjective in ADJECTIVES:
        for noun in ("dog", "cat", "cow", "sheep", "owl"):
            for plural in (False, True):
                meanings.append(Clause("see", cat, Entity(noun, plural, "a", (adjective,))))
                meanings.append(Clause("be", Entity(noun, plural), property=Property(adjective, "more", cat)))
    words = words_of(code)
    for meaning in meanings:
        example = Example.of(Utterance(meaning))
        assert read_key(words, example, code) == key(example.meaning), example.sentences[code]


def test_long_is_longer_than_anything_in_the_others(splits):
    for code in LANGUAGES:
        longest = max(len(e.sentences[code]) for split in WHOLE if split != "long" for e in splits[split])
        assert longest <= LONGEST < min(len(e.sentences[code]) for e in splits["long"])


def test_test_and_long_have_enough_sentences_of_every_length_up_to_50(of_test, of_long):
    for split, drawn, bins in (
        ("test", of_test, range(LONGEST // BIN)),
        ("long", of_long, range(LONGEST // BIN, 50 // BIN)),
    ):
        for code in LANGUAGES:
            counts = Counter((len(example.sentences[code]) - 1) // BIN for example in drawn)
            assert min(counts[k] for k in bins) >= 100, (split, code, counts)
        joined = [[n.conjunction for n in nodes(e.meaning) if isinstance(n, Joined)] for e in drawn]
        assert all(len({"and", "but"} & set(js)) <= 1 >= sum(j in ("and", "but") for j in js) for js in joined)


def test_one_in_twenty_of_train_has_25_tokens_or_more():
    train = sample(10_000)  # a smaller sample has more short ones: they run out
    for code in LANGUAGES:
        assert sum(len(e.sentences[code]) >= 25 for e in train) >= 0.05 * len(train)


def test_the_short_sentences_of_test_are_not_of_one_kind(of_test):
    short = [e for e in of_test[:600] if len(e.sentences["en"]) <= BIN]
    verbs = {node.verb for e in short for node in nodes(e.meaning) if isinstance(node, Clause)}
    tenses = {node.tense for e in short for node in nodes(e.meaning) if isinstance(node, Clause)}
    assert len(verbs) > 15 and tenses >= {"present", "past", "future"}


def test_what_novel_holds_out_can_be_inferred():
    """A regular ending in English and French, and of German the -n, -nen, -ung-en and the weak past."""
    assert len(held_slots()) > 30
    for (kind, concept), slot in held_slots():
        forms = {code: {s: f for c, s, f in LANGUAGES[code].inventory() if c == (kind, concept)} for code in LANGUAGES}
        if slot == "plural":
            (one, many), (un, plusieurs) = ((forms[c]["singular"][0], forms[c]["plural"][0]) for c in ("en", "fr"))
            assert many in (one + "s", one + "es", one[:-1] + "ies") and plusieurs == un + "s"
        else:
            (past,), base = forms["en"]["past"], forms["en"]["present"][0]
            assert past in (base + "ed", base + "d", base[:-1] + "ied", base + base[-1] + "ed")
            assert forms["de"]["past"][0].endswith("t") and forms["fr"]["present"][0].endswith("er")


def test_novel_shows_forms_that_no_other_split_shows_of_stems_that_train_knows(splits):
    for code in LANGUAGES:
        held = {" ".join(tokens) for forms in held_forms(code).values() for tokens in forms}
        for split, drawn in splits.items():
            for example in drawn:
                sentence = f" {' '.join(example.sentences[code])} "
                assert any(f" {form} " in sentence for form in held) == (split == "novel")


def test_names_are_in_their_split_only(splits):
    for split, drawn in splits.items():
        for example in drawn:
            names = [node.name for node in nodes(example.meaning) if isinstance(node, Named)]
            rare = [node.name for node in nodes(example.meaning) if isinstance(node, Named) and node.rare]
            assert [held_out(name) for name in rare] == [split == "names"] * len(rare)
            assert split != "names" or rare
            for code in LANGUAGES:
                assert all(name in example.sentences[code] for name in names)


def test_the_same_in_another_process():
    code = (
        "from course_lib.corpora.grammar import *\n"
        "for split in SPLITS:\n"
        "    for e in sample(15, 3, split): print(sorted(e.sentences.items()), sorted(e.alignment('de', 'fr')))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": salt}, capture_output=True, text=True, check=True
        )
        for salt in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout and runs[0].stdout.count("\n") == 15 * len(SPLITS)


def test_a_larger_sample_begins_with_the_smaller_and_repeats_nothing():
    large = sample(300, seed=5)
    assert large[:40] == sample(40, seed=5)
    assert len({tuple(e.sentences.values()) for e in large}) == 300
    assert large[:40] != sample(40, seed=6)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="split must be one of train.*got 'validation'"):
        examples(split="validation")
    with pytest.raises(ValueError, match="n must not be negative, got -1"):
        sample(-1)
    with pytest.raises(ValueError, match="language must be one of en, de, fr, got 'cs'"):
        sample(1)[0].text("cs")
