"""Scenes: the record says what the sentence says, and a picture can be drawn from it alone."""

import pytest

from course_lib.corpora.grammar import LANGUAGES, Example, sample
from course_lib.corpora.grammar.en_forms import noun_forms
from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Place, Utterance
from course_lib.corpora.grammar.scenes import COLOURS, GROUNDS, MOST, Item, Placing

NUMBERS = {1: ("a", "an", "the"), 2: ("two",), 3: ("three",), 4: ("four",), 5: ("five",)}
BALLS = Entity("ball", True, "a", ("red",), count=3)
UNDER = Clause("exist", BALLS, place=Place("under", Entity("table", adjectives=("big",))))


def test_a_scene_by_hand():
    example = Example.of(Utterance(UNDER))
    assert example.text("en") == "There are three red balls under the big table."
    assert example.scene == (Placing(Item("ball", 3, "red", ""), "under", Item("table", 1, "", "big")),)


@pytest.mark.parametrize(
    "content",
    [
        Clause("sleep", Entity("cat")),
        Clause("exist", Entity("cat", determiner="a"), place=Place("under", Entity("table")), negated=True),
        Clause("exist", Entity("cat", True, "a"), place=Place("under", Entity("table"))),
        Joined("and", UNDER, Clause("sleep", Entity("cat"))),
    ],
)
def test_what_cannot_be_drawn_is_no_scene(content):
    assert Example.of(Utterance(content)).scene == ()


def test_every_scene_can_be_drawn_from_its_record():
    examples = sample(300, seed=1, split="scenes")
    assert len({tuple(e.sentences[code] for code in LANGUAGES) for e in examples}) == 300
    for example in examples:
        said = f" {' '.join(example.sentences['en'])} "
        assert 1 <= len(example.scene) <= 2
        assert len({placing.item.noun for placing in example.scene}) == len(example.scene)  # nothing is in two places
        for placing in example.scene:
            assert placing.ground.noun in GROUNDS[placing.relation] and placing.ground.count == 1
            for item in (placing.item, placing.ground):
                assert 1 <= item.count <= MOST and item.colour in ("", *COLOURS) and item.size in ("", "big", "small")
                noun = noun_forms(item.noun)[item.count > 1]
                phrase = " ".join(word for word in (item.size, item.colour, noun) if word)
                assert any(f" {number} {phrase} " in said for number in NUMBERS[item.count]), (said, item)


def test_half_of_the_scenes_hold_more_than_one_thing_in_a_place():
    scenes = [example.scene for example in sample(200, seed=2, split="scenes")]
    assert 50 < sum(len(scene) == 2 for scene in scenes) < 150
