"""What the cases of problem set 9 show."""

from course_lib.problem_sets.ps9.minimum_risk import first_places


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


FEATURES = {
    ("score_function", "none"): {
        "several words each": lambda log_p, lengths, rewards, baseline: int(lengths.min()) > 1,
        "all rewards differ": lambda log_p, lengths, rewards, baseline: len({*rewards.flatten().tolist()}) > 2,
    },
    ("score_function", "others"): {
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
    ("minimum_risk", "alpha"): {
        "α above 1, or below": lambda samples, log_p, costs, alpha: alpha != 1,
        "a very small α": lambda samples, log_p, costs, alpha: alpha < 0.02 and spread(log_p) > 100,
    },
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
            spread(log_p) > 500 and 0 < int(log_p.argmax()) < len(samples) - 1
        ),
    },
    ("minimum_risk", "gradient"): {
        "no output is drawn twice": lambda samples, *_: not twice(samples),
        "α is not 1": lambda samples, log_p, costs, alpha: alpha != 1,
    },
    ("pos_unk", "attention"): {
        "a word with unk in it": lambda source, output, *_: "dunkel" in output and "unklar" in output,
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
        "two digits": lambda source, output, *_: any(said[-2:].isdigit() for said in output),
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
        "null": lambda source, output, *_: "unkpos_null" in output,
    },
}
