"""Exercises of problem set 8 solved with as many of the earlier ones as can be."""


def chrf(hypotheses, references, beta):
    precisions, recalls = [], []
    pairs = [("".join(h.split()), "".join(r.split())) for h, r in zip(hypotheses, references, strict=True)]
    for n in range(1, 7):
        matched = [modified_precision([*h], [[*r]], n) for h, r in pairs]
        m, ours = (sum(each) for each in zip(*matched, strict=True))
        theirs = sum(modified_precision([*r], [[*h]], n)[1] for h, r in pairs)
        if ours and theirs:
            precisions.append(m / ours)
            recalls.append(m / theirs)
    if not sum(precisions):
        return 0.0
    P, R = (sum(each) / len(each) for each in (precisions, recalls))
    return 100 * (1 + beta**2) * P * R / (beta**2 * P + R)
