"""ps8.diagnose: what is wrong with a script that computes BLEU, told from the numbers that it prints on the way."""

from functools import partial
from itertools import combinations
from random import Random

from course_lib.grading.cases.isolate import until
from course_lib.grading.declare import arguments, changing, criterion, mistake, task
from course_lib.grading.faults import ONE_FAULT_ONLY, asked, slips, the_first_alone, ways
from course_lib.grading.task import Case
from course_lib.problem_sets.ps8 import brevity_penalty, lent_bleu, reports
from course_lib.problem_sets.ps8.corpus_bleu import geometric
from course_lib.problem_sets.ps8.reports import (
    CHOICES,
    EXCLUDED,
    FAULTS,
    LIMITS,
    ORDERS,
    Report,
    counted,
    length,
    penalty,
    precisions,
    report_with,
    score,
)
from course_lib.problem_sets.ps8.tokens import FORBIDDEN


def reference(report: Report) -> set[str]:
    """The faults, named in FAULTS, of the script that printed `report`."""
    return found(report)


def found(report: Report) -> set[str]:
    """What may not do the student's work."""
    return defined(report)


# Mistakes


def hypothesis_words(report):
    return sum(map(len, report["hypotheses"]))


def exchanged(report):
    """The total is not that of the hypotheses."""
    return report["total"] != reports.totals(report["hypotheses"])


def clipping(report):
    """The counts are none that are clipped right, as they are or lower-cased."""
    return report["matched"] not in (counted(report), counted(report, fold=True))


def case(report, limits=("max", *LIMITS)):
    """The counts are those of lower-cased words, however clipped."""
    cased = report["matched"] in [counted(report, limit) for limit in ("max", *LIMITS)]
    return not cased and report["matched"] in [counted(report, limit, fold=True) for limit in limits]


def wrong_length(report, choose=CHOICES["closest"]):
    """The total is right, and r is not the sum of the closest lengths."""
    return not exchanged(report) and report["r"] != length(report, choose)


def off(name, follows, by):
    """The test whether a number is not what follows from those before it, but for so much."""
    return lambda report: abs(report[name] - follows(report)) > by


brevity = off("bp", penalty, 0.01)
wrong_score = off("score", score, 0.5)


TESTS = {
    "exchanged": exchanged,
    "clipping": clipping,
    "case": case,
    "length": wrong_length,
    "brevity": brevity,
    "score": wrong_score,
}


def defined(report, **instead):
    """The faults that TESTS find, some of them looked for `instead` in another way."""
    return {fault for fault, test in (TESTS | instead).items() if test(report)}


slip = slips(defined)
larger_totals_alone = slip("exchanged", lambda report: report["total"][0] > hypothesis_words(report))(
    "You report 'exchanged' only where the total is larger than that of the hypotheses. References may be the shorter "
    "ones."
)
smaller_totals_alone = slip("exchanged", lambda report: report["total"][0] < hypothesis_words(report))(
    "You report 'exchanged' only where the total is smaller than that of the hypotheses. References may be the longer "
    "ones."
)
r_compared_with_the_hypotheses = slip("exchanged", lambda report: report["r"] == hypothesis_words(report))(
    "You report 'exchanged' where r is the number of words of the hypotheses. So it is, too, where references are as "
    "long as these: look at `total`."
)


def of_the_references(report):
    return report["total"] != reports.totals([each[0] for each in report["references"]])


the_total_of_the_references_wanted = slip("exchanged", of_the_references)(
    "You compare `total` with the n-grams of the references. The n-grams of the hypotheses are counted there."
)
the_total_of_the_references_found = slip(
    "exchanged",
    lambda report: report["total"] == reports.totals([text for each in report["references"] for text in each]),
)(
    "You report 'exchanged' where `total` is what the references give. So it is, too, where the hypotheses are as long "
    "as these: compare with what the hypotheses give."
)
any_larger_count_is_clipping = slip(
    "clipping", lambda report: any(m > right for m, right in zip(report["matched"], counted(report), strict=True))
)(
    "You report 'clipping' where counts are larger than the right ones, also where this comes from lower-casing alone. "
    "Compare with the clipped counts of lower-cased words, too."
)


def first_reference(report):
    return report | {"references": [each[:1] for each in report["references"]]}


