"""ps6.diagnose: what a Transformer lacks, told from what it gives for changed inputs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.faults import about
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted, tensor
from course_lib.grading.declare import Row, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6 import decoder_layer, encoder_layer, layers
from course_lib.problem_sets.ps6.embed import places

Runs = dict[str, Tensor]


def reference(runs: Runs) -> set[str]:
    """The faults, named in FAULTS, of the Transformer that gave these outputs."""
    return found(runs)


def found(runs: Runs) -> set[str]:
    """What may not do the student's work."""
    return defined(runs)


# Mistakes

EXCHANGED = "target words 0 and 1 exchanged"


def near(one, other, within=1e-6):
    return bool(((one - other).abs() < within).all())


def source_order(seen, near=near):
    """Whatever the order of the source, the outputs are the same."""
    return near(seen["source in another order"], seen["outputs"])


def target_order(seen, near=near):
    """Words that come after both do not see which of the two came first."""
    return near(seen[EXCHANGED][2:], seen["outputs"][2:])


def causal(seen, near=near):
    """Without the words after it, an output is another one."""
    cut = seen["target cut"]
    return not near(cut, seen["outputs"][: len(cut)])


def padding(seen, near=near):
    return not near(seen["source padded"], seen["outputs"])


def attended(seen, divisor=lambda Q: sqrt(Q.shape[-1])):
    """The weights that queries and keys give."""
    Q, K = seen["queries"], seen["keys"]
    return (Q @ K.mT / divisor(Q)).softmax(-1)


def off_in_the_mean(seen):
    return float((attended(seen) - seen["weights"]).abs().mean())


def scale(seen, near=near):
    return not near(attended(seen), seen["weights"])


TESTS = {
    "source order": source_order,
    "target order": target_order,
    "causal": causal,
    "padding": padding,
    "scale": scale,
}
FAULTS = tuple(TESTS)


def defined(seen, **instead):
    """The faults that TESTS find, some of them looked for `instead` in another way ("target_order": …)."""
    tests = TESTS | {name.replace("_", " "): test for name, test in instead.items()}
    return {fault for fault, test in tests.items() if test(seen)}


def never(criterion, fault):
    """The mistake of a fault that is not seen where it is, by what it asks."""
    says = f"You name {fault!r} in no case, though it is there in some."
    return lambda asks: mistake(criterion, f"{says} {asks}")(lambda seen: defined(seen) - {fault})


def always(criterion, fault):
    """The mistake of a fault that is seen where it is not, by what it asks."""
    says = f"You name {fault!r} in every case, though it is not there in all."
    return lambda asks: mistake(criterion, f"{says} {asks}")(lambda seen: defined(seen) | {fault})


wrong = versions(defined)
ROUNDING = "Do you allow for rounding?"
a_change_with_the_order_taken_for_a_fault = wrong("source", source_order=lambda seen: not source_order(seen))(
    "You report 'source order' where the outputs change with the order of the source. They should: 'Dog bites man' is "
    "another sentence than 'Man bites dog'."
)
EXACT = (
    "You name 'causal', 'padding' and 'scale' in every case, the other two in none. This happens if numbers are "
    f"compared exactly. {ROUNDING}"
)


@mistake("source", EXACT, constant=True)
def numbers_compared_exactly(seen):
    return {"causal", "padding", "scale"}


source_order_never_named = never("source", "source order")(f"It is there where the order changes no output. {ROUNDING}")
source_order_always_named = always("source", "source order")(
    "It is not there where another order of the source changes the outputs."
)
target_order_never_named = never("target", "target order")(
    "Which rows do you look at? Rows 0 and 1 belong to other words after the exchange, and change in any case: only "
    f"those after them tell. {ROUNDING}"
)
target_order_always_named = always("target", "target order")(
    "It is not there where the exchange changes the rows after both words. The target that was cut does not tell of it."
)


