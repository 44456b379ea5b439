"""The sentence map's state, without a browser: nearest by definition, own texts placed, what does not fit refused."""

import json

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors

from course_lib.widgets import SentenceMap

TEXTS = [f"text {k}" for k in range(12)]
VECTORS = np.random.default_rng(0).normal(size=(12, 5))
POINTS = VECTORS[:, :2]


def test_the_nearest_are_those_of_the_vectors_not_of_the_points():
    shown = SentenceMap(TEXTS, VECTORS, {"first two": POINTS, "last two": VECTORS[:, 3:]})
    distances, numbers = NearestNeighbors(n_neighbors=4).fit(VECTORS).kneighbors(VECTORS)
    for k, row in enumerate(shown.near):
        assert [other for other, _ in row] == numbers[k, 1:].tolist()
        assert [distance for _, distance in row] == pytest.approx(distances[k, 1:], abs=6e-4)
    np.testing.assert_allclose(shown.maps["last two"], VECTORS[:, 3:], rtol=1e-3)
    assert (shown.plane, shown.dimensions, shown.places) == ("first two", 5, False)
    assert json.loads(json.dumps(shown.state())) == shown.state()


def test_two_texts_have_one_neighbour_each():
    assert SentenceMap(["a", "b"], [[0.0], [3.0]], {"": [[0, 0], [1, 1]]}).near == [[[1, 3.0]], [[0, 3.0]]]


def test_a_text_of_ones_own_is_placed_and_chosen():
    own = VECTORS[3] + 0.001
    shown = SentenceMap(TEXTS, VECTORS, {"PCA": POINTS}, ["a"] * 12, place=lambda text: (own, own[:2]))
    shown.answer(text="  mine,\n indeed ")
    assert (shown.texts[-1], shown.groups[-1], shown.at) == ("mine, indeed", "yours", 12)
    assert shown.near[-1][0][0] == 3 and shown.maps["PCA"][-1] == pytest.approx(own[:2], rel=1e-3)
    shown.answer(text="again")
    assert len(shown.texts) == len(shown.near) == len(shown.maps["PCA"]) == 14
    assert all(other < 12 for other, _ in shown.near[-1])


def refuse(text):
    raise ValueError(f"unknown word in {text!r}")


@pytest.mark.parametrize(
    ("place", "text", "message"),
    [
        (None, "a", "this map takes no further texts"),
        (refuse, " \n", "at least one word"),
        (refuse, "x", "unknown word in 'x'"),
        (lambda text: ([1.0], [0, 0]), "x", r"the vector must have the shape \(1, 5\), got \(1, 1\)"),
        (lambda text: (VECTORS[0], [0, float("nan")]), "x", "the point must hold finite numbers, got nan"),
    ],
)
def test_what_cannot_be_placed_changes_nothing(place, text, message):
    shown = SentenceMap(TEXTS, VECTORS, {"PCA": POINTS}, place=place)
    before = shown.state()
    with pytest.raises(ValueError, match=message):
        shown.answer(text=text)
    assert shown.state() == before


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"texts": ["one"]}, "texts must be from 2 to 400, got 1"),
        ({"groups": ["a"]}, "one group for each of the 12 texts, got 1"),
        ({"groups": list("abcdefghijkl")}, "groups must be at most 6, got 12"),
        ({"maps": {}}, "maps must be one or more, and with place just one, got 0"),
        ({"maps": {"a": POINTS, "b": POINTS}, "place": refuse}, "with place just one, got 2"),
        ({"maps": {"a": VECTORS}}, r"maps\['a'\] must have the shape \(12, 2\), got \(12, 5\)"),
        ({"vectors": VECTORS[:3]}, r"vectors must have the shape \(12, dimension\), got \(3, 5\)"),
        ({"vectors": VECTORS * np.inf}, "vectors must hold finite numbers"),
    ],
)
def test_what_does_not_fit_is_refused(changed, message):
    given = {"texts": TEXTS, "vectors": VECTORS, "maps": {"a": POINTS}, **changed}
    with pytest.raises(ValueError, match=message):
        SentenceMap(**given)
