"""The BPE stepper in a bare page: the page that `save` writes, without Python, or with Python at the other end."""

import random

import pytest

from course_lib.subwords import trace_bpe
from course_lib.widgets import BPEStepper
from tests.browser.harness import violations

SEED = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
ENGLISH = "the old fisherman went to the lake and the cat waited at the door of the house by the lake"
FINNISH = "vanha kalastaja meni järvelle ja kissa odotti talon ovella järven rannalla"


def shown(page, panel=0):
    """What the page shows of one panel: the words' pieces, the ranking, the merges done, the vocabulary."""
    return page.evaluate(
        """(p) => {
        const panel = document.querySelector(`[data-panel="${p}"]`);
        const texts = (root, selector) => [...root.querySelectorAll(selector)].map((found) => found.textContent);
        const rows = (selector, read) => [...panel.querySelectorAll(selector)].map(read);
        return {
          words: Object.fromEntries(rows('[data-word]', (row) => [row.dataset.word, texts(row, '.lm-piece')])),
          counts: rows('.lm-pair', (row) => [...texts(row, 'code'), Number(row.dataset.count)]),
          winner: texts(panel, '.lm-winner code'),
          size: Number(panel.querySelector('.lm-vocabulary').dataset.size),
          vocabulary: texts(panel, '.lm-vocabulary .lm-piece').sort(),
          fresh: [...new Set(texts(panel, '.lm-words .lm-fresh'))],
        }; }""",
        panel,
    )


def expected(corpus, k, merges=10, **rules):
    """The same, from the library's trace."""
    trace = trace_bpe(corpus, merges, limit_words=40, limit_pairs=12, **rules)
    k = min(k, len(trace.steps))
    pieces = trace.steps[k - 1].pieces if k else trace.start
    counts, winner = (
        (trace.steps[k].counts, list(trace.steps[k].chosen)) if k < len(trace.steps) else (trace.next_counts, [])
    )
    vocabulary = set(trace.vocabulary) | {step.symbol for step in trace.steps[:k]}
    return {
        "words": {word: pieces[i] for i, (word, _) in enumerate(trace.words)},
        "counts": [[*pair, count] for pair, count in counts],
        "winner": winner,
        "size": len(vocabulary),
        "vocabulary": sorted(vocabulary, key=lambda piece: piece.encode("utf-16-be")),
        "fresh": [trace.steps[k - 1].symbol] if k else [],
    }


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def status(page):
    return page.locator(".lm-bpe > .lm-hidden[role=status]").inner_text()


def test_forward_and_back_show_the_trace(show):
    page = show(BPEStepper(SEED, merges=10))
    for k in range(10):
        assert shown(page) == expected(SEED, k, tie="first")
        button(page, "Forward").click()
    assert shown(page) == expected(SEED, 10, tie="first")
    assert button(page, "Forward").is_disabled()
    button(page, "Back").click()
    assert shown(page) == expected(SEED, 9, tie="first")


def test_jump_by_slider_and_by_the_list_of_merges(show):
    page = show(BPEStepper(SEED, merges=10))
    page.get_by_role("slider").fill("7")
    assert shown(page) == expected(SEED, 7, tie="first")
    page.locator(".lm-merge").nth(3).click()
    assert shown(page) == expected(SEED, 3, tie="first")
    assert page.locator(".lm-merge[aria-current=step]").inner_text().split() == ["3", "l", "o"]


def test_play_stops_at_the_end(show):
    page = show(BPEStepper(SEED, merges=10, step=9))
    page.clock.install()
    button(page, "Play").click()
    page.clock.run_for(1500)
    assert shown(page) == expected(SEED, 10, tie="first")
    assert button(page, "Pause").is_visible()
    page.clock.run_for(1500)
    assert button(page, "Play").is_visible()


def test_the_winner_and_the_ties_are_explained(show):
    page = show(BPEStepper(SEED, merges=10))
    why = page.locator(".lm-why").inner_text()
    assert why.startswith("e s and s t</w> both occur 9 times. The rule “first” takes e s: it is met first")
    assert page.locator(".lm-pair", has_text="=").count() == 1
    assert "both occur 9 times" in status(page)


