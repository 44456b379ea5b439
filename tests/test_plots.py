"""Pictures as a lecture shows them: SVG with alt text, in the page's colours, the same each time."""

import math
import re
from itertools import combinations
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from course_lib.checkpoints.published import WMT14
from course_lib.plots import (
    alignment,
    encoder_decoder,
    evaluation,
    recipe,
    recurrent,
    seeds,
    subwords,
    systems,
    training,
    transformer,
)
from course_lib.plots.picture import INK, STYLES
from course_lib.systems import pipeline
from course_lib.systems.dlcl import running_mean

CURVE = {"A & B": ([1, 2], [10, 20]), "C": ([1, 2], [5, 30])}
SHARES = {"A & B": ([1, 2], [80.0, 60.0]), "C": ([1, 2], [50.0, 40.4])}
STARS = {"A & B": (2, 4.0), "C": (2, 3.0)}
LINES = {"A & B": [1.0, 0.5, 0.25], "C": [1.0, 0.1, 0.01]}
TABLES = {"A & B": {"layers": {"2": 23.7, "4": 25.3}, "d_ff": {"4096": 26.2}}, "C": {"heads": {"1": 4.0}}}
BARS = {"A & B": {"near": 0.9, "far": 0.5}, "C": {"near": 1.0, "far": 0.75}}

DRAWN = {  # what its alt text tells -> the picture
    "3 devices, 4 ticks, busy in 50 % of their time, 6 ticks of waiting.": lambda: systems.timetable(
        pipeline.encoder(2, 2), ["A & B", "C"]
    ),
    "A & B expert 2, 0.75; C expert 1, 1.00.": lambda: systems.experts({"A & B": [0.25, 0.75], "C": [1.0, 0.0]}),
    "3 rows of weights, the largest 1.00": lambda: systems.combination(running_mean(2)),
    "cost: A & B 2, C 100.": lambda: systems.values({"A & B": 2.0, "C": 100.0}, "cost", log=True),
    "BLEU with intervals: A & B 40.0 (38.0 to 43.0)": lambda: evaluation.intervals({"A & B": (40, 38, 43)}, "BLEU"),
    "means: A & B 50 and 0.75, C 10 and 0.50.": lambda: evaluation.scatter(
        {"A & B": [(40, 0.5), (60, 1.0)], "C": [(10, 0.5)]}, "BLEU", "adequacy"
    ),
    "mean 2.0, the middle 95 % from 1.0 to 3.0. Right, swapped outputs: mean 0.0, 50.0 % at": lambda: (
        evaluation.by_chance([1.0, 2.0, 3.0], [-2.0, -1.0, 1.0, 2.0], 2.0, (1.0, 3.0), "A & B")
    ),
    "Shift of <c> d: a <c> d. a for A & B: substitution, d for e: substitution.": lambda: evaluation.shift_and_edits(
        ["<c>", "d", "a"], ["A & B", "<c>", "e"], (0, 2), 1
    ),
    "A & B 20 distinct, 60 % unknown, C 30 distinct, 40 % unknown": lambda: subwords.vocabulary_growth(CURVE, SHARES),
    "A & B from 80 to 60 %, C": lambda: subwords.unknown_against_vocabulary(SHARES),
    "fit in now, from beginning to end; the best way: n + ow": lambda: subwords.segmentation_lattice(
        "now", {"n": 0.1, "no": 0.05, "ow": 0.2, "w": 0.1}, ["n", "ow"]
    ),
    "A & B from 10 to 20 pieces": lambda: subwords.length_against_vocabulary(CURVE, STARS, SHARES),
    "held out from -5.00 to -4.00, best -3.00": lambda: alignment.error_rates({"held out": [-5, -3, -4]}, LINES),
    "n = 1, 2, 3: A & B 1.0, 0.5, 0.2; C": lambda: alignment.perplexities([1, 2, 3], LINES),
    "Phrases: der A & B – the A & B.": lambda: alignment.grid(
        ["der", "A & B"], ["the", "A & B"], {(0, 0), (1, 1)}, {((0, 2), (0, 2))}
    ),
    "a b – B; c – C A": lambda: alignment.reordering(
        ["a", "b", "c"], ["C", "A", "B"], {((0, 2), (2, 3)), ((2, 3), (0, 2))}
    ),
    "lowest between them: 7.0 at weight 0.5": lambda: alignment.mixture([0, 0.5, 1], [9, 7, 12], ("a", "b")),
    "A & B 2e-01, C 1e-02": lambda: recurrent.gradients(LINES, {"C": [1.0, 0.5, 0.25]}, "0.5^k"),
    "A & B from 0.75 to 0.38": lambda: recurrent.losses(LINES, {"C": {1: 2.0, 3: 1.5}}, window=2, chance=0.9),
    "A & B: near 0.90, far 0.50; C": lambda: recurrent.accuracies(BARS, "distance", chance=0.5),
    "right against epoch: A & B from 1.00 to 0.25": lambda: recurrent.shares(LINES, "epoch", "right", start=1),
    "of “that”: 2 A & B, 1 C": lambda: recurrent.states({"A & B": [(0, 1), (2, 3)], "C": [(1, 1)]}, "States of “that”"),
    "At the end: A & B 0.25, C 0.01": lambda: recurrent.belief(["the", "<dog>", "is"], LINES, "p(plural)"),
    "loss against step: A & B from 4.00 to 1.00, C from 3.00 to 2.00": lambda: encoder_decoder.curves(
        {"A & B": [(1, 4.0), (3, 1.0)], "C": [(1, 3.0), (2, 2.0)]}, "step", "loss"
    ),
    "BLEU against tokens of the source: A & B from 90.00 to 10.00": lambda: encoder_decoder.bleu_by_length(
        {"A & B": [[{"from": 1, "to": 5, "all": 90.0}, {"from": 6, "to": 10, "all": 10.0}]]}
    ),
    "of 20 positions in 512 dimensions, twice: sines and cosines in turn": lambda: transformer.positional_encoding(),
    "over 4 steps: training from 3.50 to 1.50, held out from 3.50 to 2.50": lambda: training.learning_curve(
        [4.0, 3.0, 2.0, 1.0], [(2, 3.5), (4, 2.5)], window=2
    ),
    "A & B: base 25.8, 3 changes from 23.7 to 26.2; C: base 5.0, 1 changes": lambda: recipe.ablations(
        TABLES, {"A & B": 25.8, "C": 5.0}
    ),
    "A & B: best Transformer (big), 28.4 with 2.3e+19; C: best x": lambda: recipe.bleu_against_flops(
        {"A & B": [("x", 1e19, 24.0), ("Transformer (big)", 2.3e19, 28.4)], "C": [("x", 1e20, 40.0)]}
    ),
    "luong: 61.0 (60.0 to 62.0); none: 40.0 (39.0 to 41.0)": lambda: seeds.by_seed(
        {"luong": [60.0, 62.0], "none": [39.0, 41.0]}, base="none"
    ),
}

