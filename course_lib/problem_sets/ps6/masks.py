"""ps6.masks: who may look at whom in an encoder, a decoder, and between them (Vaswani et al. 2017, section 3.2.3)."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor

from course_lib import attention
from course_lib.grading.cases.numbers import Numbers
from course_lib.grading.cases.probes import Probe, called
from course_lib.grading.compare import is_tensor
from course_lib.grading.task import Case, Misconception, Parts, Task, Told
from course_lib.problem_sets.ps6 import layers
from course_lib.problem_sets.ps6 import wrong_masks as wrong

VALUES = "encoder decoder cross"


def reference(source: Tensor, target: Tensor, pad: int) -> tuple[Tensor, Tensor, Tensor]:
    """The masks (batch, n, n), (batch, m, m) and (batch, m, n) of words (batch, n) and (batch, m); True = may look."""
    (_, n), (batch, m) = source.shape, target.shape
    real = attention.padding(source != pad)[:, 0]
    own = attention.causal_and_padding(target != pad)[:, 0]
    return real.expand(batch, n, n), own, real.expand(batch, m, n)


# Cases


def seeing(wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the three masks. Numbers 0 and 1 are as good as bool: see `dtypes`."""

    def probe(function: Callable, case: Case) -> Parts:
        masks = called(function, case.arguments, VALUES.split())
        return Parts((name, as_bool(masks[name])) for name in wanted.split())

    return probe


def as_bool(value: object) -> object:
    """A tensor of zeros and ones as a mask; anything else as it is."""
    return value.bool() if is_tensor(value) and bool(((value == 0) | (value == 1)).all()) else value


def dtypes(function: Callable, case: Case) -> Parts:
    """The dtypes of the three masks."""
    masks = called(function, case.arguments, VALUES.split())
    return Parts((f"the dtype of {name}", Told(getattr(mask, "dtype", "none"))) for name, mask in masks.items())


def words(rng: Random, mask: Tensor, pad: int) -> Tensor:
    """Word numbers below 10, `pad` where the mask is False and nowhere else."""
    others = [number for number in range(10) if number != pad]
    drawn = torch.tensor([rng.choice(others) for _ in range(mask.numel())])
    return torch.where(mask, drawn.view_as(mask), pad)


def draw(
    batch: tuple[int, int] = (1, 1), source: bool = False, target: bool = False, anywhere: bool = False
) -> Callable[[Random, int], Case]:
    """So many sentences; which side is padded, at its end or `anywhere`. The sides are not equally long.

    The first word of the target is real: every query may look at a key.
    """

    def drawn(rng: Random, size: int) -> Case:
        n, m = rng.sample(range(3, 6), 2)
        pad, sentences = rng.randint(1, 9) if size % 2 else 0, rng.randint(*batch)
        given = []
        for time, padded in ((n, source), (m, target)):
            lengths = [rng.randint(1, time - 1) for _ in range(sentences)] if padded else [time] * sentences
            real = layers.real(lengths, time)
            if anywhere and padded:
                fixed = [0] if given else []
                places = [fixed + rng.sample(range(len(fixed), time), time - len(fixed)) for _ in real]
                real = torch.stack([row[order] for row, order in zip(real, places, strict=True)])
            given.append(words(rng, real, pad))
        said = " and ".join(
            f"{side} {tuple(each.shape)}" for side, each in zip(("source", "target"), given, strict=True)
        )
        of_source, of_target = (int((side == pad).sum()) for side in given)
        return Case((*given, pad), f"{said}, words of padding ({pad}): {of_source} in source, {of_target} in target")

    return drawn


