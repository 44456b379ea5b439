"""Metrics against the truth: the changes made on purpose, the scores of an output, the record."""

import json

import pytest
from sacrebleu import sentence_bleu
from scipy.stats import kendalltau

from course_lib.checkpoints import about, judging
from course_lib.checkpoints.judging import CHANGES, METRICS, TRUTH, changed, scores
from course_lib.corpora.grammar import sample
from course_lib.metrics.truth import Judge

EXAMPLES = sample(30, seed=9, split="test")


@pytest.fixture(scope="module")
def made():
    return [(example, Judge(example, "en", "de"), changed(example)) for example in EXAMPLES]


def test_the_reference_has_the_best_score_of_every_metric(made):
    for example, judge, _ in made[:10]:
        found = scores(example.text("de"), example.references("en", "de"), judge)
        assert (found["chrf"], found["ter"], found["length"], found["adequacy"], found["fluency"]) == (100, 0, 1, 1, 1)
        short = len(example.text("de").split()) < 3
        assert short or found["bleu"] == pytest.approx(100)


def test_each_change_does_to_the_truth_what_its_name_says(made):
    kinds = set()
    for example, judge, texts in made:
        kinds |= texts.keys()
        for kind, text in texts.items():
            found = scores(text, example.references("en", "de"), judge)
            if kind in ("reference", *judging.FORM):
                assert (found["adequacy"], found["fluency"]) == (1, 1)
            elif kind in judging.MEANING:
                assert found["adequacy"] < 1 and found["fluency"] == 1
            elif kind == "article":
                assert found["fluency"] < 1 or found["adequacy"] < 1
    assert kinds >= {*CHANGES} - {"roles swapped"}


def test_a_score_is_sacrebleus(made):
    example, judge, texts = made[4]
    found = scores(texts["first half"], example.references("en", "de"), judge)
    expected = sentence_bleu(texts["first half"], example.references("en", "de"), smooth_method="exp")
    assert found["bleu"] == round(expected.score, 4)


def test_the_record_holds_the_means_and_the_correlations(tmp_path, monkeypatch):
    (tmp_path / "records").mkdir()
    record = judging.make(tmp_path, sentences={"test": 4}, names=())
    assert record["systems"].keys() == {f"test {name}" for name in CHANGES}
    assert record["systems"]["test reference"]["adequacy"] == 1
    stored = json.loads((tmp_path / "records" / "judging.json").read_text(encoding="utf-8"))
    assert stored == record and not list(tmp_path.glob("*.resume"))
    rows = [row for row in record["systems"].values() if row["outputs"]]
    expected = kendalltau([row["chrf"] for row in rows], [row["fluency"] for row in rows]).statistic
    found = record["correlations"]["changes"]["systems"]["chrf"]["fluency"]["kendall"]
    assert found == pytest.approx(expected, abs=1e-4)
    assert record["correlations"]["models"]["systems"]["bleu"]["adequacy"] == {"pearson": None, "kendall": None}


def test_an_interrupted_run_judges_nothing_twice(tmp_path, monkeypatch):
    (tmp_path / "records").mkdir()
    monkeypatch.setattr(judging, "write_record", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        judging.make(tmp_path, sentences={"test": 3}, names=())
    monkeypatch.undo()
    others = tmp_path / "others"
    (others / "records").mkdir(parents=True)
    (others / "judging.resume").write_bytes((tmp_path / "judging.resume").read_bytes())
    with monkeypatch.context() as patched:
        patched.setattr(judging, "scores", lambda *_: pytest.fail("judged again"))
        assert judging.make(tmp_path, sentences={"test": 3}, names=())["systems"]
    record = judging.make(others, sentences={"test": 2}, names=())  # of other numbers of sentences nothing is kept
    assert record["systems"]["test reference"]["outputs"] == 2


@pytest.mark.parametrize("split", judging.SENTENCES)
def test_the_courses_record_has_every_system_and_its_command(split):
    record = about("judging")
    assert record["command"].startswith("python -m course_lib.checkpoints judging")
    assert {f"{split} {name}" for name in CHANGES} <= record["systems"].keys()
    for row in record["systems"].values():
        assert row.keys() == {"outputs", *METRICS, *TRUTH} or row == {"outputs": 0}