def exchanged_back(seen):
    rows = seen[EXCHANGED]
    return near(torch.cat([rows[[1, 0]], rows[2:]]), seen["outputs"])


target_order_found_only_without_a_causal_mask = wrong("target", target_order=exchanged_back)(
    "You find 'target order' only where the causal mask is missing, too. Do you look at rows 0 and 1? With a causal "
    "mask the word in front sees less than the other: only the rows after both tell."
)
causal_never_named = never("causal", "causal")(
    "It is there where the rows of the cut target are not the first rows of the outputs."
)
causal_always_named = always("causal", "causal")(
    "Where the mask is there, the rows of the cut target are the first rows of the outputs, but for rounding. Do you "
    "compare these, and allow for rounding?"
)
no_change_taken_for_a_missing_mask = wrong("causal", causal=lambda seen: not causal(seen))(
    "You report 'causal' where the outputs stay the same when later words are cut off. They should stay the same: no "
    "word may look at words after it."
)
not_all_rows = wrong("causal", causal=lambda seen: not near(seen["target cut"][0], seen["outputs"][0]))(
    "You do not find 'causal' where only the last row of the cut target is another one: there the mask comes a word "
    "too late. One number that differs is enough, wherever it stands."
)
the_exchange_taken_for_a_missing_mask = wrong("causal", causal=lambda seen: not target_order(seen))(
    "You report 'causal' where rows after the exchanged words change. They may: they look back."
)
padding_never_named = never("padding", "padding")("It is there where padding behind the source changes the outputs.")
padding_always_named = always("padding", "padding")(f"It is not there where padding changes no output. {ROUNDING}")
no_change_taken_for_missing_padding = wrong("padding", padding=lambda seen: not padding(seen))(
    "You report 'padding' where the outputs stay the same with padding behind the source. They should stay the same: "
    "nothing may look at padding."
)
scale_never_named = never("scale", "scale")(
    "Do you compute the weights from queries and keys, and compare? That the rows of the weights add to 1 tells "
    "nothing: they always do."
)
scale_always_named = always("scale", "scale")(
    "Where it is not there, the weights are the softmax of Q K^⊤ / √d_k over the keys, but for rounding. Do you "
    "compare them with that, and allow for rounding?"
)
only_undivided_scores_found = wrong("scale", scale=lambda seen: near(attended(seen, lambda Q: 1.0), seen["weights"]))(
    "You find 'scale' only where nothing is divided. It can also be another number than √d_k."
)


def of_head(which):
    return lambda seen: scale({name: seen[name][which] for name in ("queries", "keys", "weights")})


def of_query(which):
    return lambda seen: scale(seen | {name: seen[name][:, which] for name in ("queries", "weights")})


def of_key(which):
    return lambda seen: not near(attended(seen)[..., which], seen["weights"][..., which])


the_first_head_only = wrong("scale", scale=of_head([0]))(
    "You do not find 'scale' where the first head is right and another is not. Do you look at all heads?"
)
the_first_query_only = wrong("scale", scale=of_query([0]))(
    "You do not find 'scale' where the first query's products are all alike. Do you look at all queries?"
)
the_last_query_only = wrong("scale", scale=of_query([-1]))(
    "You do not find 'scale' where the last query's products are all alike. Do you look at all queries?"
)
the_first_key_only = wrong("scale", scale=of_key(0))(
    "You do not find 'scale' where each query gives the first key the right weight, and others a wrong one. Do you "
    "look at all keys?"
)
the_last_key_only = wrong("scale", scale=of_key(-1))(
    "You do not find 'scale' where each query gives the last key the right weight, and others a wrong one. Do you look "
    "at all keys?"
)
weights_that_are_a_little_wrong = wrong("scale", scale=lambda seen: off_in_the_mean(seen) > 0.01)(
    "You do not find 'scale' where weights are wrong by 0.01 to 0.02. Do you take the mean of all differences, "
    "or allow for more? The largest one tells."
)
d_model_for_d_k = wrong(
    "scale", scale=lambda seen: not near(attended(seen, lambda Q: sqrt(seen["outputs"].shape[-1])), seen["weights"])
)("You expect scores divided by √d_model. d_k is the width of one head: the last axis of queries and keys.")
d_model_by_heads = wrong(
    "scale",
    scale=lambda seen: not near(attended(seen, lambda Q: sqrt(seen["outputs"].shape[-1] / len(Q))), seen["weights"]),
)("You expect scores divided by √(d_model / heads). Here d_k is another number: the last axis of queries and keys.")


