"""What the cases of problem set 3 show."""

from course_lib.problem_sets.ps3 import diagnose, sequence_loss, training_step


def turned(x):
    return x[::-1]


def stands_in_front(run):
    """The word at the changed place of `base` (0) or `changed` (1) stands in front of it, too."""

    def shown(*runs):
        k, target = diagnose.place(*runs[:2]), runs[run]["target"]
        return target.index(target[k]) < k

    return shown


def fault(name):
    test = diagnose.TESTS[name]
    return {f"{name} is there": test, f"{name} is not there": lambda *given: not test(*given)}


def loss_off_by(sign):
    """A reported loss that is too large (1) or too small (−1)."""
    return lambda *given: sign * (given[-1]["loss"] - diagnose.loss_of(given[-1])) > diagnose.SAME


def last_bits(one, other):
    """Equal but for rounding, in some row."""
    same = ((one - other).abs().amax(1) < diagnose.SAME) & (one != other).any(1)
    return bool(same.any())


def empty_target(pairs, *rest):
    return any(not y for _, y in pairs)


def log_losses(logits, target):
    """−log p at every place, padding included."""
    return -logits.log_softmax(2).gather(2, target[..., None]).squeeze(2)


def certain_word(logits, target, lengths):
    losses = log_losses(logits, target)
    return bool((losses == 0)[sequence_loss.real(target, lengths)].any())


def norm(pairs, weights, bos, eos, *rest):
    return training_step.norm_of(training_step.gradients_of(pairs, weights, bos, eos)[2])


def one_number_cut_off(pairs, weights, bos, eos, rate, max_norm):
    gradients = training_step.gradients_of(pairs, weights, bos, eos)[2]
    return bool(training_step.largest(gradients) > max_norm)


def an_epsilon_shows(pairs, weights, bos, eos, rate, max_norm):
    gradients = training_step.gradients_of(pairs, weights, bos, eos)[2]
    return training_step.shown(gradients, training_step.flat(weights), rate, max_norm)


def alike_in(run, number):
    """Some row of the run (1: `changed`, 2: `other`) differs, and the `number`(base, row) of it does not."""

    def shown(*runs):
        base, other = runs[0]["log_p"], runs[run]["log_p"]
        rows = (base - other).abs().amax(1) > diagnose.SAME
        return any(base[i, n] == other[i, n] for i in rows.nonzero()[:, 0] for n in [number(runs[0], i)])

    return shown


def one_number(run):
    return {
        "a row differs, and not in its target word": alike_in(run, lambda base, i: base["target"][i]),
        "a row differs, and not in word 0": alike_in(run, lambda base, i: 0),
    }


def apart_in_sum(run):
    """Whether the rows of the run (1: `changed`, 2: `other`) differ, and what they add up to does not."""

    def shown(*runs):
        base, other = runs[0]["log_p"], runs[run]["log_p"]
        return bool((base != other).any()) and bool((base.sum(1) - other.sum(1)).abs().max() < diagnose.SAME)

    return {"rows differ, and not in their sums": shown}


def sources(alike):
    def shown(base, changed, other, report):
        not_read = diagnose.TESTS["source"](base, changed, other, report)
        return not_read and (len(base["source"]) == len(other["source"])) == alike

    return shown


FEATURES = {
    ("sequence_loss", "gradient"): {"infinite logits": lambda logits, *rest: bool(logits.isinf().any())},
    ("sequence_loss", "per_word"): {
        "a certain word": certain_word,
        "several sentences of one word": lambda logits, *rest: len(logits) > 1 == logits.shape[1],
    },
    ("decoder_step", "word"): {
        "the first word": lambda previous, *rest: 0 in previous,
        "the last word": lambda previous, s, c, weights: len(weights["E"]) - 1 in previous,
    },
    ("decoder_step", "logits"): {
        "a state as wide as an embedding": lambda previous, s, c, weights: s.shape[1] == weights["E"].shape[1],
        "a state of another width": lambda previous, s, c, weights: s.shape[1] != weights["E"].shape[1],
    },
    ("decoder_step", "summary"): {"as wide as the state": lambda previous, s, c, weights: s.shape == c.shape},
    ("training_step", "loss"): {"an empty target": empty_target},
    ("training_step", "step"): {
        "rate · norm is more than max_norm": lambda *given: given[4] * norm(*given) > given[5],
        "a norm of almost max_norm": lambda *given: norm(*given) > 0.8 * given[5],
    },
    ("training_step", "clipped"): {
        "rate · norm is less than max_norm": lambda *given: given[4] * norm(*given) < given[5],
        "a norm of little more than max_norm": lambda *given: norm(*given) < 1.3 * given[5],
        "a number of more than max_norm": one_number_cut_off,
        "a norm that is too large by 1/1000 shows": an_epsilon_shows,
    },
    ("forced_scores", "start"): {
        "a source that is the same from its end": lambda pairs, *rest: pairs[0][0] == turned(pairs[0][0])
    },
    ("forced_scores", "batch"): {
        "a source that is another from its end": lambda pairs, *rest: any(x != turned(x) for x, _ in pairs),
        "an empty target": empty_target,
        "targets of several lengths": lambda pairs, *rest: len({len(y) for _, y in pairs}) > 1,
        "sides in no order": lambda pairs, *rest: all(
            sorted(n) != n != sorted(n, reverse=True) for n in ([len(pair[side]) for pair in pairs] for side in (0, 1))
        ),
        "word 0 in a source and in a target": lambda pairs, *rest: all(
            any(0 in pair[side] for pair in pairs) for side in (0, 1)
        ),
    },
    ("diagnose", "shift"): fault("shift")
    | one_number(1)
    | apart_in_sum(1)
    | {
        "the word that was there stands in front, too": stands_in_front(0),
        "the word that is there now stands in front, too": stands_in_front(1),
        "rounding in front of the change": lambda base, changed, *rest: last_bits(base["log_p"], changed["log_p"]),
    },
    ("diagnose", "own_words"): fault("own words"),
    ("diagnose", "memory"): fault("memory") | one_number(1) | {"own words": diagnose.TESTS["own words"]},
    ("diagnose", "source"): fault("source")
    | one_number(2)
    | apart_in_sum(2)
    | {
        "another source of the same length, not read": sources(True),
        "another source of another length, not read": sources(False),
        "no rounding, and the source is not read": lambda base, changed, other, report: bool(
            (base["log_p"] == other["log_p"]).all()
        ),
        "rounding, and the source is not read": lambda base, changed, other, report: (
            diagnose.TESTS["source"](base, changed, other, report) and bool((base["log_p"] != other["log_p"]).any())
        ),
    },
    ("diagnose", "loss"): fault("loss") | {"too large": loss_off_by(1), "too small": loss_off_by(-1)},
}
SECRETS = {"diagnose": 50, "training_step": 50}  # a case is a network that is run several times