TASK = Task(
    name="ps6.masks",
    title="Who may look at whom",
    reference=reference,
    criteria=(
        Numbers(
            "padding",
            1,
            "The encoder's mask: every query may look at the real words of the source.",
            draw(batch=(2, 3), source=True, anywhere=True),
            visible=4,
            graded=8,
            probe=seeing("encoder"),
        ),
        Numbers(
            "causal",
            1,
            "The decoder's mask where no word is padding: each looks at itself and at the words before it.",
            draw(batch=(1, 2)),
            probe=seeing("decoder"),
        ),
        Numbers(
            "both",
            1,
            "The decoder's mask of padded words: each looks at the real words up to itself.",
            draw(batch=(2, 3), target=True, anywhere=True),
            visible=4,
            graded=8,
            probe=seeing("decoder"),
        ),
        Numbers(
            "cross",
            1,
            "The mask between them: every query of the target may look at the real words of the source.",
            draw(batch=(2, 3), source=True, target=True, anywhere=True),
            visible=4,
            graded=8,
            probe=seeing("cross"),
        ),
        Numbers("dtype", 0.5, "The three masks are of dtype bool.", draw(source=True), probe=dtypes),
    ),
    misconceptions=(
        Misconception(
            "True where it is hidden",
            wrong.turned_round,
            "padding",
            "Your masks are True where a query may not look. Here, as in the lecture, True says that it may.",
        ),
        Misconception(
            "queries hidden in place of keys",
            wrong.of_queries,
            "padding",
            "You hide the rows of padding, its queries. Nobody may look at padding: hide its columns, the keys.",
        ),
        Misconception(
            "queries hidden with the keys",
            wrong.of_both,
            "padding",
            "You hide the rows of padding, too. A query that may look at nothing has 0 / 0 for weights; the result of "
            "a query that is padding is not used.",
        ),
        Misconception(
            "the encoder's padding not hidden",
            wrong.encoder_of_all,
            "padding",
            "Your encoder's words look at padding. They look at the real words of the source only.",
        ),
        Misconception("padding not hidden", wrong.without_padding, "padding", "You do not hide padding."),
        Misconception(
            "padding taken for word 0",
            wrong.pad_is_zero,
            "padding",
            "You take word 0 for padding. Which word it is, pad says.",
        ),
        Misconception(
            "one mask for all sentences",
            wrong.first_sentence,
            "padding",
            "All your sentences have the first one's mask. Each has its own.",
        ),
        Misconception(
            "padding at the end only",
            wrong.at_the_end,
            "padding",
            "You count the real words and take as many from the left. Padding may stand anywhere: compare each word "
            "with pad.",
        ),
        Misconception(
            "the encoder's causal, too",
            wrong.everywhere_causal,
            "padding",
            "Your encoder's words look only at words before them. The whole source is known: each may look at all.",
        ),
        Misconception(
            "no causal mask",
            wrong.not_causal,
            "causal",
            "Your target words look at words after them: in training they would see what they are to predict.",
        ),
        Misconception(
            "without itself",
            wrong.without_itself,
            "causal",
            "Your target words do not look at themselves, and the first one looks at nothing. A word that was read is "
            "known: j ≤ i, not j < i.",
        ),
        Misconception(
            "one word ahead",
            wrong.one_ahead,
            "causal",
            "Your target words look one word ahead: at the one that they are to predict.",
        ),
        Misconception(
            "only what comes after",
            wrong.later_ones,
            "causal",
            "Your target words look at themselves and at what comes after: rows are queries, columns keys.",
        ),
        Misconception(
            "one of the two is enough",
            wrong.either,
            "causal",
            "You allow what one of the two masks allows. Both must: a real word, and none that comes later.",
        ),
        Misconception(
            "the target's padding not hidden",
            wrong.causal_alone,
            "both",
            "Your decoder's mask is causal, but padding of the target is not hidden from what comes after it.",
        ),
        Misconception(
            "padding of the target looks at itself",
            wrong.padding_at_itself,
            "both",
            "Padding of your target looks at itself. Nobody looks at padding, padding neither.",
        ),
        Misconception(
            "the target's padding hides queries between them",
            wrong.targets_padding,
            "cross",
            "Between the two, keys are words of the source. Where the target has padding does not matter there: a "
            "query that may look at nothing has 0 / 0 for weights.",
        ),
        Misconception(
            "padding not hidden between them",
            wrong.cross_of_all,
            "cross",
            "Between the two, your target words look at padding of the source.",
        ),
        Misconception(
            "queries and keys exchanged",
            wrong.cross_turned,
            "cross",
            "Your mask between the two is (batch, n, m). The target asks: its words are the rows, (batch, m, n).",
        ),
        Misconception(
            "causal between the two",
            wrong.cross_causal,
            "cross",
            "Target word i of yours sees only the first words of the source. The whole source is known.",
        ),
        *(
            Misconception(
                f"{name} in place of bool",
                wrong.as_numbers(dtype),
                "dtype",
                "Your masks are numbers. masked_fill and ~ need bool: compare, or .bool().",
            )
            for name, dtype in (("numbers", torch.float32), ("int64", torch.int64), ("int32", torch.int32))
        ),
    ),
    forbidden=(
        *(
            f"course_lib.attention.{module}{name}"
            for module in ("", "masks.")
            for name in ("padding", "causal", "causal_and_padding")
        ),
        "torch.nn.Transformer.generate_square_subsequent_mask",
        "torch.nn.modules.transformer._generate_square_subsequent_mask",
    ),
)
