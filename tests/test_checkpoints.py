"""The checkpoints of the course: each fits the code, does what its record says, and can be made again."""

import json
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path

import pytest
import torch
from sacrebleu.metrics import BLEU

from course_lib import checkpoints
from course_lib.attention import Additive
from course_lib.checkpoints import counting, ensembles, making, queue, recipes, searching, seeds
from course_lib.checkpoints.captions import Captions
from course_lib.checkpoints.evaluation import aer, bleu, by_length, model1_aer
from course_lib.checkpoints.tokenizers import learned, restored, stored
from course_lib.corpora.grammar import sample
from course_lib.recurrent import LSTM, RNN
from course_lib.training.checkpoint import read, write

MEGABYTE = 10**6
FOLDER = Path(checkpoints.__file__).parent
ALL = {path.stem for path in (FOLDER / "records").iterdir()}
RUNS = sorted(ALL - {*checkpoints.OTHERS})
RECORDED = [run for run in RUNS if not isinstance(recipes.recipe_of(run), Captions)]  # of captions: test_captions.py


@pytest.fixture(scope="module", autouse=True)
def drawn_once():
    """The text of a recipe, and the few sentences its loss is watched on, are the same in every run: drawn once."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("course_lib.checkpoints.recipe.sample", lru_cache(sample))
        monkeypatch.setattr(making, "HELD_OUT", 10)
        yield


@pytest.mark.parametrize("name", checkpoints.NAMES)
def test_the_checkpoint_fits_the_code_and_is_small(name):
    checkpoints.load(name)
    path = FOLDER / f"{name}.safetensors"
    assert path.stat().st_size <= 3 * MEGABYTE
    recipe = recipes.RECIPES[name]
    for said in read(path)[1], checkpoints.about(name):
        assert type(recipe)(**said["recipe"]) == recipe


@pytest.fixture(scope="module")
def examples():
    return sample(100, split="test")


@pytest.mark.parametrize("name", checkpoints.NAMES)
def test_it_translates_as_well_as_its_record_says(name, examples):
    found = bleu(checkpoints.load(name).translate([e.text("en") for e in examples]), examples, "en", "de")["all"]
    # The record is of 1,050 sentences of the same split.
    assert abs(found - checkpoints.about(name)["results"]["test"]["all"]) < 4


def test_what_the_course_needs_is_recorded_and_nothing_without_a_recipe():
    needed = {*recipes.CHECKPOINTS, *recipes.SMALLEST, *recipes.ABLATIONS, *checkpoints.OTHERS, *queue.wanted()}
    assert needed <= ALL
    for run in RECORDED:
        assert recipes.run_of(run.partition("-")[0], recipes.recipe_of(run).seed) == run


@pytest.mark.parametrize("name", RECORDED)
def test_the_record_says_what_was_run_and_what_came_out(name):
    said = checkpoints.about(name)
    assert said["command"] == f"python -m course_lib.checkpoints {name}"
    recipe = recipes.recipe_of(name)
    assert type(recipe)(**said["recipe"]) == recipe
    assert len(said["commit"]) == 40 and len(said["text"]) == 64 and said["device"]
    assert len(said["losses"]) == said["recipe"]["steps"] // making.EVERY == len(said["held_out_losses"])
    first, last = (said["held_out_losses"][k] for k in (0, -1))
    assert last[1] < first[1] or last == first or recipe.start  # that goes for a reward
    assert ("before" in said) == bool(recipe.start)
    assert ("last" in said) == (said["recipe"].get("averaged", 1) > 1)
    for result in [*said["results"].values(), *said.get("last", {}).values()]:
        assert sum(each["sentences"] for each in result["by_length"]) > 100
        assert 0 <= result["one"] <= result["all"] <= 100


@pytest.fixture(scope="module")
def tiny():
    return replace(
        recipes.attention, embedding=16, hidden=16, sentences=80, merges=60, steps=8, hold=4, max_tokens=400, joined=0.2
    )


def test_model_1_learns_from_the_text_of_the_experiments_and_is_recorded(tmp_path, tiny):
    made = counting.make(tmp_path, recipe=tiny, sentences={"test": 6, "long": 4})
    assert json.loads((tmp_path / "records" / "model1.json").read_text()) == made
    assert made["pairs"] == tiny.sentences
    assert made["aer"]["test"] == model1_aer(tiny.text(), tiny.examples(6, "test"), "en", "de")
    said = checkpoints.about(checkpoints.MODEL_1)
    assert (said["pairs"], said["sentences"]) == (recipes.rnn.sentences, making.EVALUATED)


@pytest.fixture(scope="module")
def tiny_transformer():
    return replace(
        recipes.transformer, d_model=16, d_ff=16, heads=2, layers=1, merges=60, sentences=80, steps=8, hold=4,
        warmup=2, max_tokens=400, joined=0.2, averaged=2, dropout=0.1,
    )  # fmt: skip


@pytest.fixture
def made(tmp_path, tiny, monkeypatch):
    monkeypatch.setitem(recipes.RECIPES, "attention", tiny)
    monkeypatch.setattr(making, "EVERY", 4)
    record = making.make("attention", tmp_path, evaluated={"test": 6})
    return tmp_path, record


def test_what_is_made_can_be_loaded_and_translates_the_same(made, tiny):
    folder, record = made
    assert json.loads((folder / "records" / "attention.json").read_text()) == json.loads(json.dumps(record))
    assert sorted(path.name for path in folder.iterdir()) == ["attention.safetensors", "records"]
    again, _ = making.trained(tiny, tiny.text(), folder / "again.resume", progress=False)
    for tensor in again.model.parameters():
        tensor.data = tensor.data.half().float()
    text = [e.text("en") for e in sample(3, split="test")]
    loaded = checkpoints.load("attention", folder)
    assert loaded.translate(text) == again.translate(text)
    assert loaded.vocabulary.id_to_piece == again.vocabulary.id_to_piece


def test_an_interrupted_run_goes_on_where_it_was_saved(tmp_path, tiny, monkeypatch):
    monkeypatch.setattr(making, "EVERY", 4)
    whole, record = making.trained(tiny, tiny.text(), tmp_path / "whole", progress=False)

    save, saved = making.Trainer.save, []

    def interrupted(trainer, path):
        save(trainer, path)
        saved.append(trainer.step)
        if len(saved) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(making.Trainer, "save", interrupted)
    with pytest.raises(KeyboardInterrupt):
        making.trained(tiny, tiny.text(), tmp_path / "parts", progress=False)
    assert saved == [4]
    parts, other = making.trained(tiny, tiny.text(), tmp_path / "parts", progress=False)
    assert saved == [4, 8] and other | {"cpu_seconds": 0} == record | {"cpu_seconds": 0}
    for a, b in zip(whole.model.parameters(), parts.model.parameters(), strict=True):
        assert torch.equal(a, b)


def test_a_transformer_is_the_mean_of_its_last_states_and_the_record_has_the_last_too(
    tmp_path, tiny_transformer, monkeypatch
):
    monkeypatch.setitem(recipes.RECIPES, "transformer", tiny_transformer)
    monkeypatch.setattr(making, "EVERY", 2)
    record = making.make("transformer", tmp_path, evaluated={"test": 6})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["records", "transformer.safetensors"]
    states = []
    text = tiny_transformer.text()
    last, _ = making.trained(
        tiny_transformer,
        text,
        tmp_path / "again.resume",
        lambda trainer: states.append({k: v.clone() for k, v in trainer.model.state_dict().items()}),
        progress=False,
    )
    loaded = checkpoints.load("transformer", tmp_path)
    for name, tensor in loaded.model.state_dict().items():
        torch.testing.assert_close(tensor, (states[-1][name] + states[-2][name]) / 2, rtol=1e-3, atol=1e-5)
    examples = sample(6, split="test")
    assert bleu(last.translate([e.text("en") for e in examples]), examples, "en", "de")["all"] == pytest.approx(
        record["last"]["test"]["all"]
    )
    shorter = tiny_transformer.shortened(4)
    assert (shorter.steps, shorter.hold, shorter.warmup) == (4, 2, 1)


@pytest.mark.parametrize("change", recipes.CHANGES.values(), ids=recipes.CHANGES)
def test_every_row_of_the_ablation_table_is_another_model_or_training(change):
    base, row = recipes.ABLATIONS["ablation_base"], replace(recipes.ablation, **change)
    assert len(set(recipes.ABLATIONS.values())) == len(recipes.ABLATIONS)
    assert {name for name, value in asdict(row).items() if value != asdict(base)[name]} == change.keys()
    model = row.model(50)
    assert model.config.d_model == row.d_model and model.decoder.layers[0].self_attention.heads == row.heads


def test_a_refined_run_begins_from_its_checkpoint_and_the_record_has_both_ends(tmp_path, monkeypatch):
    short = replace(recipes.RECIPES["refined.risk"], sentences=60, steps=4, hold=4, samples=2)
    monkeypatch.setitem(recipes.RECIPES, "refined.risk", short)
    monkeypatch.setattr(making, "EVERY", 2)
    monkeypatch.setattr(making, "REWARDED", 2)
    record = making.make("refined.risk", tmp_path, evaluated={"test": 6})
    assert [path.name for path in tmp_path.iterdir()] == ["records"]
    begun = making.results(checkpoints.load("weak"), short, {"test": 6})
    assert record["before"] == begun and {"all", "adequacy", "fluency"} <= begun["test"].keys()
    assert len(record["sampled_rewards"]) == len(record["losses"]) == 2
    assert all(0 < reward < 1 for reward in record["sampled_rewards"])


def test_the_seed_of_attention_is_the_one_that_aligned_best_on_dev():
    said = checkpoints.about(checkpoints.SEEDS)
    best = min(said["seeds"], key=lambda run: run["symmetrised"])
    assert best["seed"] == recipes.attention.seed and best["symmetrised"] < said["model1"]
    assert len(said["seeds"]) == len(seeds.SEEDS) and said["steps"] <= recipes.attention.hold


def test_seeds_are_tried_and_recorded(tmp_path, tiny, monkeypatch):
    monkeypatch.setitem(recipes.RECIPES, "attention", tiny)
    monkeypatch.setattr(making, "EVERY", 4)
    record = seeds.make(tmp_path, seeds=range(2), steps=4, sentences=5)
    assert [path.name for path in tmp_path.iterdir()] == ["records"]
    assert json.loads((tmp_path / "records" / "seeds.json").read_text()) == record
    first, second = record["seeds"]
    assert (first["seed"], second["seed"]) == (0, 1) and first["held_out_loss"] != second["held_out_loss"]
    made, _ = making.trained(replace(tiny, seed=1, steps=4, hold=4), tiny.text(), tmp_path / "again", progress=False)
    assert second["rows"] == aer(made, sample(5, split="dev"), "en", "de")["rows"]


def test_pairs_of_models_are_trained_and_recorded_alone_and_together(tmp_path, tiny, monkeypatch):
    monkeypatch.setitem(recipes.RECIPES, "member_0", tiny)
    monkeypatch.setattr(making, "EVERY", 4)
    record = ensembles.make(tmp_path, pairs=2, steps=4, sentences=2)
    assert [path.name for path in tmp_path.iterdir()] == ["records"]
    assert json.loads((tmp_path / "records" / "ensembles.json").read_text()) == record
    assert [pair["seeds"] for pair in record["pairs"]] == [[0, 1], [2, 3]]
    made, _ = making.trained(replace(tiny.shortened(4), seed=3), tiny.text(), tmp_path / "again", progress=False)
    assert record["pairs"][1]["rows"][1] == {
        **{"models": 1, "mean": ""},
        **searching.measured(made, sample(2, split="test"), 5),
    }


@pytest.mark.parametrize("encoder", ["both", "forward", "reversed"])
@pytest.mark.parametrize(
    ("attention", "unit"),
    [("luong", "lstm"), ("luong_additive", "lstm"), ("bahdanau", "lstm"), ("none", "lstm"), ("none", "basic")],
)
def test_every_architecture_of_a_recipe_translates(attention, unit, encoder, tiny):
    recipe = replace(tiny, attention=attention, encoder=encoder, unit=unit)
    made = checkpoints.translator(recipe, learned("words", ["the cat sleeps ."], 9))
    trace = made.trace("The cat sleeps.")
    assert (trace.attention is None) == (attention == "none") and trace.source_words[:3] == ["the", "cat", "sleeps"]
    network = made.model.encoder.network
    assert (network.directions, network.reads_ahead) == (1 + (encoder == "both"), encoder != "forward")
    assert isinstance(network, {"lstm": LSTM, "basic": RNN}[unit])
    additive = any(isinstance(module, Additive) for module in made.model.decoder.modules())
    assert additive == (attention in ("luong_additive", "bahdanau"))
    assert made.model.decoder.readout.U is made.model.decoder.embedding.weight


@pytest.mark.parametrize("kind", ["bpe", "words", "characters"])
def test_a_tokenizer_travels_as_plain_data(kind):
    text = ["der alte Hund", "die alten Hunde"]
    tokenizer = learned(kind, text, 5)
    again = restored(json.loads(json.dumps(stored(tokenizer))))
    assert type(again) is type(tokenizer) and again.vocabulary == tokenizer.vocabulary
    assert [again.encode(line) for line in text] == [tokenizer.encode(line) for line in text]


def test_a_checkpoint_that_no_longer_fits_is_refused_by_name(made):
    folder, _ = made
    path = folder / "attention.safetensors"
    tensors, said = read(path)
    write(path, tensors, said | {"recipe": said["recipe"] | {"hidden": 18}})
    with pytest.raises(ValueError, match=r"attention.safetensors does not fit .*decoder.bridge.weight is \(16, 16\)"):
        checkpoints.load("attention", folder)
    write(path, tensors, said | {"recipe": said["recipe"] | {"layers": 2}})
    with pytest.raises(ValueError, match="the checkpoint 'attention' has a recipe of other fields .*layers"):
        checkpoints.load("attention", folder)


def test_the_records_show_what_the_lectures_say_of_them():
    said = {name: checkpoints.about(name) for name in RECORDED}
    found = {name: record["results"] for name, record in said.items()}
    attention, fixed, turned = (found[name] for name in ("attention", "fixed", "fixed_reversed"))
    curves = (said[name]["held_out_losses"] for name in ("fixed", "fixed_reversed"))
    helps = {step: b < a for (step, a), (_, b) in zip(*curves, strict=True)}  # the reversed source, but only at first
    assert all(helps[step] for step in range(100, 900, 100))
    assert not any(helps[step] for step in range(2200, 5100, 100))
    assert fixed["test"]["all"] > turned["test"]["all"] + 2
    assert attention["test"]["all"] > 97 and attention["test"]["one"] > 93
    assert attention["long"]["all"] > fixed["long"]["all"] + 40
    assert attention["test"]["all"] - attention["long"]["all"] < 10
    for split in "test", "long":  # the induced alignments
        assert attention[split]["aer"]["symmetrised"] < attention[split]["aer"]["model1"]


def test_names_and_kinds_that_are_none_are_refused(tmp_path):
    with pytest.raises(ValueError, match="name must be one of attention, .*, got 'none'"):
        checkpoints.load("none")
    with pytest.raises(ValueError, match="name must be one of attention, .*, got 'rnn.words'"):
        checkpoints.load("rnn.words")
    with pytest.raises(ValueError, match="must begin with one of .*words.*, got 'none'"):
        checkpoints.about("none")
    with pytest.raises(ValueError, match="no run of 'attention' is recorded; python -m course_lib.checkpoints"):
        checkpoints.about("attention", tmp_path)
    with pytest.raises(ValueError, match="must begin with one of .*words.*, got 'none'"):
        making.make("none", tmp_path)
    with pytest.raises(ValueError, match='kind must be "bpe", "words" or "characters", got .bytes.'):
        learned("bytes", ["a"], 5)


def test_joined_pairs_are_two_pairs_on_both_sides(tiny):
    plain = tiny.text()
    joined = tiny.joins(plain)
    assert len(joined) == 16 and joined == tiny.joins(plain)
    assert all(any(x == f"{a} {c}" and y == f"{b} {d}" for a, b in plain for c, d in plain) for x, y in joined)


def test_an_unknown_word_is_one_wrong_word_for_bleu():
    examples = sample(20, split="dev")
    texts = [example.text("de") for example in examples]
    word = texts[3].split()[1]
    unknown, wrong = ([*texts[:3], texts[3].replace(word, each), *texts[4:]] for each in ("<unk>", "Quark"))
    found = bleu(unknown, examples, "en", "de")
    assert found == bleu(wrong, examples, "en", "de") and found["one"] < 100
    assert BLEU().corpus_score(unknown, [texts]).score < found["one"]  # in three tokens


def test_bleu_of_the_references_is_100_and_bins_hold_every_sentence_once():
    examples = sample(60, split="test")
    perfect = [e.text("de") for e in examples]
    assert bleu(perfect, examples, "en", "de") == pytest.approx({"all": 100, "one": 100})
    bins = by_length(perfect, examples, "en", "de")
    assert sum(each["sentences"] for each in bins) == 60
    for each in bins:
        own = [e for e in examples if each["from"] <= len(e.sentences["en"]) <= each["to"]]
        assert len(own) == each["sentences"]
        if any(len(e.sentences["de"]) >= 4 for e in own):  # BLEU counts four words in a row
            assert each["all"] == pytest.approx(100)


def test_a_translator_is_evaluated_on_text_of_characters_that_it_has_never_seen(tiny):
    made = checkpoints.translator(tiny, learned("bpe", ["the cat sleeps ."], 5))
    with pytest.raises(ValueError, match="characters that the vocabulary does not have"):
        made.translate(["The fox sleeps."])
    found = making.results(made, tiny, {"test": 20})
    assert sum(each["sentences"] for each in found["test"]["by_length"]) == 20 and found["test"]["all"] < 5
