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


def score_function(log_p, lengths, rewards, baseline):
    R = rewards.detach()
    total = 0.0
    for i in range(len(R)):
        m = len(R[i])
        for j in range(m):
            b = 0.0
            if baseline == "others":
                for k in range(m):
                    if k != j:
                        b = b + R[i, k] / (m - 1)
            log_py = 0.0
            for t in range(lengths[i, j]):
                log_py = log_py + log_p[i, j, t]
            total = total - (R[i, j] - b) * log_py
    return total / R.numel()


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
