"""Cases of ps4.attentive_decoder: so many steps and sentences, padded or not, covered or not."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.numbers import tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.states import NAN, case, count, matrix, put, rows, score_weights


def draw(
    steps: tuple[int, int],
    batch: tuple[int, int] = (1, 1),
    padded: bool = False,
    pads: tuple[float, ...] = (),
    covers: bool = False,
) -> Callable[[Random, int], Case]:
    """So many steps, each number of them in turn, and sentences; `padded`: not all words are real; `pads`: what h is
    there; `covers`: w ≠ 0.
    """

    def drawn(rng: Random, size: int) -> Case:
        key, query, hidden, embedding = rng.sample(range(2, 6), 4)
        sentences, words = rng.randint(*batch), rng.randint(3, 4)
        times = steps[0] + size % (steps[1] - steps[0] + 1)
        y, s, h = (tensor(rng, sentences, *shape) for shape in ((times, embedding), (query,), (words, key)))
        lengths = [words] * sentences
        if padded:
            lengths = [rng.randint(1, words - 1), *(rng.randint(1, words) for _ in range(sentences - 1))]
            rng.shuffle(lengths)
        mask = rows(rng, lengths, words)
        given = score_weights(rng, hidden, key, query)
        given["v"] *= 2  # weights that are far from equal
        given["w"] *= 2 * covers
        sizes = {"W_y": embedding, "W_c": key, "W_s": query}
        given |= {name: matrix(rng, query, size) for name, size in sizes.items()} | {"b": matrix(rng, query)}
        real = ", ".join(map(str, lengths))
        text = f"{count(sentences, 'sentence')} with {real} of {words} words real, {count(times, 'step')}"
        made = case(text, (query + key + embedding) * hidden * times, y, s, h, mask, given)
        put(rng, pads, h, mask)
        return made

    return drawn


draw_all = draw((3, 4), batch=(2, 3), padded=True, pads=NAN, covers=True)
