"""What a trace puts into a picture: values of its nodes, [token][unit], and how far they go."""

from collections.abc import Mapping, Sequence

from course_lib.diagrams.diagram import Diagram
from course_lib.recurrent import GateTrace

Rows = Sequence[Sequence[float]]
NAMED = 3  # nodes whose scale is told by name


def cell_values(trace: GateTrace, units: Sequence[int] = range(8)) -> dict[str, list[list[float]]]:
    """The values of some units for LSTM_CELL or GRU_CELL (reset="before"): what was traced, and the states before.

    Units that the network has not are left out. Before the first token that was read the states are 0.
    """
    chosen = _chosen(trace, units)
    zeros = [[0.0] * len(rows[0]) for rows in chosen.values()][:1]
    before = {
        f"{name}0": [*chosen[name][1:], *zeros] if trace.reverse else [*zeros, *chosen[name][:-1]]
        for name in ("h", "c")
        if name in chosen
    }
    return chosen | before


def state_values(trace: GateTrace, name: str = "h", units: Sequence[int] = range(8)) -> dict[str, list[float]]:
    """The hidden states of a whole sentence, for nodes name1, name2, … of an unrolled picture."""
    return {f"{name}{t}": row for t, row in enumerate(_chosen(trace, units)["h"], start=1)}


def _chosen(trace: GateTrace, units: Sequence[int]) -> dict[str, list[list[float]]]:
    return {
        name: [[row[unit] for unit in units if unit < len(row)] for row in rows] for name, rows in trace.values.items()
    }


def check_values(diagram: Diagram, values: Mapping[str, Rows], tokens: int) -> None:
    """Raises ValueError for values that do not fit: for no node or wire, not a row for each token, rows that differ."""
    for id, rows in values.items():
        node = diagram.nodes.get(id)
        if node is None and id not in {wire.id for wire in diagram.wires}:
            raise ValueError(f"values: {diagram.title!r} has no node and no wire {id!r}")
        if node is not None and node.kind not in ("state", "layer"):
            raise ValueError(f"values: only states and layers show values, {id!r} is of kind {node.kind}")
        if len(rows) != tokens:
            raise ValueError(f"values of {id!r} must have a row for each of the {tokens} tokens, got {len(rows)}")
        wanted = 1 if node is None else len(node.units) or len(rows[0])
        if not wanted or any(len(row) != wanted for row in rows):
            raise ValueError(f"values of {id!r} must have {wanted or 'some'} in each row, got {[*map(len, rows)]}")


def scales(values: Mapping[str, Rows]) -> dict[str, float]:
    """How far the bars of each node go: to 1; or, in the nodes with larger values, to the largest of all."""
    largest = {id: max(abs(value) for row in rows for value in row) for id, rows in values.items()}
    return {id: max(largest.values()) if size > 1 else 1.0 for id, size in largest.items()}


def scales_in_words(diagram: Diagram, scales: Mapping[str, float]) -> str:
    """ "bars run to ±1; memory cell: to ±6.3", or nothing without bars; many nodes are not named."""
    if not scales:
        return ""
    wide = [diagram.nodes[id].called() for id, scale in scales.items() if scale > 1 and id in diagram.nodes]
    wide = wide if len(wide) <= NAMED else ["where values are larger"]
    return "bars run to ±1" + (f"; {' and '.join(wide)}: to ±{max(scales.values()):.1f}" if wide else "")
