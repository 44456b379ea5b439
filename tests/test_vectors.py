"""What is near in a sentence vector: the text that is learnt from, the triples, and how they are counted."""

import re
from dataclasses import replace

import torch

from course_lib import checkpoints
from course_lib.checkpoints import making, recipes, vectors
from course_lib.corpora.grammar import sample
from course_lib.corpora.grammar.rates import FULL
from course_lib.corpora.grammar.variants import paraphrases


def test_the_rows_have_one_english_and_differ_in_their_german():
    as_said, one_form = (replace(recipe, sentences=400).text() for recipe in vectors.VECTORS.values())
    assert [x for x, _ in as_said] == [x for x, _ in one_form]
    assert 60 < sum(y != z for (_, y), (_, z) in zip(as_said, one_form, strict=True)) < 200


def test_a_meaning_has_one_german_sentence_however_the_english_says_it(monkeypatch):
    forms = 0
    recipe = replace(vectors.VECTORS["vectors.one_form"], sentences=1)
    for example in sample(300, seed=1, rates=FULL):
        said = [example, *(other for kind, other in paraphrases(example) if kind != "converse")]
        targets = set()
        for each in said:
            monkeypatch.setattr(vectors.VectorRecipe, "examples", lambda self, n, split, each=each: [each])
            ((source, target),) = recipe.text()
            assert source.split() == list(each.sentences["en"])
            targets.add(target)
        assert len(targets) == 1, targets
        forms += len(said)
    assert forms > 400


def test_triples_are_a_paraphrase_and_another_meaning_in_its_form():
    found = vectors.triples()
    assert found["order"][0] == (
        "The man sang when the woman slept.",
        "When the woman slept, the man sang.",
        "When the man sang, the woman slept.",
    )
    assert found["voice"][0] == (
        "The man saw the woman.",
        "The woman was seen by the man.",
        "The man was seen by the woman.",
    )
    for threes in found.values():
        assert len(set(threes)) == len(threes) > 200
        for _, same, other in threes:  # the same words in another order
            assert sorted(re.findall(r"\w+", same.lower())) == sorted(re.findall(r"\w+", other.lower()))


def test_the_nearer_one_is_counted(monkeypatch):
    def placed(translator, texts):  # two columns: the sentences, the same meaning, another one, kind after kind
        return torch.stack([torch.full((len(texts),), next(places)), torch.arange(len(texts)) % 4.0], dim=1)

    monkeypatch.setattr(vectors, "sentence_vectors", placed)
    places = iter([0.0, 1.0, -2.0, 0.0, 5.0, -2.0])
    assert vectors.same_nearer(None) == {"order": 100.0, "voice": 0.0}


def test_the_vector_is_what_the_decoder_starts_from_and_padding_is_not_read():
    translator = checkpoints.load("fixed")
    translator.refuses = False
    texts = ["The man sang.", "When the woman slept, the man sang."]
    both = vectors.sentence_vectors(translator, texts)
    for text, vector in zip(texts, both, strict=True):
        alone = vectors.sentence_vectors(translator, [text])[0]
        torch.testing.assert_close(vector, alone)
        source, mask = translator.read([text])
        torch.testing.assert_close(alone, translator.model.encoder(source, mask)[0][0, -1])  # the last word's


def test_a_run_records_what_is_near(tmp_path, monkeypatch):
    tiny = replace(
        vectors.VECTORS["vectors.one_form"],
        embedding=16, hidden=16, sentences=80, merges=60, steps=2, hold=2, max_tokens=400,
    )  # fmt: skip
    monkeypatch.setitem(recipes.RECIPES, "vectors.one_form", tiny)
    record = making.make("vectors.one_form", tmp_path, evaluated={})
    found = record["same_nearer"]
    assert set(found) == {"order", "voice"} and all(0 <= share <= 100 for share in found.values())
