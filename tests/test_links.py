"""Links in prose: which words become one, what is left alone, and that a second time changes nothing."""

import re

from hypothesis import given
from hypothesis import strategies as st

from course_lib.maintain.links import linked, unlinked


def everywhere(*of: str) -> str:
    """A place for every mention."""
    return "/".join(of).replace(" ", "_")


def links(source: str) -> dict[str, str]:
    """The linked words of `source`, and where they lead."""
    text = linked(source, everywhere)
    places = dict(re.findall(r"(?m)^\[([^\]]+)\]: (\S+)$", text))
    words = re.findall(r"\[([^\[\]]+)\](?:\[([^\[\]]+)\])?(?!: )", text)
    return {
        words: places[label or " ".join(words.replace("> ", "").split()).lower()]
        for words, label in words
        if (label or " ".join(words.replace("> ", "").split()).lower()) in places
    }


def test_lectures_sections_problem_sets_and_exercises_are_linked():
    assert links("Lecture 03 built it; section 8 says why, problem set 2 asks, exercise 6 tells.") == {
        "Lecture 03": "lecture/03",
        "section 8": "section/8",
        "problem set 2": "problem_set/2",
        "exercise 6": "exercise/6",
    }


def test_a_part_of_another_notebook_leads_there():
    assert links("(lecture 06, section 7) and exercise 1 of problem set 1 and section 2 of lecture 05") == {
        "lecture 06, section 7": "section/7/lecture/06",
        "exercise 1 of problem set 1": "exercise/1/problem_set/1",
        "section 2 of lecture 05": "section/2/lecture/05",
    }


def test_each_number_of_a_list_has_its_link():
    assert links("sections 1, 2 and 10; lectures 04 and 05") == {
        "sections 1": "section/1",
        "2": "section/2",
        "10": "section/10",
        "lectures 04": "lecture/04",
        "05": "lecture/05",
    }


def test_a_mention_goes_on_in_the_next_line_of_a_quotation():
    assert links("> the model of section\n> 3 and lecture\n07") == {
        "section\n> 3": "section/3",
        "lecture\n07": "lecture/07",
    }


def test_what_is_of_somebody_else_is_left_alone():
    for text in (
        "Vaswani et al. 2017, section 5.3",
        "Vaswani et al. 2017, section 5",
        "(Vaswani et al.\n2017, sections 5 and 6.1)",
        "the paper (section 5.4)",
        "*Natural Language Processing, Lecture 09*",
        "*Natural Language\nProcessing, Lecture 09*",
        "intersection 5, 12 lectures",
    ):
        assert linked(text, everywhere) == text


def test_code_formulas_headings_and_links_of_ones_own_are_left_alone():
    for text in (
        "# Lecture 05 · Attention",
        "## Now you: problem set 1",
        "`section 5`",
        "$\\text{section 5}$",
        "```\nsection 5\n```",
        "[lecture 02, Subwords](02_subwords.ipynb)",
        "<details><summary>What says section 5?</summary>\n\nNothing.\n\n</details>",
    ):
        assert linked(text, everywhere) == text


def test_what_has_no_place_stays_words():
    assert linked("lecture 12 returns to it", lambda *of: None) == "lecture 12 returns to it"


def test_a_mention_before_a_colon_is_no_definition():
    assert linked("lecture 04: our models", everywhere).startswith("[lecture 04][lecture 04]: our")


WORDS = ("lecture 05", "section 8", "sections 1, 2 and 10", "problem set 3", "lecture 06, section 7", "`code`", "$x_1$")
PARTS = st.sampled_from(
    [*WORDS, "Section 1 of lecture 02", "a word", ",", ".", ":", "\n", "\n\n", "\n> ", "(", ")", "**"]
)


@given(st.lists(PARTS).map(" ".join))
def test_a_second_time_changes_nothing_and_the_words_come_back(source):
    once = linked(source, everywhere)
    assert linked(once, everywhere) == once
    assert unlinked(once) == source or once == source


@given(st.lists(PARTS).map(" ".join))
def test_a_place_that_is_gone_takes_its_links_along(source):
    assert linked(linked(source, everywhere), lambda *of: None) == source
