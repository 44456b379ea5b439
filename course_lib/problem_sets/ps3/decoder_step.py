"""ps3.decoder_step: one step of a decoder that reads the summary at each step (Cho et al. 2014), embeddings tied."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor, tanh
from torch.nn.functional import softsign

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import case, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.compare import misfit
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.problem_sets.ps2.layers import total
from course_lib.problem_sets.ps3.models import FORBIDDEN, Few, Weights, decoder, decoder_weights
from course_lib.seq2seq.encoder_decoder import DecoderState

VALUES = "state logits"
ARGUMENTS = "previous s c weights"
Step = tuple[Tensor, Tensor]  # state (batch, hidden), logits (batch, vocabulary)


def reference(previous: Tensor, s: Tensor, c: Tensor, weights: Weights) -> Step:
    """s_i = φ(W_xh^⊤ [E y_{i−1}; c] + W_hh^⊤ s_{i−1} + b_h), z_i = E tanh(W_t^⊤ s_i) + b."""
    z, (s,) = decoder(weights).read(previous[:, None], DecoderState((s[None],), c))
    return s[0], z[:, 0]


# Wrong versions


def defined(
    previous: Tensor,
    s: Tensor,
    c: Tensor,
    weights: Weights,
    join: Callable = lambda word, c: torch.cat([word, c], 1),
    unit: Callable = softsign,
    squash: Callable = tanh,
    tie: Callable = lambda E: E,
    seen: Callable = lambda new, old: new,
) -> Step:
    new = unit(total(join(weights["E"][previous], c), s, weights))
    return new, squash(seen(new, s) @ weights["W_t"]) @ tie(weights["E"]).T + weights["b"]


def summary_first(*arguments) -> Step:
    return defined(*arguments, join=lambda word, c: torch.cat([c, word], 1))


def unit_with_tanh(*arguments) -> Step:
    return defined(*arguments, unit=tanh)


def state_not_carried(previous: Tensor, s: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(previous, s, c, weights | {"W_hh": torch.zeros_like(weights["W_hh"])})


def summary_left_out(*arguments) -> Step:
    return defined(*arguments, join=lambda word, c: torch.cat([word, torch.zeros_like(c)], 1))


def state_for_the_summary(previous: Tensor, s: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(previous, s, s, weights)


def summary_for_the_state(previous: Tensor, s: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(previous, c, c, weights)


def one_summary_for_all(*arguments) -> Step:
    return defined(*arguments, join=lambda word, c: torch.cat([word, c[:1].expand_as(c)], 1))


def one_word_for_all(previous: Tensor, s: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(previous[:1].expand_as(previous), s, c, weights)


def not_squashed(*arguments) -> Step:
    return defined(*arguments, squash=lambda t: t)


def squashed_by_the_unit(*arguments) -> Step:
    return defined(*arguments, squash=softsign)


def from_the_old_state(*arguments) -> Step:
    return defined(*arguments, seen=lambda new, old: old)


def bias_left_out(previous: Tensor, s: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(previous, s, c, weights | {"b_h": torch.zeros_like(weights["b_h"])})


def output_bias_left_out(previous: Tensor, s: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(previous, s, c, weights | {"b": torch.zeros_like(weights["b"])})


def log_probabilities(*arguments) -> Step:
    s, z = defined(*arguments)
    return s, z.log_softmax(1)


def probabilities(*arguments) -> Step:
    s, z = defined(*arguments)
    return s, z.softmax(1)


def output_not_tied(*arguments) -> Step:
    return defined(*arguments, tie=Tensor.detach)


def input_not_tied(*arguments) -> Step:
    return defined(*arguments, join=lambda word, c: torch.cat([word.detach(), c], 1))


def state_cut(previous: Tensor, s: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(previous, s.detach(), c, weights)


# Cases


def draw(rows: int = 1, alike: bool = False, **off: float) -> Callable[[Random, int], Case]:
    """Steps of so many sentences; what is named in `off` is multiplied by the number given.

    The word before is the first one of the vocabulary, or the last one, in turn. State and summary are as wide if
    `alike`: so one may be taken for the other.
    """

    def drawn(rng: Random, size: int) -> Case:
        vocabulary = 7
        embedding, hidden, context = rng.sample(range(2, 6), 3)
        context = hidden if alike else context
        first = (vocabulary - 1) * (size % 2)
        others = [word for word in range(vocabulary) if word != first]
        previous = torch.tensor([first, *rng.sample(others, rows - 1)])
        weights = decoder_weights(rng, vocabulary, embedding, hidden, context)
        given = {"s": tensor(rng, rows, hidden), "c": tensor(rng, rows, context), **weights}
        given = {name: value * off.get(name, 1.0) for name, value in given.items()}
        s, c = given.pop("s"), given.pop("c")
        return case(f"{rows} sentence{'s' * (rows > 1)}", 3 * (embedding + hidden + context), previous, s, c, given)

    return drawn


everything, state = seeing(VALUES, VALUES), seeing(VALUES, "state")


def logits_of_its_own_state(function: Callable, case: Case) -> Parts:
    """The probe that looks at how far the logits are from those of the new state, right or wrong, beside them."""
    previous, s, _, weights = case.arguments
    values = everything(function, case)
    for name, right in {"state": s, "logits": s.new_zeros(len(previous), len(weights["E"]))}.items():
        if says := misfit(right, values[name], name):
            raise StudentError(says)
    of_state = tanh(values["state"] @ weights["W_t"]) @ weights["E"].T + weights["b"]
    return Parts({"logits − those of the state beside them": values["logits"] - of_state})


TASK = Task(
    name="ps3.decoder_step",
    title="One step of the decoder",
    reference=reference,
    trains=True,
    criteria=(
        Few("word", 0.5, "The unit reads the previous word's embedding.", draw(alike=True, s=0, c=0), probe=state),
        Few("state", 0.5, "It starts from the state before.", draw(alike=True, c=0, b_h=0), probe=state),
        Few("summary", 1, "It reads the summary beside the word: [E y; c].", draw(alike=True, s=0, b_h=0), probe=state),
        Few(
            "logits",
            1.5,
            "The logits come from the new state: E tanh(W_t^⊤ s) + b.",
            draw(alike=True),
            probe=logits_of_its_own_state,
        ),
        Few(
            "together", 0.5, "Several sentences, each with its own word, state and summary.", draw(3), probe=everything
        ),
        *fit_for_training(
            ARGUMENTS,
            VALUES,
            defined,
            gradient=(
                "Gradients reach s, c and every weight; E gets them from both of its uses. A call changes no argument.",
                draw(2),
            ),
            dtype=("State and logits have the dtype of the weights, float64 or float32, and its precision.", draw(2)),
            kind=Few,
            looks=partial(precisely, defined=defined),
        ),
    ),
    misconceptions=(
        Misconception(
            "tanh for the softsign",
            unit_with_tanh,
            "word",
            "Your unit uses tanh. In this set it is `unit`, with the softsign; tanh belongs to t_i.",
        ),
        Misconception(
            "summary before the word",
            summary_first,
            "word",
            "You join them as [c; E y]. The first rows of W_xh are for the word: [E y; c].",
        ),
        Misconception(
            "state not carried",
            state_not_carried,
            "state",
            "Your state does not depend on s, the state before it: W_hh^⊤ s is missing.",
        ),
        Misconception(
            "state in place of the summary",
            state_for_the_summary,
            "state",
            "Beside the word your step reads s, the state before it. There it reads the summary c: [E y; c].",
        ),
        Misconception(
            "summary in place of the state",
            summary_for_the_state,
            "state",
            "Your step starts from the summary c. It starts from s, the state before it: W_hh^⊤ s.",
        ),
        Misconception("summary left out", summary_left_out, "summary", "Your step does not read the summary c."),
        Misconception(
            "logits from the old state",
            from_the_old_state,
            "logits",
            "You compute the logits from the state before the step. The new state has read the previous word.",
        ),
        Misconception(
            "bias left out", bias_left_out, "word", "You leave out b_h, which `unit` adds to the two products."
        ),
        Misconception("tanh left out", not_squashed, "logits", "You leave out the tanh: t_i = tanh(W_t^⊤ s_i)."),
        Misconception(
            "softsign for t_i",
            squashed_by_the_unit,
            "logits",
            "You compute t_i with the softsign. It is tanh(W_t^⊤ s_i).",
        ),
        Misconception("output bias left out", output_bias_left_out, "logits", "You leave out b, one number a word."),
        Misconception(
            "log-probabilities in place of logits",
            log_probabilities,
            "logits",
            "You return log softmax(z). The logits are z itself.",
        ),
        Misconception(
            "probabilities in place of logits",
            probabilities,
            "logits",
            "You return softmax(z). The logits are z itself.",
        ),
        Misconception(
            "one summary for all",
            one_summary_for_all,
            "together",
            "All your sentences read the first one's summary. Each has its own.",
        ),
        Misconception(
            "one word for all",
            one_word_for_all,
            "together",
            "All your sentences read the first one's word. Each has its own.",
        ),
        Misconception(
            "output matrix without gradient",
            output_not_tied,
            "gradient",
            "E is used twice, as embedding and as output matrix, and gets its gradient from the first use only.",
        ),
        Misconception(
            "embedding without gradient",
            input_not_tied,
            "gradient",
            "E is used twice, as embedding and as output matrix, and gets its gradient from the second use only.",
        ),
        Misconception(
            "state without gradient",
            state_cut,
            "gradient",
            "No gradient passes to the state before the step: is s detached?",
        ),
        *unfit.mistakes(defined, weights_from=3, returned=VALUES),
    ),
    forbidden=FORBIDDEN,
)
