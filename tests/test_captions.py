"""The translators of picture captions: as recorded, small, and fit for a reader's own sentence."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
import torch

from course_lib import checkpoints
from course_lib.checkpoints import CAPTIONS, queue, recipes
from course_lib.checkpoints.captions import Captions
from course_lib.checkpoints.multi30k import ROWS, bleu
from course_lib.checkpoints.recorded import is_recorded
from course_lib.corpora.everyday import EVERYDAY
from course_lib.subwords import SentencePiece
from course_lib.training.checkpoint import said_of
from course_lib.widgets import AttentionHeatmap, BeamStepper

MEGABYTE = 1 << 20
OF_CAPTIONS = [name for name, recipe in recipes.RECIPES.items() if isinstance(recipe, Captions)]
RUNS = [run for run in queue.wanted(OF_CAPTIONS) if is_recorded(run)]


def as_stored(recipe: Captions) -> dict:
    """The recipe as JSON gives it back."""
    return json.loads(json.dumps(asdict(recipe)))


@pytest.fixture(scope="module", params=CAPTIONS)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def translator(name):
    return checkpoints.load(name)


def test_the_file_is_small_and_made_by_the_recipe_of_its_name(name):
    path = Path(checkpoints.__file__).with_name(f"{name}.safetensors")
    assert path.stat().st_size <= 6 * MEGABYTE
    assert said_of(path)["recipe"] == as_stored(CAPTIONS[name])


def test_the_record_has_as_many_parameters_as_the_model(name, translator):
    assert checkpoints.about(name)["parameters"] == sum(p.numel() for p in translator.model.parameters())


@pytest.mark.parametrize("run", RUNS)
def test_the_record_says_what_was_run_and_what_came_out(run):
    said, recipe = checkpoints.about(run), recipes.recipe_of(run)
    assert said["command"] == f"python -m course_lib.checkpoints {run}" and len(said["commit"]) == 40
    assert said["recipe"] == as_stored(recipe)
    steps, losses = zip(*said["held_out_losses"], strict=True)
    assert steps == tuple(range(recipe.every, recipe.steps + 1, recipe.every))
    assert losses[-1] < losses[0] / 2 and said["alpha"] in recipe.alphas
    assert said["test_2016_flickr"].keys() == ROWS.keys()


def test_it_translates_everyday_scenes_that_it_has_never_read(translator):
    found = translator.translate([english for english, _ in EVERYDAY])
    assert bleu(found, [german for _, german in EVERYDAY])["cased"]["bleu"] > 60
    assert found[1].startswith("Zwei Hunde spielen") and "Schnee" in found[1]


def test_a_character_that_the_text_never_showed_is_unknown_not_refused(translator):
    assert "象" not in translator.characters
    assert translator.translate(["A man is drawing 象 on a wall."])[0].startswith("Ein Mann")


def test_pieces_come_back_as_text(translator):
    text = "A woman's café: “open”, 24 hours!"
    assert isinstance(translator.tokenizer, SentencePiece)
    assert translator.tokenizer.decode(translator.tokenizer.encode(text)) == text


def test_widgets_take_the_reader_s_own_sentence(translator):
    text = "A girl is riding a horse on the beach."
    heatmap, tree = AttentionHeatmap({"captions": translator}, text), BeamStepper(translator, text, k=2)
    (view,) = heatmap.views
    assert view["text"] == tree.text == text and tree.outputs
    for row in heatmap.translators["captions"].trace(text).attention:
        assert torch.tensor(row).sum() == pytest.approx(1, abs=1e-4)