pytestmark = pytest.mark.xdist_group("plots")  # one worker draws the pictures


@pytest.fixture(scope="module")
def pictures():
    return {told: draw() for told, draw in DRAWN.items()}


@pytest.mark.parametrize("told", DRAWN)
def test_a_picture_is_svg_with_alt_text_and_the_same_each_time(told, pictures):
    written = pictures[told]._repr_html_()
    tree = ElementTree.fromstring(written)
    assert tree.tag.endswith("svg") and tree.get("role") == "img"
    assert told in tree.get("aria-label") and tree.get("aria-label") == repr(pictures[told])
    assert (DRAWN[told]()._repr_html_() == written) is True  # no time, no random names


def test_a_marked_point_tells_its_numbers_under_the_mouse():
    lines = {"A & B": [(1, 4.0), (2, 3.5), (5, 1.25), (20, -1.0)]}
    tree = ElementTree.fromstring(encoder_decoder.curves(lines, "beam size k", "BLEU")._repr_html_())
    circles = [part for part in tree.iter() if part.tag.endswith("circle")]
    assert [circle[0].text for circle in circles] == [
        "A & B: beam size k 1, BLEU 4",
        "A & B: beam size k 2, BLEU 3.5",
        "A & B: beam size k 5, BLEU 1.25",
        "A & B: beam size k 20, BLEU −1",
    ]
    marked = [part for part in tree.iter() if part.tag.endswith("use") and "#0072b2" in part.get("style", "").lower()]
    at = [(float(mark.get("x")), float(mark.get("y"))) for mark in marked[:4]]
    assert [(float(one.get("cx")), float(one.get("cy"))) for one in circles] == [pytest.approx(p, abs=0.1) for p in at]
    rows = {"A & B": [[{"from": 1, "to": 5, "all": 90.0}]]}
    assert "A &amp; B: tokens of the source 1–5, BLEU 90" in encoder_decoder.bleu_by_length(rows)._repr_html_()


