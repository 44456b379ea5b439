"""A small Transformer with faults, what it gives for changed inputs, and how each fault is told from that alone."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted, tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6 import decoder_layer as decoder
from course_lib.problem_sets.ps6 import encoder_layer as encoder
from course_lib.problem_sets.ps6 import layers
from course_lib.problem_sets.ps6.embed import places

Runs = dict[str, Tensor]
D, HEADS, D_K = 8, 2, 4
Causal = Callable[[Tensor], Tensor]  # the mask of words (1, m, D) on each other
Divisors = tuple[float, float]  # by what the scores of each head are divided in place of √d_k
SLIGHT = (D_K, D_K)  # with products so small that it changes no weight by more than about 0.03
DIVISORS = (SLIGHT, (sqrt(D_K), 1.0), (sqrt(D), sqrt(D)), (1.0, 1.0), (1 / sqrt(D_K), sqrt(D_K)))


def all_words(x: Tensor) -> Tensor:
    """No causal mask."""
    return torch.ones_like(decoder.causal(x))


def one_ahead(x: Tensor) -> Tensor:
    """A causal mask that comes one word too late."""
    return torch.ones_like(decoder.causal(x)).tril(1)


@dataclass(frozen=True)
class Lack:
    """What a Transformer lacks, and how."""

    faults: tuple[str, ...]
    divisors: Divisors  # for the fault "scale"
    mask: Causal = all_words  # for the fault "causal"
    sees: slice = field(
        default_factory=lambda: slice(None)
    )  # the other queries of every head are 0: no divisor changes their weights


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
        h = encoder.defined(x, real.expand(1, len(source), -1), reads, HEADS)
        own = lack.mask if "causal" in lack.faults else decoder.causal
        return decoder.defined(y, h, real.unsqueeze(0), writes, HEADS, own=own)[0][0]

    return run


def runs(rng: Random, lack: Lack) -> Runs:
    """The outputs of such a translator for a sentence and for changes of it, and one attention of it."""
    n, m = rng.sample(range(4, 7), 2)
    run = translator(rng, lack)
    source, target, more = converted([tensor(rng, size, D) for size in (n, m, rng.randint(1, 2))], torch.float64)
    order = until(lambda: (rng.sample(range(n), n),), lambda order: order != sorted(order))[0]
    every, kept = torch.ones(n, dtype=torch.bool), rng.randint(3, m - 1)
    padded = torch.cat([every, torch.zeros(len(more), dtype=torch.bool)])
    queries, keys = (2 * tensor(rng, HEADS, size, D_K).double() for size in (m, n))
    if lack.divisors == SLIGHT:
        products = queries @ keys.mT
        queries *= 0.1 * n / (products - products.mean(-1, keepdim=True)).abs().amax(-1, keepdim=True)
    seeing = torch.zeros(m, 1).double()
    seeing[lack.sees] = 1
    queries *= seeing
    divided = torch.tensor(lack.divisors if "scale" in lack.faults else [sqrt(D_K)] * HEADS).double().view(-1, 1, 1)
    seen = {
        "outputs": run(source, every, target),
        "source in another order": run(source[order], every, target),
        "target words 0 and 1 exchanged": run(source, every, torch.cat([target[[1, 0]], target[2:]])),
        "target cut": run(source, every, target[:kept]),
        "source padded": run(torch.cat([source, more]), padded, target),
        "queries": queries,
        "keys": keys,
        "weights": (queries @ keys.mT / divided).softmax(-1),
    }
    return {name: rounded(rng, value) for name, value in seen.items()}


def rounded(rng: Random, value: Tensor) -> Tensor:
    """The same numbers, summed in another order: their last bits differ."""
    factors = torch.tensor([1 + rng.choice((-1, 1)) * 2**-51 for _ in range(value.numel())], dtype=value.dtype)
    return value * factors.view_as(value)


def near(one: Tensor, other: Tensor) -> bool:
    return bool(((one - other).abs() < 1e-6).all())


def source_order(seen: Runs) -> bool:
    """Whatever the order of the source, the outputs are the same."""
    return near(seen["source in another order"], seen["outputs"])


def target_order(seen: Runs) -> bool:
    """Words that come after both do not see which of the two came first."""
    return near(seen["target words 0 and 1 exchanged"][2:], seen["outputs"][2:])


def causal(seen: Runs) -> bool:
    """Without the words after it, an output is another one."""
    cut = seen["target cut"]
    return not near(cut, seen["outputs"][: len(cut)])


def padding(seen: Runs) -> bool:
    return not near(seen["source padded"], seen["outputs"])


def scale(seen: Runs) -> bool:
    Q, K = seen["queries"], seen["keys"]
    return not near((Q @ K.mT / sqrt(Q.shape[-1])).softmax(-1), seen["weights"])


TESTS = {
    "source order": source_order,
    "target order": target_order,
    "causal": causal,
    "padding": padding,
    "scale": scale,
}
FAULTS = tuple(TESTS)


def defined(seen: Runs, **instead: Callable[[Runs], bool]) -> set[str]:
    """The faults that TESTS find, some of them looked for `instead` in another way ("target_order": …)."""
    tests = TESTS | {name.replace("_", " "): test for name, test in instead.items()}
    return {fault for fault, test in tests.items() if test(seen)}


CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right


def clear(seen: Runs, lack: Lack) -> bool:
    """Whether what is not the same is so by more than CLEAR, in every row that a change reaches."""

    def apart(one: Tensor, other: Tensor) -> bool:
        return bool(((one - other).abs().amax(-1) > CLEAR).all())

    faults = lack.faults
    outputs, cut = seen["outputs"], seen["target cut"]
    reached = slice(len(cut) - 1 if lack.mask is one_ahead else 0, len(cut))
    wrong = [head for head, divisor in enumerate(lack.divisors) if divisor != sqrt(D_K)]
    right = (seen["queries"] @ seen["keys"].mT / sqrt(D_K)).softmax(-1)
    return (
        ("source order" in faults or apart(seen["source in another order"], outputs))
        and ("target order" in faults or apart(seen["target words 0 and 1 exchanged"][2:], outputs[2:]))
        and apart(seen["target words 0 and 1 exchanged"][:2], outputs[:2])
        and ("causal" not in faults or apart(cut[reached], outputs[reached]))
        and ("padding" not in faults or apart(seen["source padded"], outputs))
        and ("scale" not in faults or apart(seen["weights"][wrong, lack.sees], right[wrong, lack.sees]))
    )


FIRST, LAST, ALL = slice(1), slice(-1, None), slice(None)
SEES = (FIRST, LAST, ALL, LAST, FIRST)  # beside the DIVISORS, where "scale" is asked for


def draw(fault: str) -> Callable[[Random, int], Case]:
    """A translator without this fault and one with it, in turn; the third has all the others, the later ones any."""

    def drawn(rng: Random, size: int) -> Case:
        others = [each for each in FAULTS if each != fault and (size == 2 or size > 2 and rng.random() < 0.5)]
        mask = one_ahead if fault == "causal" and size % 4 == 3 else all_words
        faults, turn = tuple(others + [fault] * (size % 2)), size // 2 % len(DIVISORS)
        return case(rng, Lack(faults, DIVISORS[turn], mask, SEES[turn] if fault == "scale" else ALL))

    return drawn


def draw_several(rng: Random, size: int) -> Case:
    """A translator with two faults or more; the first with none."""
    faults = tuple(rng.sample(FAULTS, rng.randint(2, len(FAULTS)) if size else 0))
    return case(rng, Lack(faults, rng.choice(DIVISORS)))


def case(rng: Random, lack: Lack) -> Case:
    """A translator that lacks this."""
    seen, _ = until(lambda: (runs(rng, lack), lack), clear)
    n, m = seen["weights"].shape[2], len(seen["outputs"])
    return Case((seen,), f"a source of {n} words, a target of {m} words, cut to {len(seen['target cut'])}")
