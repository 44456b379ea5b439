"""Beam search: at each step keep the k most probable partial translations.

The hypotheses of all sentences are rows of one state, k for each sentence. A step reads the last word of every row,
adds the logarithms of what may follow, and keeps the best; a sentence that is done leaves the batch.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Float64, Int64
from torch import Tensor

from course_lib.search.hypothesis import Hypothesis, Normalise, plain, ranked
from course_lib.seq2seq.protocol import Model, State

FINISHED = ("aside", "in_beam")  # what becomes of a finished hypothesis
STOP = ("count", "bound", "length")  # when a sentence is done


@dataclass(frozen=True)
class Beam:
    """k hypotheses for each sentence that still searches."""

    sentences: list[int]  # which of the batch these are
    state: State  # before the last word was read
    rows: Int64[Tensor, "sentence k"]  # of the state: where each hypothesis goes on from
    words: Int64[Tensor, "sentence k length"]  # bos first
    scores: Float64[Tensor, "sentence k"]  # Σ log p; −inf: no hypothesis
    ended: Bool[Tensor, "sentence k"]  # the last word is eos


@dataclass(frozen=True)
class Candidates:
    """What one step weighs for each sentence: its hypotheses × the likeliest next words, 2k of them.

    `order` holds places in the flattened (hypothesis, word) table, the best 2k first; of equals the lower hypothesis,
    then the lower word. `kept`: which of these 2k are the next beam.
    """

    sentences: list[int]
    words: Int64[Tensor, "sentence k following"]
    log_probs: Float64[Tensor, "sentence k following"]  # of the next word alone
    totals: Float64[Tensor, "sentence k following"]  # Σ log p with that word
    order: Int64[Tensor, "sentence best"]
    kept: Int64[Tensor, "sentence k"]

    @property
    def parents(self) -> Int64[Tensor, "sentence best"]:
        """The hypothesis that each of the best goes on from."""
        return self.order // self.words.shape[2]

    def best(
        self, values: Float64[Tensor, "sentence k following"] | Int64[Tensor, "sentence k following"]
    ) -> Float64[Tensor, "sentence best"] | Int64[Tensor, "sentence best"]:
        """`words`, `log_probs` or `totals` of the best, in their order."""
        return values.flatten(1).gather(1, self.order)


@torch.inference_mode()
def beam(
    model: Model,
    source: Int64[Tensor, "batch source_time"],
    source_mask: Bool[Tensor, "batch source_time"],
    max_length: int,
    beam_size: int = 5,
    *,
    n_best: int = 1,
    finished: str = "aside",
    stop: str = "count",
    enough: int | None = None,
    normalise: Normalise = plain,
    prefix: Sequence[int] = (),
    watch: Callable[[Candidates], None] | None = None,
) -> list[list[Hypothesis]]:
    """The `n_best` best outputs found for each sentence, the best first, of at most T = `max_length` words with eos.

        score(y_1 … y_t) = Σ_{i ≤ t} log p(y_i | x, y_1 … y_{i−1})

    At each step the k = `beam_size` best hypotheses are followed by every word, and the best k of all these go on.
    Those among them that end in eos are finished:
    - `finished` "aside": they are set aside, and the next best fill the beam up (Zhao, "Stopping Criteria");
    - "in_beam": they keep their place in the beam, and only eos follows, at score 0 (Li, "Beam search (pseudocode)").
    A sentence is done after T words, or when nothing is left to go on with, or earlier:
    - `stop` "count": when `enough` outputs (by default k) are finished;
    - "bound": when no hypothesis can come among the n_best any more. log p only falls, so what it has now, normalised
      by the length that suits it best, T, is a bound: the result is that of "length" (plain: Huang et al. 2017);
    - "length": not earlier.
    The search compares log p of equal lengths; finished outputs are ranked by `normalise` (hypothesis.py). Unfinished
    ones are returned where none is finished. Every output begins with `prefix`; `watch` sees each step's candidates.

    Raises ValueError for sizes below 1, more than k asked for where finished ones stay in the beam, an unknown policy,
    and a prefix that is too long or holds eos.
    """
    k = beam_size
    enough = k if enough is None else enough
    _check(model, max_length, k, n_best, finished, stop, enough, prefix)
    if not len(source):
        return []
    outputs: list[list[Hypothesis]] = [[] for _ in range(len(source))]
    live = _first(model, source, source_mask, k)
    for t in range(1, max_length + 1):
        step = model.step(live.words[:, :, -1].flatten(), live.state.select(live.rows.flatten()))
        log_probs = step.log_probs if t > len(prefix) else _only(prefix[t - 1], step.log_probs)
        candidates = _candidates(log_probs, live, model.eos_id, finished)
        if watch is not None:
            watch(candidates)
        done = _finished(candidates, live, model.eos_id, k, normalise)
        live = _next(candidates, live, step.state, model.eos_id)
        alive = live.scores.masked_fill(live.ended, -torch.inf)
        going_on = []
        for row, (sentence, top) in enumerate(zip(live.sentences, alive.amax(1).tolist(), strict=True)):
            outputs[sentence] = (outputs[sentence] if finished == "aside" else []) + done[row]
            best = ranked(outputs[sentence])[:n_best]
            bound = stop == "bound" and len(best) == n_best and best[-1].score >= normalise(top, max_length)
            counted = stop == "count" and len(outputs[sentence]) >= enough
            if top > -torch.inf and t < max_length and not bound and not counted:
                going_on.append(row)
            elif not best:
                outputs[sentence] = _unfinished(live.words[row], alive[row], normalise)
        if not going_on:
            break
        live = _select(live, going_on)
    return [ranked(found)[:n_best] for found in outputs]


def most_probable(
    log_probs: Float[Tensor, "row vocabulary"], m: int
) -> tuple[Float[Tensor, "row m"], Int64[Tensor, "row m"]]:
    """The m largest of each row and where they are, the largest first; of equals the lower place first."""
    values, places = log_probs.topk(min(m + 1, log_probs.shape[1]))
    equal = values[:, 1:] == values[:, :-1]
    if equal.any():  # which of them comes first, and which are among the m at all, topk does not say
        rows = equal.any(1)
        places[rows] = log_probs[rows].sort(descending=True, stable=True).indices[:, : values.shape[1]]
    return values[:, :m], places[:, :m]


def _first(model: Model, source: Tensor, source_mask: Tensor, k: int) -> Beam:
    """One hypothesis for each sentence, the empty one, and k − 1 places without any."""
    n, device = len(source), source.device
    state, rows = model.start(model.encode(source, source_mask)), torch.arange(n, device=device)[:, None].expand(n, k)
    scores = torch.full((n, k), -torch.inf, dtype=torch.float64, device=device)
    scores[:, 0] = 0
    words = torch.full((n, k, 1), model.bos_id, device=device)
    return Beam(list(range(n)), state, rows, words, scores, torch.zeros_like(scores, dtype=torch.bool))


def _candidates(log_probs: Tensor, live: Beam, eos: int, finished: str) -> Candidates:
    """The best 2k continuations: k at most of them end, one of each hypothesis, so k can go on."""
    k = live.scores.shape[1]
    values, words = most_probable(log_probs, min(2 * k, log_probs.shape[1]))
    values, words = values.double().unflatten(0, (-1, k)), words.unflatten(0, (-1, k))
    first = torch.arange(words.shape[2], device=words.device) == 0
    ended = live.ended[:, :, None]
    words = words.where(~(ended & first), eos)  # what has ended is followed by eos alone, at score 0
    values = values.where(~ended, torch.where(first, 0.0, -torch.inf).double())
    totals = live.scores[:, :, None] + values
    order = totals.flatten(1).sort(descending=True, stable=True).indices[:, : 2 * k]
    ends = words.flatten(1).gather(1, order) == eos
    kept = torch.arange(ends.shape[1], device=order.device).expand_as(ends)
    if finished == "aside":
        kept = ends.long().sort(stable=True).indices  # those that go on first, in their order
    return Candidates(live.sentences, words, values, totals, order, kept[:, :k])


def _finished(candidates: Candidates, live: Beam, eos: int, k: int, normalise: Normalise) -> list[list[Hypothesis]]:
    """Those of the best k that end in eos, for each sentence."""
    totals = candidates.best(candidates.totals)
    end = (candidates.best(candidates.words) == eos) & totals.isfinite()
    found: list[list[Hypothesis]] = [[] for _ in candidates.sentences]
    for row, rank in end[:, :k].nonzero().tolist():
        words = live.words[row, candidates.parents[row, rank], 1:].tolist()
        words = tuple(words[: words.index(eos)] if eos in words else words)
        total = totals[row, rank].item()
        found[row].append(Hypothesis(words, total, normalise(total, len(words) + 1), finished=True))
    return found


def _unfinished(words: Tensor, scores: Tensor, normalise: Normalise) -> list[Hypothesis]:
    """What lives of one sentence, as it stands."""
    alive = scores.isfinite()
    pairs = zip(words[alive, 1:].tolist(), scores[alive].tolist(), strict=True)
    return [Hypothesis(tuple(y), score, normalise(score, len(y)), finished=False) for y, score in pairs]


def _next(candidates: Candidates, live: Beam, state: State, eos: int) -> Beam:
    """The kept candidates as the next beam."""
    parents, words, scores = (
        each.gather(1, candidates.kept)
        for each in (candidates.parents, candidates.best(candidates.words), candidates.best(candidates.totals))
    )
    n, k = parents.shape
    rows = torch.arange(n, device=parents.device)[:, None] * k + parents
    longer = torch.cat([live.words.flatten(0, 1)[rows], words[:, :, None]], dim=2)
    return Beam(live.sentences, state, rows, longer, scores, words == eos)


def _select(live: Beam, sentences: list[int]) -> Beam:
    """The beam of some of the sentences: the others leave the batch."""
    if len(sentences) == len(live.sentences):
        return live
    names = [live.sentences[row] for row in sentences]
    chosen = torch.tensor(sentences, device=live.scores.device)
    tensors = (live.rows, live.words, live.scores, live.ended)
    return Beam(names, live.state, *(each[chosen] for each in tensors))


def _only(word: int, log_probs: Tensor) -> Tensor:
    """Every other word impossible."""
    return log_probs.where(torch.arange(log_probs.shape[1], device=log_probs.device) == word, -torch.inf)


def _check(
    model: Model, max_length: int, k: int, n_best: int, finished: str, stop: str, enough: int, prefix: Sequence[int]
) -> None:
    for name, size in (("max_length", max_length), ("beam_size", k), ("n_best", n_best), ("enough", enough)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    for name, value, known in (("finished", finished, FINISHED), ("stop", stop, STOP)):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
    for name, size in (("n_best", n_best), ("enough", enough)):
        if finished == "in_beam" and size > k:
            raise ValueError(f'{name} must be at most beam_size with finished="in_beam", got {size} > {k}')
    if len(prefix) >= max_length or model.eos_id in prefix:
        raise ValueError(f"prefix must be shorter than max_length ({max_length}) and hold no eos, got {list(prefix)}")
