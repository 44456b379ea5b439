"""ps6.embed: what the first layer reads (Vaswani et al. 2017, sections 3.4 and 3.5)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib import transformer
from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import Numbers, converted, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.problem_sets.ps6 import wrong_embed as wrong

VALUES = "vectors"


def reference(words: Tensor, E: Tensor, start: int) -> Tensor:
    """√d_model · E w_t + PE(start + t), (batch, time, d_model), for words (batch, time) and E (vocabulary, d_model)."""
    d_model = E.shape[1]
    places = transformer.sinusoidal(start + words.shape[1], d_model, E.dtype)[start:]
    return d_model**0.5 * E[words] + places


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


value = seeing(VALUES, VALUES)

TASK = Task(
    name="ps6.embed",
    title="Words and their positions",
    reference=reference,
    trains=True,
    criteria=(
        Numbers("places", 1, "E is 0: the vectors are PE(0), PE(1), …, for an even d_model.", draw(), probe=value),
        Numbers(
            "start",
            0.5,
            "The first word stands at position start, perhaps far into the text, and d_model may be large; in float64.",
            draw(start=(600, 900), width=(6, 16, 24), double=True),
            probe=value,
        ),
        Numbers(
            "odd",
            0.5,
            "An odd d_model: the last sine has no cosine.",
            draw(width=(3, 5, 7)),
            probe=value,
        ),
        Numbers(
            "words",
            1,
            "The first word of a text: its row of E, times √d_model, plus PE(0).",
            draw(embedded=True, time=(1, 1)),
            probe=value,
        ),
        Numbers(
            "batch",
            0.5,
            "Several sentences, not at the beginning of a text: word t of each stands at position start + t.",
            draw(embedded=True, batch=(2, 3), start=(1, 5), single=True),
            probe=value,
        ),
        *fit_for_training(
            "words E start",
            VALUES,
            wrong.defined,
            gradient=(
                "It is fit for training: the gradient of what your function computes is right for E; a call changes "
                "no argument.",
                draw(embedded=True, batch=(2, 2), start=(1, 5)),
            ),
            dtype=(
                "The vectors have the dtype of E, float64 or float32, and its precision.",
                draw(embedded=True, time=(1, 1), width=(6, 8)),  # √d_model is no whole number
            ),
            looks=partial(precisely, defined=wrong.defined, also="constants"),
        ),
    ),
    misconceptions=(
        Misconception(
            "all sines, then all cosines",
            wrong.sines_then_cosines,
            "places",
            "Your sines stand in the first half and your cosines in the second. As the paper writes it they take "
            "turns: column 2i is a sine, column 2i + 1 a cosine.",
        ),
        Misconception(
            "cosines in the even columns",
            wrong.cosines_first,
            "places",
            "Your even columns are cosines. Column 0 is a sine: at position 0 it is 0.",
        ),
        Misconception(
            "no cosines", wrong.only_sines, "places", "All your columns are sines. The odd ones are cosines."
        ),
        Misconception(
            "another period in every column",
            wrong.own_period,
            "places",
            "You use the column as the exponent. A sine and the cosine next to it have the same: columns 2i and 2i + 1 "
            "both have 2i / d_model.",
        ),
        Misconception(
            "exponent twice as large",
            wrong.twice_the_column,
            "places",
            "Your exponent is twice what it should be: 2i is the column itself, not twice the column.",
        ),
        Misconception(
            "exponent half as large",
            wrong.half_the_column,
            "places",
            "Your exponent is half of what it should be: 2i / d_model, where 2i is the even column.",
        ),
        Misconception(
            "base 1000",
            wrong.base_1000,
            "places",
            "Your base is 1000. It is 10000.",
        ),
        Misconception(
            "multiplied by 10000^…",
            wrong.multiplied,
            "places",
            "You multiply the position by 10000^(2i / d_model). Divide: later columns turn ever more slowly.",
        ),
        Misconception(
            "one period for all",
            wrong.one_period,
            "places",
            "All your columns turn equally fast: 10000^(2i / d_model) is missing, or its exponent is 0: a // for a /?",
        ),
        Misconception(
            "counted from 1",
            wrong.from_one,
            "places",
            "Your first position is start + 1. The first word stands at position start, that of a text at 0.",
        ),
        Misconception("no positions", wrong.without_positions, "places", "You do not add the positions."),
        Misconception(
            "positions side by side with the words",
            wrong.at_the_end,
            "places",
            "You put the positions beside the embeddings. They are added: the width stays d_model.",
        ),
        Misconception(
            "embeddings times positions",
            wrong.times_positions,
            "places",
            "You multiply embeddings and positions. They are added.",
        ),
        Misconception(
            "scaled with the positions",
            wrong.all_scaled,
            "places",
            "You multiply the positions by √d_model, too. Only the embedding is.",
        ),
        Misconception(
            "start ignored",
            wrong.from_zero,
            "start",
            "You count from 0 whatever start is. A decoder that has read start words gives the next one this position.",
        ),
        Misconception(
            "angles in float32",
            wrong.in_single_precision,
            "start",
            "You compute the angles in float32 though E is float64: far into the text that is seen. torch.arange takes "
            "a dtype.",
        ),
        Misconception(
            "E in float32",
            wrong.of_float32,
            "dtype",
            "You convert E to float32, or what you make of it, and compute the positions in float32, too. Compute in "
            "the dtype of E.",
        ),
        Misconception(
            "an odd width rounded up",
            wrong.wider,
            "odd",
            "For an odd d_model you compute with d_model + 1 in the exponent. Only the last cosine is left out.",
        ),
        Misconception(
            "the last column of an odd width left 0",
            wrong.nothing_last,
            "odd",
            "For an odd d_model your last column is 0. It is a sine; it is its cosine that is left out.",
        ),
        Misconception(
            "embeddings not scaled",
            wrong.unscaled,
            "words",
            "You do not multiply the embeddings by √d_model.",
        ),
        Misconception(
            "embeddings divided by √d_model",
            wrong.divided,
            "words",
            "You divide the embeddings by √d_model. Multiply: the rows of E are small, and are to be about as large as "
            "the positions.",
        ),
        Misconception(
            "embeddings times d_model", wrong.by_the_width, "words", "You multiply by d_model, not by its square root."
        ),
        Misconception(
            "positions of sentences",
            wrong.by_sentences,
            "places",
            "You give every word of a sentence the same position, that of the sentence in the batch.",
        ),
        Misconception(
            "positions that go on in the next sentence",
            wrong.all_words_in_a_row,
            "batch",
            "Your positions go on from sentence to sentence. Each sentence begins at start.",
        ),
        Misconception(
            "E changed",
            wrong.written_into_the_embeddings,
            "gradient",
            "You change E, which belongs to the caller: *= writes into it, as does a method whose name "
            "ends in _. E * … makes a new tensor.",
        ),
        *unfit.mistakes(wrong.defined),
    ),
    forbidden=(
        *(f"course_lib.transformer.{module}sinusoidal" for module in ("", "positions.")),
        "course_lib.transformer.positions.Sinusoidal.forward",
        "course_lib.transformer.embedding.PositionedEmbedding.forward",
    ),
)
