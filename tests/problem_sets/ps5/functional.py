"""Problem set 5 solved with comprehensions, itertools and numpy."""

import heapq
from functools import reduce
from itertools import chain, product

import numpy as np

EOS = 0


def greedy(model, max_length):
    def step(state, _):
        words, score = state
        if words[-1:] == (EOS,):
            return state
        word = int(np.argmax(model[words]))
        return (*words, word), score + model[words][word]

    return reduce(step, range(max_length), ((), 0.0))


def beam_step(model, live, k):
    following = (
        ((*words, word), score + log_p)
        for words, score in live
        for word, log_p in enumerate(model[words])
        if np.isfinite(log_p)
    )
    best = heapq.nlargest(2 * k, following, key=lambda each: each[1])
    return [each for each in best if each[0][-1] != EOS][:k], [each for each in best[:k] if each[0][-1] == EOS]


def rank(hypotheses, penalty, alpha):
    base = {"power": lambda y: len(y), "gnmt": lambda y: (5 + len(y)) / 6}[penalty]
    divided = [(words, score / base(words) ** alpha) for words, score in hypotheses]
    finished = [each for each in divided if EOS in each[0]]
    return sorted(finished or divided, key=lambda each: each[1], reverse=True)


def beam_search(model, k, max_length, enough):
    def step(state, _):
        live, outputs = state
        if len(outputs) >= enough:
            return state
        live, finished = beam_step(model, live, k)
        return live, outputs + finished

    live, outputs = reduce(step, range(max_length), ([((), 0.0)], []))
    return sorted(outputs or live, key=lambda each: each[1], reverse=True)


def contenders(finished, live, n, max_length, alpha):
    reached = heapq.nlargest(n, (score / len(words) ** alpha for words, score in finished))
    if len(reached) < n:
        return live
    return [each for each in live if each[1] / max_length**alpha > reached[-1]]


def ensemble(models, weights):
    tables = {words: np.array([model[words] for model in models]) for words in models[0]}
    joined = {words: np.logaddexp.reduce(table + np.log(weights)[:, None], axis=0) for words, table in tables.items()}
    return {words: row.tolist() for words, row in joined.items()}


def diagnose(model, max_length, output, reference):
    def log_p(words):
        return sum(model[words[:i]][word] for i, word in enumerate(words))

    alphabet = range(1, len(model[()]))
    beginnings = chain.from_iterable(product(alphabet, repeat=length) for length in range(max_length))
    scores = {(*words, EOS): log_p((*words, EOS)) for words in beginnings}
    best = max(scores.values())
    means = {words: score / len(words) for words, score in scores.items()}
    model_fault = "length" if max(means.values()) == means[reference] else "model"
    told = {
        "score": not np.isclose(output[1], scores[output[0]], rtol=0, atol=1e-4),
        "search": best != scores[output[0]],
        model_fault: best != scores[reference],
    }
    return {fault for fault, found in told.items() if found}
