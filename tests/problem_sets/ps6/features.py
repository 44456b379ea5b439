"""What the cases of problem set 6 show."""

import torch

from course_lib.problem_sets.ps6 import diagnose
from course_lib.problem_sets.ps6.diagnose import D_K


def longer_than(words):
    return lambda x, h, real, weights, heads: x.shape[1] > words


def wrong_by(seen):
    """How far each weight (head, query, key) is from what √d_k gives."""
    return ((seen["queries"] @ seen["keys"].mT / D_K**0.5).softmax(-1) - seen["weights"]).abs()


def right_queries(which):
    """Whether weights are wrong, and right for these queries."""
    return lambda seen: bool(wrong_by(seen).max() > 0.01 > wrong_by(seen)[:, which].max())


def only_the_last_row(seen):
    """Whether the last row of the cut target alone is another one, and not one of the first two."""
    cut = seen["target cut"]
    apart = (cut - seen["outputs"][: len(cut)]).abs().amax(-1) > 0.01
    return len(cut) > 2 and apart.tolist() == [False] * (len(cut) - 1) + [True]


def others_without(fault):
    """All the other faults, and not this one."""
    return lambda seen: diagnose.defined(seen) == {*diagnose.FAULTS} - {fault}


def alone(fault):
    return lambda seen: diagnose.defined(seen) == {fault}


def scores(which):
    """A feature of scores, those that each query may look at and those that it may not."""
    return lambda Q, K, V, mask: any(
        which(e[shown], e[~shown])
        for rows, seen in zip(Q @ K.mT / Q.shape[-1] ** 0.5, mask, strict=True)
        for e, shown in zip(rows, seen, strict=True)
    )


def differ(shown):
    return len(shown) > 1 and bool(shown.sort().values.diff().min() > 1000)


def as_many_queries_as_keys(query, key, *others):
    return query.shape[:-1] == key.shape[:-1] and not torch.equal(query, key)


CRITERIA = {
    "target": "target order",
    "causal": "causal",
    "scale": "scale",
}
SECRETS = {"diagnose": 20}
FEATURES = {
    ("decoder_layer", "causal"): {"more than two words": longer_than(2), "more than four words": longer_than(4)},
    ("decoder_layer", "order"): {"more than two heads": lambda *arguments: arguments[-1] > 2},
    ("decoder_layer", "weights"): {"more than two heads": lambda *arguments: arguments[-1] > 2},
    ("encoder_layer", "attention"): {"more than two heads": lambda *arguments: arguments[-1] > 2},
    ("multi_head", "split"): {"more than three heads": lambda *arguments: arguments[-1] > 3},
    ("multi_head", "join"): {"more than three heads": lambda *arguments: arguments[-1] > 3},
    ("multi_head", "cross"): {
        "as many queries as keys": as_many_queries_as_keys,
        "more queries than keys, or fewer": lambda query, key, *others: query.shape[1] != key.shape[1],
    },
    ("embed", "batch"): {
        "one word, not the first of a text": lambda words, E, start: words.shape[1] == 1 and start > 0
    },
    ("attention", "scale"): {
        "as many queries as keys": as_many_queries_as_keys,
        "more queries than keys, or fewer": lambda Q, K, V, mask: Q.shape[1] != K.shape[1],
    },
    ("attention", "mask"): {
        "all shown scores far below 0, and different": scores(lambda shown, _: differ(shown) and shown.max() < -65504),
        "shown scores far above 0, and different": scores(lambda shown, _: differ(shown) and shown.min() > 50000),
        "hidden scores far above those shown": scores(lambda shown, hidden: hidden.max() - shown.max() > 100000),
        "rows with large and with small scores": lambda Q, K, V, mask: bool(
            ((Q @ K.mT).masked_fill(~mask, -torch.inf).amax((1, 2)) > 88).any()
            and ((Q @ K.mT).masked_fill(~mask, -torch.inf).amax((1, 2)) < 0).any()
        ),
    },
} | {
    ("diagnose", criterion): {"this fault alone": alone(fault), "all the other faults": others_without(fault)}
    for criterion, fault in CRITERIA.items()
}
FEATURES["diagnose", "causal"]["a mask that is late, in the last row of three or more"] = only_the_last_row
FEATURES["diagnose", "scale"] |= {
    "weights of the first query right, others wrong": right_queries(0),
    "weights of the last query right, others wrong": right_queries(-1),
    "weights wrong by less than 0.01 in the mean": lambda seen: bool(
        wrong_by(seen).max() > 0.01 > wrong_by(seen).mean()
    ),
}
