"""The drawing: a described picture as SVG. Its colours are CSS variables, so that one drawing serves both themes."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from math import copysign, hypot
from pathlib import Path

from course_lib.diagrams.diagram import Diagram, Node, Wire
from course_lib.diagrams.layout import (
    BARS,
    COLUMN,
    ROW,
    UNITS,
    Point,
    caption,
    crossings,
    extent,
    path,
    place,
    rectangle,
    route,
)
from course_lib.diagrams.markup import as_svg
from course_lib.diagrams.values import check_values, scales, scales_in_words

CSS = (Path(__file__).parent / "drawing.css").read_text(encoding="utf-8")
TIP = 9  # length of an arrowhead
Values = Mapping[str, Sequence[float]]


class Drawing(str):
    """An SVG as text, which a notebook shows as a picture."""

    def __repr__(self) -> str:
        return f"<Drawing of {len(self)} characters>"

    def _repr_html_(self) -> str:
        return str(self)


def still(diagram: Diagram, values: Values | None = None, step: int | None = None) -> Drawing:
    """A picture that needs nothing else: the last thing in a cell, or a file. `values` {node: its values}.

    Whole, or as it stands at a `step`. Raises ValueError for a step or a node that the diagram has not.
    """
    if step is not None and not 1 <= step <= len(diagram.steps):
        raise ValueError(f"step must be from 1 to {len(diagram.steps)}, got {step}")
    values = values or {}
    check_values(diagram, {id: [row] for id, row in values.items()}, 1)
    largest = scales({id: [row] for id, row in values.items()})
    made = draw(diagram, values, largest, step)
    described = f"<style>{CSS}</style><desc>{escape(in_words(diagram, values, step))}</desc>"
    return Drawing(re.sub("<desc>.*?</desc>", lambda _: described, made, count=1))


def in_words(diagram: Diagram, values: Values | None = None, step: int | None = None) -> str:
    """All that a picture shows, up to a step: "input; candidate, from hidden state before and input: 0.5, −0.5"."""
    last, said = len(diagram.steps) if step is None else step, []
    for number in range(1, last + 1):
        for id, words in diagram.in_words(number).items():
            row = (values or {}).get(id, ()) if diagram.complete(diagram.since[id]) <= last else ()
            names = diagram.nodes[id].units or [""] * len(row)
            numbers = [f"{name} {value:.1f}".strip() for name, value in zip(names, row, strict=False)]
            said.append(words + (": " + ", ".join(numbers).replace("-", "−") if numbers else ""))
    return "; ".join(said)


def draw(diagram: Diagram, values: Values, largest: Mapping[str, float], step: int | None = None) -> str:
    """The `<svg>` without its style, described whole; at a `step`, what is new is marked and the rest hidden.

    `values` of nodes are drawn as bars from −scale to scale, those of wires, "a -- b", as numbers and line widths.
    """
    crossed, boxes, wires, nodes = crossings(diagram), [], [], []
    for id, node in diagram.nodes.items():
        number = diagram.since[id]
        bars = _bars(node, values[id], largest[id]) if id in values else ""
        bars = bars and _part(diagram.complete(number), step, bars)
        drawn = _part(number, step, _node(diagram, node, bars))
        (boxes if node.kind == "box" else nodes).append(drawn)
    for wire in diagram.wires:
        wires.append(_wire(diagram, wire, crossed[wire], step, values))
    width, height = diagram.size[0] * COLUMN, diagram.size[1] * ROW
    note = scales_in_words(diagram, largest)
    text = f'<text class="lm-note" x="8" y="{height + 14:g}">{escape(note)}</text>' if note else ""
    height += 22 * bool(note)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lm-drawing" role="img" aria-label="{escape(diagram.title)}" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" style="--width:{width:g}px">'
        f"<desc>{escape(in_words(diagram))}</desc>{''.join(boxes + wires + nodes)}{text}</svg>"
    )


def _wire(diagram: Diagram, wire: Wire, crossed: Mapping[Point, int], step: int | None, values: Values) -> str:
    """A wire, its head, and what stands for the nodes and the gaps that come later: until then it goes on through."""
    source, target, later = diagram.nodes[wire.source], diagram.nodes[wire.target], diagram.since[wire.target]
    line, value = route(diagram, wire), values[wire.id][0] if wire.id in values else None
    if source.kind == "word":  # it has no frame that would cover the wire's beginning
        line[0] = _border(source, *line[:2])
    (x1, y1), (x2, y2) = line[-2:]
    length, level = hypot(x2 - x1, y2 - y1), abs(x2 - x1) > abs(y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    front, back = (extent(node, node.id in values)[0 if level else 1] / 2 + 2 for node in (source, target))
    x, y = x2 - back * dx, y2 - back * dy
    bx, by = x - TIP * dx, y - TIP * dy
    end = line[-1] if target.kind == "dot" else (bx + dx, by + dy)
    weight = "" if value is None else f' data-wire="{wire.id}" style="--v:{abs(value):.3f}"'
    drawn = (f'<path class="lm-wire{" lm-weighted" * bool(weight)}"{weight} d="{{}}"/>').format
    made = _part(wire.step, step, drawn(path([*line[:-1], end], list(crossed))))
    for (gap, height), since in crossed.items():
        made += _part(wire.step, step, drawn(path([(gap - 6, height), (gap + 6, height)], [])), since)
    if target.kind != "dot":
        made += _part(wire.step, step, drawn(path([end, line[-1]], [])), later)
        head = f"M{x:g} {y:g}L{bx - 4.7 * dy:g} {by + 4.7 * dx:g}L{bx + 4.7 * dy:g} {by - 4.7 * dx:g}Z"
        made += _part(max(wire.step, later), step, f'<path class="lm-head" d="{head}"/>')
    if value is not None:
        front *= len(line) == 2  # else its last part begins at a corner
        middle = (x1 + front * dx + bx) / 2, (y1 + front * dy + by) / 2
        at = f'text-anchor="middle" x="{middle[0]:g}" y="{middle[1] - 7:g}"'
        at = at if level else f'x="{middle[0] + 8:g}" y="{middle[1] + 4:g}"'
        number = f'<text class="lm-carried" data-wire="{wire.id}" {at}>{value:.2f}</text>'
        made += _part(max(wire.step, later), step, number)
    return made


def _border(node: Node, start: Point, towards: Point) -> Point:
    """Where a wire that begins at `start`, in the node's row, leaves the node."""
    (x, y), (width, height) = place(node), extent(node)
    if towards[1] == y:
        return x + copysign(width / 2, towards[0] - x), y
    return start[0], y + copysign(height / 2, towards[1] - y)


