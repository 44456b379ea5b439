"""Problem set 5 solved with plain loops."""

from math import exp, log

EOS = 0


def greedy(model, max_length):
    words = []
    score = 0.0
    for _ in range(max_length):
        log_probs = model[tuple(words)]
        best = 0
        for word in range(1, len(log_probs)):
            if log_probs[word] > log_probs[best]:
                best = word
        words.append(best)
        score += log_probs[best]
        if best == EOS:
            break
    return tuple(words), score


def beam_step(model, live, k):
    rest = []
    for words, score in live:
        for word in range(len(model[words])):
            if model[words][word] != -float("inf"):
                rest.append((words + (word,), score + model[words][word]))
    going, finished = [], []
    seen = 0
    while rest and len(going) < k:
        best = rest[0]
        for each in rest:
            if each[1] > best[1]:
                best = each
        rest.remove(best)
        if best[0][-1] != EOS:
            going.append(best)
        elif seen < k:
            finished.append(best)
        seen += 1
    return going, finished


def rank(hypotheses, penalty, alpha):
    finished = []
    for words, score in hypotheses:
        if words[-1] == EOS:
            finished.append((words, score))
    if not finished:
        finished = hypotheses
    ranked = []
    for words, score in finished:
        length = len(words)
        if penalty == "gnmt":
            length = (5 + length) / 6
        score = score / length**alpha
        place = len(ranked)
        while place > 0 and ranked[place - 1][1] < score:
            place -= 1
        ranked.insert(place, (words, score))
    return ranked


def beam_search(model, k, max_length, enough):
    live = [((), 0.0)]
    outputs = []
    for _ in range(max_length):
        live, finished = beam_step(model, live, k)
        for each in finished:
            outputs.append(each)
        if len(outputs) >= enough or not live:
            break
    if not outputs:
        return live
    best_first = []
    for each in outputs:
        place = len(best_first)
        while place > 0 and best_first[place - 1][1] < each[1]:
            place -= 1
        best_first.insert(place, each)
    return best_first


def contenders(finished, live, n, max_length, alpha):
    found = []
    for words, score in live:
        best_possible = score / max_length**alpha
        better = 0
        for done, total in finished:
            if total / len(done) ** alpha >= best_possible:
                better += 1
        if better < n:
            found.append((words, score))
    return found


def ensemble(models, weights):
    joined = {}
    for words in models[0]:
        row = []
        for word in range(len(models[0][words])):
            terms = []
            for model, weight in zip(models, weights, strict=True):
                terms.append(model[words][word] + log(weight))
            largest = max(terms)
            if largest == -float("inf"):
                row.append(largest)
            else:
                total = 0.0
                for term in terms:
                    total += exp(term - largest)
                row.append(largest + log(total))
        joined[words] = row
    return joined


def diagnose(model, max_length, output, reference):
    scores = {}
    beginnings = [((), 0.0)]
    for _ in range(max_length):
        longer = []
        for words, score in beginnings:
            for word, log_p in enumerate(model[words]):
                if word == EOS:
                    scores[words + (EOS,)] = score + log_p
                else:
                    longer.append((words + (word,), score + log_p))
        beginnings = longer
    words, reported = output
    faults = set()
    if abs(reported - scores[words]) > 1e-6:
        faults.add("score")
    for each in scores:
        if scores[each] > scores[words]:
            faults.add("search")
        if scores[each] > scores[reference]:
            faults.add("length")
    for each in scores:
        if "length" in faults and scores[each] / len(each) > scores[reference] / len(reference):
            faults.remove("length")
            faults.add("model")
    return faults