@mistake("source")
def changes_too_small_to_be_seen(seen):
    """You do not see changes of 0.01 to 0.02. Allow for rounding alone: numbers that should be equal differ by less
    than 10⁻⁶."""
    return {fault for fault, test in TESTS.items() if test(seen, partial(near, within=0.02))}


SIGNS = (
    "You compare differences with their signs: {} of any size is taken for rounding. Take abs() before you compare "
    "with what rounding may do."
)


def below(one, other):
    return bool((one - other < 1e-6).all())


def above(one, other):
    return below(other, one)


def compared(near):
    return lambda seen: {fault for fault, test in TESTS.items() if test(seen, near)}


what_falls_taken_for_rounding = mistake("source", SIGNS.format("a fall"))(compared(below))
what_rises_taken_for_rounding = mistake("target", SIGNS.format("a rise"))(compared(above))


def sums_near(one, other):
    return near(one.sum(), other.sum())


SUMS = (
    "You compare sums or means. Different numbers can have the same sum: compare number by number, and look at the "
    "largest difference."
)
sums_compared = mistake("source", SUMS)(compared(sums_near))
sums_compared_for_the_source = wrong("source", source_order=lambda seen: source_order(seen, sums_near))(SUMS)
sums_compared_for_the_target = wrong("target", target_order=lambda seen: target_order(seen, sums_near))(SUMS)
sums_compared_for_causal = wrong("causal", causal=lambda seen: causal(seen, sums_near))(SUMS)
sums_compared_for_padding = wrong("padding", padding=lambda seen: padding(seen, sums_near))(SUMS)


@mistake("source")
def source_and_target_exchanged(seen):
    """You report 'source order' for 'target order', and the other way round."""
    other = {"source order": "target order", "target order": "source order"}
    return {other.get(fault, fault) for fault in defined(seen)}


@mistake("several")
def one_fault_at_most(seen):
    """You never name more than one fault. There can be several: do you go on after the first that you find?"""
    return set(sorted(defined(seen), key=FAULTS.index)[:1])


# Cases

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
    turned: tuple[str, int] = ("", 0)  # the run all of whose changes are rises (1) or falls (-1), if not 0
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
        queries = with_products_so_small(queries, keys)
    if lack.kept is not None:
        keys[:, lack.kept] = amid(keys, lack.kept)
        queries = torch.stack([balanced(rng, m, k, by, lack.kept) for k, by in zip(keys, lack.divisors, strict=True)])
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
    if lack.close:
        far = float(change(seen, lack.close).max())
        seen |= {name: 0.0195 / max(far, 0.0195) * seen[name] for name in OUTPUTS}
    name, sign = lack.turned
    if sign:
        out = one_way(rng, difference(seen, name), sign)
        seen |= {each: seen[each] @ out for each in OUTPUTS}
    return {name: rounded(rng, value) for name, value in seen.items()}


def one_way(rng: Random, changes: Tensor, sign: int) -> Tensor:
    """An output matrix (D, D) that gives all numbers of these rows the same sign, those of rows of 0 excepted."""
    changes = changes[changes.abs().amax(-1) > 1e-6]
    wanted = torch.tensor([[sign * rng.uniform(0.2, 0.6) for _ in range(D)] for _ in changes], dtype=changes.dtype)
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


