"""The diagnosis: wrong versions that looked right on every visible case once; each loses now, where it should."""

from course_lib.problem_sets.ps5 import diagnose
from tests.grading.caught import each_row, is_caught
from tests.problem_sets.ps5.test_caught_search import emptied


def diagnosed(every, better, candidates_for_mean):
    def diagnose(model, max_length, output, reference):
        def log_p(y):
            return sum(model[y[:i]][y[i]] for i in range(len(y)))

        outputs = {(*y, 0): log_p((*y, 0)) for y in model if every or len(y) < max_length}
        faults = {"score"} if abs(output[1] - log_p(output[0])) > 0.01 else set()
        if better(max(outputs.values()), log_p(output[0])):
            faults.add("search")
        if better(max(outputs.values()), log_p(reference)):
            mean = max(outputs[y] / len(y) for y in candidates_for_mean(outputs))
            faults.add("model" if better(mean, log_p(reference) / len(reference)) else "length")
        return faults

    return diagnose


def by_a_tenth(one, other):
    return one > other + 0.1


def by_a_thousandth(one, other):
    return one > other + 0.001


def all_of(outputs):
    return outputs


def best_of(outputs):
    return [max(outputs, key=outputs.__getitem__)]


def compared_by_words(model, max_length, output, reference):
    """Of equally good outputs the one that is found first taken for the only best one."""

    def log_p(y):
        return sum(model[y[:i]][y[i]] for i in range(len(y)))

    every = [(*y, 0) for y in model if len(y) < max_length]
    faults = {"score"} if abs(output[1] - log_p(output[0])) > 0.01 else set()
    if output[0] != max(every, key=log_p):
        faults.add("search")
    if reference != max(every, key=log_p):
        faults.add("length" if reference == max(every, key=lambda y: log_p(y) / len(y)) else "model")
    return faults


def words_of_mean_compared(model, max_length, output, reference):
    """The same of the means alone."""
    every = [(*y, 0) for y in model if len(y) < max_length]
    faults = diagnose.defined(model, max_length, output, reference)
    best = max(every, key=lambda y: sum(model[y[:i]][y[i]] for i in range(len(y))) / len(y))
    return faults - {"length"} | {"model"} if "length" in faults and reference != best else faults


def tolerant(model, max_length, output, reference):
    found = diagnose.defined(model, max_length, output, reference) - {"score"}
    log_p = sum(model[output[0][:i]][output[0][i]] for i in range(len(output[0])))
    return found | {"score"} if abs(output[1] - log_p) > 0.2 else found


def judged(model, max_length, output, reference, fault):
    """`fault` says of all outputs' log p, and the reference's, whether the model is to blame: "model", "length", None.

    The other faults are looked for as they are.
    """
    outputs = {(*y, 0): sum(model[y[:i]][w] for i, w in enumerate((*y, 0))) for y in model if len(y) < max_length}
    found = diagnose.defined(model, max_length, output, reference) - {"model", "length"}
    return found | ({fault(outputs, reference)} - {None})


def length_alone(*arguments):
    """'length' is looked for without its first condition."""

    def fault(outputs, reference):
        if all(s / len(y) <= outputs[reference] / len(reference) for y, s in outputs.items()):
            return "length"
        return "model" if max(outputs.values()) > outputs[reference] else None

    return judged(*arguments, fault)


def as_good_as_itself(*arguments):
    def fault(outputs, reference):
        if any(s >= outputs[reference] for s in outputs.values()):
            mean = outputs[reference] / len(reference)
            return "model" if any(s / len(y) > mean for y, s in outputs.items()) else "length"
        return None

    return judged(*arguments, fault)


def beaten_by_another_that_is_as_good(*arguments):
    def fault(outputs, reference):
        if not any(s >= outputs[reference] for y, s in outputs.items() if y != reference):
            return None
        mean = outputs[reference] / len(reference)
        return "model" if any(s / len(y) > mean + 1e-9 for y, s in outputs.items()) else "length"

    return judged(*arguments, fault)


def multiplied(*arguments):
    def fault(outputs, reference):
        if max(outputs.values()) == outputs[reference]:
            return None
        products = {y: s * len(y) for y, s in outputs.items()}
        return "length" if max(products.values()) == products[reference] else "model"

    return judged(*arguments, fault)


def score_of_the_reference(model, max_length, output, reference):
    found = diagnose.defined(model, max_length, output, reference) - {"score"}
    log_p = sum(model[reference[:i]][w] for i, w in enumerate(reference))
    return found | {"score"} if abs(output[1] - log_p) > 0.05 else found


def search_by_a_tenth(model, max_length, output, reference):
    """The tolerance of the score is taken for that of the search."""
    found = diagnose.defined(model, max_length, output, reference) - {"search"}
    wide = diagnosed(False, by_a_tenth, all_of)(model, max_length, output, reference)
    return found | (wide & {"search"})


def always_score(*arguments):
    return diagnose.defined(*arguments) | {"score"}


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("diagnose", compared_by_words, "search", "another that is as good"),
    ("diagnose", compared_by_words, "model", "another that is as good"),
    ("diagnose", words_of_mean_compared, "length", None),
    ("diagnose", length_alone, "length", "length without its first condition"),
    ("diagnose", as_good_as_itself, "model", "the reference better than itself"),
    ("diagnose", as_good_as_itself, "length", "the reference better than itself"),
    ("diagnose", beaten_by_another_that_is_as_good, "length", None),
    ("diagnose", multiplied, "length", "multiplied by the length"),
    ("diagnose", score_of_the_reference, "score", "the score compared with that of the reference"),
    ("diagnose", always_score, "score", None),
    ("diagnose", tolerant, "score", "a small difference taken for rounding"),
    ("diagnose", emptied(diagnose.defined), "arguments", "the model emptied"),
    ("diagnose", diagnosed(True, float.__gt__, all_of), "search", "longer outputs tried"),
    ("diagnose", search_by_a_tenth, "search", "only what is much better found"),
    ("diagnose", diagnosed(False, by_a_tenth, all_of), "model", None),
    ("diagnose", diagnosed(False, by_a_thousandth, all_of), "search", None),
    ("diagnose", diagnosed(False, by_a_thousandth, all_of), "model", None),
    ("diagnose", diagnose.small_vocabulary, "search", None),
    ("diagnose", diagnosed(False, float.__ge__, all_of), "search", "as good counted as better"),
    ("diagnose", diagnosed(False, float.__gt__, best_of), "length", "only the mean of the most probable output"),
)


@each_row("ps5", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
