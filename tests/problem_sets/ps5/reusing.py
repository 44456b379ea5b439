"""Exercises of problem set 5 solved with as many of the earlier ones as can be."""

import math

EOS = 0


def beam_search(model, k, max_length, enough):
    live, outputs, length = [((), 0.0)], [], 0
    while live and length < max_length and len(outputs) < enough:
        live, finished = beam_step(model, live, k)
        outputs, length = outputs + finished, length + 1
    return rank(live + outputs, "power", 0)


def contenders(finished, live, n, max_length, alpha):
    if len(finished) < n:
        return live
    _, least = rank(finished, "power", alpha)[n - 1]
    return [(words, score) for words, score in live if score / max_length**alpha > least]


def diagnose(model, max_length, output, reference):
    every = beam_search(model, 10**9, max_length, math.inf)
    (_, best), (_, best_mean) = every[0], rank(every, "power", 1)[0]
    log_p = dict(every)
    faults = set()
    if abs(log_p[output[0]] - output[1]) > 0.05:
        faults.add("score")
    if best > log_p[output[0]]:
        faults.add("search")
    if best > log_p[reference]:
        faults.add("model" if best_mean > log_p[reference] / len(reference) + 1e-9 else "length")
    return faults