@pytest.mark.parametrize(
    ("places", "ticks"),
    [([1, 2, 5, 10, 20], [1, 2, 5, 10, 20]), ([0, 1, 2], [0, 1, 2]), ([0.5, 1.5], None), (range(1, 40), None)],
)
def test_ticks_stand_at_few_whole_numbers_and_never_between(places, ticks):
    picture = encoder_decoder.curves({"one": [(x, x) for x in places]}, "x", "y")
    found = picture.figure.axes[0].get_xticks()
    assert list(found) == ticks if ticks else all(x.is_integer() for x in found) == (len(places) > 2)


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((0.001, 10), ["0.001", "0.01", "0.1", "1", "10"]),
        ((500, 5000), ["500", "1,000", "2,000", "5,000"]),
        ((0.2, 1), ["0.2", "0.5", "1"]),
    ],
)
def test_a_logarithmic_axis_writes_its_numbers_in_full_also_below_1(places, words):
    picture = encoder_decoder.curves({"one": [(x, x) for x in places]}, "x", "y", log=True)
    (axis,) = picture.figure.axes
    low, high = axis.get_xlim()
    at = [x for x in axis.get_xticks() if low <= x <= high]
    assert axis.xaxis.get_major_formatter().format_ticks(at) == words


def test_of_many_points_some_are_marked():
    figure = encoder_decoder.curves({"one": [(x, x) for x in range(1, 51)]}, "x", "y")
    assert 10 <= figure._repr_html_().count("<circle") <= 14


def test_a_colour_says_the_same_in_both_panels_of_the_error_rates():
    figure = alignment.error_rates({"a": [-5, -3], "b": [-6, -4]}, {"a": [1.0, 0.5], "b": [1.0, 0.4]}).figure
    left, right = ({line.get_color() for line in axis.lines if line.get_marker() != "o"} for axis in figure.axes)
    assert not left & right and left == {INK}


def colours(svg):
    """Every colour of a line, a fill, a mark or a text."""
    return {colour.lower() for colour in re.findall(r"(?:fill|stroke|color)\s*[:=]\s*\"?(#\w+|[a-zA-Z]+)", svg)}


@pytest.mark.parametrize("told", DRAWN)
def test_what_is_not_a_line_has_the_colour_of_the_page(told, pictures):
    """Except the hatches on bars, which are white patterns."""
    svg = pictures[told]._repr_html_()
    assert "currentcolor" in colours(svg) and INK not in svg
    allowed = {"none", "currentcolor", *(colour.lower() for colour, _, _ in STYLES)}
    assert colours(svg) - allowed <= ({"#ffffff", "url"} if "near" in told else set())
    drawn = {kind for kind in ("path", "use", "text") for _ in re.finditer(rf"<{kind}\b", svg)}
    assert {"path", "use"} <= drawn


@pytest.mark.parametrize("told", DRAWN)
def test_every_text_names_its_colour(told, pictures):
    """Without one it would be black, which a dark page hides."""
    tree = ElementTree.fromstring(pictures[told]._repr_html_())
    texts = [group for group in tree.iter() if re.search(r"-text_\d+$", group.get("id", ""))]
    assert texts
    for text in texts:
        assert any("currentColor" in part.get("style", "") for part in text.iter())


