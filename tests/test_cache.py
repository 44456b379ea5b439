"""The decoder's cache: equal to plain tensors whatever becomes of other caches, and not copied at each word."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.transformer.cache import Cache

HEADS, D_K, D_V = 2, 3, 4


def drawn(rows, words):
    return torch.randn(rows, HEADS, words, D_K), torch.randn(rows, HEADS, words, D_V)


@pytest.mark.parametrize("inference", [False, True])
@given(st.data())
def test_a_cache_is_what_was_put_in_whatever_becomes_of_others(inference, data):
    with torch.inference_mode(inference):
        first = drawn(data.draw(st.integers(1, 3)), 1)
        made = [(Cache.of(first), tuple(each.clone() for each in first))]
        for _ in range(data.draw(st.integers(1, 12))):
            cache, expected = made[data.draw(st.integers(0, len(made) - 1))]
            if data.draw(st.booleans()):
                new = drawn(len(expected[0]), data.draw(st.integers(1, 10)))
                made.append((cache.after(new), tuple(map(lambda *pair: torch.cat(pair, 2), expected, new))))
            else:
                rows = torch.tensor(data.draw(st.lists(st.integers(0, len(expected[0]) - 1), min_size=1, max_size=4)))
                made.append((cache.select(rows), tuple(each[rows] for each in expected)))
        for cache, expected in made:
            assert cache.time == expected[0].shape[2]
            assert all(map(torch.equal, cache.keys_values, expected))


def test_words_are_written_behind_the_others_where_the_place_is_free():
    with torch.inference_mode():
        caches = [Cache.of(drawn(2, 1)).after(drawn(2, 1))]
        for _ in range(200):
            caches.append(caches[-1].after(drawn(2, 1)))
    buffers = {id(cache.buffer) for cache in caches}
    assert len(buffers) < 25, "each has room for an eighth more"
    with torch.inference_mode():
        one, other = caches[0].after(drawn(2, 1)), caches[0].after(drawn(2, 1))
        chosen = caches[0].select(torch.tensor([1, 0]))
    assert len({id(cache.buffer) for cache in (caches[0], one, other, chosen)}) == 4, "the place behind it is taken"


def test_a_graph_keeps_what_it_has_seen():
    """Outside of inference mode nothing is written over: gradients through many steps are those through one."""
    new = [each.requires_grad_() for each in drawn(2, 1)]
    with torch.no_grad():
        start = Cache.of(drawn(2, 3)).after(drawn(2, 1))
    cache, total = start, 0.0
    for _ in range(3):
        cache = cache.after(tuple(new))
        total = total + sum(each.square().sum() for each in cache.keys_values)
    total.backward()
    for each in new:
        torch.testing.assert_close(each.grad, 12 * each.detach())
