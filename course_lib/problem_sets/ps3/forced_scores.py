"""ps3.forced_scores: log p(y | x) of given translations under teacher forcing (Cho et al. 2014; Straka 2021)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.corpora import batches
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, count
from course_lib.grading.cases.probes import in_the_dtype_of, returned_values, shaped
from course_lib.grading.compare import difference
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps2.units import read
from course_lib.problem_sets.ps3 import decoder_step, encode, lent, shift
from course_lib.problem_sets.ps3.models import FORBIDDEN, Few, Model, Pairs, decoder, model_weights, network, special

VALUES = "words scores"


def reference(pairs: Pairs, weights: Model, bos: int, eos: int) -> tuple[Tensor, Tensor]:
    """log p(y_i | x, y_1 … y_{i−1}) for y_1 … y_m and eos, 0 behind it, and log p(y | x), their sum."""
    batch = batches.collate(pairs, special(eos, bos, eos))
    encoder = weights["encoder"]
    _, (c,) = read(network(encoder), encoder["E"][batch.source], batch.source_mask.sum(1))
    log_p = decoder(weights["decoder"])(c[0], batch.target_in).log_softmax(2)
    words = torch.where(batch.target_mask, log_p.gather(2, batch.target_out[..., None]).squeeze(2), 0)
    return words, words.sum(1)


# Mistakes


def summary(source, n, weights, reverse=False):
    return encode.defined(source, n, weights, reverse)[1]


def defined(
    pairs,
    weights,
    bos,
    eos,
    batch=shift.defined,
    encoded=summary,
    start=lambda c: c,
    fed=lambda c, t: c,
    carry=lambda s, first: s,
    reads=lambda true, z: true,
    log_p=lambda z: z.log_softmax(1),
    counts=lambda t, m, words: t < m,
    score=lambda words, m: words.sum(1),
):
    source, target_in, target_out = batch(pairs, eos, bos, eos, False)
    n, m = (torch.tensor([len(side) + 1 for side in sides]) for sides in zip(*pairs, strict=True))
    c = encoded(source, n, weights["encoder"])
    s, z, words = start(c), None, []
    for t in range(target_out.shape[1]):
        previous = target_in[:, t] if z is None else reads(target_in[:, t], z)
        s, z = decoder_step.defined(previous, carry(s, start(c)), fed(c, t), weights["decoder"])
        p = log_p(z).gather(1, target_out[:, t, None]).squeeze(1)
        words.append(torch.where(counts(t, m, target_out[:, t]), p, 0))
    words = torch.stack(words, 1)
    return words, score(words, m)


wrong = versions(defined)
not_shifted = wrong("start", batch=shift.not_shifted)(
    "Your decoder reads the word that it is to predict. It reads the word before, and bos at first."
)
input_and_output_swapped = wrong("start", batch=shift.input_and_output_swapped)(
    "Your decoder reads target_out and predicts target_in. It reads target_in and predicts target_out."
)
source_read_from_the_end = wrong("start", encoded=partial(summary, reverse=True))(
    "Your encoder reads the source from its end. Here it reads forwards: encode with reverse=False."
)
source_words_reversed = wrong("batch", batch=shift.always_reversed)(
    "The words of your source come in reverse order. Here they do not: shift with reverse=False."
)
summary_as_the_first_state_only = wrong("start", fed=lambda c, t: torch.zeros_like(c))(
    "Your decoder starts from the summary, and reads zeros in its place at each step. It reads c at each step."
)
end_not_counted = wrong("start", counts=lambda t, m, words: t < m - 1)("You leave out eos: to stop is predicted, too.")
end_of_the_source_not_read = wrong("start", encoded=lambda source, n, weights: summary(source, n - 1, weights))(
    "Your encoder does not read the eos of the source."
)
decoder_starts_from_zeros = wrong("start", start=torch.zeros_like)(
    "Your decoder starts from zeros. Its first state is the encoder's summary."
)


@mistake("start")
def sign_turned(*given):
    """You return −log p, the loss. log p is not positive."""
    return tuple(-each for each in defined(*given))


probabilities = wrong("start", log_p=lambda z: z.softmax(1))("You return p, not log p.")
logits = wrong("start", log_p=lambda z: z)("You return logits. log p is their log softmax.")
its_own_words_read = wrong("forced", reads=lambda true, z: z.argmax(1))(
    "Your decoder reads the word that it finds likeliest. Under teacher forcing it reads the true one."
)
summary_at_the_first_step_only = wrong("forced", fed=lambda c, t: torch.zeros_like(c) if t else c)(
    "Your decoder reads the summary at the first step, then zeros. It reads it at each step."
)
state_not_carried = wrong("forced", carry=lambda s, first: first)(
    "Every step of your decoder starts from the summary: hand the new state on to the next step."
)
mean_of_the_words = wrong("scores", score=lambda words, m: words.sum(1) / m)(
    "You divide by the length. log p(y | x) is the sum."
)
probability_of_the_sentence = wrong("scores", score=lambda words, m: words.sum(1).exp())(
    "Your score is p(y | x). For a long sentence it is too small for a number: return its logarithm."
)
padding_counted = wrong("batch", counts=lambda t, m, words: m > 0)(
    "In a batch you also count what stands behind the eos of a shorter translation."
)
padding_of_the_source_read = wrong(
    "batch", encoded=lambda source, n, weights: summary(source, torch.full_like(n, source.shape[1]), weights)
)("In a batch your encoder reads the padding of shorter sources: hand it their lengths, eos included.")
one_summary_for_all = wrong(
    "batch", encoded=lambda source, n, weights: summary(source, n, weights)[:1].expand(len(n), -1)
)("Your decoder reads the first source's summary for every pair. Each pair has its own.")
word_0_of_a_source_taken_for_padding = wrong(
    "batch", encoded=lambda source, n, weights: summary(source, n - (source == 0).sum(1), weights)
)("You take word 0 of a source for padding. It is a word as any other: a source has len(x) + 1 words, eos included.")
word_0_of_a_target_taken_for_padding = wrong("batch", counts=lambda t, m, words: (t < m) & (words != 0))(
    "You take word 0 of a target for padding. It is a word as any other: a target has len(y) + 1 words, eos included."
)
encoder_cut_off = wrong("gradient", encoded=lambda *given: summary(*given).detach())(
    "No gradient reaches the encoder's weights. Are they given to it detached, does it run under no_grad, or is the "
    "summary detached on its way to the decoder?"
)
gradient_cut_between_steps = wrong("gradient", carry=lambda s, first: s.detach())(
    "No gradient passes from a step of the decoder to the one before: is its state detached?"
)

# Cases

VOCABULARY = 7


def draw(
    sizes: Callable[[Random], list[tuple[int, int]]], turned: bool, shows: tuple[Callable, ...] = ()
) -> Callable[[Random, int], Case]:
    """Pairs of so many source and target words under a random model, in which a batch shows some mistakes.

    A source of several words is `turned`, read from its end, another sentence; or else the same.
    """

    def drawn(rng: Random, size: int) -> Case:
        lengths = sizes(rng)
        bos, eos, *words = rng.sample(range(VOCABULARY), VOCABULARY)
        bos, eos, words = (bos, eos, words) if bos and eos else (*words[:2], [bos, eos, *words[2:]])
        pairs = [tuple(rng.choices(words, k=n) for n in each) for each in lengths]
        for x, _ in pairs:
            first, last = rng.sample(words, 2)
            x[0], x[-1] = first, last if turned and len(x) > 1 else first
        text = f"{count(len(pairs), 'pair')} of {' and '.join(f'{n} → {m}' for n, m in lengths)} words"
        return case(text, 20 * sum(map(sum, lengths)), pairs, model_weights(rng, VOCABULARY), bos, eos)

    def fits(made: Case) -> bool:
        clearly = replace(made, scale=5 * made.scale)
        right, *others = (alone_and_together(each, made) for each in (defined, *shows))
        return all(difference(right, other, clearly) for other in others)

    return lambda rng, size: until(lambda: (drawn(rng, size),), fits)[0]


def one(least: int, most: int) -> Callable[[Random, int], Case]:
    """One pair whose target has so many words; its source, of up to three, is the same from its end."""
    return draw(lambda rng: [(rng.randint(1, 3), rng.randint(least, most))], turned=False)


def three_pairs(rng: Random) -> list[tuple[int, int]]:
    """The sizes of three pairs, no two alike, in no order, for who sorts them; one target is empty."""

    def sides() -> tuple[list[int], list[int]]:
        return rng.sample(range(1, 6), 3), rng.sample([0, *rng.sample(range(1, 5), 2)], 3)

    def in_no_order(*sides: list[int]) -> bool:
        return all(each[1] in (min(each), max(each)) for each in sides)

    return list(zip(*until(sides, in_no_order), strict=True))


def alone_and_together(function: Callable, case: Case) -> Parts:
    """The batch, and each of its pairs alone."""
    pairs, *rest = case.arguments
    seen = Parts({"the batch": returned_values(function, case.arguments, VALUES.split())})
    for b, pair in enumerate(pairs):
        seen[f"pair {b} alone"] = returned_values(function, ([pair], *rest), VALUES.split())
    return Parts((name, in_the_dtype_of(case.arguments, parts)) for name, parts in seen.items())


def beside_the_words(function: Callable, case: Case) -> Parts:
    """What the scores are more than the sum of the words' log p, right or wrong, that stand beside them."""
    shapes = {"words": (1, len(case.arguments[0][0][1]) + 1), "scores": (1,)}
    values = shaped(returned_values(function, case.arguments, VALUES.split()), shapes)
    more = Parts({"scores − words.sum(1)": values["scores"] - values["words"].sum(1)})
    return in_the_dtype_of(case.arguments, more)


SHOWN = (
    *(source_words_reversed, padding_of_the_source_read, one_summary_for_all),
    *(word_0_of_a_source_taken_for_padding, word_0_of_a_target_taken_for_padding),
)
TASK = task(
    __name__,
    "How likely is this translation?",
    returns=VALUES,
    kind=Few,
    lent=(lent.shift, lent.sequence_loss, lent.encode, lent.decoder_step),
    criteria=(
        criterion("start", 1.5, one(0, 0), "words")("A translation without words: log p(eos | x)."),
        criterion("forced", 1.5, one(3, 5), "words")(
            "Each word's log p, given the source and the true words before it."
        ),
        criterion("scores", 0.5, one(1, 4), beside_the_words)("log p of a translation is the sum of its words'."),
        criterion("batch", 0.5, draw(three_pairs, turned=True, shows=SHOWN), alone_and_together)(
            "A pair has the same scores alone and in a batch."
        ),
        gradient(one(3, 4), weights_from=1, each=True)(
            "Gradients reach every weight, those of the encoder through the summary; a call changes no argument."
        ),
        dtype(one(3, 5))("The scores have the dtype of the weights, float64 or float32, and its precision."),
    ),
    forbidden=FORBIDDEN,
)
