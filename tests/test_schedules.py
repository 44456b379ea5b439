"""The learning rate over time, against the formula of the paper."""

import pytest

from course_lib.training.schedules import constant, constant_then_linear, inverse_square_root, warmed_up


def test_schedules():
    """The inverse square root is Vaswani et al.'s d^−½ min(t^−½, t w^−1.5), relative to its maximum."""
    rate, noam = inverse_square_root(40), lambda t: min(t**-0.5, t * 40**-1.5)
    for t in (1, 2, 39, 40, 41, 1000):
        assert rate(t) == pytest.approx(noam(t) / noam(40))
        assert constant(t) == 1
    rate = constant_then_linear(6, 10)
    assert [rate(t) for t in range(1, 13)] == pytest.approx([1] * 6 + [0.8, 0.6, 0.4, 0.2, 0, 0])
    assert constant_then_linear(10, 10)(10) == 1
    for make in (lambda: constant_then_linear(11, 10), lambda: constant_then_linear(0, 0)):
        with pytest.raises(ValueError, match="hold must lie in 0..total"):
            make()
    with pytest.raises(ValueError, match="warmup must be at least 1, got 0"):
        inverse_square_root(0)


def test_a_warm_up_multiplies_the_first_steps_alone():
    rate, plain = warmed_up(constant_then_linear(6, 10), 4), constant_then_linear(6, 10)
    assert [rate(step) for step in (1, 2, 3, 4)] == [0.25, 0.5, 0.75, 1]
    assert [rate(step) for step in range(4, 12)] == [plain(step) for step in range(4, 12)]
    assert warmed_up(plain, 0) is plain
    with pytest.raises(ValueError, match="warmup must be at least 0, got -1"):
        warmed_up(plain, -1)
