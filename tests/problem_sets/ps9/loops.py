"""Problem set 9 as most students write it: loops and lists."""


def residual_stack(numbers):  # unwritten: solve residual_stack with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def pre_norm_layer(numbers):  # unwritten: solve pre_norm_layer with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def layer_combination(numbers):  # unwritten: solve layer_combination with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def top_k_gating(numbers):  # unwritten: solve top_k_gating with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def score_function(numbers):  # unwritten: solve score_function with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def minimum_risk(numbers):  # unwritten: solve minimum_risk with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def pos_unk(numbers):  # unwritten: solve pos_unk with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def diagnose(numbers):  # unwritten: solve diagnose with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums
