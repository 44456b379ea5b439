"""The tree of a beam search: what was weighed, what became of it, and that it is the search itself."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.search.beam import FINISHED, STOP, beam
from course_lib.search.tree import beam_tree
from tests.test_beam import EOS, ONE, SHORT, TRAP, A, B, C, forced, toys

policies = st.sampled_from(list(itertools.product(FINISHED, STOP)))


@settings(deadline=None, max_examples=30)
@given(toys(), st.integers(1, 4), policies, st.integers(1, 6))
def test_a_tree_is_the_search(model, k, policy, longest):
    finished, stop = policy
    tree = beam_tree(model, *ONE, longest, k, finished=finished, stop=stop)
    assert list(tree.outputs) == beam(model, *ONE, longest, k, n_best=k, finished=finished, stop=stop)[0]
    nodes = [node for step in tree.steps for node in step]
    assert [node.number for node in nodes] == list(range(len(nodes)))
    by_number = dict(enumerate(nodes))
    for node in nodes:
        before = by_number[node.parent].log_probability if node.parent is not None else 0.0
        assert node.log_probability == pytest.approx(before + node.log_prob)
        assert node.parent is None or (by_number[node.parent].fate, by_number[node.parent].depth) == (
            "kept", node.depth - 1,
        )  # fmt: skip
        assert (node.fate == "finished") <= (node.word == EOS) and (node.fate == "kept") <= (node.word != EOS)
    for step in tree.steps:
        kept, pruned = ([n.log_probability for n in step if n.fate == fate] for fate in ("kept", "pruned"))
        assert len(kept) <= k
        if finished == "aside" and kept:  # what was pruned and could have gone on was no better
            assert all(n.log_probability <= min(kept) + 1e-9 for n in step if n.fate == "pruned" and n.word != EOS)
        assert len(kept) == k or not pruned or finished == "in_beam" or all(
            n.word == EOS for n in step if n.fate == "pruned"
        )  # fmt: skip
    assert len(tree.beams) == len(tree.steps) and tree.nodes == tuple(nodes)
    for beam_now, step in zip(tree.beams, tree.steps, strict=True):
        ended = {number for number in beam_now if by_number[number].fate == "finished"}
        assert set(beam_now) - ended == {node.number for node in step if node.fate == "kept"} and len(beam_now) <= k
        assert finished == "in_beam" or not ended
    for output in tree.outputs:
        assert tree.words(tree.leaf(output)) == (*output.words, *[EOS] * output.finished)
    ends = {tree.words(node.number)[:-1] for node in nodes if node.fate == "finished"}
    assert {output.words for output in tree.outputs if output.finished} <= ends


def fates(tree):
    return [{(node.word, node.fate) for node in step} for step in tree.steps]


def test_the_tree_of_a_small_model():
    tree = beam_tree(TRAP, *ONE, 5, 2)
    assert fates(tree)[0] == {(A, "kept"), (B, "kept")}
    assert fates(tree)[1] == {(A, "kept"), (C, "pruned"), (C, "kept")}
    best = next(node for node in tree.steps[2] if node.fate == "finished" and tree.words(node.number) == (B, C, EOS))
    assert best.log_probability == pytest.approx(forced(TRAP, *ONE, tree.outputs[0]))


def test_a_finished_hypothesis_in_the_beam_gets_no_new_node():
    tree = beam_tree(SHORT, *ONE, 5, 2, finished="in_beam", stop="length")
    assert sum(tree.words(node.number) == (EOS,) for step in tree.steps for node in step) == 1


def test_a_tree_is_of_one_sentence():
    with pytest.raises(ValueError, match="source must hold one sentence, got 2"):
        beam_tree(TRAP, *(x.expand(2, -1) for x in ONE), 5)