def test_a_count_leads_to_its_formula_and_its_places(show):
    page = show(BPEStepper(SEED, merges=10))
    page.locator(".lm-pair", has_text="w e").focus()
    formula = "c(w, e) = Σ frequency × occurrences = 6 × 1 newest + 2 × 1 lower = 8"
    assert page.locator(".lm-formula").inner_text() == formula == status(page)
    assert page.locator(".lm-left").all_inner_texts() == ["w", "w"]
    page.locator(".lm-pair", has_text="l o").hover()
    assert "5 × 1 low + 2 × 1 lower = 7" in page.locator(".lm-formula").inner_text()


def test_the_keyboard_is_enough(show):
    page = show(BPEStepper(SEED, merges=10))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Forward"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert shown(page) == expected(SEED, 2, tie="first")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert shown(page) == expected(SEED, 9, tie="first")
    page.keyboard.press("Home")
    page.locator(".lm-pair").first.focus()
    page.keyboard.press("ArrowDown")
    assert "c(s, t</w>)" in page.locator(".lm-formula").inner_text()
    page.keyboard.press("ArrowRight")  # the pair is gone: the focus stays in the list
    assert page.evaluate("document.activeElement.className").startswith("lm-pair")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_every_control_keeps_labs_shortcuts_away_and_shows_the_focus(show):
    page = show(BPEStepper(SEED, "another text", merges=5))
    for key in ("ArrowRight", "ArrowLeft"):
        button(page, "Forward").press(key)
        unguarded = page.locator(
            ":is(button, input, select, textarea, summary, [tabindex]):not([data-lm-suppress-shortcuts=true])"
        )
        assert unguarded.count() == 0
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wcag(show, page, scheme):
    page.emulate_media(color_scheme=scheme)
    show(BPEStepper(SEED, {"low": 1, "lowest": 1}, labels=["One", "Two"], merges=4, step=1))
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.lm-widget')).backgroundColor")
        == {
            "light": "rgb(255, 255, 255)",
            "dark": "rgb(22, 24, 29)",
        }[scheme]
    )
    page.locator("summary").click()
    page.locator(".lm-pair").nth(1).focus()
    assert violations(page) == []
    page.get_by_role("checkbox").check()
    page.locator(".lm-pair").nth(2).click()  # one panel with a verdict, the other still hidden
    assert violations(page) == []


def test_on_a_telephone_the_verdict_stands_at_the_pairs_that_are_clicked(show):
    page = show(BPEStepper("how much wood would a woodchuck chuck if a woodchuck could", merges=3, predict=True))
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate("document.querySelector('.lm-ranking li:last-child').scrollIntoView({ block: 'start' })")
    assert page.locator(".lm-next").bounding_box()["y"] < 0
    page.locator(".lm-pair").last.click()
    toolbar = page.locator(".lm-toolbar").bounding_box()
    for seen in page.locator(".lm-next"), page.locator(".lm-pair.lm-winner"):
        box = seen.bounding_box()
        assert toolbar["y"] + toolbar["height"] <= box["y"] and box["y"] + box["height"] <= 640
    order = [page.locator(part).bounding_box()["y"] for part in (".lm-words", ".lm-next", ".lm-ranking", ".lm-merges")]
    assert order == sorted(order)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_predict_hides_the_answer_and_keeps_score(show):
    stepper = BPEStepper(SEED, merges=10, predict=True)
    page = show(stepper)
    before = page.locator(".lm-panel").inner_text() + status(page)
    assert "9" not in before and "“first”" not in before and "newest" not in before
    assert page.locator(".lm-merge").count() == 1
    pairs = [" ".join(row[:2]) for row in shown(page)["counts"]]
    assert pairs == sorted(pairs)
    page.locator(".lm-pair", has_text="s t").click()  # as frequent as e s
    assert "is one of the most frequent" in page.locator(".lm-why").inner_text()
    button(page, "Forward").click()
    page.locator(".lm-pair", has_text="e w").click()
    assert "Not this time: e w occurs 6 times" in page.locator(".lm-why").inner_text()
    assert page.locator(".lm-score").inner_text() == "1 of 2 right"
    assert shown(page)["winner"] == ["es", "t</w>"]
    page.get_by_role("checkbox").uncheck()
    assert shown(page) == expected(SEED, 1, tie="first")


