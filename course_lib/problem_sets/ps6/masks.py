"""ps6.masks: who may look at whom in an encoder, a decoder, and between them (Vaswani et al. 2017, section 3.2.3)."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor

from course_lib import attention
from course_lib.grading.cases.numbers import Numbers
from course_lib.grading.cases.probes import Probe, returned_values
from course_lib.grading.compare import is_tensor
from course_lib.grading.declare import criterion, mistake, task, versions
from course_lib.grading.task import Case, Parts, Told
from course_lib.problem_sets.ps6 import layers

VALUES = "encoder decoder cross"


def reference(source: Tensor, target: Tensor, pad: int) -> tuple[Tensor, Tensor, Tensor]:
    """The masks (batch, n, n), (batch, m, m) and (batch, m, n) of words (batch, n) and (batch, m); True = may look."""
    (_, n), (batch, m) = source.shape, target.shape
    real = attention.padding(source != pad)[:, 0]
    own = attention.causal_and_padding(target != pad)[:, 0]
    return real.expand(batch, n, n), own, real.expand(batch, m, n)


# Mistakes


def of_keys(words, queries, pad):
    return (words != pad).unsqueeze(1).expand(-1, queries.shape[1], -1)


def of_queries(words, queries, pad):
    return of_keys(queries, words, pad).mT


def up_to(queries, ahead=0):
    return torch.ones(queries, queries, dtype=torch.bool).tril(ahead)


def same(mask):
    return mask


def defined(
    source, target, pad, padding=of_keys, causal=up_to, join=torch.logical_and, encoder=same, decoder=same, cross=same
):
    own = join(padding(target, target, pad), causal(target.shape[1]))
    return encoder(padding(source, source, pad)), decoder(own), cross(padding(source, target, pad))


def all_three(change):
    return {"encoder": change, "decoder": change, "cross": change}


wrong = versions(defined)
True_where_it_is_hidden = wrong("padding", **all_three(torch.logical_not))(
    "Your masks are True where a query may not look. Here, as in the lecture, True says that it may."
)
queries_hidden_in_place_of_keys = wrong("padding", padding=of_queries)(
    "You hide the rows of padding, its queries. Nobody may look at padding: hide its columns, the keys."
)
queries_hidden_with_the_keys = wrong("padding", padding=lambda *given: of_keys(*given) & of_queries(*given))(
    "You hide the rows of padding, too. A query that may look at nothing has 0 / 0 for weights; the result of a query "
    "that is padding is not used."
)
padding_not_hidden_in_the_encoder = wrong("padding", encoder=torch.ones_like)(
    "Your encoder's words look at padding. They look at the real words of the source only."
)
padding_not_hidden = wrong("padding", padding=lambda *given: torch.ones_like(of_keys(*given)))(
    "You do not hide padding."
)
padding_taken_for_word_0 = wrong("padding", padding=lambda words, queries, pad: of_keys(words, queries, 0))(
    "You take word 0 for padding. Which word it is, pad says."
)
one_mask_for_all_sentences = wrong(
    "padding", padding=lambda words, *others: of_keys(words[:1].expand_as(words), *others)
)("All your sentences have the first one's mask. Each has its own.")


def counted(words, queries, pad):
    return of_keys((torch.arange(words.shape[1]) < (words != pad).sum(1, keepdim=True)).long(), queries, 0)


padding_at_the_end_only = wrong("padding", padding=counted)(
    "You count the real words and take as many from the left. Padding may stand anywhere: compare each word with pad."
)
encoder_causal_too = wrong("padding", encoder=torch.tril)(
    "Your encoder's words look only at words before them. The whole source is known: each may look at all."
)
no_causal_mask = wrong("causal", causal=lambda m: up_to(m, ahead=m))(
    "Your target words look at words after them: in training they would see what they are to predict."
)
without_itself = wrong("causal", causal=lambda m: up_to(m, ahead=-1))(
    "Your target words do not look at themselves, and the first one looks at nothing. A word that was read is known: "
    "j ≤ i, not j < i."
)
one_word_ahead = wrong("causal", causal=lambda m: up_to(m, ahead=1))(
    "Your target words look one word ahead: at the one that they are to predict."
)
only_what_comes_after = wrong("causal", causal=lambda m: up_to(m).mT)(
    "Your target words look at themselves and at what comes after: rows are queries, columns keys."
)
one_of_the_two_is_enough = wrong("causal", join=torch.logical_or)(
    "You allow what one of the two masks allows. Both must: a real word, and none that comes later."
)
target_padding_not_hidden = wrong("both", join=lambda padding, causal: causal.expand_as(padding))(
    "Your decoder's mask is causal, but padding of the target is not hidden from what comes after it."
)
padding_of_the_target_looks_at_itself = wrong(
    "both", decoder=lambda mask: mask | torch.eye(mask.shape[1], dtype=torch.bool)
)("Padding of your target looks at itself. No position may look at padding, not even padding itself.")


@mistake("cross")
def target_padding_hides_queries_between_them(source, target, pad):
    """Between the two, keys are words of the source. Where the target has padding does not matter there: a query that
    may look at nothing has 0 / 0 for weights."""
    return defined(source, target, pad, cross=lambda mask: mask & (target != pad).unsqueeze(2))


padding_not_hidden_between_them = wrong("cross", cross=torch.ones_like)(
    "Between the two, your target words look at padding of the source."
)
queries_and_keys_exchanged = wrong("cross", cross=lambda mask: mask.mT)(
    "Your mask between the two is (batch, n, m). The target asks: its words are the rows, (batch, m, n)."
)
causal_between_the_two = wrong("cross", cross=torch.tril)(
    "Target word i of yours sees only the first words of the source. The whole source is known."
)
NUMBERS = "Your masks are numbers. masked_fill and ~ need bool: compare, or .bool()."
numbers_in_place_of_bool = wrong("dtype", **all_three(Tensor.float))(NUMBERS)
int64_in_place_of_bool = wrong("dtype", **all_three(Tensor.long))(NUMBERS)
int32_in_place_of_bool = wrong("dtype", **all_three(Tensor.int))(NUMBERS)

# Cases


def values_probe(wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the three masks. Numbers 0 and 1 are as good as bool: see `dtypes`."""

    def probe(function: Callable, case: Case) -> Parts:
        masks = returned_values(function, case.arguments, VALUES.split())
        return Parts((name, as_bool(masks[name])) for name in wanted.split())

    return probe