def _node(diagram: Diagram, node: Node, bars: str) -> str:
    x, _ = place(node)
    left, top, right, bottom = rectangle(node, bool(bars))
    line = top + 17 if bars else (top + bottom) / 2 + 5
    radius = {"box": 16, "layer": 5, "state": 17, "word": 0}.get(node.kind, (bottom - top) / 2)
    size = f'width="{right - left:g}" height="{bottom - top:g}"'
    shape = f'<rect x="{left:g}" y="{top:g}" {size} rx="{radius:g}"/>'
    label = escape(node.text) if node.kind == "word" else as_svg(node.text)
    if node.kind == "box":
        text = f'<text class="lm-note" x="{left + 14:g}" y="{top + 20:g}">{escape(node.text)}</text>'
    elif node.note:
        text = f'<text x="{left + 12:g}" y="{line:g}">{label}</text>'
        text += f'<text class="lm-note" text-anchor="end" x="{right - 11:g}" y="{line:g}">{escape(node.note)}</text>'
    else:
        text = f'<text text-anchor="middle" x="{x:g}" y="{line:g}">{label}</text>'
    called = node.called() + (f", shape ({node.shape})" if node.shape else "")
    title = f"<title>{escape(called)}</title>" if called else ""
    room = caption(diagram, node, f"({node.shape})", bool(bars)) if node.shape and node.kind == "state" else None
    if room:
        at = f'text-anchor="middle" x="{x:g}" y="{room[3] - 2:g}"'
        text += f'<text class="lm-shape" {at}>({escape(node.shape)})</text>'
    return f'<g class="lm-{node.kind}{_role(node)}" data-node="{node.id}">{title}{shape}{text}{bars}</g>'


def _role(node: Node) -> str:
    """The class that gives a query, a key or a value its colour: " lm-is-query", " lm-is-key" or " lm-is-value"."""
    letter = re.fullmatch(r"([qkv])(?:[_^].*)?", node.text.lower()) if node.kind in ("state", "layer") else None
    return " lm-is-" + {"q": "query", "k": "key", "v": "value"}[letter[1]] if letter else ""


def _bars(node: Node, values: Sequence[float], scale: float) -> str:
    """A bar for each value, filled above zero, hollow below it. A front end sets `--v` and the side anew."""
    x, _ = place(node)
    left, _, right, bottom = rectangle(node, True)
    pitch = min((right - left - 20) / len(values), 60 if node.units else 18)
    left, height = x - pitch * len(values) / 2, BARS / (1 + node.signed)
    zero = bottom - 6 - UNITS * bool(node.units) - BARS + height
    made = "".join(
        f'<rect class="lm-bar{" lm-below" * (value < 0)}" style="--v:{min(abs(value / scale), 1):.3f}" '
        f'x="{left + (k + 0.5) * pitch - _half(pitch):.1f}" y="{zero - height:g}" '
        f'width="{2 * _half(pitch):.1f}" height="{height:g}"/>'
        for k, value in enumerate(values)
    )
    made += "".join(
        f'<text class="lm-unit" text-anchor="middle" x="{left + (k + 0.5) * pitch:.1f}" y="{bottom - 5:g}">'
        f"{escape(word)}</text>"
        for k, word in enumerate(node.units)
    )
    return f'{made}<path class="lm-zero" d="M{left:.1f} {zero:g}h{pitch * len(values):.1f}"/>'


def _half(pitch: float) -> float:
    return min(pitch, 18) / 2 - 1


def _part(number: int, step: int | None, content: str, until: int | None = None) -> str:
    """What appears with step `number`, and goes with step `until`, if that is later."""
    if until is not None and until <= number:
        return ""
    when = "" if step is None else " lm-later" * (number > step) or " lm-now" * (number == step)
    gone = " lm-gone" * (until is not None and (step is None or step >= until))
    ending = f' data-until="{until}"' if until else ""
    return f'<g class="lm-part{when}{gone}" data-step="{number}"{ending}>{content}</g>'