def luminance(colour):
    """WCAG 2.2, relative luminance."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", [colour for colour, _, _ in STYLES])
@pytest.mark.parametrize("page", ["#ffffff", "#111111"])  # JupyterLab's light and dark
def test_lines_stand_out_from_both_pages(colour, page):
    """WCAG 2.2, 1.4.11: at least 3 : 1."""
    low, high = sorted([luminance(colour), luminance(page)])
    assert (high + 0.05) / (low + 0.05) >= 3


def test_two_pictures_share_no_names_and_refer_to_their_own(pictures):
    names = []
    for picture in pictures.values():
        svg = picture._repr_html_()
        own = set(re.findall(r'\bid="([^"]+)"', svg))
        assert {*re.findall(r"url\(#([^)]+)\)", svg), *re.findall(r'href="#([^"]+)"', svg)} <= own
        names.append(own)
    assert sum(map(len, names)) == len(set().union(*names))


def test_a_live_plot_is_drawn_once_and_then_redrawn_in_its_place(monkeypatch):
    shown = []

    class Handle:
        def update(self, picture):
            shown.append(("update", repr(picture)))

    def display(picture, display_id):
        shown.append(("display", repr(picture)))
        return Handle()

    monkeypatch.setattr(training, "display", display)
    plot, run = training.LivePlot(), SimpleNamespace(losses=[2.0], held_out_losses=[])
    plot(run)
    run.losses.append(1.0)
    run.held_out_losses.append((2, 1.5))
    plot(run)
    assert shown == [
        ("display", "Losses over 1 steps: training from 2.00 to 2.00."),
        ("update", "Losses over 2 steps: training from 2.00 to 1.00, held out from 1.50 to 1.50."),
    ]


def test_a_learning_curve_without_a_step_or_with_no_window_is_refused():
    with pytest.raises(ValueError, match="losses must hold at least one step"):
        training.learning_curve([])
    with pytest.raises(ValueError, match="window must lie in 1..2, the number of steps, got 3"):
        training.learning_curve([1.0, 1.0], window=3)


def test_six_curves_can_be_told_apart_and_a_seventh_is_drawn_too():
    lines = {f"curve {k}": ([1, 2, 3], [k, 2 * k, k]) for k in range(7)}
    axis = subwords.unknown_against_vocabulary(lines).figure.axes[0]
    assert [(line.get_label(), list(line.get_ydata())) for line in axis.lines] == [
        (name, y) for name, (_, y) in lines.items()
    ]
    styles = [(line.get_color(), line.get_marker(), line.get_linestyle()) for line in axis.lines]
    assert len({marker for _, marker, _ in styles}) == len(set(styles)) == 6 and styles[6] == styles[0]


def test_curves_over_whole_numbers_have_whole_ticks_and_go_through_means_before_a_shaded_range():
    lines = {"a": [(1, [1.0, 2.5, 2.5]), (2, [2.0, 4.0])], "b": [(1, 1.0), (2, 1.5)]}
    picture = encoder_decoder.curves(lines, "layer", "norm")
    (axis,) = picture.figure.axes
    told = "(mean of 1 to 3 runs; shaded: lowest to highest)"
    assert axis.get_xlabel() == f"layer\n{told}"
    assert picture.alt.startswith(f"norm against layer {told}: a from 2.00")
    assert all(float(tick).is_integer() for tick in axis.get_xticks())
    assert [list(line.get_ydata()) for line in axis.lines] == [[2.0, 3.0], [1.0, 1.5]]
    (shade,) = axis.collections
    corners = shade.get_paths()[0].vertices
    assert corners[:, 1].min() == 1.0 and corners[:, 1].max() == 4.0


def test_curves_need_points():
    with pytest.raises(ValueError, match="lines must hold one or more, each with a point"):
        encoder_decoder.curves({"a": []}, "x", "y")


def test_bleu_stands_over_its_bin_of_lengths():
    runs = [[{"from": 1, "to": 5, "all": all_of_5}, {"from": 6, "to": 10, "all": 10.0}] for all_of_5 in (80.0, 100.0)]
    (axis,) = encoder_decoder.bleu_by_length({"a": runs}).figure.axes
    (line,) = axis.lines
    assert line.get_xdata().tolist() == [3, 8] and line.get_ydata().tolist() == [90, 10]
    assert axis.collections[0].get_paths()[0].vertices[:, 1].max() == 100
    assert [tick.get_text() for tick in axis.get_xticklabels()] == ["1–5", "6–10"] and axis.get_ylim() == (0, 100)


def test_both_pictures_of_positions_hold_the_papers_numbers():
    left, right = (axis.images[0].get_array() for axis in transformer.positional_encoding(6, 8).figure.axes[:2])
    for pos in range(6):
        for i in range(4):
            angle = pos / 10000 ** (2 * i / 8)
            sine, cosine = pytest.approx(math.sin(angle), abs=1e-6), pytest.approx(math.cos(angle), abs=1e-6)
            assert (left[pos, 2 * i], left[pos, 2 * i + 1]) == (sine, cosine)
            assert (right[pos, i], right[pos, 4 + i]) == (sine, cosine)
    with pytest.raises(ValueError, match="d_model even, got 20 and 7"):
        transformer.positional_encoding(20, 7)


def test_a_change_stands_beside_the_line_of_its_base():
    left, right = recipe.ablations(TABLES, {"A & B": 25.8, "C": 5.0}).figure.axes
    dots = {line.get_ydata()[0]: line.get_xdata()[0] for line in left.lines if line.get_marker() not in ("None", None)}
    assert dots == {0: 23.7, 1: 25.3, 2: 26.2}
    assert [label.get_text() for label in left.get_yticklabels()] == ["layers 2", "layers 4", "d_ff 4096"]
    assert [line.get_xdata() for line in left.lines][-1] == [25.8, 25.8] and left.get_ylim()[0] > left.get_ylim()[1]
    assert [line.get_xdata() for line in right.lines][-1] == [5.0, 5.0]
    left, right = recipe.ablations(TABLES, {"A & B": 25.8, "C": 5.0}, "loss", {"C": [5.0, 5.5, 4.75]}).figure.axes
    (shaded,) = right.patches
    assert not left.patches and (shaded.get_x(), shaded.get_width()) == (4.25, 1.5) and right.get_xlabel() == "loss"
    with pytest.raises(ValueError, match="tables must hold one or more, each with a row"):
        recipe.ablations({"a": {"layers": {}}}, {"a": 1.0})


def test_a_system_stands_at_its_cost_and_its_score():
    points = [("x", 1e19, 24.0), ("Transformer", 2e18, 28.4)]
    (axis,) = recipe.bleu_against_flops({"En–De": points}).figure.axes
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in axis.lines] == [(x, y) for _, x, y in points]
    assert axis.get_xscale() == "log" and [line.get_fillstyle() for line in axis.lines] == ["none", "full"]
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["1  x", "2  Transformer"]
    with pytest.raises(ValueError, match="tables must hold one or more, each with a point"):
        recipe.bleu_against_flops({"a": []})


def test_the_numbers_of_neighbouring_systems_do_not_touch():
    french = [(one.name, one.flops_en_fr, one.en_fr) for one in WMT14 if one.flops_en_fr]
    figure = recipe.bleu_against_flops({"En–De": french, "En–Fr": french}).figure
    figure.canvas.draw()
    axis = figure.axes[1]
    boxes = [text.get_window_extent() for text in axis.texts]
    dots = [line.get_window_extent() for line in axis.lines]
    assert len(boxes) == len(french) and not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    assert not any(box.overlaps(dot) for box in boxes for dot in dots)


def test_every_seed_is_a_dot_and_the_range_of_the_base_is_shaded():
    (axis,) = seeds.by_seed({"a": [1.0, 3.0, 2.0], "b": [5.0]}, "loss", base="a").figure.axes
    dots, mean, *other = axis.lines
    assert list(dots.get_xdata()) == [1.0, 3.0, 2.0] and set(dots.get_ydata()) == {0}
    assert list(mean.get_xdata()) == [2.0, 2.0] and list(other[0].get_xdata()) == [5.0]
    (shaded,) = axis.patches
    assert (shaded.get_x(), shaded.get_width()) == (1.0, 2.0) and axis.get_xlabel().startswith("loss")
    with pytest.raises(ValueError, match="rows must hold one or more, each with a value"):
        seeds.by_seed({"a": []})
    with pytest.raises(ValueError, match="base must be one of the rows a, got 'b'"):
        seeds.by_seed({"a": [1.0]}, base="b")


def test_an_interval_reaches_from_its_low_to_its_high_end():
    (axis,) = evaluation.intervals({"a": (40, 38, 43), "b": (60, 59, 62)}, "BLEU").figure.axes
    ends = [bar.get_segments()[0][:, 0].tolist() for bar in axis.collections]
    assert ends == [[38, 43], [59, 62]]
    assert [text.get_text() for text in axis.get_yticklabels()] == ["a", "b"]
    with pytest.raises(ValueError, match="scores must hold at least one"):
        evaluation.intervals({}, "BLEU")


def test_each_group_of_points_has_a_panel_over_the_same_axes():
    left, right = evaluation.scatter({"a": [(10, 0.5)], "b": [(90, 1.0), (80, 0.9)]}, "BLEU", "adequacy").figure.axes
    assert right.collections[0].get_offsets().tolist() == [[90, 1.0], [80, 0.9]]
    assert [to_hex(panel.collections[0].get_edgecolor()[0]) for panel in (left, right)] == [
        colour.lower() for colour, _, _ in STYLES[:2]
    ]
    assert left.get_xlim() == right.get_xlim() and left.get_ylim() == right.get_ylim()
    with pytest.raises(ValueError, match="groups must hold at least one"):
        evaluation.scatter({}, "BLEU", "adequacy")


def test_differences_by_chance_stand_beside_the_observed_one_over_the_same_axes():
    left, right = evaluation.by_chance([1.0, 2.0, 3.5], [-3.0, -2.0, 0.5, 1.0], -2.0, (1.0, 3.0), "B − A").figure.axes
    assert left.get_xlim() == right.get_xlim() and left.get_ylim() == right.get_ylim()
    assert [line.get_xdata()[0] for line in left.lines] == [0, -2.0, 1.0, 3.0]
    assert [line.get_xdata()[0] for line in right.lines] == [0, -2.0, 2.0]
    assert [to_hex(bars.get_facecolor()).upper() for bars in right.patches] == [STYLES[1][0], STYLES[0][0]]
    (span,) = (bars for bars in left.patches if isinstance(bars, Rectangle))
    assert (span.get_x(), span.get_width()) == (1.0, 2.0)
    for lacking in ([], [1.0]), ([1.0], []):
        with pytest.raises(ValueError, match="resampled and swapped must hold at least one difference each"):
            evaluation.by_chance(*lacking, 1.0, (0.0, 1.0), "B − A")


@pytest.mark.parametrize("observed", [0.0, 0.001, -2.0, 3.2])
def test_the_histogram_begins_a_bar_at_0_and_at_the_observed_difference_on_either_side(observed):
    edges = evaluation._bins(np.array([-3.0, 3.2]), observed)
    assert edges[0] <= -3 and edges[-1] >= 3.2 and 20 < len(edges) < 70
    assert np.isclose(edges, 0).any()
    if abs(observed) > 0.1:
        assert np.isclose(edges, observed).any() or abs(observed) > edges[-1]
        assert np.isclose(edges, -observed).any() or abs(observed) > -edges[0]


def test_an_edit_stands_between_its_two_words_and_frames_them():
    output, reference = ["c", "d", "all", "a", "b", "sleep"], ["a", "b", "sleeping", "c", "d", "now"]
    (axis,) = evaluation.shift_and_edits(output, reference, (0, 2), 4).figure.axes
    at = {(text.get_text(), text.get_position()[1]): text.get_position()[0] for text in axis.texts}
    rows = [[word for (word, y) in at if y == height] for height in (3, 1.7, 0.85, 0)]
    shown = ["all", "a", "b", "sleep", "c", "d"]
    assert [[word for word in row if word] for row in rows] == [
        output,
        sorted(shown, key=lambda word: at[word, 1.7]),
        ["deletion", "substitution", "insertion"],
        reference,
    ]
    assert shown == sorted(shown, key=lambda word: at[word, 1.7])
    assert at["sleep", 1.7] == at["substitution", 0.85] == at["sleeping", 0] and at["now", 0] == at["insertion", 0.85]
    assert all(at[word, 1.7] == at[word, 0] for word in "abcd")
    framed = [(round(frame.get_y() + 0.33, 2), frame.get_x() + frame.get_width() / 2) for frame in axis.patches]
    words = [("all", 1.7), ("sleep", 1.7), ("sleeping", 0), ("now", 0)]
    frames = [(height, pytest.approx(at[word, height])) for word, height in words]
    blocks = [(height, pytest.approx((at["c", height] + at["d", height]) / 2)) for height in (3, 1.7)]
    assert framed == [*blocks, *frames]


def test_a_picture_of_seeds_holds_its_label_beside_long_names_of_rows():
    figure = seeds.by_seed({"deep.warm_post_20": [1.0, 3.0], "deep.dlcl_post_20": [5.0]}, "share of BLEU kept").figure
    figure.draw_without_rendering()
    box, (axis,) = figure.get_window_extent(), figure.axes
    label = axis.xaxis.label.get_window_extent()
    assert box.x0 <= label.x0 < label.x1 <= box.x1 and box.y0 <= label.y0
