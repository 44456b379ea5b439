"""The mistakes that people make in ps7.diagnose with the learning rates and the first step, each with its hint."""

from course_lib.grading.task import Misconception
from course_lib.problem_sets.ps7 import wrong_diagnose as wrong

OF_STEPS = (
    Misconception(
        "the first two rates compared",
        wrong.first_two_compared,
        "warm_up",
        "You compare the first two rates. A warm-up may rise later: compare the first with all.",
    ),
    Misconception(
        "the first and the last rate compared",
        wrong.last_compared,
        "warm_up",
        "You compare the first rate with the last. After a warm-up it may fall below the first: compare with all.",
    ),
    Misconception(
        "only rates that always fall",
        wrong.falling_only,
        "warm_up",
        "You report 'warm-up' only where the rate falls in each step. A rate that stays, or falls and rises a "
        "little, has no warm-up either.",
    ),
    Misconception(
        "more than half of the largest",
        wrong.more_than_half,
        "warm_up",
        "You report 'warm-up' where the first rate is more than half of the largest. A larger one comes later: the "
        "rate rises.",
    ),
    Misconception(
        "equal rates",
        wrong.strictly_the_largest,
        "warm_up",
        "You do not report 'warm-up' where the rate stays what it was. Then, too, none is larger than the first.",
    ),
    Misconception(
        "nearly the largest",
        wrong.nearly_the_largest,
        "warm_up",
        "You report 'warm-up' where the first rate is 95 % of the largest. A larger one comes later: the rate rises.",
    ),
    Misconception(
        "the first rate compared with a fixed number",
        wrong.fixed_rate,
        "warm_up",
        "You report 'warm-up' where the first rate is large, and not where it is small. How large rates are depends on "
        "the model: compare the first with the others.",
    ),
    Misconception(
        "compared with the largest rate",
        wrong.by_the_largest_rate,
        "correction",
        "You compare with the largest rate. `moved` is of step 1, and its rate is the first.",
    ),
    Misconception(
        "some factors alone",
        wrong.three_factors,
        "correction",
        "You report 'correction' for some betas only. Other betas give other numbers: compare with the rate itself.",
    ),
    Misconception(
        "numbers that did not move",
        wrong.mean_moved,
        "correction",
        "You count numbers that did not move. Their gradient was 0: leave the zeros out.",
    ),
    Misconception(
        "the first number alone",
        wrong.first_moved,
        "correction",
        "You look at one number of the weights. It may have had a gradient of 0, and then it stays.",
    ),
    Misconception(
        "the first tensor alone",
        wrong.first_tensor,
        "correction",
        "You look at the first tensor of the weights alone. All its gradients may have been 0.",
    ),
    Misconception(
        "the last tensor alone",
        wrong.last_tensor,
        "correction",
        "You look at the last tensor of the weights alone. All its gradients may have been 0.",
    ),
    Misconception(
        "weights moved by nearly the rate",
        wrong.coarse_correction,
        "correction",
        "You do not report 'correction' where weights move by 2 to 3 % more or less than the rate. Corrected, they "
        "move by the rate but for rounding and ϵ; else they are more than 2 % off, whatever the betas.",
    ),
    Misconception(
        "an absolute bound for the step",
        wrong.absolute_correction,
        "correction",
        "You do not report 'correction' where the rates are less than 10⁻⁶. Take the bound relative to the first rate: "
        "|moved| / rate − 1.",
    ),
    Misconception(
        "only weights that went up",
        wrong.upwards_alone,
        "correction",
        "You look at numbers above 0 alone. All weights that moved may have gone down: take abs().",
    ),
    Misconception(
        "what moved in the first tensor alone",
        wrong.first_that_moved,
        "correction",
        "You look at the first tensor alone. All its gradients may have been 0: then the others tell.",
    ),
    Misconception(
        "what moved in the first two tensors alone",
        wrong.first_two_that_moved,
        "correction",
        "You look at the first two tensors alone. All their gradients may have been 0: then the others tell.",
    ),
    Misconception(
        "what moved in the last tensor alone",
        wrong.last_that_moved,
        "correction",
        "You look at the last tensor alone. All its gradients may have been 0: then the others tell.",
    ),
    Misconception(
        "only steps that are too long",
        wrong.only_too_far,
        "correction",
        "You report 'correction' only where weights move by more than the rate. Less is as wrong: which it is "
        "depends on the betas, and on which mean is not corrected.",
    ),
    Misconception(
        "only steps that are too short",
        wrong.only_not_far_enough,
        "correction",
        "You report 'correction' only where weights move by less than the rate. More is as wrong: which it is "
        "depends on the betas, and on which mean is not corrected.",
    ),
    Misconception(
        "equal to the last bit",
        wrong.to_the_bit,
        "correction",
        "You compare exactly, by == or !=, or nearly so. Allow for rounding, and for Adam's ϵ.",
    ),
    Misconception(
        "moved by the rate to the last bit",
        wrong.exact_correction,
        "correction",
        "You report 'correction' where weights move by the rate but for ϵ. Allow for rounding, and for ϵ: up to 1 %, "
        "say.",
    ),
)
