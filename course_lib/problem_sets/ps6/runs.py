"""Transformers that lack something, and what they give for a sentence and for changes of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted, rounded, tensor
from course_lib.problem_sets.ps6 import decoder_layer, encoder_layer, layers
from course_lib.problem_sets.ps6.embed import places

Runs = dict[str, Tensor]
EXCHANGED = "target words 0 and 1 exchanged"
CHANGES = {
    "source order": "source in another order",
    "target order": EXCHANGED,
    "causal": "target cut",
    "padding": "source padded",
}
OUTPUTS = "outputs", *CHANGES.values()
D, HEADS, D_K = 14, 2, 3  # d_k is not D / HEADS, and no number of words or heads is either
Causal = Callable[[Tensor], Tensor]  # the mask of words (1, m, D) on each other
Divisors = tuple[float, float]  # by what the scores of each head are divided in place of √d_k
SLIGHT = (D_K, D_K)  # with products so small that it changes no weight by more than 0.02
DIVISORS = (
    *(SLIGHT, (sqrt(D_K), 1.0), (sqrt(D), sqrt(D))),
    *((1.0, 1.0), (1 / sqrt(D_K), sqrt(D_K)), (sqrt(D / HEADS), sqrt(D / HEADS))),
)


def all_words(x: Tensor) -> Tensor:
    """No causal mask."""
    return decoder_layer.causal(x, ahead=x.shape[1])


def one_ahead(x: Tensor) -> Tensor:
    """A causal mask that comes one word too late."""
    return decoder_layer.causal(x, ahead=1)


@dataclass(frozen=True)
class Lack:
    """What a Transformer lacks, and how."""

    faults: tuple[str, ...]
    divisors: Divisors  # for the fault "scale"
    mask: Causal = all_words  # for the fault "causal"
    close: str = ""  # the run whose outputs differ by less than 0.02
    turned: tuple[str, int] = ("", 0)  # the run whose changes are rises (1) or falls (-1), if not 0
    # the other queries of every head are 0: no divisor changes their weights
    sees: slice = field(default_factory=lambda: slice(None))
    kept: int | None = None  # the key whose weights the divisors do not change


def translator(rng: Random, lack: Lack) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    """One encoder layer and one decoder layer: source (n, D), True where it is real, target (m, D) → (m, D).

    The last gamma is 1, so that all rows that it gives have the same sum: no sum or mean tells of a fault.
    """
    reads, writes = (
        converted(layers.projections(rng, D, D, D) | layers.network(rng, D, D, norms), torch.float64)
        for norms in (2, 3)
    )
    writes |= {
        "gamma_3": torch.ones(D).double(),
        "self": reads,
        "cross": converted(layers.projections(rng, D, D, D), torch.float64),
    }

    def placed(x: Tensor, fault: str) -> Tensor:
        where = places(0, len(x), D, x.dtype)
        return (x if fault in lack.faults else x + 2 * where).unsqueeze(0)

    def run(source: Tensor, real: Tensor, target: Tensor) -> Tensor:
        real = torch.ones_like(real) if "padding" in lack.faults else real
        x, y = placed(source, "source order"), placed(target, "target order")
        h = encoder_layer.defined(x, real.expand(1, len(source), -1), reads, HEADS)
        own = lack.mask if "causal" in lack.faults else decoder_layer.causal
        return decoder_layer.defined(y, h, real.unsqueeze(0), writes, HEADS, own=own)[0][0]

    return run


def runs_of(rng: Random, lack: Lack) -> Runs:
    """The outputs of such a translator for a sentence and for changes of it, and one attention of it."""
    n, m = rng.sample(range(4, 7), 2)
    run = translator(rng, lack)
    source, target, more = converted([tensor(rng, size, D) for size in (n, m, rng.randint(1, 2))], torch.float64)
    order = until(lambda: (rng.sample(range(n), n),), lambda order: order != sorted(order))[0]
    every, kept = torch.ones(n, dtype=torch.bool), rng.randint(3, m - 1)
    padded = torch.cat([every, torch.zeros(len(more), dtype=torch.bool)])
    queries, keys = (2 * tensor(rng, HEADS, size, D_K).double() for size in (m, n))
    if lack.divisors == SLIGHT:
        queries = with_products_so_small(queries, keys)
    if lack.kept is not None:
        keys, *fitting = until(lambda: amid_others(rng, m, n, lack), lambda _, *each: {*map(len, each)} == {m})
        queries = torch.stack(fitting)
    seeing = torch.zeros(m, 1).double()
    seeing[lack.sees] = 1
    queries *= seeing
    by = lack.divisors if "scale" in lack.faults else [sqrt(D_K)] * HEADS
    divided = torch.tensor(by, dtype=torch.float64).view(-1, 1, 1)
    seen = {
        "outputs": run(source, every, target),
        "source in another order": run(source[order], every, target),
        EXCHANGED: run(source, every, torch.cat([target[[1, 0]], target[2:]])),
        "target cut": run(source, every, target[:kept]),
        "source padded": run(torch.cat([source, more]), padded, target),
        "queries": queries,
        "keys": keys,
        "weights": (queries @ keys.mT / divided).softmax(-1),
    }
    name, sign = lack.turned
    if lack.close:
        far = float(change(seen, lack.close).max())
        seen |= {each: 0.0195 / max(far, 0.0195) * seen[each] for each in OUTPUTS}
    else:
        out = one_way(rng, difference(seen, name), sign) if sign else with_a_number_kept(rng)
        seen |= {each: seen[each] @ out for each in OUTPUTS}
    return {name: rounded(rng, value) for name, value in seen.items()}


def attended(seen: Runs, divisor: Callable[[Tensor], float] = lambda Q: sqrt(Q.shape[-1])) -> Tensor:
    """The weights that queries and keys give."""
    Q, K = seen["queries"], seen["keys"]
    return (Q @ K.mT / divisor(Q)).softmax(-1)


def off_in_the_mean(seen: Runs) -> float:
    """How far the weights are from these, in the mean."""
    return float((attended(seen) - seen["weights"]).abs().mean())


def with_a_number_kept(rng: Random) -> Tensor:
    """An output matrix (D, D) that makes one number of each row the row's mean, which is the same for all rows.

    What is missing or too much goes to another number: sums stay as they were.
    """
    kept, other = rng.sample(range(D), 2)
    out = torch.eye(D).double()
    out[kept, other] = 1
    out[:, other] -= 1 / D
    out[:, kept] = 1 / D
    return out


def one_way(rng: Random, changes: Tensor, sign: int) -> Tensor:
    """An output matrix (D, D) that gives all numbers of these rows the same sign, but one that becomes 0 in each.

    Rows of 0 stay.
    """
    changes = changes[changes.abs().amax(-1) > 1e-6]
    kept = rng.randrange(D)
    turned = [[sign * rng.uniform(0.2, 0.6) * (place != kept) for place in range(D)] for _ in changes]
    wanted = torch.tensor(turned, dtype=changes.dtype)
    back = torch.linalg.pinv(changes)
    return back @ wanted + (torch.eye(D).double() - back @ changes) @ tensor(rng, D, D).double()


def difference(seen: Runs, name: str) -> Tensor:
    """The rows that this run has beside the outputs, less these."""
    rows, outputs = seen[name], seen["outputs"]
    start = 2 if name == EXCHANGED else 0
    return (rows - outputs[: len(rows)])[start:]


def change(seen: Runs, name: str) -> Tensor:
    """By how much at most each row differs that this run has beside the outputs."""
    return difference(seen, name).abs().amax(-1)


def with_products_so_small(queries: Tensor, keys: Tensor) -> Tensor:
    """The queries, each so short that SLIGHT changes one of its weights by 0.015, and no other by more."""
    divided = torch.tensor(SLIGHT, dtype=torch.float64).view(-1, 1, 1)
    queries = 0.1 * queries
    for _ in range(20):
        products = queries @ keys.mT
        changes = ((products / divided).softmax(-1) - (products / sqrt(D_K)).softmax(-1)).abs()
        queries = queries * 0.015 / changes.amax(-1, keepdim=True)
    return queries


def amid_others(rng: Random, m: int, n: int, lack: Lack) -> tuple[Tensor, ...]:
    """Keys of which one lies amid the others, and of each head m queries, or fewer, that give it the same weight."""
    keys = 2 * tensor(rng, HEADS, n, D_K).double()
    keys[:, lack.kept] = amid(keys, lack.kept)
    return keys, *(balanced(rng, m, each, by, lack.kept) for each, by in zip(keys, lack.divisors, strict=True))


def amid(keys: Tensor, kept: int) -> Tensor:
    """For each head a key amid the others, in the place of this one: half as far from their mean as the next one is."""
    others = keys.roll(-kept, 1)[:, 1:]
    return (others.mean(1) + others[:, 0]) / 2


def balanced(rng: Random, count: int, keys: Tensor, divisor: float, kept: int) -> Tensor:
    """As many queries of a head, or fewer, that give one key the same weight by √d_k as by this divisor, others not.

    The key lies amid the others. Turned so that its product is above the mean, a short query gives it more by the
    smaller divisor, a long one less, for another product is larger: at a length between them it is the same.
    """

    def weights(queries: Tensor, by: float) -> Tensor:
        return (queries @ keys.mT / by).log_softmax(-1)

    queries = tensor(rng, 16 * count, D_K).double()
    products = queries @ keys.mT
    queries *= (products[:, kept] - products.mean(1)).sign().unsqueeze(1)
    low, high = torch.zeros(len(queries), 1).double(), torch.full((len(queries), 1), 100.0).double()
    for _ in range(64):
        length = (low + high) / 2
        steep, flat = (weights(length * queries, by)[:, [kept]] for by in sorted((divisor, sqrt(D_K))))
        low, high = torch.where(steep > flat, length, low), torch.where(steep > flat, high, length)
    changes = (weights(low * queries, divisor).exp() - weights(low * queries, sqrt(D_K)).exp()).abs()
    fits = (changes[:, kept] < 1e-12) & (changes.amax(1) > 0.02)
    return (low * queries)[fits][:count]


LARGE = 20  # outputs are smaller: no change is small beside them
CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right


def clear(seen: Runs, lack: Lack) -> bool:
    """Whether what is not the same is so by more than CLEAR, in every row that a change reaches.

    And weights are far off in the mean just where one is.
    """

    def apart(one: Tensor, other: Tensor) -> bool:
        return bool(((one - other).abs().amax(-1) > CLEAR).all())

    faults = lack.faults
    outputs, cut = seen["outputs"], seen["target cut"]
    reached = slice(len(cut) - 1 if lack.mask is one_ahead else 0, len(cut))
    wrong = [head for head, divisor in enumerate(lack.divisors) if divisor != sqrt(D_K)]
    right = attended(seen)
    return (
        ("source order" in faults or apart(seen["source in another order"], outputs))
        and ("target order" in faults or apart(seen[EXCHANGED][2:], outputs[2:]))
        and apart(seen[EXCHANGED][:2], outputs[:2])
        and outputs.abs().max() < LARGE
        and ("causal" not in faults or apart(cut[reached], outputs[reached]))
        and ("padding" not in faults or apart(seen["source padded"], outputs))
        and ("scale" not in faults or apart(seen["weights"][wrong, lack.sees], right[wrong, lack.sees]))
        and (
            "scale" not in faults
            or (off_in_the_mean(seen) > 0.01) == bool((seen["weights"] - right).abs().max() > 0.05)
        )
    )
