"""The participants that a verb takes."""

from typing import Any

from course_lib.corpora.grammar.lexicon import VERBS
from course_lib.corpora.grammar.meaning import Clause, Gap, Place, Wh
from course_lib.metrics.truth.suggestions import Suggested


def sayable(c: Clause) -> bool:
    """Whether a clause has just the participants that its verb takes."""
    if c.verb in ("be", "exist"):
        return c.object is None and c.recipient is None and (c.property is not None) != (c.place is not None)
    frame = VERBS[c.verb].frame
    return (
        bool(VERBS[c.verb].objects) == (c.object is not None)
        and ("to" in frame) == (c.recipient is not None)
        and ("that" in frame) == (c.content is not None)
        and (c.place is not None or frame.isdisjoint(("goal", "place", "still")))
        and c.property is None
        and not (c.passive and (c.object is None or isinstance(c.object, (Gap, Wh))))
    )


def valency(c: Clause, verb: str, suggested: Suggested) -> dict[str, Any] | None:
    """The participants that another verb takes or does not take; None if there is nobody to take."""
    frame, new = VERBS[verb].frame, {}
    if verb in ("be", "exist") or c.verb in ("be", "exist") or ("that" in frame) != (c.content is not None):
        return {} if verb == c.verb else None
    thing = next(iter((*suggested.nouns, *suggested.names)), None)
    for name, needed in (("object", bool(VERBS[verb].objects)), ("recipient", "to" in frame)):
        if needed and getattr(c, name) is None:
            new[name] = thing
        elif not needed and getattr(c, name) is not None:
            new[name] = None
    if (not frame.isdisjoint(("goal", "place", "still"))) and c.place is None:
        new["place"] = Place("to" if "goal" in frame else "at", thing) if thing else None
        if thing is None:
            return None
    if c.passive and not VERBS[verb].objects:
        new["passive"] = False
    return (
        None
        if any(
            new.get(name, ...) is None and needed
            for name, needed in (("object", bool(VERBS[verb].objects)), ("recipient", "to" in frame))
        )
        else new
    )
