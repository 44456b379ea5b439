"""ps4.alignment_error: how far attention is from an alignment by hand (Och and Ney 2003; lecture 01)."""

from course_lib import alignment
from course_lib.grading.cases.arguments import leaving
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps4 import rates as wrong
from course_lib.problem_sets.ps4.hard_alignment import hard_alignment
from course_lib.problem_sets.ps4.rates import Sentence


def reference(sentences: list[Sentence]) -> float:
    """AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), counted over all sentences; P = sure ∪ possible."""
    predicted = [wrong.linked(sentence) for sentence in sentences]
    sure, possible = ([sentence[kind] for sentence in sentences] for kind in ("sure", "possible"))
    return alignment.alignment_error_rate(predicted, sure, [s | p for s, p in zip(sure, possible, strict=True)])


TASK = Task(
    name="ps4.alignment_error",
    title="How far attention is from an alignment",
    reference=reference,
    lent=(hard_alignment,),
    criteria=(
        Criterion("sure", 0.5, "One sentence, all of whose links are sure; a float, not rounded.", wrong.draw_sure, 4),
        Criterion(
            "possible",
            1,
            "Links that are possible only: they may be found, and need not be.",
            wrong.draw_possible,
            4,
            probe=wrong.nearly,
        ),
        Criterion("corpus", 1, "Several sentences, counted together.", wrong.draw_many, 4, probe=wrong.together),
        Criterion(
            "arguments",
            0.5,
            "The sentences are afterwards as they were.",
            wrong.draw_many,
            4,
            probe=leaving("sentences"),
        ),
    ),
    misconceptions=(
        Misconception(
            "agreement in place of error",
            wrong.agreement,
            "sure",
            "Your number grows with the agreement. The error is 1 minus that.",
        ),
        Misconception(
            "each hit counted once",
            wrong.once,
            "sure",
            "A hit that is sure counts once in your sum. It counts twice, in |A ∩ S| and in |A ∩ P|: a sure link is "
            "possible, too, though `possible` does not list it.",
        ),
        Misconception(
            "recall of the sure links",
            wrong.recall_of_sure,
            "sure",
            "You return the share of sure links that were not found. Wrong links in A must cost something, too.",
        ),
        Misconception(
            "precision",
            wrong.lack_of_precision,
            "sure",
            "You return the share of A that is not possible. Sure links that were not found must cost something, too.",
        ),
        Misconception(
            "possible links required",
            wrong.possible_required,
            "possible",
            "You divide by |A| + |P|: a possible link that is not found costs something. It is |A| + |S|.",
        ),
        Misconception(
            "possible links as sure ones",
            wrong.all_sure,
            "possible",
            "You treat possible links as sure ones. They may be found, and need not be: |S| counts the sure ones.",
        ),
        Misconception(
            "possible links left out",
            wrong.sure_only,
            "possible",
            "You take a possible link for a mistake. A ∩ P counts those that are found.",
        ),
        Misconception(
            "mean of the sentences",
            wrong.mean_of_sentences,
            "corpus",
            "You take the mean of the sentences' error rates. Add up the counts of all sentences, then divide once.",
        ),
        Misconception(
            "one set of links for all sentences",
            wrong.one_set_for_all,
            "corpus",
            "You put the links of all sentences into one set: a link such as (0, 0) counts once, and that of one "
            "sentence is found in another. Count in each sentence, then add.",
        ),
        Misconception(
            "sure links added to the caller's set",
            wrong.sure_ones_added,
            "arguments",
            "You add the sure links to the caller's own set `possible`, by |= or update. Make a new set: sure | "
            "possible.",
        ),
        Misconception(
            "sentences without sure links left out",
            wrong.unsure_left_out,
            "corpus",
            "You leave out sentences that have no sure link. What the attention links there counts in |A|, and in "
            "|A ∩ P| where it is possible.",
        ),
        Misconception(
            "sentences without links by hand left out",
            wrong.unmarked_left_out,
            "corpus",
            "You leave out sentences in which people drew no link. What the attention links there counts in |A|.",
        ),
        Misconception(
            "sentences without links left out",
            wrong.empty_left_out,
            "corpus",
            "You leave out sentences in which the attention links nothing. Their sure links count in |S|.",
        ),
        Misconception(
            "rounded",
            wrong.rounded,
            "sure",
            "You round the rate to four digits. The example rounds what it prints, not what the function returns.",
        ),
        Misconception(
            "the first sentence only",
            wrong.first_sentence,
            "corpus",
            "You return the first sentence's rate: does your `return` stand within the loop?",
        ),
        Misconception(
            "the last sentence only",
            wrong.last_sentence,
            "corpus",
            "You return the last sentence's rate: are your counts set to 0 for each?",
        ),
    ),
    forbidden=(
        "course_lib.alignment.alignment_error_rate",
        "nltk.translate.metrics.alignment_error_rate",
        "nltk.translate.alignment_error_rate",
    ),
)
