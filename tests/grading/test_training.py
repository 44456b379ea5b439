"""What is seen of a function meant for training: the shapes of its results, its arguments afterwards, its gradients."""

from functools import partial

import pytest
import torch

from course_lib.grading import check
from course_lib.grading.cases.training import OF
from course_lib.grading.engine import NOTHING_RIGHT
from course_lib.problem_sets.ps2 import run_layer
from course_lib.problem_sets.ps3 import training_step


def seen(function) -> str:
    """What the gradient criterion of run_layer says of `function`."""
    verdict = check("ps2.run_layer", "gradient", partial(function))  # it may use the tasks' modules
    return verdict.message


def right(x, lengths, weights):
    return run_layer.run_layer(x, lengths, weights)


def writes_to_padding(x, lengths, weights):
    for row, n in zip(x.data, lengths, strict=True):
        row[n:] = 0
    return right(x, lengths, weights)


def overwrites_what_autograd_needs(x, lengths, weights):
    outputs, final = right(x, lengths, weights)
    square = outputs**2
    outputs += 1
    return square, final


def test_what_is_right_passes():
    assert seen(right) == "right"


def test_an_argument_that_is_changed_in_its_padding_is_named():
    assert seen(writes_to_padding).startswith("after the call, x first differs at index (0, ")


def test_an_argument_that_is_asked_for_its_gradient_is_not_as_it_was():
    def asks(x, lengths, weights):
        for each in weights.values():
            each.requires_grad_()
        return right(x, lengths, weights)

    assert seen(asks) == "after the call, requires_grad of weights is true, and should not be"
    verdict = check("ps3.training_step", "arguments", training_step.given_weights_that_ask_for_gradients)
    assert verdict.message == seen(asks) and "requires_grad" in verdict.hint


def test_an_argument_in_which_a_gradient_is_left_is_not_as_it_was():
    verdict = check("ps3.training_step", "arguments", training_step.gradients_left_in_the_given_weights)
    assert verdict.message == "a .grad is left in weights after the call, and should not be"
    assert ".grad" in verdict.hint


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda outputs, final: None, "it returned None, not a tuple of 2: outputs, final"),
        (lambda outputs, final: (outputs, None), "final is None, not a tensor of shape "),
        (lambda outputs, final: (outputs, final[0]), "final has shape "),
        (lambda outputs, final: (outputs.detach(), final), "its result has no gradient: that of outputs is cut off"),
        (lambda outputs, final: (outputs, final.detach()), "its result has no gradient: that of final is cut off"),
        (
            lambda outputs, final: (outputs.detach(), final.detach()),
            "its result has no gradient: that of outputs and of final is cut off",
        ),
        (lambda outputs, final: (outputs, final.detach().numpy()), "its result has no gradient: it returned ndarray"),
    ],
)
def test_a_result_without_a_gradient_is_told_as_what_it_is(change, says):
    def function(x, lengths, weights):
        return change(*right(x, lengths, weights))

    assert seen(function).startswith(says)


@pytest.mark.parametrize("switch_off", [torch.Tensor.detach_, lambda given: given.requires_grad_(False)])
def test_an_argument_that_is_cut_off_itself_is_told_as_what_it_is(switch_off):
    def cut(x, lengths, weights):
        return right(switch_off(x), lengths, weights)

    assert seen(cut).startswith("its result has no gradient: it switches off requires_grad of a tensor")


def test_an_error_of_automatic_differentiation_is_not_told_as_one_of_the_function():
    assert seen(overwrites_what_autograd_needs).startswith("its result has no gradient: one of the variables needed")


def test_padding_that_is_nan_must_not_reach_a_gradient():
    verdict = check("ps2.run_layer", "gradient", run_layer.padding_within_the_product)
    assert "with respect to x first" in verdict.message and "it is nan" in verdict.message
    assert verdict.hint and "0 · NaN = NaN" in verdict.hint
    x = torch.tensor([[[1.0], [torch.nan]]])
    weights = {"W_xh": torch.ones(1, 1, requires_grad=True), "W_hh": torch.ones(1, 1), "b_h": torch.zeros(1)}
    for function, finite in (right, True), (run_layer.padding_within_the_product, False):
        outputs, _ = function(x, torch.tensor([1]), weights)
        (gradient,) = torch.autograd.grad(outputs.sum(), weights["W_xh"])
        assert outputs.isfinite().all() and bool(gradient.isfinite().all()) is finite


