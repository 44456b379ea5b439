"""What the cases of problem set 9 show."""

from course_lib.problem_sets.ps9 import diagnose
from course_lib.problem_sets.ps9.minimum_risk import first_places

from .trace_features import alike, beside_large, fault, how_many, kept, largest_right, tied, wrong_gates


def twice(samples):
    """Outputs that are drawn more than once."""
    return [y for y in samples if samples.count(y) > 1]


def places(source, output, weights):
    """Where the source words of unkpos_d stand, and how many words the source has."""
    return [j - int(said[7:]) for j, said in enumerate(output) if said.startswith("unkpos_") and said[7:] != "null"]


def of_unknown(output, weights):
    """The source word, or the end, with the largest weight of each <unk>."""
    return [int(weights[j].argmax()) for j, said in enumerate(output) if said == "<unk>"]


def at(shown):
    """A feature of the places that the source words of unkpos_d have, and of the number of source words."""
    return lambda source, output, weights, _: any(shown(i, len(source)) for i in places(source, output, weights))


def spread(log_p):
    return float(log_p.max() - log_p.min())


def changed(x, W_g, noise, real, k):
    """Whether the noise changes which experts a word asks."""
    clean = x @ W_g
    return any(
        {*a.tolist()} != {*b.tolist()}
        for a, b in zip((clean + noise).topk(k).indices.flatten(0, 1), clean.topk(k).indices.flatten(0, 1), strict=True)
    )


def exponents(which):
    """α below 1, or above."""
    return lambda samples, log_p, costs, alpha: alpha < 1 if which == "below" else alpha > 1


BELOW_AND_ABOVE = {f"α {which} 1": exponents(which) for which in ("below", "above")}


def of_rewards(shown):
    """A feature of the rewards of a task."""
    return lambda log_p, lengths, rewards, baseline: all(shown(R.tolist()) for R in rewards)


REWARDS = {
    "two samples of each sentence have the same reward": of_rewards(lambda R: len({*R}) < len(R)),
    "a reward of 0": of_rewards(lambda R: 0 in R),
    "rewards above 1, and below 0": of_rewards(lambda R: min(R) < 0 and max(R) > 1),
}


