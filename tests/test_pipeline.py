"""The timetable of layers on devices: the numbers of ticks by formula, and the order in which things can happen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.systems.pipeline import Work, decoder, encoder

SIZES = st.integers(1, 7)


@given(SIZES, st.integers(2, 6))
def test_ticks_are_as_the_formulas_say(n, layers):
    assert encoder(n, layers, "none").ticks == decoder(n, layers).ticks == n + layers - 1
    assert encoder(n, layers, "bottom").ticks == 2 * n + layers - 2
    assert encoder(n, layers, "all").ticks == decoder(n, layers, "top").ticks == n * layers


@given(SIZES, SIZES, st.sampled_from(["none", "bottom", "all"]), st.data())
def test_each_word_of_each_layer_is_computed_once_and_after_what_it_needs(n, layers, kind, data):
    columns = layers + {"none": 0, "bottom": 1, "all": layers}[kind]
    made = encoder(n, layers, kind, data.draw(st.integers(1, columns)))
    at = {(w.layer, w.reverse, w.word): w.tick for w in made.work}
    assert len(at) == len(made.work) == n * columns == n * len(made.columns)
    assert len({(w.tick, w.device) for w in made.work}) == len(made.work)
    for (layer, reverse, word), tick in at.items():
        needs = made.needs[(layer, reverse), word]
        assert len(set(needs)) == len(needs) and all(at[below, way, k] < tick for (below, way), k in needs)
        before = word + (1 if reverse else -1)
        assert not 0 <= before < n or at[layer, reverse, before] < tick
        assert all(at[below] < tick for below in at if below[0] == layer - 1 and below[2] == word)
    assert sum(made.idle) == made.devices * made.ticks - len(made.work)
    assert made.busy == pytest.approx(len(made.work) / (made.devices * made.ticks))


@given(SIZES, SIZES, st.sampled_from(["bottom", "top"]))
def test_one_device_never_waits_and_more_devices_never_take_longer(n, layers, attention):
    takes = [decoder(n, layers, attention, devices).ticks for devices in range(1, layers + 1)]
    assert takes[0] == n * layers and decoder(n, layers, attention, 1).idle == (0,)
    assert takes[-1] == min(takes)


def test_a_word_waits_for_the_word_before_the_layer_below_and_the_context():
    assert encoder(3, 3).needs[(1, False), 1] == (((1, False), 0), ((0, False), 1), ((0, True), 1))
    assert encoder(3, 3).needs[(0, True), 1] == (((0, True), 2),)
    assert decoder(3, 3, "top").needs[(0, False), 1] == (((0, False), 0), ((2, False), 0))
    assert decoder(3, 3, "bottom").needs[(2, False), 1] == (((1, False), 1), ((2, False), 0), ((0, False), 0))


def test_the_timetable_of_two_words_and_three_layers():
    made = encoder(2, 3, "bottom")
    assert made.columns == ("layer 1", "layer 1 ←", "layer 2", "layer 3")
    shown = [["" if w is None else w.word + 1 for w in row] for row in made.grid()]
    assert shown == [[1, 2, "", "", ""], [2, 1, "", "", ""], ["", "", 1, 2, ""], ["", "", "", 1, 2]]
    assert made.idle == (3, 3, 3, 3) and made.busy == 0.4
    assert made.work[0] == Work(tick=0, device=0, layer=0, reverse=False, word=0)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: encoder(0, 2), "words must be at least 1, got 0"),
        (lambda: encoder(2, 0), "layers must be at least 1, got 0"),
        (lambda: decoder(2, 2, devices=0), "devices must be at least 1, got 0"),
        (lambda: decoder(2, 2, devices=3), "devices must be at most 2, .*, got 3"),
        (lambda: encoder(2, 2, "top"), "bidirectional must be one of none, bottom, all, got 'top'"),
        (lambda: decoder(2, 2, "all"), "attention must be one of bottom, top, got 'all'"),
    ],
)
def test_what_cannot_be_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
