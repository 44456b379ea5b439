"""Where things lie, in pixels: nodes on the grid, the corners of wires, where wires cross, what room is left free."""

from itertools import pairwise
from math import copysign, hypot

from course_lib.diagrams.diagram import Diagram, Node, Wire

COLUMN, ROW = 84, 58  # of the grid
BARS, UNITS = 16, 13  # height of a node's values, and of the words below them
BEND, GAP = 10, 5  # radius of a corner; half of the gap in a wire that another one crosses
Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]  # left, top, right, bottom


def place(node: Node) -> Point:
    """Its centre, on whole pixels so that lines are crisp."""
    return round(node.at[0] * COLUMN), round(node.at[1] * ROW)


def extent(node: Node, valued: bool = False) -> Point:
    """Its width and height; a node that shows values is higher."""
    if node.kind == "dot":
        return 8, 8
    if node.kind == "op":
        return (46 if len(node.text) > 1 else 26), 26
    width, height = node.size[0] * COLUMN, node.size[1] * ROW
    if node.kind == "box":
        return width, height
    if node.kind == "word":
        return width - 16, height - 34
    return width - 10, height - 24 + valued * (BARS - 4 + UNITS * bool(node.units))


def rectangle(node: Node, valued: bool = False) -> Rectangle:
    """The room that a node takes."""
    (x, y), (width, height) = place(node), extent(node, valued)
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def route(diagram: Diagram, wire: Wire) -> list[Point]:
    """The corners of a wire from centre to centre; one straight up or down keeps the column of the narrower node."""
    source, target = diagram.nodes[wire.source], diagram.nodes[wire.target]
    (x1, y1), (x2, y2) = place(source), place(target)
    way, _, by = wire.way.partition("@")
    if way == "-|-":
        x = round(float(by) * COLUMN)
        return [(x1, y1), (x, y1), (x, y2), (x2, y2)]
    if way == "--":
        widths = extent(source)[0], extent(target)[0]
        if y1 != y2 and abs(x1 - x2) < max(widths) / 2 - 10:
            x1 = x2 = x1 if widths[0] < widths[1] else x2
        return [(x1, y1), (x2, y2)]
    return [(x1, y1), (x2, y1) if way == "-|" else (x1, y2), (x2, y2)]


def crossings(diagram: Diagram) -> dict[Wire, dict[Point, int]]:
    """Where a level wire is crossed, and since which step: {wire: {point: step}}. It has a gap there."""
    routes = {wire: list(pairwise(route(diagram, wire))) for wire in diagram.wires}
    upright = [(wire, a, b) for wire, line in routes.items() for a, b in line if a[0] == b[0]]
    found: dict[Wire, dict[Point, int]] = {wire: {} for wire in diagram.wires}
    for wire, line in routes.items():
        for (x1, y), (x2, level) in line:
            for other, (x, top), (_, bottom) in upright:
                inside = abs(x - x1) + abs(x - x2) == abs(x1 - x2) and min(abs(x - x1), abs(x - x2)) > BEND
                if y == level and inside and min(top, bottom) + BEND < y < max(top, bottom) - BEND:
                    found[wire][x, y] = min(other.step, found[wire].get((x, y), other.step))
    return found


def path(line: list[Point], gaps: list[Point]) -> str:
    """The `d` of an SVG path along a line, with round corners, and with gaps in its level parts."""
    made = f"M{line[0][0]:g} {line[0][1]:g}"
    for k, ((x0, y0), (x, y)) in enumerate(pairwise(line)):
        side = copysign(GAP, x - x0)
        for at, _ in sorted(gap for gap in gaps if gap[1] == y0 == y)[:: int(copysign(1, side))]:
            made += f"L{at - side:g} {y:g}M{at + side:g} {y:g}"
        if k + 2 < len(line):
            x2, y2 = line[k + 2]
            before, after = (min(BEND, hypot(a - x, b - y) / 2) for a, b in ((x0, y0), (x2, y2)))
            made += f"L{_towards(x, x0, before):g} {_towards(y, y0, before):g}"
            made += f"Q{x:g} {y:g} {_towards(x, x2, after):g} {_towards(y, y2, after):g}"
    return made + f"L{line[-1][0]:g} {line[-1][1]:g}"


def _towards(a: float, b: float, distance: float) -> float:
    return a if a == b else a + copysign(distance, b - a)


def caption(diagram: Diagram, node: Node, text: str, valued: bool = False) -> Rectangle | None:
    """Room for a small text below a node or above it, where no wire and no other node is; None if there is none."""
    x, y = place(node)
    reach, width = extent(node, valued)[1] / 2 + 3, 6.2 * len(text)
    for top in (y + reach, y - reach - 12):
        room = (x - width / 2, top, x + width / 2, top + 12)
        if top + 12 <= diagram.size[1] * ROW and top >= 0 and _is_free(diagram, room, node):
            return room
    return None


def _is_free(diagram: Diagram, room: Rectangle, own: Node) -> bool:
    taken = [rectangle(node, True) for node in diagram.nodes.values() if node is not own and node.kind != "box"]
    lines = [(*map(min, a, b), *map(max, a, b)) for wire in diagram.wires for a, b in pairwise(route(diagram, wire))]
    return not any(overlap(room, other) for other in taken + lines)


def overlap(a: Rectangle, b: Rectangle) -> bool:
    """True if two rectangles share an inner point; a line is a rectangle without width."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
