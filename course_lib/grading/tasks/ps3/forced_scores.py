"""ps3.forced_scores: log p(y | x) of given translations under teacher forcing (Cho et al. 2014; Straka 2021)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.corpora import batches
from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.numbers import case, in_both_dtypes
from course_lib.grading.cases.probes import called, dtypes, in_the_dtype_of, seeing
from course_lib.grading.cases.training import training
from course_lib.grading.compare import misfit
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.grading.tasks.ps2 import units
from course_lib.grading.tasks.ps2.units import read, with_cotangents
from course_lib.grading.tasks.ps3 import decoder_step, encode, lent, shift
from course_lib.grading.tasks.ps3.models import (
    CONSTANT,
    FORBIDDEN,
    Few,
    Model,
    constant,
    decoder,
    model_weights,
    network,
    special,
)

VALUES = "words scores"
Pairs = shift.Pairs
Scores = tuple[Tensor, Tensor]  # words (batch, time), scores (batch)


def reference(pairs: Pairs, weights: Model, bos: int, eos: int) -> Scores:
    """log p(y_i | x, y_1 … y_{i−1}) for y_1 … y_m and eos, 0 behind it, and log p(y | x), their sum."""
    batch = batches.collate(pairs, special(eos, bos, eos))
    encoder = weights["encoder"]
    _, (c,) = read(network(encoder), encoder["E"][batch.source], batch.source_mask.sum(1))
    log_p = decoder(weights["decoder"])(c[0], batch.target_in).log_softmax(2)
    words = torch.where(batch.target_mask, log_p.gather(2, batch.target_out[..., None]).squeeze(2), 0)
    return words, words.sum(1)


# Wrong versions


def defined(
    pairs: Pairs,
    weights: Model,
    bos: int,
    eos: int,
    batch: Callable = shift.defined,
    lengths: Callable = lambda side: len(side) + 1,
    summary: Callable = encode.defined,
    start: Callable = lambda c: c,
    fed: Callable = lambda c, t: c,
    carry: Callable = lambda s, c: s,
    reads: Callable = lambda true, z: true,
    log_p: Callable = lambda z: z.log_softmax(1),
    score: Callable = lambda words, m: words.sum(1),
) -> Scores:
    source, target_in, target_out = batch(pairs, eos, bos, eos, False)
    n, m = (torch.tensor([lengths(side) for side in sides]) for sides in zip(*pairs, strict=True))
    c = summary(source, n, weights["encoder"], False)[1]
    s, z, words = start(c), None, []
    for t in range(target_out.shape[1]):
        previous = target_in[:, t] if z is None else reads(target_in[:, t], z)
        s, z = decoder_step.defined(previous, carry(s, start(c)), fed(c, t), weights["decoder"])
        p = log_p(z).gather(1, target_out[:, t, None]).squeeze(1)
        words.append(torch.where(t < m, p, 0))
    words = torch.stack(words, 1)
    return words, score(words, m)


def with_negative_sign(*arguments) -> Scores:
    return tuple(-each for each in defined(*arguments))


def with_batch(batch: Callable) -> Callable:
    """The scores of another batch."""
    return partial(defined, batch=batch)


def end_not_read(pairs: Pairs, *rest) -> Scores:
    """The source without its eos."""

    def summary(words: Tensor, lengths: Tensor, *others) -> tuple[Tensor, Tensor]:
        return encode.defined(words, lengths - 1, *others)

    return defined(pairs, *rest, summary=summary)


def end_not_counted(*arguments) -> Scores:
    words, _ = defined(*arguments)
    real = torch.arange(words.shape[1]) < torch.tensor([[len(y)] for _, y in arguments[0]])
    words = torch.where(real, words, 0)
    return words, words.sum(1)


def padding_counted(pairs: Pairs, weights: Model, bos: int, eos: int) -> Scores:
    sources = torch.tensor([len(x) + 1 for x, _ in pairs])

    def summary(words: Tensor, lengths: Tensor, *others) -> tuple[Tensor, Tensor]:
        return encode.defined(words, sources, *others)

    return defined(pairs, weights, bos, eos, lengths=lambda side: 99, summary=summary)


def source_padding_read(*arguments) -> Scores:
    def summary(words: Tensor, lengths: Tensor, *others) -> tuple[Tensor, Tensor]:
        return encode.defined(words, torch.full_like(lengths, words.shape[1]), *others)

    return defined(*arguments, summary=summary)


def own_words(*arguments) -> Scores:
    return defined(*arguments, reads=lambda true, z: z.argmax(1))


def from_zeros(*arguments) -> Scores:
    return defined(*arguments, start=torch.zeros_like)


def summary_at_first_only(*arguments) -> Scores:
    return defined(*arguments, fed=lambda c, t: c if t == 0 else torch.zeros_like(c))


def state_not_carried(*arguments) -> Scores:
    return defined(*arguments, carry=lambda s, first: first)


def mean_of_words(*arguments) -> Scores:
    return defined(*arguments, score=lambda words, m: words.sum(1) / m)


def product_of_words(*arguments) -> Scores:
    return defined(*arguments, score=lambda words, m: words.sum(1).exp())


def summary_cut(*arguments) -> Scores:
    def summary(*given) -> list[Tensor]:
        return [each.detach() for each in encode.defined(*given)]

    return defined(*arguments, summary=summary)


def steps_cut(*arguments) -> Scores:
    return defined(*arguments, carry=lambda s, first: s.detach())


def constant_weights(pairs: Pairs, weights: Model, *rest) -> Scores:
    return defined(pairs, constant(weights), *rest)


# Cases

VOCABULARY = 7


def draw(sizes: Callable[[Random], list[tuple[int, int]]]) -> Callable[[Random, int], Case]:
    """Pairs of so many source and target words under a random model."""

    def drawn(rng: Random, size: int) -> Case:
        lengths = sizes(rng)
        bos, eos, *words = rng.sample(range(VOCABULARY), VOCABULARY)
        bos, eos, words = (bos, eos, words) if bos and eos else (*words[:2], [bos, eos, *words[2:]])
        pairs = [tuple(rng.choices(words, k=n) for n in each) for each in lengths]
        text = f"{len(pairs)} pair{'s' * (len(pairs) > 1)} of {' and '.join(f'{n} → {m}' for n, m in lengths)} words"
        return case(text, 20 * sum(map(sum, lengths)), pairs, model_weights(rng, VOCABULARY), bos, eos)

    return drawn


def one(least: int, most: int) -> Callable[[Random, int], Case]:
    """One pair whose target has so many words."""
    return draw(lambda rng: [(rng.randint(1, 3), rng.randint(least, most))])


draw_batch = draw(lambda rng: list(zip(rng.sample(range(1, 6), 3), rng.sample(range(0, 5), 3), strict=True)))


def in_any_company(function: Callable, case: Case) -> Parts:
    """The batch, and each of its pairs alone."""
    pairs, *rest = case.arguments
    seen = Parts({"the batch": called(function, case.arguments, VALUES.split())})
    for b, pair in enumerate(pairs):
        seen[f"pair {b} alone"] = called(function, ([pair], *rest), VALUES.split())
    return Parts((name, in_the_dtype_of(case.arguments, parts)) for name, parts in seen.items())


def beside_the_words(function: Callable, case: Case) -> Parts:
    """What the scores are more than the sum of the words' log p, right or wrong, that stand beside them."""
    values = called(function, case.arguments, VALUES.split())
    for name, shape in {"words": (1, len(case.arguments[0][0][1]) + 1), "scores": (1,)}.items():
        if says := misfit(torch.empty(shape), values[name], name):
            raise StudentError(says)
    more = Parts({"scores − words.sum(1)": values["scores"] - values["words"].sum(1)})
    return in_the_dtype_of(case.arguments, more)


