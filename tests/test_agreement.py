"""Agreement across a relative clause: what is promised of each sentence holds of its words."""

from itertools import islice

from course_lib.corpora.agreement import agreements
from course_lib.corpora.grammar.en_forms import noun_forms, verb_forms
from course_lib.corpora.grammar.lexicon import NOUNS, VERBS

SENTENCES = agreements(150)
SINGULAR = {noun_forms(noun)[0].split("_")[-1] for noun in NOUNS}
PLURAL = {noun_forms(noun)[1].split("_")[-1] for noun in NOUNS}


def test_each_meaning_comes_in_all_four_combinations():
    fours = [SENTENCES[k : k + 4] for k in range(0, len(SENTENCES), 4)]
    assert len(fours) == 150 == len({four[0].words for four in fours})
    for k, four in enumerate(fours):
        assert {(s.plural, s.nearest_plural) for s in four} == {(a, b) for a in (False, True) for b in (False, True)}
        assert {s.meaning for s in four} == {k}
        assert len({s.words for s in four}) == 4


def test_the_nouns_have_the_numbers_that_are_said():
    for s in SENTENCES:
        assert s.subject < s.nearest < s.verb and s.distance == s.verb - s.subject
        assert s.words[s.subject] in (PLURAL if s.plural else SINGULAR)
        assert s.words[s.nearest] in (PLURAL if s.nearest_plural else SINGULAR)
        assert not {"and", "I", "we", "you", "he", "she", "it", "they", "who"} & set(s.before)


def test_the_verb_agrees_with_the_subject_alone():
    forms = {False: {"is", "has", "does"}, True: {"are", "have", "do"}}
    for verb in VERBS:
        form = verb_forms(verb)
        forms[False].add(form["third"].split("_")[0])
        forms[True].add(form["base"].split("_")[0])
    for s in SENTENCES:
        assert s.words[s.verb] in forms[s.plural], s


def test_the_prefix_does_not_hold_the_verb_and_the_draw_is_by_seed():
    assert all(s.before == s.words[: s.verb] for s in SENTENCES)
    assert list(islice(SENTENCES, 40)) == agreements(10) != agreements(10, seed=1)