SECRETS = {"diagnose": 40, "minimum_risk": 100, "pos_unk": 100, "score_function": 100}
FEATURES = {
    ("residual_stack", "second"): {
        "one sentence": lambda s, c, first, layers: len(s) == 1,
        "several sentences": lambda s, c, first, layers: len(s) > 1,
    },
    ("residual_stack", "last"): {
        "one layer": lambda s, c, first, layers: len(layers) == 1,
        "two layers": lambda s, c, first, layers: len(layers) == 2,
    },
    ("residual_stack", "deep"): {
        "three layers": lambda s, c, first, layers: len(layers) == 3,
        "four layers": lambda s, c, first, layers: len(layers) == 4,
    },
    ("pre_norm", "final"): {
        "numbers so small that ε counts": lambda x, *others: x.abs().max() < 0.1,
        "numbers of the usual size": lambda x, *others: x.abs().max() > 0.5,
    },
    ("pre_norm", "layers"): {
        "two layers": lambda x, mask, layers, final, heads: len(layers) == 2,
        "more than two layers": lambda x, mask, layers, final, heads: len(layers) > 2,
    },
    ("pre_norm", "attention"): {
        "two heads": lambda *arguments: arguments[-1] == 2,
        "more than two heads": lambda *arguments: arguments[-1] > 2,
    },
    ("layer_combination", "embedding"): {
        "a weight below 0": lambda embedding, layers, W: W[1, 0] < 0,
        "a weight above 0": lambda embedding, layers, W: W[1, 0] > 0,
    },
    ("layer_combination", "norm"): {
        "numbers so small that ε counts": lambda embedding, *others: embedding.abs().max() < 0.1,
        "numbers of the usual size": lambda embedding, *others: embedding.abs().max() > 0.5,
    },
    ("layer_combination", "gradient"): {
        "a weight of 0 among three layers": lambda embedding, layers, W: len(layers) == 3 and W[1, 0] == 0,
    },
    ("layer_combination", "deep"): {
        "three layers": lambda embedding, layers, W: len(layers) == 3,
        "four layers": lambda embedding, layers, W: len(layers) == 4,
    },
    ("top_k_gating", "gates"): {
        "a negative number among the largest, or a large one below 0": lambda x, W_g, noise, real, k: bool(
            ((x @ W_g).topk(k).indices != (x @ W_g).abs().topk(k).indices).any()
        ),
    },
    ("top_k_gating", "noise"): {"noise that changes a choice": changed},
    ("top_k_gating", "k"): {
        "one expert": lambda x, W_g, noise, real, k: k == 1,
        "all experts": lambda x, W_g, noise, real, k: k == W_g.shape[1],
        "some experts": lambda x, W_g, noise, real, k: 1 < k < W_g.shape[1],
    },
    ("top_k_gating", "padding"): {
        "padding before a real word": lambda x, W_g, noise, real, k: bool((real[:, 1:] & ~real[:, :-1]).any()),
    },
    ("top_k_gating", "balance"): {
        "an expert that no word asks": lambda x, W_g, noise, real, k: (
            len((x @ W_g + noise).topk(k).indices.unique()) < W_g.shape[1]
        ),
    },
    ("top_k_gating", "far"): {
        "numbers whose exp is infinite, and numbers whose exp is 0": lambda x, W_g, noise, real, k: bool(
            ((x @ W_g + noise) > 89).any() and ((x @ W_g + noise).amax(-1) < -104).any()
        ),
    },
    ("score_function", "none"): REWARDS
    | {
        "several words each": lambda log_p, lengths, rewards, baseline: int(lengths.min()) > 1,
        "all rewards differ": lambda log_p, lengths, rewards, baseline: len({*rewards.flatten().tolist()}) > 2,
    },
    ("score_function", "others"): REWARDS
    | {
        "three samples or more": lambda log_p, lengths, rewards, baseline: rewards.shape[1] > 2,
    },
    ("score_function", "sentences"): {
        "three sentences": lambda log_p, lengths, rewards, baseline: len(rewards) == 3,
        "two sentences": lambda log_p, lengths, rewards, baseline: len(rewards) == 2,
        "without a baseline": lambda log_p, lengths, rewards, baseline: baseline == "none",
        "with a baseline": lambda log_p, lengths, rewards, baseline: baseline == "others",
        "other numbers of samples and of words": lambda log_p, *_: len({*log_p.shape}) == 3,
    },
    ("score_function", "padding"): {
        "without a baseline": lambda log_p, lengths, rewards, baseline: baseline == "none",
        "with a baseline": lambda log_p, lengths, rewards, baseline: baseline == "others",
        "no sample of a sentence is full": lambda log_p, lengths, *_: bool(
            (lengths.amax(1) < log_p.shape[2]).any() and (lengths.amax(1) == log_p.shape[2]).any()
        ),
    },
    ("score_function", "gradient"): {
        "without a baseline": lambda log_p, lengths, rewards, baseline: baseline == "none",
        "with a baseline": lambda log_p, lengths, rewards, baseline: baseline == "others",
    },
    ("minimum_risk", "alpha"): BELOW_AND_ABOVE
    | {
        "a very small α": lambda samples, log_p, costs, alpha: alpha < 0.02 and spread(log_p) > 100,
    },
    ("minimum_risk", "risk"): BELOW_AND_ABOVE,
    ("minimum_risk", "set"): {
        "drawn twice, apart": lambda samples, *_: any(
            samples.index(y) + 1 < max(i for i, each in enumerate(samples) if each == y) for y in twice(samples)
        ),
        "the same words in another order": lambda samples, *_: (
            len({tuple(sorted(y)) for y in samples}) < len(first_places(samples))
        ),
        "other outputs that are as probable": lambda samples, log_p, *_: (
            len({*log_p.tolist()}) < len(first_places(samples))
        ),
        "three drawn twice": lambda samples, *_: len(samples) - len(first_places(samples)) == 3,
    },
    ("minimum_risk", "far"): {
        "every exp is 0": lambda samples, log_p, *_: not log_p.exp().any(),
        "far apart, the largest in the middle": lambda samples, log_p, *_: (
            spread(log_p) > 400 and 0 < int(log_p.argmax()) < len(samples) - 1
        ),
    },
    ("minimum_risk", "gradient"): BELOW_AND_ABOVE
    | {
        "an output is drawn twice": lambda samples, *_: len(twice(samples)) == 2,
    },
    ("pos_unk", "attention"): {
        "a word with unk in it": lambda source, output, *_: {"dunkel", "unklar", "unk"} <= {*output},
        "two of one word": lambda source, output, weights, _: (
            len({*of_unknown(output, weights)}) < output.count("<unk>")
        ),
        "three unknown words": lambda source, output, *_: output.count("<unk>") == 3,
        "a weight above a half": lambda source, output, weights, _: any(
            said == "<unk>" and float(row.max()) > 0.5 for said, row in zip(output, weights, strict=True)
        ),
        "no weight above a half": lambda source, output, weights, _: any(
            said == "<unk>" and float(row.max()) < 0.5 for said, row in zip(output, weights, strict=True)
        ),
    },
    ("pos_unk", "dictionary"): {
        "a word that the dictionary does not have": lambda source, output, weights, dictionary: any(
            source[i] not in dictionary for i in of_unknown(output, weights)
        ),
        "two of one word": lambda source, output, weights, _: (
            len({*of_unknown(output, weights)}) < output.count("<unk>")
        ),
        "a translation that is a key": lambda source, output, weights, dictionary: any(
            dictionary.get(source[i]) in dictionary for i in of_unknown(output, weights)
        ),
        "a known word that is a key": lambda source, output, weights, dictionary: any(y in dictionary for y in output),
    },
    ("pos_unk", "end"): {
        "the end, and a word": lambda source, output, weights, _: (
            {i == len(source) for i in of_unknown(output, weights)} == {True, False}
        ),
    },
    ("pos_unk", "position"): {
        "two for one source word": lambda source, output, *_: (
            len({*places(source, output, None)}) < len(places(source, output, None))
        ),
        "behind the length of the source": lambda source, output, *_: any(
            said.startswith("unkpos_") for said in output[len(source) :]
        ),
        "an output shorter than the source": lambda source, output, *_: len(output) < len(source),
        "two digits": lambda source, output, *_: any(said[-2:].isdigit() for said in output),
        "a word with a number behind a line": lambda source, output, *_: "Anlage_2" in output,
        "d below 0": lambda source, output, *_: any(said.startswith("unkpos_-") for said in output),
        "d of two digits below 0": lambda source, output, *_: any(
            said.startswith("unkpos_-1") and len(said) == 10 for said in output
        ),
    },
    ("pos_unk", "outside"): {
        "just before the source": at(lambda i, n: i == -1),
        "further before": at(lambda i, n: i < -1),
        "just behind it": at(lambda i, n: i == n),
        "further behind": at(lambda i, n: i > n),
        "null, and a position behind it": lambda source, output, *_: (
            "unkpos_null" in output and places(source, output[output.index("unkpos_null") :], None)
        ),
    },
    ("diagnose", "residual"): {
        "in one layer": how_many("residual", "one"),
        "in all layers": how_many("residual", "all"),
        "the sum and the length of each state are right": kept,
        "what is wrong is little beside its number": beside_large,
        "it is not there, another is": fault("norm"),
        "nothing is wrong": lambda trace: not diagnose.defined(trace),
    },
    ("diagnose", "norm"): {
        "in one layer": how_many("norm", "one"),
        "in all layers": how_many("norm", "all"),
        "it is not there, another is": fault("residual"),
        "nothing is wrong": lambda trace: not diagnose.defined(trace),
    },
    ("diagnose", "gate"): {
        "gates add to 1": lambda trace: fault("gate")(trace) and bool(abs(trace["gates"].sum(1) - 1).max() < 0.001),
        "the right gates at the wrong experts": wrong_gates,
        "gates add to less": lambda trace: fault("gate")(trace) and bool(trace["gates"].sum(1).min() < 0.99),
    },
    ("diagnose", "sign"): {
        "a wrong baseline, too": fault("sign", "baseline"),
        "a wrong baseline alone": fault("baseline"),
        "no push is above 0, and the sign is right": lambda trace: (
            fault("baseline")(trace) and bool(trace["pushes"].max() <= 0)
        ),
        "the first sentence does not tell": lambda trace: "sign" in diagnose.defined(trace) and alike(trace),
        "the first two samples do not tell": lambda trace: "sign" in diagnose.defined(trace) and tied(trace),
    },
    ("diagnose", "baseline"): {
        "a wrong sign, too": fault("sign", "baseline"),
        "a wrong sign alone": fault("sign"),
        "the first sentence does not tell": lambda trace: fault("baseline")(trace) and alike(trace),
        "the first sentence does not tell the sign": lambda trace: fault("sign")(trace) and alike(trace),
    },
    ("diagnose", "alpha"): {
        "Q adds to 1": lambda trace: fault("alpha")(trace) and bool(abs(trace["Q"].sum() - 1) < 0.001),
        "the largest Q is right": largest_right,
        "Q adds to something else": lambda trace: fault("alpha")(trace) and bool(abs(trace["Q"].sum() - 1) > 0.02),
    },
}
