"""What the cases of problem set 8 show."""

from course_lib.problem_sets.ps8 import agreement, bootstrap


def characters(text):
    return "".join(text.split())


def lengths(compare):
    """A comparison of the numbers of characters of the only hypothesis and its reference."""
    return lambda hypotheses, references, beta: compare(
        *(len(characters(each[0])) for each in (hypotheses, references))
    )


SECRETS = {"chrf": 30, "bootstrap": 30, "agreement": 30}
FEATURES = {
    ("chrf", "beta"): {
        "the hypothesis is longer": lengths(int.__gt__),
        "the reference is longer": lengths(int.__lt__),
        "β below 1": lambda hypotheses, references, beta: beta < 1,
    },
    ("chrf", "orders"): {
        "the hypothesis alone is short": lengths(lambda h, r: 0 < h < 6 <= r),
        "the reference alone is short": lengths(lambda h, r: r < 6 <= h),
        "both are short": lengths(lambda h, r: 0 < h < 6 and r < 6),
        "the hypothesis is empty": lengths(lambda h, r: h == 0),
        "nothing matches": lambda h, r, beta: h[0].strip() != "" and not {*h[0]} & {*r[0]},
    },
    ("bootstrap", "wins"): {"both are equal in a resample": lambda *given: 0 in bootstrap.defined(*given)[0]},
    ("bootstrap", "p"): {
        "equal systems": lambda a, b, drawn: a == b,
        "B is worse": lambda a, b, drawn: bootstrap.ratio(b) < bootstrap.ratio(a),
        "B is better": lambda a, b, drawn: bootstrap.ratio(b) > bootstrap.ratio(a),
    },
    ("agreement", "chance"): {"each gives points that the other does not give": agreement.only_one_gives},
    ("agreement", "kappa"): {
        "κ below 0": lambda *given: agreement.defined(*given)[2] < 0,
        "κ above 0": lambda *given: agreement.defined(*given)[2] > 0,
    },
    ("agreement", "undefined"): {
        "one number in all": lambda first, second: len({*first, *second}) == 1,
        "one number each": lambda first, second: len({*first}) == len({*second}) == 1 and first != second,
        "agreement in several numbers": lambda first, second: first == second and len({*first}) > 1,
    },
}
