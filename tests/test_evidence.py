"""Which claims the recorded runs decide, and how."""

import math
import subprocess
import sys
from dataclasses import asdict, fields
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.checkpoints import evidence, recipes
from course_lib.checkpoints.captions import Captions
from course_lib.checkpoints.evidence import MEASURES, Difference, Row, difference, row, table
from course_lib.checkpoints.experiments import CLAIMS, EXPERIMENTS, Claim
from course_lib.checkpoints.making import SEARCHED
from course_lib.checkpoints.mixtures import MixtureRecipe


def record(score: float, beams: bool = False, last: float | None = None) -> dict:
    """What the measures read of a record."""

    def of(score: float) -> dict:
        lengths = [{"from": 6, "all": score}, {"from": 26, "all": score / 2}]
        on_each = {"all": score, "by_length": lengths, "aer": {"rows": score / 100, "symmetrised": 0.2}}
        return {"test": on_each, "long": on_each}

    found = {"results": of(score), "held_out_losses": [[100, 2.0], [200, score / 100]]}
    if beams:
        found["beams"] = [
            {"beam_size": k, "all": score + k, "log_probability": k - 10.0, "length": 1 / k} for k in (1, 5)
        ]
    return found if last is None else found | {"last": of(last)}


@pytest.fixture
def recorded(monkeypatch):
    """The records are these: run → record."""
    records: dict[str, dict] = {}
    monkeypatch.setattr(evidence, "about", records.__getitem__)
    monkeypatch.setattr(evidence, "is_recorded", records.__contains__)
    return records


def test_a_row_reads_the_measure_of_every_seed_that_is_recorded(recorded):
    recorded |= {"rnn.luong": record(50, beams=True), "rnn.luong-3": record(54, beams=True, last=40)}
    assert row("rnn.luong", "bleu").values == {0: 50, 3: 54}
    assert row("rnn.luong", "bleu").written() == "52.0 (50.0 … 54.0)"
    assert row("rnn.luong: beam 5", "bleu on long").values == {0: 55, 3: 59}
    assert row("rnn.luong: beam 5", "log p").values == {0: -5, 3: -5}
    assert row("rnn.luong: last", "bleu", seeds=[3]).values == {3: 40}
    began = record(50) | {"before": {"test": {"all": 44, "adequacy": 0.5}}}
    recorded["refined.risk-1"] = began
    assert row("refined.risk: before", "bleu").values == {1: 44} and row("refined.risk", "bleu").values == {1: 50}
    assert row("refined.risk: before", "adequacy").values == {1: 50}
    assert row("rnn.luong", "kept with length").values == {0: 50, 3: 50}
    assert row("rnn.luong", "aer").values == {0: 0.5, 3: 0.54}
    assert row("rnn.luong", "aer, both").values == {0: 0.2, 3: 0.2}
    assert row("rnn.luong: beam 5", "length").values == {0: 0.2, 3: 0.2}
    assert row("rnn.luong", "perplexity", seeds=[0]).values == {0: pytest.approx(math.exp(0.5))}
    recorded["multi30k_brief-2"] = {"test_2016_flickr": {"cased": {"bleu": 36.5}}}
    assert row("multi30k_brief", "bleu on captions").values == {2: 36.5}
    assert row("rnn.none", "bleu").values == {} and row("rnn.none", "bleu").written() == "–"
    recorded["mixture.experts"] = record(50) | {"loads": [[4, 2, 2], [9, 0, 0]]}
    assert row("mixture.experts", "busiest expert").values == {0: pytest.approx((1.5 + 3) / 2)}
    with pytest.raises(ValueError, match="measure must be one of bleu, .*, got 'BLEU'"):
        row("rnn.luong", "BLEU")
    for name in "rnn.nothing", "rnn.luong-3":
        with pytest.raises(ValueError, match=f"recipe must be one of .*, got '{name}'"):
            row(name, "bleu")
    for name, measure in (("rnn.luong: lst", "bleu"), ("rnn.luong: beam 5", "bleu"), ("rnn.luong: last", "perplexity")):
        with pytest.raises(ValueError, match=f"{measure} cannot be told of the part '.*' of rnn.luong"):
            row(name, measure)
    with pytest.raises(ValueError, match="the part of the row must be one of beam .*, got 'beam 7'"):
        row("rnn.luong: beam 7", "log p")


def values(name: str, *numbers: float) -> Row:
    return Row(name, dict(enumerate(numbers)))


