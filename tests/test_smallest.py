"""The smallest runs of the experiments are made again: each pair shows what the rows that a lecture shows do.

What a checkpoint of the course is enough for is measured again without a training.
"""

from functools import cache, lru_cache

import jaxtyping
import pytest

from course_lib import checkpoints
from course_lib.checkpoints import evidence, making, recipes, searching, vectors
from course_lib.corpora.grammar import sample


@pytest.fixture(scope="module")
def again(tmp_path_factory):
    """The record of one of the smallest runs, made again; each is made once, without the checks of shapes."""
    folder, drawn = tmp_path_factory.mktemp("smallest"), lru_cache(sample)

    @cache
    def made(name):
        recipe = recipes.SMALLEST[name]
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr("course_lib.checkpoints.recipe.sample", drawn)
            monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
            return making.trained(recipe, recipe.text(), folder / name, progress=False)[1]

    return made


PAIRS = (  # of each the first is better, by so much at least, as in the rows of the experiments that show it
    ("smallest_basic_reversed", "smallest_basic", 0.1),
    ("smallest_attention", "smallest_one_vector", 0.1),
    ("smallest_warmup", "smallest_warmup_0", 0.5),
    ("smallest_warmup", "smallest_narrow", 0.1),
    ("smallest_positions", "smallest_positions_none", 0.1),
    ("smallest_pre_6", "smallest_post_6", 0.5),
    ("smallest_dlcl_post_6", "smallest_post_6", 0.1),
    ("smallest_residual", "smallest_plain", 0.1),
    ("smallest_experts", "smallest_unbalanced", 0.5),
    ("smallest_cross_entropy", "smallest_risk", 0.02),
)


@pytest.mark.xdist_group("smallest")
@pytest.mark.parametrize(("better", "worse", "by"), PAIRS)
def test_the_smallest_runs_made_again_show_what_the_rows_of_an_experiment_show(better, worse, by, again):
    measure = evidence.busiest_expert if better == "smallest_experts" else evidence.loss
    for record in again, checkpoints.about:
        assert measure(record(better), "") < measure(record(worse), "") - by
    for name in better, worse:
        assert again(name)["text"] == checkpoints.about(name)["text"]
        assert evidence.loss(again(name), "") == pytest.approx(evidence.loss(checkpoints.about(name), ""), abs=0.1)


def test_each_of_the_smallest_runs_is_one_of_a_pair():
    assert {name for *pair, _ in PAIRS for name in pair} == {*recipes.SMALLEST}


def test_the_stored_encoders_place_what_has_one_translation_near_as_the_recorded_runs_do():
    for name, near in ("one_form", True), ("as_said", False):
        measured = vectors.same_nearer(checkpoints.load(name))
        assert measured == pytest.approx(checkpoints.about(name)["same_nearer"], abs=1)
        for kind, share in measured.items():
            recorded = evidence.row(f"vectors.{name}", f"same nearer, {kind}").values.values()
            assert len(recorded) >= evidence.LEAST and all((each > 90) == near for each in (*recorded, share))


def test_a_beam_finds_more_probable_outputs_of_a_stored_translator_as_of_the_recorded_runs():
    recorded = [evidence.row(f"rnn.luong: beam {k}", "log p") for k in (1, 5)]
    assert evidence.difference(*reversed(recorded), "log p").verdict == "shown"
    one, five = searching.by_beam_size(checkpoints.load("weak"), sample(8, split="long"), (1, 5))
    assert five["log_probability"] > one["log_probability"] + 1
