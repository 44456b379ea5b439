"""What the cases of problem set 6 show."""

import torch

from course_lib.problem_sets.ps6 import diagnose, runs
from course_lib.problem_sets.ps6.runs import D_K


def longer_than(words):
    return lambda x, h, real, weights, heads: x.shape[1] > words


def wrong_by(seen):
    """How far each weight (head, query, key) is from what √d_k gives."""
    return ((seen["queries"] @ seen["keys"].mT / D_K**0.5).softmax(-1) - seen["weights"]).abs()


def right_queries(which):
    """Whether weights are wrong, and right for these queries."""
    return lambda seen: bool(wrong_by(seen).max() > 0.01 > wrong_by(seen)[:, which].max())


def right_keys(which):
    """Whether weights are wrong, and right for this key."""
    return lambda seen: bool(wrong_by(seen).max() > 0.01 and wrong_by(seen)[:, :, which].max() < 1e-9)


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


def wider(one, other, weights):
    return weights[one].shape[1] > weights[other].shape[1]


def little(fault):
    """Whether the outputs, or their rows that tell of this fault, change by less than 0.02."""
    return lambda seen: 0.01 < runs.change(seen, runs.CHANGES[fault]).max() < 0.02


def one_way(fault, sign):
    """Whether all changes of the run that tells of this fault are rises (1), or falls (-1), of more than 0.01."""

    def there(seen):
        changes = sign * runs.difference(seen, runs.CHANGES[fault])
        return bool((changes > -1e-6).all() and (changes > 0.01).any())

    return there


def a_number_kept(fault):
    """Whether each row that tells of this fault changes, but for a number that stays."""

    def there(seen):
        changes = runs.difference(seen, runs.CHANGES[fault]).abs()
        return bool((changes.amax(-1) > 0.01).all() and (changes.amax(0) < 1e-6).any())

    return there


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
        "d_v larger than d_k": lambda *arguments: wider("W_V", "W_K", arguments[-2]),
        "d_k larger than d_v": lambda *arguments: wider("W_K", "W_V", arguments[-2]),
    },
    ("multi_head", "mask"): {
        "as many sentences as heads, whose masks differ": lambda query, key, value, mask, weights, heads: (
            len(mask) == heads and not torch.equal(mask[0], mask[1])
        ),
        "more sentences than heads, or fewer": lambda query, key, value, mask, weights, heads: len(mask) != heads,
    },
    ("embed", "batch"): {
        "one word, not the first of a text": lambda words, E, start: words.shape[1] == 1 and start > 0
    },
    ("attention", "scale"): {
        "as many queries as keys": as_many_queries_as_keys,
        "more queries than keys, or fewer": lambda Q, K, V, mask: Q.shape[1] != K.shape[1],
    },
    ("attention", "heads"): {
        "as many heads as sentences, whose masks differ": lambda Q, K, V, mask: (
            Q.shape[0] == Q.shape[1] and not torch.equal(mask[0], mask[1])
        ),
        "more heads than sentences, or fewer": lambda Q, K, V, mask: Q.shape[0] != Q.shape[1],
    },
    ("attention", "context"): {"values as wide as keys": lambda Q, K, V, mask: K.shape == V.shape},
    ("attention", "mask"): {
        "a square mask that is another one when turned": lambda Q, K, V, mask: (
            mask.shape[1] == mask.shape[2] and not torch.equal(mask, mask.mT)
        ),
        "shown scores of −100 000, all of them": scores(lambda shown, _: bool((shown == -100_000).all())),
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
for criterion, fault in (CRITERIA | {"source": "source order", "padding": "padding"}).items():
    if fault in runs.CHANGES:
        FEATURES.setdefault(("diagnose", criterion), {})["a change of 0.01 to 0.02"] = little(fault)
for criterion, fault, sign in ("source", "source order", -1), ("target", "target order", 1):
    FEATURES["diagnose", criterion][f"a change in the direction {sign} only"] = one_way(fault, sign)
    FEATURES["diagnose", criterion]["a number that does not change, and others that do"] = a_number_kept(fault)
FEATURES["diagnose", "padding"]["a number that does not change, and others that do"] = a_number_kept("padding")
FEATURES["diagnose", "causal"]["a mask that is late, in the last row of three or more"] = only_the_last_row
FEATURES["diagnose", "scale"] |= {
    "weights of the first query right, others wrong": right_queries(0),
    "weights of the last query right, others wrong": right_queries(-1),
    "weights of the first key right, others wrong": right_keys(0),
    "weights of the last key right, others wrong": right_keys(-1),
    "weights wrong by 0.01 to 0.02": lambda seen: 0.01 < wrong_by(seen).max() < 0.02,
    "d_k that is not d_model / heads": lambda seen: (
        seen["queries"].shape[-1] != seen["outputs"].shape[-1] / len(seen["queries"])
    ),
    "weights wrong by less than 0.01 in the mean": lambda seen: bool(
        wrong_by(seen).max() > 0.01 > wrong_by(seen).mean()
    ),
}
