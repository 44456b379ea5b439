"""The score to report is sacreBLEU's own, and ours is the same."""

import pytest
import sacrebleu

from course_lib.metrics import corpus_bleu, corpus_chrf, corpus_ter, reported, streams

from .pairs import real


def test_the_line_is_sacrebleus_own():
    hypotheses, references = real(60)
    found = reported(hypotheses, references)
    bleu = sacrebleu.BLEU()
    expected = bleu.corpus_score(hypotheses, streams(references))
    assert (found.name, found.score, found.signature) == ("BLEU", expected.score, str(bleu.get_signature()))
    assert expected.format(width=1, signature=found.signature).startswith(f"{found} ")
    assert found.signature.endswith(f"|tok:13a|smooth:exp|version:{sacrebleu.__version__}")


def test_our_scores_are_those_to_report():
    hypotheses, references = real(60)
    for name, ours in {
        "BLEU": corpus_bleu(hypotheses, references),
        "chrF": corpus_chrf(hypotheses, references),
        "chrF++": corpus_chrf(hypotheses, references, word_order=2),
        "TER": corpus_ter(hypotheses, references),
    }.items():
        assert reported(hypotheses, references, name).score == pytest.approx(ours.score, abs=1e-9)


def test_options_are_sacrebleus_and_stand_in_the_signature():
    found = reported(["A b c d"], [["a b c d"]], lowercase=True, tokenize="intl")
    assert found.score == pytest.approx(100)
    assert "|case:lc|eff:no|tok:intl|" in found.signature
    assert "nw:2" in reported(["a"], [["a"]], "chrF++").signature


def test_an_unknown_metric_is_refused():
    with pytest.raises(ValueError, match=r"metric must be one of BLEU, chrF, chrF\+\+, TER, got 'METEOR'"):
        reported(["a"], [["a"]], "METEOR")
