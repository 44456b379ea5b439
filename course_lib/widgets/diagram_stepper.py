"""The diagram stepper: a network grows with its equations, and a trace's values stand in its nodes."""

from collections.abc import Mapping, Sequence

import traitlets

from course_lib.diagrams import Diagram
from course_lib.diagrams.draw import CSS, draw
from course_lib.diagrams.markup import equation, spoken
from course_lib.diagrams.values import Rows, check_values, scales
from course_lib.widgets.base import Stepper, front_end


class DiagramStepper(Stepper):
    """`DiagramStepper(LSTM_CELL, tokens, cell_values(trace))`: one step of a picture after another.

    `values` {node: [token][unit]} of states and layers, {"a -- b": [token][0]} of wires; without tokens {node: [unit]}.
    With `predict=True` the reader chooses the next equation before it is shown, where the description has wrong ones.
    `predictions` maps the number of a step to the equation that was chosen, by its place among the choices.

    `step` is how many equations are there, `position` the token. Raises ValueError for values that do not fit the
    picture or the tokens, and for a step or a position that is not there.
    """

    _esm, _css = front_end("diagram_stepper", root="lm-diagram")
    _css += CSS
    title = "Diagram stepper"
    height = 560

    name = traitlets.Unicode().tag(sync=True)
    svg = traitlets.Unicode().tag(sync=True)
    steps = traitlets.List().tag(sync=True)  # each {equation: HTML, spoken, sentence, adds, complete, choices}
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    names = traitlets.Dict().tag(sync=True)  # {node: [the names of its values]}, where they have names
    scales = traitlets.Dict().tag(sync=True)  # {node: its largest bar}
    position = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        diagram: Diagram,
        tokens: Sequence[str] = (),
        values: Mapping[str, Rows | Sequence[float]] | None = None,
        *,
        step: int = 1,
        position: int = 0,
        predict: bool = False,
    ):
        by_token = values or {} if tokens else {id: [row] for id, row in (values or {}).items()}
        values = {id: [[round(value, 3) for value in row] for row in rows] for id, rows in by_token.items()}
        rows = max(len(tokens), 1)
        check_values(diagram, values, rows)
        for called, given, first, last in (("step", step, 0, len(diagram.steps)), ("position", position, 0, rows - 1)):
            if not first <= given <= last:
                raise ValueError(f"{called} must be from {first} to {last}, got {given}")
        super().__init__(
            name=diagram.title,
            svg=draw(diagram, {id: rows[position] for id, rows in values.items()}, scales(values)),
            steps=[_step(diagram, number) for number in range(1, len(diagram.steps) + 1)],
            tokens=list(tokens),
            values=values,
            names={id: list(node.units) for id, node in diagram.nodes.items() if node.units},
            scales=scales(values),
            step=step,
            position=position,
            predict=predict,
        )


def _step(diagram: Diagram, number: int) -> dict:
    """A step as the front end keeps it. `spoken` is its equation in words at each step; `choices` what is asked."""
    one = diagram.steps[number - 1]
    choices = [(one.equation, ""), *one.wrong] if one.wrong else []
    return {
        "equation": equation(one.equation),
        "spoken": [spoken(one.equation, at) for at in range(1, len(diagram.steps) + 1)],
        "sentence": one.sentence,
        "adds": diagram.in_words(number),
        "complete": diagram.complete(number),
        "choices": [
            {"equation": equation(text), "spoken": spoken(text, number), "why": why} for text, why in sorted(choices)
        ],
    }