def test_a_word_is_cut_and_the_score_stays(show):
    page = show(BPEStepper(SEED, merges=10, predict=True), live=True)
    page.locator(".lm-pair", has_text="s t").click()
    page.get_by_label("Cut a word").fill("lowest")
    button(page, "Cut").click()
    page.answer()
    page.get_by_text("The word lowest").wait_for()
    assert page.locator(".lm-score").inner_text() == "1 of 1 right"


TREE = """[...document.querySelectorAll(".lm-tree .lm-piece")].map((piece) => [piece.firstChild.textContent,
    piece.className.split(" ").slice(1).join(" "), piece.style.gridColumn.replaceAll(" ", "")])"""


def test_a_word_that_the_text_lacks_is_cut_as_the_merges_go(show):
    page = show(BPEStepper(SEED, merges=10, word="lowest", predict=True))
    letters = [[letter, "lm-top", f"{i}/{i + 1}"] for i, letter in enumerate("lowes", 1)]
    assert page.evaluate(TREE)[:5] == letters and page.locator(".lm-tree button").count() == 0
    page.get_by_role("checkbox").uncheck()
    page.get_by_role("slider").fill("1")
    assert page.evaluate(TREE)[:3] == [
        ["es", "lm-top lm-fresh", "4/6"],
        ["est", "lm-later", "4/7"],
        ["lo", "lm-later", "1/3"],
    ]
    assert "5 pieces after one merge" in page.locator(".lm-cut").inner_text()
    page.locator(".lm-tree button", has_text="3").click()
    now = [text for text, state, _ in page.evaluate(TREE) if "lm-top" in state]
    assert sorted(now) == ["est", "lo", "w"]


def test_the_reader_types_a_word(show):
    stepper = BPEStepper(SEED, merges=10)
    page = show(stepper, live=True)
    page.get_by_label("Cut a word").fill("slow")
    page.get_by_label("Cut a word").press("Enter")
    page.answer()
    page.get_by_text("The word slow").wait_for()
    assert stepper.word == "slow" and stepper.step == 0
    page.get_by_label("Cut a word").fill("two words")
    button(page, "Cut").click()
    page.answer()
    page.get_by_text("Not learned: ").wait_for()
    assert stepper.word == "slow"


def test_a_merge_shows_which_counts_fell_and_which_pairs_are_new(show):
    page = show(BPEStepper(SEED, merges=10))
    assert page.locator(".lm-pair small").count() == 0
    button(page, "Forward").click()  # e s became es
    told = {
        pair.get_attribute("data-key"): pair.locator("small").all_inner_texts()
        for pair in page.locator(".lm-pair").all()
    }
    assert told["0:pair:es t</w>"] == ["new"] and told["0:pair:w es"] == ["new"] and told["0:pair:l o"] == []
    assert told["0:pair:w e"][0].startswith("▼6")


def test_two_languages_step_together(show):
    page = show(BPEStepper(ENGLISH, FINNISH, labels=["English", "Finnish"], merges=12))
    for k in (0, 5, 12):
        page.get_by_role("slider").fill(str(k))
        assert shown(page, 0) == expected(ENGLISH, k, 12, tie="first")
        assert shown(page, 1) == expected(FINNISH, k, 12, tie="first")
    assert page.get_by_role("heading", level=3).all_inner_texts() == ["English", "Finnish"]
    tops = page.evaluate("[...document.querySelectorAll('.lm-ranking')].map((e) => e.getBoundingClientRect().top)")
    assert tops[0] == tops[1]


def test_without_python_the_controls_say_so(show):
    page = show(BPEStepper(SEED, merges=3))
    page.locator("summary").click()
    assert "runs without Python" in page.locator(".lm-form").inner_text()
    assert page.get_by_label("Text", exact=True).is_disabled() and button(page, "Learn").is_disabled()
    assert page.get_by_text("merge this").count() == 0
    assert "has no Python" in page.locator(".lm-ranking").inner_text()


