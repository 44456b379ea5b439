"""The rating form's state, without a browser: what is asked, what is written, and that the systems stay hidden."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.metrics import Rating
from course_lib.metrics.rating_file import load, read_answers
from course_lib.widgets import RatingForm
from course_lib.widgets.rating_tasks import RatedItem, rated_items, shuffled_tasks

SCORES = {"likert": {"adequacy": 4, "fluency": 2}, "direct": {"quality": 71}}
scales = st.sampled_from(["likert", "direct", "ranking"])


def made(items=3, systems="abc"):
    """Item k with the output "ak" of system "a", and so on."""
    return [{"source": f"source {k}", "outputs": {s: f"{s}{k}" for s in systems}} for k in range(items)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ratings.jsonl"


@given(scales, st.integers(1, 5), st.integers(2, 5), st.text(max_size=5), st.integers(1, 5))
def test_every_output_is_asked_for_once_in_an_order_that_is_kept(scale, items, systems, rater, round):
    given_items = rated_items(made(items, "abcde"[:systems]))
    order = shuffled_tasks(given_items, scale, rater, round)
    asked = Counter((task.item.item, system) for task in order for system in task.systems)
    assert asked == Counter((k, s) for k in range(items) for s in "abcde"[:systems])
    assert len(order) == (items if scale == "ranking" else items * systems)
    assert order == shuffled_tasks(given_items, scale, rater, round)
    first, then = order[0], shuffled_tasks(given_items, scale, rater, round + 1)[0]
    assert len(order) == 1 or first != then
    assert items == 1 or first.item != then.item


def test_the_systems_are_spread_over_all_places():
    places = Counter(
        place
        for k in range(40)
        for task in shuffled_tasks(rated_items(made()), "ranking", f"rater {k}", 1)
        for place in enumerate(task.systems)
    )
    assert len(places) == 9 and min(places.values()) > 20  # of 120 screens, 40 each on average


@pytest.mark.parametrize("scale", ["likert", "direct"])
def test_an_answer_is_in_the_file_at_once(path, scale):
    form = RatingForm(made(), scale, path=path, rater="ana")
    form.rate(4, [SCORES[scale]])
    (answer,) = read_answers(path)
    assert [answer.output] == form.tasks[4]["outputs"] == [f"{answer.system}{answer.item}"]
    assert (answer.rater, answer.round, answer.scores) == ("ana", 1, SCORES[scale])
    expected = [Rating("ana", answer.item, answer.system, next(iter(SCORES[scale].values())))]
    assert form.ratings == expected == load(path, form.aspects[0])
    assert (form.done, form.given, form.at) == ((1, 9), {"4": [SCORES[scale]]}, 5)


def test_ratings_have_the_systems_that_the_screens_hide(path):
    form = RatingForm(made(), "direct", path=path)
    assert not any(name in json.dumps(form.state()) for name in ('"a"', '"b"', '"c"'))
    while form.done[0] < 9:
        text = form.tasks[form.at]["outputs"][0]
        form.rate(form.at, [{"quality": 10 * "abc".index(text[0]) + int(text[1])}])
    assert form.ratings == [Rating("me", k, s, 10 * "abc".index(s) + k) for k in range(3) for s in "abc"]
    assert form.rated("quality") == form.ratings


def test_a_ranking_is_saved_as_a_whole_with_its_ties(path):
    form = RatingForm(made(2), "ranking", path=path)
    form.rate(0, [{"preference": 3}, {"preference": 3}, {"preference": 1}])
    texts = form.tasks[0]["outputs"]
    scores = {f"{rating.system}{rating.item}": rating.score for rating in form.ratings}
    assert scores == dict(zip(texts, [3, 3, 1], strict=True)) and form.done == (1, 2)


def test_a_form_made_again_goes_on_where_it_was(path):
    first = RatingForm(made(), "likert", path=path)
    for _ in range(4):
        first.rate(first.at, [SCORES["likert"]])
    again = RatingForm(made(), "likert", path=path)
    assert (again.given, again.at, again.ratings) == (first.given, 4, first.ratings)
    changed = made()
    rated = first.ratings[0]
    changed[rated.item]["outputs"][rated.system] += "!"
    assert RatingForm(changed, "likert", path=path).done == (3, 9)  # it is another output now
    for other in ({"rater": "you"}, {"round": 2}, {"scale": "direct"}):
        assert RatingForm(made(), **({"scale": "likert", "path": path} | other)).done == (0, 9)


def test_a_ranking_made_among_more_outputs_is_asked_for_anew(path):
    scores = {"a": 3, "b": 2, "c": 1}
    form = RatingForm(made(2), "ranking", path=path)
    for task in (0, 1):
        form.rate(task, [{"preference": scores[text[0]]} for text in form.tasks[task]["outputs"]])
    without_b = RatingForm(made(2, "ac"), "ranking", path=path)  # of two, none can have a 3
    assert without_b.done == (0, 2) and without_b.ratings == []
    assert RatingForm(made(2, "bc"), "ranking", path=path).done == (2, 2)


def test_an_answer_can_be_changed(path):
    form = RatingForm(made(1, "ab"), "direct", path=path)
    for quality in (10, 20, 30):
        form.rate(0 if quality == 30 else form.at, [{"quality": quality}])
    assert form.given == {"0": [{"quality": 30}], "1": [{"quality": 20}]}
    assert sorted(rating.score for rating in form.ratings) == [20, 30] == sorted(r.score for r in load(path))
    assert len(path.read_text().splitlines()) == 3


def test_two_forms_share_a_file(path):
    forms = [RatingForm(made(), "direct", path=path, rater=rater) for rater in ("ana", "ben")]
    for form in forms * 3:
        form.rate(form.at, [{"quality": 5}])
    assert Counter(rating.rater for rating in load(path)) == {"ana": 3, "ben": 3}
    assert [form.ratings for form in forms] == [
        [r for r in made_order(load(path)) if r.rater == n] for n in ("ana", "ben")
    ]


def made_order(ratings):
    return sorted(ratings, key=lambda rating: (rating.item, rating.system))


def test_requests_are_answered(path):
    form, sent = RatingForm(made(), "direct", path=path), []
    form.send = sent.append
    form._handle_custom_msg({"ask": {"task": 0, "scores": [{"quality": 50}]}, "id": 1}, [])
    form._handle_custom_msg({"ask": {"task": 1, "scores": [{"quality": 101}]}, "id": 2}, [])
    assert sent == [
        {"id": 1, "error": None},
        {"id": 2, "error": "quality must be a number from 0 to 100, got 101"},
    ]
    assert form.done == (1, 9) and len(read_answers(path)) == 1


@pytest.mark.parametrize(
    ("scale", "task", "scores", "message"),
    [
        ("direct", 9, [{"quality": 1}], "task must be from 0 to 8, got 9"),
        ("direct", 0, [], "scores must be one for each of 1 outputs, got 0"),
        ("direct", 0, [{}], "scores must have quality, got {}"),
        ("likert", 0, [{"adequacy": 3}], "scores must have adequacy and fluency"),
        ("likert", 0, [{"adequacy": 3, "fluency": 0}], "fluency must be a number from 1 to 5, got 0"),
        ("ranking", 0, [{"preference": 1}] * 2, "scores must be one for each of 3 outputs, got 2"),
        ("ranking", 0, [{"preference": 1}] * 2 + [{"preference": 4}], "preference must be from 1 to 3"),
    ],
)
def test_scores_outside_the_scale_are_refused_and_nothing_is_written(path, scale, task, scores, message):
    form = RatingForm(made(), scale, path=path)
    with pytest.raises(ValueError, match=message):
        form.rate(task, scores)
    assert not path.exists() and form.given == {} and form.ratings == []


@pytest.mark.parametrize(
    ("items", "options", "error", "message"),
    [
        ([], {}, ValueError, "items must be 1 to 200, got 0"),
        (made(201), {}, ValueError, "items must be 1 to 200, got 201"),
        (["a"], {}, TypeError, r"items\[0\] must be a RatedItem or a dict, got str: 'a'"),
        ([{"source": "a"}], {}, ValueError, r"items\[0\] must have outputs, and may have item, source, reference; got"),
        ([{"src": "a", "outputs": {"a": "b"}}], {}, ValueError, "got src, outputs"),
        ([{"source": " ", "outputs": {"a": "b"}}], {}, ValueError, "item 0 must have a source or a reference"),
        ([{"source": "a", "outputs": ["b"]}], {}, TypeError, "outputs of item 0 must map systems to texts"),
        ([{"source": "a", "outputs": {"b": 3}}], {}, TypeError, "'b' of item 0 must be a string, got 3"),
        ([{"source": "a", "outputs": {}}], {}, ValueError, "item 0 must have 1 to 12 outputs, got 0"),
        ([{"item": 1.5, "source": "a", "outputs": {}}], {}, TypeError, "item must be a string or a whole number"),
        ([made(1)[0] | {"item": "x"}] * 2, {}, ValueError, "items must have different names, got twice: 'x'"),
        (made(1, "a"), {"scale": "ranking"}, ValueError, "item 0 must have 2 to 5 outputs, got 1"),
        (made(1, "abcdef"), {"scale": "ranking"}, ValueError, "item 0 must have 2 to 5 outputs, got 6"),
        (made(), {"scale": "stars"}, ValueError, "scale must be one of likert, direct, ranking, got 'stars'"),
        (made(), {"rater": " "}, ValueError, "rater must be a name, got ' '"),
        (made(), {"round": 0}, ValueError, "round must be from 1 to 20, got 0"),
        (made(), {"round": "2"}, ValueError, "round must be from 1 to 20, got '2'"),
    ],
)
def test_what_will_not_do_is_refused(path, items, options, error, message):
    with pytest.raises(error, match=message):
        RatingForm(items, **({"path": path} | options))


def test_a_broken_file_stops_the_form(path):
    path.write_text('{"rater": "me"\n')
    with pytest.raises(ValueError, match="ratings.jsonl, line 1: no JSON"):
        RatingForm(made(), "direct", path=path)
    assert path.read_text() == '{"rater": "me"\n'


def test_a_screen_that_is_not_there_and_another_aspect_are_refused(path):
    form = RatingForm([RatedItem("x", {"a": "b"}, reference="c")], "direct", path=path)
    with pytest.raises(ValueError, match="at must be from 0 to 0, got 1"):
        form.at = 1
    with pytest.raises(ValueError, match="aspect must be one of quality, got 'fluency'"):
        form.rated("fluency")