def amid(keys: Tensor, kept: int) -> Tensor:
    """For each head a key amid the others, in the place of this one: half as far from their mean as the next one is."""
    others = keys.roll(-kept, 1)[:, 1:]
    return (others.mean(1) + others[:, 0]) / 2


def balanced(rng: Random, count: int, keys: Tensor, divisor: float, kept: int) -> Tensor:
    """So many queries of a head that give one key the same weight by √d_k as by this divisor, and others another.

    The key lies amid the others. Turned so that its product is above the mean, a short query gives it more by the
    smaller divisor, a long one less, for another product is larger: at a length between them it is the same.
    """

    def weights(queries: Tensor, by: float) -> Tensor:
        return (queries @ keys.mT / by).log_softmax(-1)

    def some() -> Tensor:
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

    return until(lambda: (some(),), lambda found: len(found) == count)[0]


def rounded(rng: Random, value: Tensor) -> Tensor:
    """The same numbers, summed in another order: their last bits differ."""
    factors = torch.tensor([1 + rng.choice((-1, 1)) * 2**-51 for _ in range(value.numel())], dtype=value.dtype)
    return value * factors.view_as(value)


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


CHANGES = {
    "source order": "source in another order",
    "target order": EXCHANGED,
    "causal": "target cut",
    "padding": "source padded",
}
OUTPUTS = "outputs", *CHANGES.values()
FIRST, LAST, ALL = slice(1), slice(-1, None), slice(None)
TURNED = {  # the sizes of which cases change in one direction: 1 up, -1 down
    "source order": {2: -1, 6: 1},
    "target order": {2: 1, 6: -1},
    "causal": {1: 1, 5: -1},
    "padding": {3: -1, 7: 1},
}
SEES = (FIRST, LAST, ALL, LAST, FIRST, ALL)  # beside the DIVISORS, where "scale" is asked for
KEPT = (None, None, 0, None, None, -1)


def draw(fault: str) -> Callable[[Random, int], Case]:
    """A translator without this fault and one with it, in turn; the third has all the others, the later ones any."""

    def drawn(rng: Random, size: int) -> Case:
        close = CHANGES.get(fault, "") if size == (3 if fault == "causal" else fault == "padding") else ""
        others = [each for each in FAULTS if each != fault and (size == 2 or size > 2 and rng.random() < 0.5)]
        if size == 0 and fault == "source order":
            others = ["target order"]  # that little changes: of rows that are to change there are fewer
        mask = one_ahead if fault == "causal" and size % 4 == 3 else all_words
        faults, turn = tuple(others + [fault] * (size % 2)), size // 2 % len(DIVISORS)
        turned = CHANGES.get(fault, ""), TURNED.get(fault, {}).get(size, 0)
        sees, kept = (SEES[turn], KEPT[turn]) if fault == "scale" else (ALL, None)
        return case(rng, Lack(faults, DIVISORS[turn], mask, close, turned, sees, kept))

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


def one(name: str, fault: str, points: float, says: str, cases: tuple[int, int] = (4, 8)) -> Row:
    """The criterion that asks for one fault, whatever else is reported; so many visible and graded `cases`."""
    visible, graded = cases
    return criterion(name, points, draw(fault), about(fault), visible=visible, graded=graded)(f"{fault!r}, {says}")


TASK = task(
    __name__,
    "What does this Transformer lack?",
    criteria=(
        one("source", "source order", 0.5, "where the source has no positions."),
        one("target", "target order", 1, "where the target has no positions."),
        one("causal", "causal", 0.5, "where the causal mask is missing."),
        one("padding", "padding", 0.5, "where padding of the source is not hidden."),
        one("scale", "scale", 0.5, "where scores are divided by anything but √d_k, or by nothing.", (12, 12)),
        criterion("several", 1, draw_several, visible=5, graded=8)("Several of them, all, or none."),
    ),
    forbidden=(f"{__name__}.found",),
)