def test_a_claim_is_decided_only_by_an_interval_that_leaves_out_0():
    high, low = values("rnn.luong", 60, 61, 62, 61, 60), values("rnn.none", 40, 41, 42, 40, 41)
    assert difference(high, low, "bleu").verdict == "shown"
    assert difference(low, high, "bleu").verdict == "contradicted"
    assert difference(low, high, "perplexity").verdict == "shown"  # a smaller one is better
    wide = values("rnn.none", 20, 100, 58, 70, 55)
    assert difference(high, wide, "bleu").verdict == "not decided"
    assert difference(high, values("rnn.none", 1, 2), "bleu").verdict == "too few runs"


def test_numbers_of_one_training_are_compared_seed_by_seed():
    base = values("rnn.luong: beam 1", 20, 60, 40, 80, 50)
    better = values("rnn.luong: beam 5", 21, 61.2, 41.1, 80.9, 51)
    found = difference(better, base, "bleu")
    assert found.verdict == "shown" and found.mean == pytest.approx(1.04)
    others = Row("rnn.none", base.values)
    assert difference(better, others, "bleu").verdict == "not decided"  # as if they were of two trainings


@given(st.lists(st.floats(0, 100), min_size=3, max_size=5), st.lists(st.floats(0, 100), min_size=3, max_size=5))
def test_the_interval_holds_the_difference_and_turns_with_the_rows(a, b):
    if np.var(a) + np.var(b) < 1e-6:
        return
    one, other = values("rnn.luong", *a), values("rnn.none", *b)
    found, turned = difference(one, other, "bleu"), difference(other, one, "bleu")
    assert found.low <= found.mean <= found.high
    assert found.mean == pytest.approx(fmean(a) - fmean(b), abs=1e-9)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-6)


def test_where_no_seed_differs_from_another_the_interval_is_the_difference():
    ones, zeros = values("rnn.luong", 100.0, 100.0, 100.0), values("rnn.none", 0.0, 0.0, 0.0)
    assert difference(ones, zeros, "bleu") == Difference(100.0, 100.0, 100.0, "shown")
    assert difference(zeros, ones, "bleu") == Difference(-100.0, -100.0, -100.0, "contradicted")
    assert difference(ones, values("rnn.none", 100.0, 100.0, 100.0), "bleu").verdict == "not decided"


def test_the_table_counts_the_claims_that_are_shown(recorded):
    for seed in range(5):
        recorded[recipes.run_of("rnn.luong", seed)] = record(60 + seed)
        recorded[recipes.run_of("rnn.none", seed)] = record(30 + seed)
    claims = [Claim("attention helps", "rnn.luong", "rnn.none", "bleu"), CLAIMS[0]]
    found = table(claims)
    assert found.rows[0][-3:] == ["5, 5", "+30.0 [+27.7, +32.3]", "shown"]
    assert found.rows[1][-3:] == ["0, 0", "", "too few runs"]
    assert found.caption == "shown: 1; too few runs: 1"


def test_the_command_prints_what_so_many_seeds_decide():
    """Two seeds decide nothing."""
    command = [sys.executable, "-m", "course_lib.checkpoints", "evidence", "--seeds", "2"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1] == f"too few runs: {len(CLAIMS)}"


def test_every_claim_names_rows_and_measures_that_there_are():
    for claim in CLAIMS:
        assert claim.measure in MEASURES
        for name in claim.better, claim.worse:
            recipe, _, part = name.partition(": ")
            run = recipes.RECIPES[recipe]
            assert isinstance(run, Captions) == (claim.measure == "bleu on captions")
            if isinstance(run, Captions):
                assert not part
                continue
            assert recipe in EXPERIMENTS
            parts = {"": True, "last": run.averaged > 1, "before": bool(run.start)}
            assert parts.get(part, recipe in SEARCHED)
            assert claim.measure != "adequacy" or run.judged
            assert claim.measure != "busiest expert" or isinstance(run, MixtureRecipe)


EXPERTS = {"experts", "asked", "balance"}  # of a mixture; another recipe does not have them
TOGETHER = ({"pieces", "merges"}, {"d_model", "d_ff"}, EXPERTS, {*EXPERTS, "d_ff"})  # fields that are one thing


def test_the_sides_of_a_claim_differ_in_one_thing():
    for claim in CLAIMS:
        (one, _, part), (other, _, another) = (name.partition(": ") for name in (claim.better, claim.worse))
        a, b = asdict(recipes.RECIPES[one]), asdict(recipes.RECIPES[other])
        changed = {field for field in a | b if a.get(field) != b.get(field)}
        if claim.measure == "bleu on captions":  # two kinds of models: all that both have is the same, but the steps
            assert not changed & {field.name for field in fields(Captions)}, claim.text
            continue
        assert len(changed) == 1 or changed in TOGETHER or one == other and part != another, claim.text


def test_no_two_rows_are_the_same_training():
    assert len(set(EXPERIMENTS.values())) == len(EXPERIMENTS)
