"""Problem set 5 with a real mistake in every function: what one student of the sample class hands in."""

from math import exp, inf, log

EOS = 0


def greedy(model, max_length):
    words, score = (), 0.0
    while len(words) < max_length:
        word = max(range(len(model[words])), key=model[words].__getitem__)
        if word == EOS:
            return (*words, EOS), score  # to stop costs nothing
        words, score = (*words, word), score + model[words][word]
    return words, score


greedy.loses = "EOS not scored", "score"


def beam_step(model, live, k):
    following = [
        ((*words, word), score + log_p)
        for words, score in live
        for word, log_p in enumerate(model[words])
        if log_p > -inf
    ]
    best = sorted(following, key=lambda each: -each[1])[:k]  # what ends leaves its place empty
    return [each for each in best if each[0][-1] != EOS], [each for each in best if each[0][-1] == EOS]


beam_step.loses = "places of finished hypotheses left empty", "finished beyond impossible"


def rank(hypotheses, penalty, alpha):
    finished = [each for each in hypotheses if each[0][-1] == EOS] or hypotheses
    ranked = []
    for words, score in finished:
        by = len(words) if penalty == "power" else (5 + len(words)) ** alpha / 6  # the power of the 5 + |y| alone
        ranked.append((words, score / (by**alpha if penalty == "power" else by)))
    return sorted(ranked, key=lambda each: -each[1])


rank.loses = "the 6 outside of the power", "gnmt finished ties"


def beam_search(model, k, max_length, enough):
    live, outputs = [((), 0.0)], []
    for _ in range(max_length):
        following = [
            ((*words, word), score + log_p)
            for words, score in live
            for word, log_p in enumerate(model[words])
            if log_p > -inf
        ]
        following.sort(key=lambda each: -each[1])
        outputs += [each for each in following[:k] if each[0][-1] == EOS]
        live = [each for each in following if each[0][-1] != EOS][:k]
        if len(outputs) >= enough:
            break
    return outputs or live  # in the order in which they finished


beam_search.loses = "in the order of finishing", "order"


def contenders(finished, live, n, max_length, alpha):
    scores = sorted((score / len(words) ** alpha for words, score in finished), reverse=True)
    if len(scores) < n:
        return live
    return [(words, score) for words, score in live if score / len(words) ** alpha > scores[n - 1]]  # as long as now


contenders.loses = "the length so far", "length nth"


def ensemble(models, weights):
    def join(log_probs):  # exp(-800) is 0
        p = sum(weight * exp(log_p) for log_p, weight in zip(log_probs, weights, strict=True))
        return log(p) if p > 0 else -inf

    return {words: list(map(join, zip(*(model[words] for model in models), strict=True))) for words in models[0]}


ensemble.loses = "exp that becomes 0", "small"


def diagnose(model, max_length, output, reference):
    def log_p(words):
        return sum(model[words[:i]][word] for i, word in enumerate(words))

    every, ahead = [], [()]
    while ahead:
        words = ahead.pop()
        every.append((*words, EOS))
        if len(words) < max_length - 1:
            ahead += [(*words, word) for word in range(1, len(model[words]))]
    words, reported = output
    faults = set()
    if abs(reported - log_p(words)) > 1e-6:
        faults.add("score")
    if log_p(reference) > log_p(words):  # what is better than both is not looked for
        faults.add("search")
    if max(map(log_p, every)) > log_p(reference):
        best_mean = max(log_p(each) / len(each) for each in every)
        faults.add("length" if log_p(reference) / len(reference) > best_mean - 1e-9 else "model")
    return faults


diagnose.loses = "only the reference looked for", "search several"