def twice(function):
    """`function` with other values than it should have, but of a single token."""
    return lambda *arguments: tuple(min(2, arguments[0].shape[1]) * each for each in function(*arguments))


def keeps_its_values(function):
    """`function` with a gradient that is not that of its values."""
    return lambda *arguments: tuple(each.detach() + 0.3 * (each - each.detach()) for each in function(*arguments))


def without(name: str):
    """The right function with these weights cut off from the gradient."""

    def function(x, lengths, weights):
        return right(x, lengths, weights | {name: weights[name].detach()})

    return function


def test_the_gradient_of_wrong_values_is_right_if_it_is_their_own():
    for function in twice(right), twice(twice(right)), run_layer.state_updated_at_padding:
        assert seen(function) == "right"
    assert seen(twice(writes_to_padding)).startswith("after the call, x first differs")


def test_the_gradient_of_values_that_are_never_right_counts_not_yet():
    for function in (
        run_layer.tanh_for_the_softsign,
        run_layer.no_absolute_value,
        lambda *arguments: tuple(2 * each for each in right(*arguments)),
    ):
        assert seen(function) == NOTHING_RIGHT


def with_nan(x, lengths, weights):
    """Wrong values at padding: not 0, but no number."""
    outputs, final = right(x, lengths, weights)
    real = torch.arange(x.shape[1]) < lengths[:, None]
    return torch.where(real[..., None], outputs, torch.nan), final


def test_values_that_are_no_numbers_have_no_gradient_and_cost_none():
    assert seen(with_nan) == "right"
    assert OF in seen(lambda *arguments: keeps_its_values(with_nan)(*arguments))


@pytest.mark.parametrize(
    "cut",
    [
        run_layer.gradient_cut_between_steps,
        run_layer.gradient_cut_every_few_steps,
        run_layer.padding_within_the_product,
        without("b_h"),
    ],
)
def test_a_gradient_that_is_not_that_of_the_wrong_values_is_wrong(cut):
    assert OF in seen(twice(cut)) and "first differs" in seen(twice(cut))


def in_single_precision(function):
    """`function` in float32, whatever it is given."""

    def computed(x, lengths, weights):
        return function(x.float(), lengths, {name: each.float() for name, each in weights.items()})

    return computed


def test_a_gradient_is_judged_in_float32_too():
    """There a small step changes nothing, or leaves rounding alone: a larger one tells a right gradient from none."""
    assert seen(in_single_precision(twice(right))) == "right"
    for cut in without("W_hh"), run_layer.gradient_cut_every_few_steps:
        assert OF in seen(in_single_precision(cut)) and OF in seen(in_single_precision(twice(cut)))


def test_the_gradient_of_right_values_is_no_number_to_expect_of_wrong_ones():
    assert "expected" in seen(without("W_hh"))
    assert seen(twice(without("W_hh"))).endswith(": it is a wrong number")


def test_of_wrong_values_the_gradient_that_is_wrong_is_named_and_no_other():
    assert OF + "weights['W_hh'] first differs" in seen(twice(without("W_hh")))


def test_values_that_change_with_nothing_have_no_right_gradient():
    def constant(x, lengths, weights):
        return tuple(0 * each.nan_to_num() for each in right(x.nan_to_num(), lengths, weights))

    assert OF in seen(constant)
    assert OF in seen(keeps_its_values(right))


def test_a_dtype_of_its_own_costs_the_criterion_of_dtypes_alone():
    verdicts = check("ps2.run_layer", run_layer.state_that_starts_in_float64).verdicts
    assert [each.criterion for each in verdicts if not each.passed] == ["dtype"]


def test_a_list_in_place_of_a_tensor_is_told_as_such_by_the_criterion_of_dtypes():
    verdict = check("ps2.run_layer", "dtype", partial(lambda *arguments: (right(*arguments)[0], [1, 2])))
    assert verdict.message == "final is a list of 2, not a tensor"
    verdict = check("ps7.smoothed_loss", "dtype", lambda *arguments: [1.0])  # asked for its precision, too
    assert verdict.message == "loss is a list of 1, not a tensor"


def test_a_function_that_raises_is_not_told_that_it_returned_float32():
    verdict = check("ps2.run_layer", "dtype", run_layer.state_that_starts_in_float32)
    assert "it raised RuntimeError" in verdict.message and "return" not in verdict.hint
