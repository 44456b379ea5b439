"""Beam search against enumeration, against Hugging Face's, and by what must hold for any model."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.corpora.batches import collate
from course_lib.search.beam import beam, most_probable
from course_lib.search.best_first import best_first
from course_lib.search.definition import beam_by_definition
from course_lib.search.exhaustive import exhaustive
from course_lib.search.greedy import greedy
from course_lib.search.hypothesis import gnmt, plain, power
from course_lib.search.sample import sample
from course_lib.subwords import Vocabulary
from course_lib.transformer import Config, Transformer
from tests.marian import TinyMarian
from tests.toy import ToyModel

EOS, A, B, C = 3, 4, 5, 6
WORDS = (EOS, A, B, C)
DEPTH = 3  # behind three words a toy model ends
NORMALISED = [plain, power(0.6), power(1.0), gnmt(0.6), gnmt(2.0)]
POLICIES = list(itertools.product(("aside", "in_beam"), ("count", "bound", "length")))


def distribution(random):
    weights = [random.randint(0, 9) for _ in WORDS]
    weights[random.randrange(len(WORDS))] += 1
    return {word: x / sum(weights) for word, x in zip(WORDS, weights, strict=True) if x}


def toys(tables=1):
    """Models over three words with a distribution of their own behind each beginning of up to two words."""
    beginnings = [y for t in range(DEPTH) for y in itertools.product((A, B, C), repeat=t)]

    def toy(random):
        return ToyModel([{y: distribution(random) for y in beginnings} for _ in range(tables)], 7)

    return st.randoms(use_true_random=False, note_method_calls=False).map(toy)


def batch(*lengths):
    made = collate([([C] * n, []) for n in lengths], Vocabulary("abc"))
    return made.source, made.source_mask


ONE = batch(1)


def forced(model, source, mask, hypothesis):
    """log p of an output under teacher forcing."""
    words = [*hypothesis.words, EOS] if hypothesis.finished else list(hypothesis.words)
    target_in = torch.tensor([[model.bos_id, *words[:-1]]])
    log_probs = model(source, mask, target_in).double().log_softmax(-1)[0]
    return log_probs[range(len(words)), words].sum().item()


@settings(deadline=None, max_examples=30)
@given(toys(), st.sampled_from(NORMALISED), st.sampled_from(POLICIES[1:3] + POLICIES[4:]))
def test_a_beam_that_holds_all_finds_the_best(model, normalise, policy):
    finished, stop = policy
    found = beam(model, *ONE, DEPTH + 1, 64, n_best=3, finished=finished, stop=stop, normalise=normalise)[0]
    best = exhaustive(model, *ONE, DEPTH + 1, n_best=3, normalise=normalise)
    assert [h.score for h in found] == pytest.approx([h.score for h in best])
    assert all(any(h.words == other.words for other in best) for h in found if h.score > best[-1].score + 1e-9)


@settings(deadline=None, max_examples=30)
@given(toys(), st.integers(1, 4), st.sampled_from(POLICIES), st.sampled_from(NORMALISED), st.integers(1, 5))
def test_every_score_is_that_of_the_output_it_is_given_with(model, k, policy, normalise, longest):
    finished, stop = policy
    for output in beam(model, *ONE, longest, k, n_best=k, finished=finished, stop=stop, normalise=normalise)[0]:
        assert output.log_probability == pytest.approx(forced(model, *ONE, output), abs=1e-5)
        assert output.score == pytest.approx(normalise(output.log_probability, output.length))
        assert output.length <= longest and EOS not in output.words


@settings(deadline=None, max_examples=25)
@given(toys(tables=3), st.integers(1, 4), st.sampled_from(POLICIES), st.integers(1, 5))
def test_a_sentence_alone_gives_what_it_gives_beside_others(model, k, policy, longest):
    finished, stop = policy
    options = {"n_best": k, "finished": finished, "stop": stop, "normalise": power(1.0)}
    together = beam(model, *batch(1, 3, 2, 1), longest, k, **options)
    assert together == [beam(model, *batch(n), longest, k, **options)[0] for n in (1, 3, 2, 1)]


@settings(deadline=None, max_examples=30)
@given(toys(), st.integers(1, 4), st.sampled_from(["aside", "in_beam"]), st.sampled_from(NORMALISED), st.data())
def test_the_bound_stops_earlier_with_the_same_result(model, k, finished, normalise, data):
    n_best = data.draw(st.integers(1, k))
    steps = {}
    results = []
    for stop in ("bound", "length"):
        steps[stop] = []
        results.append(
            beam(model, *ONE, 6, k, n_best=n_best, finished=finished, stop=stop, normalise=normalise,
                 watch=steps[stop].append)
        )  # fmt: skip
    assert results[0] == results[1] and len(steps["bound"]) <= len(steps["length"])


@settings(deadline=None, max_examples=60)
@given(toys(), st.integers(1, 4), st.integers(1, 5))
def test_the_definition_finds_the_same(model, k, longest):
    def following(words):
        log_probs = model.logits(0, (model.bos_id, *words)).float().log_softmax(0).double().tolist()
        return {word: log_p for word, log_p in enumerate(log_probs) if log_p > -math.inf}

    found = beam(model, *ONE, longest, k, n_best=2 * k)[0]
    defined = beam_by_definition(following, EOS, longest, k)
    assert [(h.words + (EOS,) * h.finished, h.score) for h in found] == [(y, pytest.approx(s)) for y, s in defined]


@settings(deadline=None, max_examples=25)
@given(toys(tables=2), st.integers(1, 5))
def test_a_beam_of_one_is_greedy(model, longest):
    expected = greedy(model, *batch(1, 2), longest)
    for finished, stop in (("aside", "count"), ("in_beam", "count"), ("in_beam", "bound")):
        found = beam(model, *batch(1, 2), longest, 1, finished=finished, stop=stop)
        assert [list(outputs[0].words) for outputs in found] == expected


@settings(deadline=None, max_examples=25)
@given(toys(), st.integers(1, 3))
def test_best_first_proves_what_enumeration_finds(model, n_best):
    found = best_first(model, *ONE, DEPTH + 1, n_best=n_best)
    best = exhaustive(model, *ONE, DEPTH + 1, n_best=n_best)
    assert [h.score for h in found] == pytest.approx([h.score for h in best])
    assert all(h.log_probability == pytest.approx(forced(model, *ONE, h), abs=1e-5) for h in found)
    assert best_first(model, *ONE, DEPTH + 1, most=1) is None or len(best[0].words) == 0
    least = found[-1].log_probability
    assert best_first(model, *ONE, DEPTH + 1, n_best=n_best, at_least=least - 1e-9) == found
    assert all(h.log_probability > least for h in best_first(model, *ONE, DEPTH + 1, n_best=9, at_least=least + 1e-9))


# A is likelier than B, but what follows B is sure: greedy finds .3, two hypotheses find .4
TRAP = ToyModel([{(): {A: 0.6, B: 0.4}, (A,): {A: 0.5, C: 0.5}, (A, A): {EOS: 1.0}, (B,): {C: 1.0}}], 7)
# It may end at once (.3), or go on: short outputs finish early
SHORT = ToyModel([{(): {EOS: 0.3, A: 0.7}, (A,): {A: 0.6, B: 0.4}, (A, A): {C: 0.9, B: 0.1}}], 7)


def words_of(outputs):
    return [output.words for output in outputs]


def test_two_hypotheses_see_what_greedy_misses():
    assert words_of(beam(TRAP, *ONE, 5, 1)[0]) == [(A, A)]
    assert words_of(beam(TRAP, *ONE, 5, 2)[0]) == [(B, C)]


def test_no_output_is_lost_that_ends_early():
    for finished, stop in POLICIES:
        outputs = beam(SHORT, *ONE, 5, 2, n_best=2, finished=finished, stop=stop)[0]
        assert () in words_of(outputs)
        better = stop != "count" or finished == "in_beam"  # two outputs are enough: .3 and .28, before .378 ends
        assert outputs[0].log_probability == pytest.approx(math.log(0.378 if better else 0.3))


def living(candidates):
    """How many hypotheses of the next beam can go on."""
    words, totals = (candidates.best(x).gather(1, candidates.kept) for x in (candidates.words, candidates.totals))
    return int(((words != EOS) & totals.isfinite()).sum())


def test_aside_the_beam_is_filled_up_and_in_the_beam_it_is_not():
    widths = {}
    for finished in ("aside", "in_beam"):
        seen = []
        beam(SHORT, *ONE, 5, 2, finished=finished, stop="length", watch=seen.append)
        widths[finished] = [living(candidates) for candidates in seen[:2]]
    assert widths["aside"] == [1, 2]  # one ended at once; two live again a step later
    assert widths["in_beam"] == [1, 1]  # the finished one holds its place


def test_enough_outputs_end_it():
    counts = []
    for enough in (1, 2):
        seen = []
        beam(SHORT, *ONE, 5, 2, enough=enough, watch=seen.append)
        counts.append(len(seen))
    assert counts[0] == 1 < counts[1]


def test_a_longer_output_wins_where_length_is_normalised():
    assert words_of(beam(SHORT, *ONE, 5, 1, enough=2, stop="length")[0]) != [()]
    short = ToyModel([{(): {EOS: 0.5, A: 0.5}, (A,): {A: 0.9, B: 0.1}, (A, A): {A: 0.9, B: 0.1}}], 7)
    assert words_of(beam(short, *ONE, 9, 2, stop="bound")[0]) == [()]
    assert words_of(beam(short, *ONE, 9, 2, stop="bound", normalise=power(1.0))[0]) == [(A, A, A)]


def test_unfinished_outputs_come_only_where_none_is_finished():
    (outputs,) = beam(TRAP, *ONE, 2, 2, n_best=2)
    assert [(h.words, h.finished) for h in outputs] == [((B, C), False), ((A, A), False)]
    (outputs,) = beam(SHORT, *ONE, 2, 2, n_best=2, stop="length")
    assert words_of(outputs) == [()] and outputs[0].finished


def test_of_equals_the_lower_hypothesis_and_then_the_lower_word():
    equal = ToyModel([{(): {A: 0.5, B: 0.5}, (A,): {B: 0.5, C: 0.5}, (B,): {A: 0.5, B: 0.5}}], 7)
    assert words_of(beam(equal, *ONE, 4, 3, n_best=3)[0]) == [(A, B), (A, C), (B, A)]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.lists(st.sampled_from([0.0, -1.0, -2.0, -torch.inf]), min_size=6, max_size=6), min_size=1))
def test_the_most_probable_words_come_in_a_fixed_order(rows):
    values, places = most_probable(torch.tensor(rows), 4)
    for row, value, place in zip(rows, values.tolist(), places.tolist(), strict=True):
        expected = sorted(range(6), key=lambda i: (-row[i], i))[:4]
        assert place == expected and value == [row[i] for i in expected]


def test_every_output_begins_with_the_prefix():
    (outputs,) = beam(TRAP, *ONE, 5, 2, n_best=2, prefix=[A, C])
    assert words_of(outputs) == [(A, C)] and outputs[0].log_probability == pytest.approx(-1.2039728, abs=1e-6)


@pytest.mark.parametrize("alpha", [0.0, 1.0])
@pytest.mark.parametrize(("early", "stop"), [(True, "count"), ("never", "bound")])
def test_it_finds_what_hugging_face_generate_finds(early, stop, alpha):
    k, longest, compared = 4, 16, 0
    for seed in range(5):
        model = TinyMarian(seed)
        source, mask = model.sources(50, seed)
        ours = beam(model, source, mask, longest, k, n_best=k, stop=stop, normalise=power(alpha))
        for mine, theirs in zip(ours, model.generate(source, mask, longest, k, early, alpha), strict=True):
            finished = [(words, score) for words, score, ended in theirs if ended]  # theirs counts unfinished ones too
            assert [h.words for h in mine[: len(finished)] if h.finished] == [words for words, _ in finished]
            assert [h.score for h in mine[: len(finished)]] == pytest.approx([s for _, s in finished], abs=1e-4)
            compared += len(finished) == k
    assert compared > 180  # of 250 sentences all k


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_length": 0}, "max_length must be at least 1, got 0"),
        ({"beam_size": 0}, "beam_size must be at least 1, got 0"),
        ({"n_best": 0}, "n_best must be at least 1, got 0"),
        ({"finished": "beside"}, "finished must be one of aside, in_beam, got 'beside'"),
        ({"stop": "soon"}, "stop must be one of count, bound, length, got 'soon'"),
        ({"finished": "in_beam", "n_best": 6}, "n_best must be at most beam_size"),
        ({"prefix": [EOS]}, "hold no eos"),
        ({"prefix": [A] * 5}, "prefix must be shorter than max_length"),
    ],
)
def test_bad_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        beam(TRAP, *ONE, **{"max_length": 5, **options})


def test_no_sentences_have_no_outputs():
    transformer = Transformer(Config(9, d_model=4, d_ff=4, heads=2, layers=1))
    nothing = torch.zeros(0, 3, dtype=torch.int64), torch.zeros(0, 3, dtype=torch.bool)
    assert beam(transformer, *nothing, 5) == greedy(transformer, *nothing, 5) == sample(transformer, *nothing, 5) == []


def test_other_searches_refuse_what_they_cannot_do():
    with pytest.raises(ValueError, match="alpha must be at least 0, got -1"):
        power(-1)
    with pytest.raises(ValueError, match="source must hold one sentence, got 2"):
        exhaustive(TRAP, *batch(1, 1), 3)
    with pytest.raises(ValueError, match="too many"):
        exhaustive(TRAP, *ONE, 3, most=1)
    with pytest.raises(ValueError, match="source must hold one sentence, got 2"):
        best_first(TRAP, *batch(1, 1), 3)
