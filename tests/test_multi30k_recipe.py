"""The recipe for Multi30k, in small, on sentences of our own that a server on this machine gives."""

import gzip
import hashlib
import json
from dataclasses import replace
from functools import partial

import pytest
import torch
from nltk.translate.bleu_score import corpus_bleu

from course_lib import checkpoints
from course_lib.checkpoints import multi30k as recipe
from course_lib.checkpoints.captions import RecurrentCaptions, TransformerCaptions
from course_lib.corpora import multi30k
from course_lib.corpora.download import Checksum
from course_lib.corpora.everyday import EVERYDAY
from course_lib.corpora.grammar import sample
from course_lib.training.checkpoint import tensors_of
from tests.test_download import server, waits  # noqa: F401  (fixtures)

FEW = {
    "vocabulary": 120,
    "max_tokens": 300,
    "steps": 12,
    "every": 3,
    "averaged": 2,
    "beam_size": 2,
    "alphas": (0.0, 1.0),
}
TINY = {
    "multi30k": TransformerCaptions(**FEW, d_model=16, d_ff=16, heads=2, layers=1, warmup=10),
    "multi30k_recurrent": RecurrentCaptions(**FEW, embedding=16, hidden=16, hold=6),
}
TINY["multi30k_french"] = replace(TINY["multi30k"], target="fr")
TINY["multi30k_brief"] = replace(TINY["multi30k"], warmup=9)
FOUND = ["Ein Hund läuft schnell über die Wiese.", "Zwei Männer Sitzen auf einer kleinen Bank, draußen."]
TRUE = ["Ein Hund läuft schnell über die grüne Wiese.", "Zwei Männer sitzen auf einer kleinen Bank, draußen."]


@pytest.fixture
def text(server, tmp_path):  # noqa: F811
    """Splits of a few sentences of the grammar corpus, downloaded as Multi30k's are; each call is noted."""
    files, asked = {}, []
    for split, seed in zip(multi30k.SPLITS, ("train", "dev", "test"), strict=True):
        examples = sample(40 if split == "train" else 2, split=seed)
        for language in ("en", "de", "fr"):
            lines = "".join(example.text(language) + "\n" for example in examples).encode()
            server.files[f"raw/{split}.{language}.gz"] = gzip.compress(lines)
            files[f"{split}.{language}"] = Checksum("sha256", hashlib.sha256(lines).hexdigest(), unzipped=True)
    load = partial(multi30k.load, folder=tmp_path / "text", base_url=server.url("raw"), files=files)

    def loaded(split, languages):
        asked.append((split, *languages))
        return load(split, languages)

    loaded.asked = asked
    return loaded


@pytest.mark.parametrize("name", TINY)
def test_the_whole_recipe_in_small(name, text, tmp_path, monkeypatch):
    scored, scores = [], recipe.scores
    monkeypatch.setattr(recipe, "scores", lambda made, *rest: [scored.append(made), scores(made, *rest)][1])
    made = recipe.make(name, tmp_path, recipe=TINY[name], text=text, progress=False)
    assert checkpoints.about(name, tmp_path) == json.loads(json.dumps(made))
    assert text.asked == [(split, "en", TINY[name].target) for split in multi30k.SPLITS]
    losses = [loss for _, loss in made["held_out_losses"]]
    assert len(losses) == 4 and losses[-1] < losses[0]
    assert made["alpha"] in TINY[name].alphas and made["test_2016_flickr"].keys() == recipe.ROWS.keys()
    left = {path.name for path in tmp_path.iterdir()}
    kept = name in checkpoints.CAPTIONS
    assert left == {"text", "records", *([f"{name}.safetensors"] if kept else [])}
    if not kept:
        return
    loaded, first = checkpoints.load(name, tmp_path), scored[0]
    assert loaded.vocabulary.pieces(range(9)) == first.vocabulary.pieces(range(9))
    weights = tensors_of(loaded.model)
    assert weights.keys() == tensors_of(first.model).keys()
    assert all(torch.equal(weights[name], tensor.half().float()) for name, tensor in tensors_of(first.model).items())
    assert loaded.tokenizer.encode(FOUND[0]) == first.tokenizer.encode(FOUND[0])


def test_another_seed_is_another_run_whose_record_is_kept_and_not_its_weights(text, tmp_path):
    runs = {name: replace(TINY["multi30k"], alphas=(0.0,), seed=seed) for seed, name in enumerate(("m", "multi30k-1"))}
    first, second = (recipe.make(name, tmp_path, recipe=of, text=text, progress=False) for name, of in runs.items())
    assert first["text"] == second["text"] and first["held_out_losses"] != second["held_out_losses"]
    assert checkpoints.about("multi30k-1", tmp_path)["recipe"]["seed"] == 1
    assert not list(tmp_path.glob("*.safetensors")) and not list(tmp_path.glob("*.lock"))


def test_fewer_steps_have_a_beginning_in_proportion():
    assert TINY["multi30k"].shortened(6) == replace(TINY["multi30k"], steps=6, warmup=5)
    assert TINY["multi30k_recurrent"].shortened(6) == replace(TINY["multi30k_recurrent"], steps=6, hold=3)


def test_a_text_that_holds_one_of_our_sentences_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"everyday.py must be new, the text has \['Two dogs are playing"):
        recipe.make("multi30k", tmp_path, text=lambda split, languages: [EVERYDAY[1]], progress=False)
    assert not [*tmp_path.iterdir()]


def test_interrupted_it_goes_on(text, tmp_path, monkeypatch):
    def stop(*_):
        raise RuntimeError("stop")

    one = replace(TINY["multi30k"], alphas=(0.0,))
    with monkeypatch.context() as patched, pytest.raises(RuntimeError, match="stop"):
        patched.setattr(recipe, "scores", stop)
        recipe.make("multi30k", tmp_path, recipe=one, text=text, progress=False)
    assert (tmp_path / "multi30k.resume").exists()
    run = recipe.make("multi30k", tmp_path, recipe=one, text=text, progress=False)
    assert [step for step, _ in run["held_out_losses"]] == [3, 6, 9, 12]
    assert not (tmp_path / "multi30k.resume").exists()


def test_the_rows_are_what_they_are_called():
    rows = recipe.bleu(FOUND, TRUE)
    assert "case:mixed" in rows["cased"]["signature"] and "tok:13a" in rows["cased"]["signature"]
    assert "case:lc" in rows["lowercased"]["signature"] and "tok:13a" in rows["lowercased"]["signature"]
    assert "tok:none" in rows["tokenised, lowercased"]["signature"]
    assert 0 < rows["cased"]["bleu"] < rows["lowercased"]["bleu"] < 100
    assert all(row["bleu"] == 100 for row in recipe.bleu(TRUE, TRUE).values())


def test_the_row_of_the_literature_is_unsmoothed_bleu_of_lowercased_tokens():
    found, true = (
        [line.lower().replace(",", " ,").replace(".", " .").split() for line in lines] for lines in (FOUND, TRUE)
    )
    expected = 100 * corpus_bleu([[reference] for reference in true], found)
    assert recipe.bleu(FOUND, TRUE)["tokenised, lowercased"]["bleu"] == pytest.approx(expected, abs=0.01)