def test_the_readers_own_text_and_rules(show):
    page = show(BPEStepper(SEED, merges=10), live=True)
    page.locator("summary").click()
    letters = random.Random(2)
    text = " ".join("".join(letters.choices("abc ẞé", k=12)) for _ in range(12))
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_label("Merges", exact=True).fill("6")
    button(page, "Learn").click()
    page.answer()
    for k in (0, 3, 6):
        page.get_by_role("slider").fill(str(k))
        assert shown(page) == expected(text, k, 6, tie="first")
    page.get_by_label("Of tied pairs take").select_option("largest")
    page.answer()
    page.get_by_label("End of word").select_option("separate")
    page.answer()
    assert shown(page) == expected(text, 6, 6, tie="largest", marker="separate")


def test_a_word_is_cut_while_a_text_is_learned(show):
    stepper = BPEStepper(SEED, merges=10)
    page = show(stepper, live=True)
    page.locator("summary").click()
    page.get_by_label("Text", exact=True).fill(ENGLISH)
    page.get_by_label("Merges", exact=True).fill("6")
    button(page, "Learn").click()
    page.get_by_label("Cut a word").fill("lake")
    button(page, "Cut").click()
    page.get_by_label("Of tied pairs take").select_option("largest")
    page.answer()
    assert (stepper.texts, stepper.word, stepper.tie) == ([ENGLISH], "lake", "largest")
    assert page.get_by_label("Text", exact=True).input_value() == ENGLISH
    assert shown(page) == expected(ENGLISH, 0, 6, tie="largest")


def test_pairs_are_chosen_in_two_texts_before_the_answer(show):
    stepper = BPEStepper(SEED, SEED, merges=10)
    page = show(stepper, live=True)
    for instead in page.get_by_role("button", name="Merge s t</w> instead").all():
        instead.click()
    page.answer()
    assert [panel["choices"] for panel in stepper.panels] == [[[0, "s", "t</w>"]]] * 2


def test_a_text_that_will_not_do_is_explained(show):
    page = show(BPEStepper(SEED, merges=10, step=2), live=True)
    page.locator("summary").click()
    page.get_by_label("Text", exact=True).fill("low 5\nlow 2")
    page.get_by_label("Text", exact=True).press("Control+Enter")
    page.answer()
    assert page.locator(".lm-said").inner_text() == "Not learned: the word 'low' is listed twice"
    assert page.get_by_label("Text", exact=True).input_value() == "low 5\nlow 2"  # kept, to be mended
    assert shown(page) == expected(SEED, 2, tie="first")
    page.get_by_label("Text", exact=True).fill("low 5\nlower 2")
    page.get_by_label("Text", exact=True).press("Control+Enter")
    page.answer()
    assert shown(page) == expected({"low": 5, "lower": 2}, 0, tie="first")  # another text begins at the start


def test_pieces_that_merge_move_together(show, page):
    page.emulate_media(reduced_motion="no-preference")
    show(BPEStepper(SEED, merges=10))
    moved = """() => document.getAnimations().map(({ effect }) => effect.target)
        .filter((half) => half.closest(".lm-fresh")).map((half) => half.textContent).sort()"""
    assert page.evaluate(moved) == []
    halves = """() => [...document.querySelectorAll("[data-word=newest] .lm-piece")].slice(3, 5)
        .map((piece) => piece.firstChild.getBoundingClientRect().left)"""
    before = page.evaluate(halves)
    starts = page.evaluate("""async () => {
        document.querySelector(".lm-forward").click();
        await null;
        for (const animation of document.getAnimations()) {
          animation.pause();
          animation.currentTime = 0;
        }
        const halves = [...document.querySelectorAll("[data-word=newest] .lm-fresh span")];
        return halves.map((half) => half.getBoundingClientRect().left);
    }""")
    assert starts == pytest.approx(before, abs=1)  # both halves begin where the pieces stood
    assert page.evaluate(moved)[0] == "s"
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("End")
    assert page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0