the_limit_of_the_first_reference = slip(
    "clipping",
    lambda report: report["matched"] not in [counted(first_reference(report), fold=fold) for fold in (False, True)],
)("You clip by the first reference alone, and report 'clipping' where another one has an n-gram more often.")
only_counts_without_a_limit = slip(
    "clipping",
    lambda report: clipping(report) and report["matched"] in [counted(report, "none", fold) for fold in (False, True)],
)("You find 'clipping' only where nothing limits the counts. They may also be limited by the sum of all references.")
only_counts_limited_by_the_sum = slip(
    "clipping",
    lambda report: clipping(report) and report["matched"] in [counted(report, "sum", fold) for fold in (False, True)],
)("You find 'clipping' only where the sum of all references limits the counts. It may also be that nothing does.")


def of_words_and_pairs(report):
    return report["matched"][:2] not in (counted(report)[:2], counted(report, fold=True)[:2])


words_and_pairs_compared = slip("clipping", of_words_and_pairs)(
    "You compare the counts of single words alone, or of words and pairs. They may be right where longer n-grams are "
    "not clipped: compare all four."
)
the_sum_where_it_is_right = slip(
    "clipping",
    lambda report: report["matched"] in [counted(report, limit, fold) for limit in LIMITS for fold in (False, True)],
)(
    "You report 'clipping' where the counts are those of the sum of all references, also where that is right: with one "
    "reference for each sentence. Look first whether right counts explain what is printed."
)
any_larger_count_is_case = slip(
    "case", lambda report: any(m > right for m, right in zip(report["matched"], counted(report), strict=True))
)(
    "You report 'case' where counts are larger than the right ones, also where this comes from clipping alone. "
    "Lower-case the words, count, and compare."
)
lower_case_with_right_clipping_alone = slip("case", partial(case, limits=("max",)))(
    "You do not find 'case' where clipping is wrong, too. Try both together: lower-cased words, counted without the "
    "limit."
)
lower_case_without_the_sum = slip("case", partial(case, limits=("max", "none")))(
    "You do not find 'case' where the counts are limited by the sum of all references, too. Try every way of counting "
    "with lower-cased words."
)


def capitals(report):
    return any(word != word.lower() for each in report["hypotheses"] for word in each)


capital_letters_in_the_hypotheses = slip("case", capitals)(
    "You report 'case' where hypotheses have capital letters: all have some. What counts is whether the script matched "
    "them with small ones."
)


def other_length(name):
    return slip("length", partial(wrong_length, choose=CHOICES[name]))(
        f"You take the {name} reference of each sentence for right. It is the one whose length is closest."
    )


the_shortest_reference, the_longest_reference, the_first_reference = map(other_length, ("shortest", "longest", "first"))
the_longer_of_equally_close_ones = slip(
    "length", partial(wrong_length, choose=lambda c, others: min(others, key=lambda r: (abs(r - c), -r)))
)("Of two references that are equally close you take the longer one. The shorter one counts.")
the_first_of_equally_close_ones = slip(
    "length", partial(wrong_length, choose=lambda c, others: min(others, key=lambda r: abs(r - c)))
)("Of two references that are equally close you take the first one. The shorter one counts.")
exchanged_arguments_not_asked_for = slip("length", lambda report: report["r"] != length(report))(
    "You report 'length' where hypotheses and references are exchanged. This explains r already: then it is the number "
    "of words of the hypotheses."
)
only_known_lengths = slip(
    "length",
    lambda report: (
        wrong_length(report)
        and report["r"] in [length(report, CHOICES[name]) for name in ("shortest", "longest", "first")]
    ),
)(
    "You find 'length' only where r is the sum of the shortest, the longest or the first references. It may be any "
    "other sum."
)
larger_lengths_alone = slip("length", lambda report: wrong_length(report) and report["r"] > length(report))(
    "You report 'length' only where r is too large. Too small is as wrong."
)


def right_penalty(report):
    return brevity_penalty.penalty(hypothesis_words(report), length(report))


