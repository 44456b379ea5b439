"""ps3.forced_scores: log p(y | x) of given translations under teacher forcing (Cho et al. 2014; Straka 2021)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch

from course_lib.corpora import batches
from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import case
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import called, in_the_dtype_of, seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.compare import misfit
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.problem_sets.ps2.units import read
from course_lib.problem_sets.ps3 import lent, shift
from course_lib.problem_sets.ps3 import wrong_forced_scores as wrong
from course_lib.problem_sets.ps3.models import FORBIDDEN, Few, Model, Pairs, decoder, model_weights, network, special
from course_lib.problem_sets.ps3.wrong_forced_scores import Scores

VALUES = "words scores"


def reference(pairs: Pairs, weights: Model, bos: int, eos: int) -> Scores:
    """log p(y_i | x, y_1 … y_{i−1}) for y_1 … y_m and eos, 0 behind it, and log p(y | x), their sum."""
    batch = batches.collate(pairs, special(eos, bos, eos))
    encoder = weights["encoder"]
    _, (c,) = read(network(encoder), encoder["E"][batch.source], batch.source_mask.sum(1))
    log_p = decoder(weights["decoder"])(c[0], batch.target_in).log_softmax(2)
    words = torch.where(batch.target_mask, log_p.gather(2, batch.target_out[..., None]).squeeze(2), 0)
    return words, words.sum(1)


# Cases

VOCABULARY = 7


def draw(sizes: Callable[[Random], list[tuple[int, int]]], turned: bool) -> Callable[[Random, int], Case]:
    """Pairs of so many source and target words under a random model.

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
        text = f"{len(pairs)} pair{'s' * (len(pairs) > 1)} of {' and '.join(f'{n} → {m}' for n, m in lengths)} words"
        return case(text, 20 * sum(map(sum, lengths)), pairs, model_weights(rng, VOCABULARY), bos, eos)

    return drawn


def one(least: int, most: int) -> Callable[[Random, int], Case]:
    """One pair whose target has so many words; its source, of up to three, is the same from its end."""
    return draw(lambda rng: [(rng.randint(1, 3), rng.randint(least, most))], turned=False)


def three_pairs(rng: Random) -> list[tuple[int, int]]:
    """The sizes of three pairs, no two alike; one target is empty."""
    targets = rng.sample([0, *rng.sample(range(1, 5), 2)], 3)
    return list(zip(rng.sample(range(1, 6), 3), targets, strict=True))


draw_batch = draw(three_pairs, turned=True)


def alone_and_together(function: Callable, case: Case) -> Parts:
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
        Few("batch", 0.5, "A pair has the same scores alone and in a batch.", draw_batch, probe=alone_and_together),
        *fit_for_training(
            "pairs weights bos eos",
            VALUES,
            wrong.defined,
            gradient=(
                "Gradients reach every weight, those of the encoder through the summary; a call changes no argument.",
                one(3, 4),
            ),
            dtype=("The scores have the dtype of the weights, float64 or float32, and its precision.", one(3, 5)),
            kind=Few,
            looks=partial(precisely, defined=wrong.defined),
        ),
    ),
    misconceptions=(
        Misconception(
            "not shifted",
            wrong.with_batch(shift.not_shifted),
            "start",
            "Your decoder reads the word that it is to predict. It reads the word before, and bos at first.",
        ),
        Misconception(
            "input and output swapped",
            wrong.with_batch(shift.input_and_output_swapped),
            "start",
            "Your decoder reads target_out and predicts target_in. It reads target_in and predicts target_out.",
        ),
        Misconception(
            "source read from the end",
            wrong.source_read_from_the_end,
            "start",
            "Your encoder reads the source from its end. Here it reads forwards: encode with reverse=False.",
        ),
        Misconception(
            "source words reversed",
            wrong.with_batch(shift.always_reversed),
            "batch",
            "The words of your source come in reverse order. Here they do not: shift with reverse=False.",
        ),
        Misconception(
            "summary as the first state only",
            wrong.summary_never_read,
            "start",
            "Your decoder starts from the summary, and reads zeros in its place at each step. It reads c at each step.",
        ),
        Misconception(
            "end not counted", wrong.end_not_counted, "start", "You leave out eos: to stop is predicted, too."
        ),
        Misconception(
            "end of the source not read",
            wrong.end_not_read,
            "start",
            "Your encoder does not read the eos of the source.",
        ),
        Misconception(
            "decoder starts from zeros",
            wrong.from_zeros,
            "start",
            "Your decoder starts from zeros. Its first state is the encoder's summary.",
        ),
        Misconception(
            "sign turned", wrong.with_negative_sign, "start", "You return −log p, the loss. log p is not positive."
        ),
        Misconception(
            "probabilities", partial(wrong.defined, log_p=lambda z: z.softmax(1)), "start", "You return p, not log p."
        ),
        Misconception(
            "logits",
            partial(wrong.defined, log_p=lambda z: z),
            "start",
            "You return logits. log p is their log softmax.",
        ),
        Misconception(
            "its own words read",
            wrong.own_words,
            "forced",
            "Your decoder reads the word that it finds likeliest. Under teacher forcing it reads the true one.",
        ),
        Misconception(
            "summary at the first step only",
            wrong.summary_at_first_only,
            "forced",
            "Your decoder reads the summary at the first step, then zeros. It reads it at each step.",
        ),
        Misconception(
            "state not carried",
            wrong.state_not_carried,
            "forced",
            "Every step of your decoder starts from the summary: hand the new state on to the next step.",
        ),
        Misconception(
            "mean of the words", wrong.mean_of_words, "scores", "You divide by the length. log p(y | x) is the sum."
        ),
        Misconception(
            "probability of the sentence",
            wrong.product_of_words,
            "scores",
            "Your score is p(y | x). For a long sentence it is too small for a number: return its logarithm.",
        ),
        Misconception(
            "padding counted",
            wrong.padding_counted,
            "batch",
            "In a batch you also count what stands behind the eos of a shorter translation.",
        ),
        Misconception(
            "padding of the source read",
            wrong.source_padding_read,
            "batch",
            "In a batch your encoder reads the padding of shorter sources: hand it their lengths, eos included.",
        ),
        Misconception(
            "encoder cut off",
            wrong.summary_cut,
            "gradient",
            "No gradient reaches the encoder: the summary is detached on its way to the decoder.",
        ),
        Misconception(
            "gradient cut between steps",
            wrong.steps_cut,
            "gradient",
            "No gradient passes from a step of the decoder to the one before: is its state detached?",
        ),
        *unfit.mistakes(wrong.defined, weights_from=1, returned=VALUES),
    ),
    forbidden=FORBIDDEN,
)