TASK = Task(
    name="ps3.forced_scores",
    title="How likely is this translation?",
    reference=reference,
    trains=True,
    lent=(lent.shift, lent.sequence_loss, lent.encode, lent.decoder_step),
    criteria=(
        Few("start", 1.5, "A translation without words: log p(eos | x).", one(0, 0), probe=seeing(VALUES, "words")),
        Few(
            "forced",
            1.5,
            "Each word's log p, given the source and the true words before it.",
            one(3, 5),
            probe=seeing(VALUES, "words"),
        ),
        Few("scores", 0.5, "log p of a translation is the sum of its words'.", one(1, 4), probe=beside_the_words),
        Few("company", 0.5, "A pair has the same scores alone and in a batch.", draw_batch, probe=in_any_company),
        Few(
            "gradient",
            0.5,
            "Gradients reach every weight, those of the encoder through the summary; a call changes no argument.",
            with_cotangents(one(3, 4), defined),
            probe=training("pairs weights bos eos", VALUES),
        ),
        Few(
            "dtype",
            0.5,
            "The scores have the dtype of the weights, float64 or float32.",
            in_both_dtypes(one(1, 2)),
            probe=dtypes(VALUES),
        ),
    ),
    misconceptions=(
        Misconception(
            "not shifted",
            with_batch(shift.not_shifted),
            "start",
            "Your decoder reads the word that it is to predict. It reads the word before, and bos at first.",
        ),
        Misconception("end not counted", end_not_counted, "start", "You leave out eos: to stop is predicted, too."),
        Misconception(
            "end of the source not read", end_not_read, "start", "Your encoder does not read the eos of the source."
        ),
        Misconception(
            "decoder starts from zeros",
            from_zeros,
            "start",
            "Your decoder starts from zeros. Its first state is the encoder's summary.",
        ),
        Misconception(
            "sign turned", with_negative_sign, "start", "You return −log p, the loss. log p is not positive."
        ),
        Misconception(
            "probabilities", partial(defined, log_p=lambda z: z.softmax(1)), "start", "You return p, not log p."
        ),
        Misconception(
            "logits", partial(defined, log_p=lambda z: z), "start", "You return logits. log p is their log softmax."
        ),
        Misconception(
            "its own words read",
            own_words,
            "forced",
            "Your decoder reads the word that it finds likeliest. Under teacher forcing it reads the true one.",
        ),
        Misconception(
            "summary at the first step only",
            summary_at_first_only,
            "forced",
            "Your decoder reads the summary at the first step, then zeros. It reads it at each step.",
        ),
        Misconception(
            "state not carried",
            state_not_carried,
            "forced",
            "Every step of your decoder starts from the summary: hand the new state on to the next step.",
        ),
        Misconception(
            "mean of the words", mean_of_words, "scores", "You divide by the length. log p(y | x) is the sum."
        ),
        Misconception(
            "probability of the sentence",
            product_of_words,
            "scores",
            "Your score is p(y | x). For a long sentence it is too small for a number: return its logarithm.",
        ),
        Misconception(
            "padding counted",
            padding_counted,
            "company",
            "In a batch you also count what stands behind the eos of a shorter translation.",
        ),
        Misconception(
            "padding of the source read",
            source_padding_read,
            "company",
            "In a batch your encoder reads the padding of shorter sources: hand it their lengths, eos included.",
        ),
        Misconception(
            "encoder cut off",
            summary_cut,
            "gradient",
            "No gradient reaches the encoder: the summary is detached on its way to the decoder.",
        ),
        Misconception(
            "gradient cut between steps",
            steps_cut,
            "gradient",
            "No gradient passes from a step of the decoder to the one before: is its state detached?",
        ),
        Misconception("cut off from the gradient", units.cut(defined), "gradient", units.CUT),
        Misconception("constant weights", constant_weights, "gradient", CONSTANT),
        Misconception("single precision", units.in_single_precision(defined), "dtype", units.SINGLE),
    ),
    forbidden=FORBIDDEN,
)
