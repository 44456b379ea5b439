"""ps6.embed: what the first layer reads (Vaswani et al. 2017, sections 3.4 and 3.5)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import sqrt
from random import Random

import torch
from torch import Tensor

from course_lib import transformer
from course_lib.grading.cases.numbers import Numbers, converted, tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case


def reference(words: Tensor, E: Tensor, start: int) -> Tensor:
    """√d_model · E w_t + PE(start + t), (batch, time, d_model), for words (batch, time) and E (vocabulary, d_model)."""
    d_model = E.shape[1]
    places = transformer.sinusoidal(start + words.shape[1], d_model, E.dtype)[start:]
    return d_model**0.5 * E[words] + places


# Mistakes


def paper(column, d):
    """What a position is divided by in this column: sine and cosine have the same."""
    return 10000 ** ((column - column % 2) / d)


def places(first, length, d, dtype, period=paper, phase=0):
    """PE of so many positions: sines in the even columns, cosines in the odd ones; with `phase` 1 it is the reverse."""
    pos = torch.arange(first, first + length, dtype=dtype)
    angles = [pos / period(column, d) for column in range(d)]
    columns = [angle.cos() if (column + phase) % 2 else angle.sin() for column, angle in enumerate(angles)]
    return torch.stack(columns, 1)


def defined(words, E, start, scale=sqrt, where=places, begin=lambda start: start, join=torch.add):
    d = E.shape[1]
    return join(scale(d) * E[words], where(begin(start), words.shape[1], d, E.dtype))


def by(period):
    """The parts of a version with other periods."""
    return {"where": partial(places, period=period)}


def halves(*given):
    right = places(*given)
    return torch.cat([right[:, 0::2], right[:, 1::2]], 1)


wrong = versions(defined)
all_sines_then_all_cosines = wrong("places", where=halves)(
    "Your sines stand in the first half and your cosines in the second. As the paper writes it they take turns: column "
    "2i is a sine, column 2i + 1 a cosine."
)
cosines_in_the_even_columns = wrong("places", where=partial(places, phase=1))(
    "Your even columns are cosines. Column 0 is a sine: at position 0 it is 0."
)
no_cosines = wrong("places", where=lambda *given: places(*given)[:, [i - i % 2 for i in range(given[2])]])(
    "All your columns are sines. The odd ones are cosines."
)
another_period_in_every_column = wrong("places", **by(lambda column, d: 10000 ** (column / d)))(
    "You use the column as the exponent. A sine and the cosine next to it have the same: columns 2i and 2i + 1 both "
    "have 2i / d_model."
)
exponent_twice_as_large = wrong("places", **by(lambda column, d: 10000 ** (2 * (column - column % 2) / d)))(
    "Your exponent is twice what it should be: 2i is the column itself, not twice the column."
)
exponent_half_as_large = wrong("places", **by(lambda column, d: 10000 ** (column // 2 / d)))(
    "Your exponent is half of what it should be: 2i / d_model, where 2i is the even column."
)
base_1000 = wrong("places", **by(lambda column, d: 1000 ** ((column - column % 2) / d)))(
    "Your base is 1000. It is 10000."
)
multiplied_in_place_of_divided = wrong("places", **by(lambda column, d: 1 / paper(column, d)))(
    "You multiply the position by 10000^(2i / d_model). Divide: later columns turn ever more slowly."
)
one_period_for_all = wrong("places", **by(lambda column, d: 1.0))(
    "All your columns turn equally fast: 10000^(2i / d_model) is missing, or its exponent is 0: a // for a /?"
)
counted_from_1 = wrong("places", begin=lambda start: start + 1)(
    "Your first position is start + 1. The first word stands at position start, that of a text at 0."
)
no_positions = wrong("places", join=lambda x, places: x)("You do not add the positions.")
positions_side_by_side_with_the_words = wrong("places", join=lambda x, places: torch.cat([x, places.expand_as(x)], -1))(
    "You put the positions beside the embeddings. They are added: the width stays d_model."
)
embeddings_times_positions = wrong("places", join=torch.mul)("You multiply embeddings and positions. They are added.")
scaled_with_the_positions = wrong(
    "places", scale=lambda d: 1.0, join=lambda x, places: sqrt(x.shape[-1]) * (x + places)
)("You multiply the positions by √d_model, too. Only the embedding is.")
start_ignored = wrong("start", begin=lambda start: 0)(
    "You count from 0 whatever start is. A decoder that has read start words gives the next one this position."
)
angles_in_float32 = wrong("start", where=lambda first, length, d, dtype: places(first, length, d, torch.float32))(
    "You compute the angles in float32 though E is float64: far into the text that is seen. torch.arange takes a dtype."
)


@mistake("dtype")
def E_in_float32(words, E, start):
    """You convert E to float32, or what you make of it, and compute the positions in float32, too. Compute in the dtype
    of E."""
    return defined(words, E.float(), start)


def nothing_last(first, length, d, dtype):
    right = places(first, length, d, dtype)
    right[:, d - d % 2 :] = 0
    return right


an_odd_width_rounded_up = wrong(
    "odd", where=lambda first, length, d, dtype: places(first, length, d + d % 2, dtype)[:, :d]
)("For an odd d_model you compute with d_model + 1 in the exponent. Only the last cosine is left out.")
the_last_column_of_an_odd_width_left_0 = wrong("odd", where=nothing_last)(
    "For an odd d_model your last column is 0. It is a sine; it is its cosine that is left out."
)
embeddings_not_scaled = wrong("words", scale=lambda d: 1.0)("You do not multiply the embeddings by √d_model.")
embeddings_divided = wrong("words", scale=lambda d: 1 / sqrt(d))(
    "You divide the embeddings by √d_model. Multiply: the rows of E are small, and are to be about as large as the "
    "positions."
)
embeddings_times_their_width = wrong("words", scale=lambda d: d)("You multiply by d_model, not by its square root.")


@mistake("places")
def positions_of_sentences(words, E, start):
    """You give every word of a sentence the same position, that of the sentence in the batch."""
    numbered = places(start, len(words), E.shape[1], E.dtype).unsqueeze(1)
    return defined(words, E, start, join=lambda x, places: x + numbered)


@mistake("batch")
def positions_that_go_on_in_the_next_sentence(words, E, start):
    """Your positions go on from sentence to sentence. Each sentence begins at start."""
    return defined(words.reshape(1, -1), E, start).view(*words.shape, -1)


@mistake("gradient")
def E_changed(words, E, start):
    """You change E, which belongs to the caller: *= writes into it, as does a method whose name ends in _. E * … makes
    a new tensor."""
    with torch.no_grad():
        E *= sqrt(E.shape[1])
    return defined(words, E, start, scale=lambda d: 1.0)


# Cases


def draw(
    embedded: bool = False,
    time: tuple[int, int] = (3, 6),
    batch: tuple[int, int] = (1, 1),
    start: tuple[int, int] = (0, 0),
    width: tuple[int, ...] = (4, 6, 8),
    double: bool = False,
    single: bool = False,
) -> Callable[[Random, int], Case]:
    """So many sentences and words from position `start` on; not `embedded`: E is 0. `double`: float64.

    `single`: in every other case the sentences are of one word, as a decoder reads them.
    """

    def drawn(rng: Random, size: int) -> Case:
        sentences, length, first = rng.randint(*batch), rng.randint(*time), rng.randint(*start)
        length = 1 if single and size % 2 else length
        vocabulary, d_model = rng.randint(4, 8), rng.choice(width)
        E = tensor(rng, vocabulary, d_model) if embedded else torch.zeros(vocabulary, d_model)
        words = torch.tensor([[rng.randrange(vocabulary) for _ in range(length)] for _ in range(sentences)])
        said = f"words {tuple(words.shape)}, E {tuple(E.shape)}{'' if embedded else ', all 0'}, start {first}"
        made = Case((words, E, first), said, scale=1.0 if double else length + 3.0)
        return replace(made, arguments=converted(made.arguments, torch.float64)) if double else made

    return drawn


TASK = task(
    __name__,
    "Words and their positions",
    returns="vectors",
    kind=Numbers,
    criteria=(
        criterion("places", 1, draw(), "vectors")("E is 0: the vectors are PE(0), PE(1), …, for an even d_model."),
        criterion("start", 0.5, draw(start=(600, 900), width=(6, 16, 24), double=True), "vectors")(
            "The first word stands at position start, perhaps far into the text, and d_model may be large; in float64."
        ),
        criterion("odd", 0.5, draw(width=(3, 5, 7)), "vectors")("An odd d_model: the last sine has no cosine."),
        criterion("words", 1, draw(embedded=True, time=(1, 1)), "vectors")(
            "The first word of a text: its row of E, times √d_model, plus PE(0)."
        ),
        criterion("batch", 0.5, draw(embedded=True, batch=(2, 3), start=(1, 5), single=True), "vectors")(
            "Several sentences, not at the beginning of a text: word t of each stands at position start + t."
        ),
        gradient(draw(embedded=True, batch=(2, 2), start=(1, 5)))(
            "It is fit for training: the gradient of what your function computes is right for E; a call changes no "
            "argument."
        ),
        dtype(draw(embedded=True, time=(1, 1), width=(6, 8)), also="constants")(  # √d_model is no whole number
            "The vectors have the dtype of E, float64 or float32, and its precision."
        ),
    ),
    forbidden=(
        *(f"course_lib.transformer.{module}sinusoidal" for module in ("", "positions.")),
        "course_lib.transformer.positions.Sinusoidal.forward",
        "course_lib.transformer.embedding.PositionedEmbedding.forward",
    ),
)
