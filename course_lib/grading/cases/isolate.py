"""Cases that isolate one mechanism: each shows the mistakes that it is meant to show, and no other."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from course_lib.grading.compare import difference
from course_lib.grading.task import Case, Parts

Draw = Callable[[Random, int], Case]
MARGIN = 1000  # a mistake must differ by as many times what rounding may: then no way to compute decides what is right


def plainly(function: Callable, case: Case):
    """Exercise `function` by calling it on the case's arguments."""
    return function(*case.arguments)


def same(one: Any, other: Any, case: Case) -> bool:
    """Whether the engine takes `other` for `one`."""
    return (not isinstance(one, Parts) and one == other) or difference(one, other, case) is None


def isolating(defined: Callable, mistakes: Sequence[Callable], case: Callable[..., Case]) -> Callable[..., Callable]:
    """The decorator `shows(*wanted)` of a task: it makes a criterion's `draw` of a function that draws arguments.

    Arguments are drawn until each of the `wanted` mistakes gives something else than `defined` (and, if `apart`, than
    each other), and every other mistake, unless it is `free`, gives the same. So which mistakes lose a criterion
    depends on no seed. `case` makes a Case of the arguments; `when` is what else must hold of them.
    """

    def shows(
        *wanted: Callable,
        free: Sequence[Callable] = (),
        apart: bool = True,
        probe: Callable = plainly,
        when: Callable[..., bool] | None = None,
    ) -> Callable[[Callable], Draw]:
        hidden = [mistake for mistake in mistakes if mistake not in (*wanted, *free)]

        def misfit(drawn: Case) -> tuple[str, Callable | None] | None:
            """What keeps a case from being one: words for it, and the mistake that they are about."""
            outcomes = [right := probe(defined, drawn)]
            for mistake in wanted:
                outcomes.append(probe(mistake, drawn))
                coarse = replace(drawn, scale=MARGIN * drawn.scale)
                if any(same(outcomes[-1], other, coarse) for other in outcomes[: -1 if apart else 1]):
                    return "gives what is right, or what another mistake gives", mistake
            for mistake in hidden:
                if not same(right, probe(mistake, drawn), drawn):
                    return "shows, which is neither wanted nor free", mistake
            return None if when is None or when(*drawn.arguments) else ("`when` does not hold", None)

        def decorate(draw: Callable[[Random, int], tuple]) -> Draw:
            def drawn(rng: Random, size: int) -> Case:
                misfits: Counter = Counter()

                def fits(made: Case) -> bool:
                    misfits.update([misfit(made)])
                    return misfits[None] > 0

                try:
                    return until(lambda: (case(*draw(rng, size)),), fits)[0]
                except RuntimeError as error:
                    if not misfits:  # raised by what draws
                        raise
                    names = {id(value): name for name, value in defined.__globals__.items()}
                    said = (
                        f"{times} times {names.get(id(mistake), 'a mistake') + ' ' if mistake else ''}{words}"
                        for (words, mistake), times in misfits.most_common(3)
                    )
                    raise RuntimeError(f"{draw.__name__}, size {size}: {error}: {'; '.join(said)}") from None

            return drawn

        return decorate

    return shows


def alternate(*draws: Draw) -> Draw:
    """Cases of several kinds in turn."""
    return lambda rng, size: draws[size % len(draws)](rng, size)


def first(case: Case, draw: Draw) -> Draw:
    """`case`, then those that `draw` draws."""
    return lambda rng, size: draw(rng, size) if size else case


def until(draw: Callable[[], tuple], fits: Callable[..., bool], tries: int = 20_000) -> tuple:
    """Draw until `fits(*drawn)`; raises RuntimeError if that never happens, for then a criterion has no cases."""
    for _ in range(tries):
        drawn = draw()
        if fits(*drawn):
            return drawn
    raise RuntimeError(f"no case fits after {tries} draws")