the_right_penalty_wanted = slip("brevity", off("bp", right_penalty, 0.01))(
    "You compare `bp` with the penalty of the right lengths. Where `r` or `total` is wrong, `bp` may be right all the "
    "same: does it follow from the numbers that are printed?"
)
the_words_of_the_hypotheses_as_c = slip(
    "brevity", off("bp", lambda report: brevity_penalty.penalty(hypothesis_words(report), report["r"]), 0.01)
)(
    "Your c is the number of words of the hypotheses. Where they are exchanged with the references, the script has "
    "another c: the first number of `total`."
)
only_penalties_that_are_too_large = slip("brevity", lambda report: report["bp"] - penalty(report) > 0.01)(
    "You report 'brevity' only where `bp` is too large. Too small is as wrong."
)
only_penalties_that_are_too_small = slip("brevity", lambda report: penalty(report) - report["bp"] > 0.01)(
    "You report 'brevity' only where `bp` is too small. Too large is as wrong."
)
only_a_missing_penalty = slip("brevity", lambda report: brevity(report) and report["bp"] == 1.0)(
    "You find 'brevity' only where `bp` is 1. It may be any number that does not follow from the lengths."
)
bound_too_wide_for_the_penalty = slip("brevity", off("bp", penalty, 0.05))(
    "You do not find 'brevity' where `bp` is off by less than 0.05. More than 0.02 is a fault."
)


def right_score(report):
    p = [m / t for m, t in zip(counted(report), reports.totals(report["hypotheses"]), strict=True)]
    return 100 * right_penalty(report) * geometric(p)


the_right_score_wanted = slip("score", off("score", right_score, 0.5))(
    "You compare `score` with the right BLEU of the sentences. Where a number before it is wrong, it may be right all "
    "the same: does it follow from the numbers that are printed?"
)


def score_by_own_penalty(report):
    return 100 * penalty(report) * geometric(precisions(report))


the_penalty_not_the_printed_one = slip("score", off("score", score_by_own_penalty, 0.5))(
    "You compute the brevity penalty anew. Where `bp` is wrong, `score` may follow from it all the same: take the one "
    "that is printed."
)
only_scores_that_are_too_high = slip("score", lambda report: report["score"] - score(report) > 0.5)(
    "You report 'score' only where it is too high. Too low is as wrong."
)
only_scores_that_are_too_low = slip("score", lambda report: score(report) - report["score"] > 0.5)(
    "You report 'score' only where it is too low. Too high is as wrong."
)
bound_too_wide_for_the_score = slip("score", off("score", score, 3.0))(
    "You do not find 'score' where it is off by less than 3. More than 1 is a fault."
)


def among_left_out(report):
    p = precisions(report)
    left_out = [100 * report["bp"] * geometric(p[: n - 1] + p[n:]) for n in ORDERS]
    return any(abs(report["score"] - each) < 0.01 for each in left_out)


only_orders_left_out = slip("score", lambda report: wrong_score(report) and among_left_out(report))(
    "You find 'score' only where an order is left out. It may be any number that does not follow: the mean of the "
    "sentences' scores, say."
)


one_fault_only = mistake("several", ONE_FAULT_ONLY)(the_first_alone(defined, FAULTS))


@changing("arguments", defined)
def words_lower_cased_in_place(report):
    """You lower-case the words in the lists that you are given. They belong to the caller: make new lists."""
    for sentence in report["hypotheses"]:
        sentence[:] = map(str.lower, sentence)


@changing("arguments", defined)
def exchanged_back_in_place(report):
    """You write into the report that you are given. It belongs to the caller: report | {…} makes a new one."""
    if exchanged(report):
        hypotheses, references = report["hypotheses"], [each[0] for each in report["references"]]
        report |= {"hypotheses": references, "references": [[each] for each in hypotheses]}


@changing("arguments", defined)
def references_sorted_in_place(report):
    """You sort the lists of references that you are given. They belong to the caller: sorted(…) makes a new one."""
    for each in report["references"]:
        each.sort(key=len)


# Cases: of each fault, those that show one wrong test each, in turn

SEVERAL = [
    faults
    for count in (2, 3)
    for faults in combinations(FAULTS, count)
    if not any(each <= set(faults) for each in EXCLUDED)
]


def made(report: Report) -> Case:
    several = max(map(len, report["references"]))
    each = f"up to {several} references each" if several > 1 else "1 reference each"
    return Case((report,), f"a report on {len(report['hypotheses'])} sentences, {each}")


WIDE = partial(defined, score=off("score", score, 1.3))  # a wrong score is off by more than 1
there, absent = ways(defined, made, lambda rng, fault, faults, **options: (report_with(rng, faults, **options),))


def draw_several(rng: Random, size: int) -> Case:
    """Every two faults that can be there together, then every three."""
    return made(report_with(rng, {*SEVERAL[size % len(SEVERAL)]}))


