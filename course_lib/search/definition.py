"""Beam search as it is defined, for one sentence and in plain Python: `beam` does the same for a batch, and faster."""

from collections.abc import Callable, Mapping

Words = tuple[int, ...]


def beam_by_definition(
    following: Callable[[Words], Mapping[int, float]], eos: int, max_length: int, beam_size: int
) -> list[tuple[Words, float]]:
    """The outputs found with their Σ log p, the best first: finished ones, which end in eos, or live ones if none is.

    `following(words)` gives log p of each word that may come next. At each step the k = `beam_size` best hypotheses are
    followed by every word; of the best k those that end are finished, and the best k that do not end go on. The search
    is done when k outputs are finished (Zhao, "Beam search"). Of equals, the lower hypothesis, then the word named
    first.
    """
    live, finished = [((), 0.0)], []
    for _ in range(max_length):
        longer = [((*y, word), score + log_p) for y, score in live for word, log_p in following(y).items()]
        longer.sort(key=lambda hypothesis: -hypothesis[1])
        finished += [(y, score) for y, score in longer[:beam_size] if y[-1] == eos]
        live = [(y, score) for y, score in longer if y[-1] != eos][:beam_size]
        if not live or len(finished) >= beam_size:
            break
    return sorted(finished or live, key=lambda hypothesis: -hypothesis[1])
