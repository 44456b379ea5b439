"""Problem set 9 with expressions and the standard library, without assignments."""


def residual_stack(numbers):  # unwritten: solve residual_stack without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def pre_norm_layer(numbers):  # unwritten: solve pre_norm_layer without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def layer_combination(numbers):  # unwritten: solve layer_combination without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def top_k_gating(numbers):  # unwritten: solve top_k_gating without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def score_function(numbers):  # unwritten: solve score_function without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def minimum_risk(numbers):  # unwritten: solve minimum_risk without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def pos_unk(numbers):  # unwritten: solve pos_unk without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def diagnose(numbers):  # unwritten: solve diagnose without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]