def test_a_text_from_right_to_left(show):
    page = show(BPEStepper({"كتاب": 3, "كتب": 2}, merges=3, step=1))
    lefts = page.locator("[data-word=كتاب] .lm-piece").evaluate_all(
        "(pieces) => pieces.map((piece) => piece.getBoundingClientRect().left)"
    )
    assert len(lefts) > 1 and lefts == sorted(lefts, reverse=True)  # the first piece stands on the right
    assert page.locator(".lm-why").evaluate("(why) => getComputedStyle(why).direction") == "ltr"
    assert page.locator("textarea").evaluate("(text) => getComputedStyle(text).direction") == "rtl"


def test_choose_among_ties(show):
    page = show(BPEStepper(SEED, merges=10), live=True)
    page.get_by_role("button", name="Merge s t</w> instead").click()
    page.answer()
    rules = {"tie": "first", "choices": {0: ("s", "t</w>")}}
    assert shown(page)["winner"] == ["s", "t</w>"]
    assert "You chose s t</w>; the rule “first” would take e s." in page.locator(".lm-why").inner_text()
    button(page, "Forward").click()
    assert shown(page) == expected(SEED, 1, **rules)
    button(page, "Follow the rule again").click()
    page.answer()
    assert shown(page) == expected(SEED, 1, tie="first")


def test_silence_from_python_is_told(show):
    page = show(BPEStepper(SEED, merges=10), live=True)
    page.clock.install()
    page.locator("summary").click()
    button(page, "Learn").click()
    assert page.locator(".lm-said").inner_text() == "Learning …"
    page.clock.run_for(31_000)
    assert "No answer from Python" in page.locator(".lm-said").inner_text()


def test_markup_in_a_text_is_only_text(show):
    corpus = "</script><script>window.hacked=1</script> <img/src=x/onerror=alert(1)> &lt; ` $x"
    page = show(BPEStepper(corpus, merges=3, labels=["<b>bold</b>"]))
    assert shown(page) == expected(corpus, 0, 3, tie="first")
    assert page.evaluate("window.hacked") is None


@pytest.mark.parametrize("width", [360, 700])
def test_it_fits_its_place(show, page, width):
    page.set_viewport_size({"width": width, "height": 900})
    show(BPEStepper("Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen " * 2, SEED, merges=40, step=30))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_an_emptied_field_is_named(show):
    page = show(BPEStepper(SEED, merges=2), live=True)
    page.locator(".lm-form summary").click()
    page.get_by_role("spinbutton", name="Merges").fill("")
    button(page, "Learn").click()
    page.answer()
    assert page.locator(".lm-said").inner_text() == "Not learned: the field “Merges” is empty"


def test_a_piece_that_cannot_be_seen_is_named(show):
    """The zero-width joiner of an emoji, alone and at the edge of a piece; within one it joins what is seen."""
    joined = "👩\u200d👧"
    page = show(BPEStepper({joined: 3, "a": 1}, merges=2))
    chips = page.locator(".lm-vocabulary .lm-piece")
    assert "U+200D" in chips.all_inner_texts() and chips.get_by_text("U+200D").first.is_visible()
    page.get_by_role("slider", name="merges done").fill("1")
    assert "👩U+200D" in page.locator(".lm-words .lm-piece").all_text_contents()
    page.get_by_role("slider", name="merges done").fill("2")
    assert f"{joined}</w>" in chips.all_text_contents()


def test_a_long_word_is_told_by_its_beginning_and_its_end(show):
    word = "abcdefghij" * 30
    page = show(BPEStepper({word: 2}, merges=1))
    formula = page.locator(".lm-formula")
    assert "2 × 30 abcdefghijabcd…cdefghij = 60" in formula.inner_text()
    assert formula.locator("i").get_attribute("title") == word and formula.bounding_box()["height"] < 70


def test_what_is_clicked_is_24_pixels_high(show):
    page = show(BPEStepper(SEED, merges=4), live=True)
    heights = "(all) => all.map((one) => one.getBoundingClientRect().height)"
    controls = page.locator(".lm-bpe :is(button, summary, select, input:not([type=checkbox], [type=range]))")
    assert controls.count() > 20 and min(controls.evaluate_all(heights)) >= 24