def as_bool(value: object) -> object:
    """A tensor of zeros and ones as a mask; anything else as it is."""
    return value.bool() if is_tensor(value) and bool(((value == 0) | (value == 1)).all()) else value


def dtypes(function: Callable, case: Case) -> Parts:
    """The dtypes of the three masks."""
    masks = returned_values(function, case.arguments, VALUES.split())
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


OF_PADDING = {"visible": 4, "graded": 8}  # cases of the criteria that padding is drawn for

TASK = task(
    __name__,
    "Who may look at whom",
    kind=Numbers,
    criteria=(
        criterion("padding", 1, draw(batch=(2, 3), source=True, anywhere=True), values_probe("encoder"), **OF_PADDING)(
            "The encoder's mask: every query may look at the real words of the source."
        ),
        criterion("causal", 1, draw(batch=(1, 2)), values_probe("decoder"))(
            "The decoder's mask where no word is padding: each looks at itself and at the words before it."
        ),
        criterion("both", 1, draw(batch=(2, 3), target=True, anywhere=True), values_probe("decoder"), **OF_PADDING)(
            "The decoder's mask of padded words: each looks at the real words up to itself."
        ),
        criterion(
            "cross", 1, draw(batch=(2, 3), source=True, target=True, anywhere=True), values_probe("cross"), **OF_PADDING
        )("The mask between them: every query of the target may look at the real words of the source."),
        criterion("dtype", 0.5, draw(source=True), dtypes)("The three masks are of dtype bool."),
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
