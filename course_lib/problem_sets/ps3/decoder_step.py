"""ps3.decoder_step: one step of a decoder that reads the summary at each step (Cho et al. 2014), embeddings tied."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor, tanh
from torch.nn.functional import softsign

from course_lib.grading.cases.numbers import case, count, tensor
from course_lib.grading.cases.probes import shaped, values_probe
from course_lib.grading.declare import criterion, dtype, gradient, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps3.models import FORBIDDEN, Few, Weights, decoder, decoder_weights, product, without
from course_lib.seq2seq.encoder_decoder import DecoderState

VALUES = "state logits"


def reference(previous: Tensor, s: Tensor, c: Tensor, weights: Weights) -> tuple[Tensor, Tensor]:
    """s_i = φ(W_xh^⊤ [E y_{i−1}; c] + W_hh^⊤ s_{i−1} + b_h), z_i = E tanh(W_t^⊤ s_i) + b."""
    z, (s,) = decoder(weights).read(previous[:, None], DecoderState((s[None],), c))
    return s[0], z[:, 0]


# Mistakes


def defined(
    previous,
    s,
    c,
    weights,
    use=lambda weights: weights,
    embed=lambda E, y: E[y],
    start=lambda s, c: s,
    join=lambda word, s, c: torch.cat([word, c], 1),
    unit=softsign,
    seen=lambda new, old: new,
    squash=tanh,
    tie=lambda E: E,
    output=lambda z: z,
):
    weights = use(weights)
    new = unit(product(join(embed(weights["E"], previous), s, c), start(s, c), weights))
    return new, output(squash(seen(new, s) @ weights["W_t"]) @ tie(weights["E"]).T + weights["b"])


wrong = versions(defined)
tanh_for_the_softsign = wrong("word", unit=tanh)(
    "Your unit uses tanh. In this set it is `unit`, with the softsign; tanh belongs to t_i."
)
summary_before_the_word = wrong("word", join=lambda word, s, c: torch.cat([c, word], 1))(
    "You join them as [c; E y]. The first rows of W_xh are for the word: [E y; c]."
)


state_not_carried = wrong("state", use=lambda weights: without(weights, "W_hh"))(
    "Your state does not depend on s, the state before it: W_hh^⊤ s is missing."
)
state_in_place_of_the_summary = wrong("state", join=lambda word, s, c: torch.cat([word, s], 1))(
    "Beside the word your step reads s, the state before it. There it reads the summary c: [E y; c]."
)
summary_in_place_of_the_state = wrong("state", start=lambda s, c: c)(
    "Your step starts from the summary c. It starts from s, the state before it: W_hh^⊤ s."
)
summary_left_out = wrong("summary", join=lambda word, s, c: torch.cat([word, torch.zeros_like(c)], 1))(
    "Your step does not read the summary c."
)
logits_from_the_old_state = wrong("logits", seen=lambda new, old: old)(
    "You compute the logits from the state before the step. The new state has read the previous word."
)
bias_left_out = wrong("word", use=lambda weights: without(weights, "b_h"))(
    "You leave out b_h, which `unit` adds to the two products."
)
tanh_left_out = wrong("logits", squash=lambda t: t)("You leave out the tanh: t_i = tanh(W_t^⊤ s_i).")
softsign_for_t_i = wrong("logits", squash=softsign)("You compute t_i with the softsign. It is tanh(W_t^⊤ s_i).")
output_bias_left_out = wrong("logits", use=lambda weights: without(weights, "b"))("You leave out b, one number a word.")
log_probabilities_in_place_of_logits = wrong("logits", output=lambda z: z.log_softmax(1))(
    "You return log softmax(z). The logits are z itself."
)
probabilities_in_place_of_logits = wrong("logits", output=lambda z: z.softmax(1))(
    "You return softmax(z). The logits are z itself."
)
one_summary_for_all = wrong("together", join=lambda word, s, c: torch.cat([word, c[:1].expand_as(c)], 1))(
    "All your sentences read the first one's summary. Each has its own."
)
one_word_for_all = wrong("together", embed=lambda E, y: E[y[:1].expand_as(y)])(
    "All your sentences read the first one's word. Each has its own."
)
output_matrix_without_gradient = wrong("gradient", tie=Tensor.detach)(
    "E is used twice, as embedding and as output matrix, and gets its gradient from the first use only."
)
embedding_without_gradient = wrong("gradient", embed=lambda E, y: E[y].detach())(
    "E is used twice, as embedding and as output matrix, and gets its gradient from the second use only."
)
state_without_gradient = wrong("gradient", start=lambda s, c: s.detach())(
    "No gradient passes to the state before the step: is s detached?"
)

# Cases


def draw(rows: int = 1, alike: bool = False, square: bool = False, **off: float) -> Callable[[Random, int], Case]:
    """Steps of so many sentences; what is named in `off` is multiplied by the number given.

    The word before is the first one of the vocabulary, or the last one, in turn. State and summary are as wide if
    `alike`: so one may be taken for the other. If `square`, the state is as wide as an embedding in every other case.
    """

    def drawn(rng: Random, size: int) -> Case:
        vocabulary = 7
        embedding, hidden, context = rng.sample(range(2, 6), 3)
        hidden = embedding if square and size % 2 else hidden
        context = hidden if alike else context
        first = (vocabulary - 1) * (size % 2)
        others = [word for word in range(vocabulary) if word != first]
        previous = torch.tensor([first, *rng.sample(others, rows - 1)])
        weights = decoder_weights(rng, vocabulary, embedding, hidden, context)
        given = {"s": tensor(rng, rows, hidden), "c": tensor(rng, rows, context), **weights}
        given = {name: value * off.get(name, 1.0) for name, value in given.items()}
        s, c = given.pop("s"), given.pop("c")
        return case(count(rows, "sentence"), 3 * (embedding + hidden + context), previous, s, c, given)

    return drawn


def logits_of_its_own_state(function: Callable, case: Case) -> Parts:
    """The probe that looks at how far the logits are from those of the new state, right or wrong, beside them."""
    previous, s, _, weights = case.arguments
    shapes = {"state": s.shape, "logits": (len(previous), len(weights["E"]))}
    values = shaped(values_probe(VALUES, VALUES)(function, case), shapes)
    of_state = tanh(values["state"] @ weights["W_t"]) @ weights["E"].T + weights["b"]
    return Parts({"logits − logits of the returned state": values["logits"] - of_state})


TASK = task(
    __name__,
    "One step of the decoder",
    returns=VALUES,
    kind=Few,
    criteria=(
        criterion("word", 0.5, draw(alike=True, s=0, c=0), "state")("The unit reads the previous word's embedding."),
        criterion("state", 0.5, draw(alike=True, c=0, b_h=0), "state")("It starts from the state before."),
        criterion("summary", 1, draw(alike=True, s=0, b_h=0), "state")(
            "It reads the summary beside the word: [E y; c]."
        ),
        criterion("logits", 1.5, draw(alike=True, square=True), logits_of_its_own_state)(
            "The logits come from the new state: E tanh(W_t^⊤ s) + b."
        ),
        criterion("together", 0.5, draw(3), VALUES)("Several sentences, each with its own word, state and summary."),
        gradient(draw(2), weights_from=3, each=True)(
            "Gradients reach s, c and every weight; E gets them from both of its uses. A call changes no argument."
        ),
        dtype(draw(2))("State and logits have the dtype of the weights, float64 or float32, and its precision."),
    ),
    forbidden=FORBIDDEN,
)