def draw_arguments(rng: Random, size: int) -> Case:
    """Exchanged arguments in lower case, and counts without a limit, of references in no order of length."""
    if size % 2 == 0:
        return made(report_with(rng, {"exchanged", "case"}))
    return made(*until(lambda: (report_with(rng, {"clipping"}, several=True),), in_no_order))


def in_no_order(report: Report) -> bool:
    return any(each != sorted(each, key=len) for each in report["references"])


TASK = task(
    __name__,
    "What is wrong with this BLEU?",
    criteria=(
        asked(
            "exchanged",
            "`total` counts the n-grams of the references.",
            "It is not there where `total` counts the n-grams of the hypotheses.",
        )(
            there(smaller_totals_alone),
            absent(r_compared_with_the_hypotheses, several=True),
            there(larger_totals_alone),
            absent(the_total_of_the_references_found, several=False),
            absent(the_total_of_the_references_wanted, others=("length",)),
        ),
        asked(
            "clipping",
            "the counts are not limited by one reference.",
            "It is not there where the counts are clipped by the largest count of one reference, lower-cased or not.",
        )(
            there(only_counts_limited_by_the_sum, how={"clipping": "none"}, several=True),
            absent(any_larger_count_is_clipping, others=("case",)),
            there(only_counts_without_a_limit, how={"clipping": "sum"}),
            absent(the_limit_of_the_first_reference, several=True),
            there(words_and_pairs_compared, gram=True),
            absent(the_sum_where_it_is_right, several=False),
            there(how={"clipping": "none"}, several=False),
            absent(),
        ),
        asked(
            "case",
            "words are matched in lower case.",
            "It is not there where counts of the words as they are explain `matched`.",
        )(
            there(),
            absent(any_larger_count_is_case, capital_letters_in_the_hypotheses, others=("clipping",)),
            there(lower_case_with_right_clipping_alone, others=("clipping",), how={"clipping": "none"}),
            absent(capital_letters_in_the_hypotheses),
            there(lower_case_without_the_sum, others=("clipping",), how={"clipping": "sum"}),
        ),
        asked(
            "length",
            "r is not the sum of the closest lengths.",
            "It is not there where r is the sum of the closest lengths.",
        )(
            there(larger_lengths_alone, how={"length": "shortest"}),
            absent(the_shortest_reference, the_longest_reference, several=True),
            there(only_known_lengths, how={"length": "last"}),
            absent(the_first_reference, several=True),
            there(the_first_reference, how={"length": "first"}),
            absent(the_longer_of_equally_close_ones, several=True),
            there(the_shortest_reference, how={"length": "shortest"}),
            absent(the_first_of_equally_close_ones, several=True),
            there(the_longest_reference, how={"length": "longest"}),
            absent(exchanged_arguments_not_asked_for, others=("exchanged",)),
        ),
        asked(
            "brevity",
            "`bp` does not follow from the lengths that are printed.",
            "Compute the penalty of c, the first of `total`, and r; allow for four decimals.",
        )(
            there(only_a_missing_penalty, how={"brevity": "mean"}),
            absent(the_right_penalty_wanted, others=("length",)),
            there(only_penalties_that_are_too_small, how={"brevity": "none"}),
            absent(the_right_penalty_wanted, others=("exchanged",)),
            absent(the_words_of_the_hypotheses_as_c, others=("exchanged",)),
            there(only_penalties_that_are_too_large),
            absent(),
            there(bound_too_wide_for_the_penalty),
            there(only_penalties_that_are_too_small, how={"brevity": "ratio"}),
        ),
        asked(
            "score",
            "the score does not follow from the numbers that are printed.",
            "Compute 100 · bp · the fourth root of the product of matched / total; allow for two decimals.",
        )(
            there(only_orders_left_out, how={"score": "mean"}),
            absent(the_right_score_wanted, others=("clipping",)),
            there(only_scores_that_are_too_low),
            absent(the_penalty_not_the_printed_one, others=("brevity",)),
            there(only_scores_that_are_too_high),
            absent(),
            there(bound_too_wide_for_the_score),
            there(WIDE),
            *(there(how={"score": f"without {n}"}) for n in ORDERS),
        ),
        criterion("several", 1, draw_several, visible=len(SEVERAL), graded=len(SEVERAL))("Several faults at once."),
        arguments(0.5, draw_arguments, visible=2, graded=2)("The report is afterwards as it was."),
    ),
    lent=(lent_bleu.modified_precision, lent_bleu.brevity_penalty),
    forbidden=(*FORBIDDEN, f"{__name__}.found"),
)
