"""The mistakes that people make in ps7.adam_step, each with its hint."""

from course_lib.grading.cases import unfit
from course_lib.grading.task import Misconception
from course_lib.problem_sets.ps7 import wrong_adam_step as wrong

SEVERAL_AGES = (
    "You correct a weight with the t of another one. Each counts its own steps: those in which it had a gradient."
)
MISTAKES = (
    Misconception("upwards", wrong.upwards, "first", "You add the step: the loss grows. Subtract it."),
    Misconception(
        "minus the gradient in m",
        wrong.sign_of_the_gradient,
        "means",
        "Your m takes the gradient with a minus: β_1 m − (1 − β_1) g. A mean adds: β_1 m + (1 − β_1) g. With the "
        "minus the first step goes uphill.",
    ),
    Misconception(
        "no bias correction",
        wrong.not_corrected,
        "first",
        "You do not correct m and v. They start at 0 and are too small at first: divide by 1 − β^t.",
    ),
    Misconception(
        "m not corrected",
        wrong.m_not_corrected,
        "first",
        "You correct v alone. m, too, starts at 0 and is too small at first.",
    ),
    Misconception(
        "v not corrected",
        wrong.v_not_corrected,
        "first",
        "You correct m alone. v, too, starts at 0 and is too small at first.",
    ),
    Misconception(
        "corrected with the old t",
        wrong.one_step_behind,
        "first",
        "You correct with the number of steps before this one: in the first step that divides by 0. Count this "
        "step, too.",
    ),
    Misconception(
        "one step too many counted",
        wrong.one_step_ahead,
        "first",
        "You correct with t + 1 where t counts this step already: the first step has t = 1.",
    ),
    Misconception(
        "multiplied by the correction",
        wrong.multiplied,
        "first",
        "You multiply by 1 − β^t: m and v become smaller still. Divide by it.",
    ),
    Misconception(
        "β times t",
        wrong.product_for_power,
        "later",
        "You correct by 1 − β · t. It is 1 − β^t, a power.",
    ),
    Misconception(
        "always corrected as in the first step",
        wrong.always_the_first_step,
        "later",
        "You divide by 1 − β in every step. Divide by 1 − β^t: the correction wears off.",
    ),
    Misconception(
        "corrected means kept",
        wrong.corrected_ones_kept,
        "means",
        "You keep the corrected m̂ and v̂ for the next step: they are corrected again there. Keep m and v.",
    ),
    Misconception(
        "β and 1 − β exchanged",
        wrong.shares_exchanged,
        "means",
        "You give β to the new gradient and 1 − β to the old mean. The old mean keeps β.",
    ),
    Misconception("1 − β_1 forgotten", wrong.left_out_in_m, "means", "Your m is β_1 m + g. g has the share 1 − β_1."),
    Misconception("1 − β_2 forgotten", wrong.left_out_in_v, "means", "Your v is β_2 v + g². g² has the share 1 − β_2."),
    Misconception(
        "1 − β forgotten",
        wrong.left_out_in_both,
        "means",
        "You add g and g² as they are. They have the shares 1 − β_1 and 1 − β_2.",
    ),
    Misconception(
        "β_1 and β_2 exchanged",
        wrong.betas_exchanged,
        "means",
        "You take β_1 for v and β_2 for m. It is the other way round.",
    ),
    Misconception(
        "square of m for the mean of squares",
        wrong.mean_squared,
        "means",
        "Your v is a mean of m². It is a mean of g².",
    ),
    Misconception("not squared", wrong.not_squared, "means", "Your v is a mean of |g|. It is a mean of g²."),
    Misconception("no root", wrong.no_root, "first", "You divide by v̂. Divide by its square root."),
    Misconception(
        "the gradient in place of m",
        wrong.gradient_for_m,
        "later",
        "You move by g / (√v̂ + ϵ). It is m̂, the corrected mean of the gradients, in place of g.",
    ),
    Misconception(
        "begun with the first gradient",
        wrong.begun_with_the_gradient,
        "first",
        "Your m and v begin as the first gradient and its square. They begin as 0; the correction is for that.",
    ),
    Misconception(
        "ϵ inside the root",
        wrong.eps_inside_the_root,
        "eps",
        "You take √(v̂ + ϵ). ϵ is added to the root.",
    ),
    Misconception(
        "ϵ before the correction",
        wrong.eps_before_the_correction,
        "eps",
        "You add ϵ to √v and correct afterwards. Correct v first, then add ϵ to its root.",
    ),
    Misconception(
        "ϵ makes no difference",
        wrong.eps_left_out,
        "eps",
        "With a large `eps` your step is as long as without one, in all cases tried. ϵ is added to √v̂.",
    ),
    Misconception(
        "the larger of the root and ϵ",
        wrong.larger_of_root_and_eps,
        "eps",
        "You divide by the larger of √v̂ and ϵ. Divide by their sum.",
    ),
    Misconception(
        "one t for all weights",
        wrong.one_age_for_all,
        "ages",
        SEVERAL_AGES,
    ),
    Misconception("one t for all that have a gradient", wrong.oldest_age_for_all, "ages", SEVERAL_AGES),
    Misconception(
        "no gradient taken for a gradient of 0",
        wrong.absent_as_zero,
        "absent",
        "You move weights that have no gradient, as if it were 0: their m moves them on. They stay as they are.",
    ),
    Misconception(
        "a gradient of 0 taken for none",
        wrong.zero_as_absent,
        "absent",
        "You leave a weight as it is where its gradient is 0. A weight without a gradient is one that is not in "
        "`gradients`: with a gradient of 0, m and v are means of one number more, and m moves the weight on.",
    ),
    Misconception(
        "a first gradient of 0 taken for none",
        wrong.first_zero_as_absent,
        "absent",
        "You keep no state of a weight whose first gradient is 0. It has had a step: its t is 1, its m and v are 0.",
    ),
    Misconception(
        "numbers with a gradient of 0 stay",
        wrong.zeros_stay,
        "absent",
        "Numbers of a weight whose gradient is 0 stay where they are with you. Their m moves them on.",
    ),
    Misconception(
        "weights without a gradient left out",
        wrong.absent_left_out,
        "absent",
        "You return only the weights that have a gradient, and their state. Return all.",
    ),
    Misconception(
        "t counted without a gradient",
        wrong.absent_ages,
        "absent",
        "A weight without a gradient stays as it was, but you count the step in its t.",
    ),
    Misconception(
        "means changed in place",
        wrong.means_in_place,
        "arguments",
        "You change m and v that you were given, by mul_, add_, *= or +=. Make new ones.",
    ),
    Misconception(
        "weights changed in place",
        wrong.weights_in_place,
        "arguments",
        "The weights that you were given are changed afterwards: the dict (by weights[name] = …), or its tensors "
        "(by -=, sub_ or .data). Make a new dict, of new tensors: w - step.",
    ),
    Misconception(
        "the state that was given changed",
        wrong.state_put_in,
        "arguments",
        "You put the new state into the dict that you were given. Make a new one, for its inner dicts, too.",
    ),
    Misconception(
        "a state of zeros put into the dict",
        wrong.start_put_in,
        "arguments",
        "For a weight that begins you put a state of zeros into the dict that you were given. Make a new dict.",
    ),
    Misconception(
        "the gradients that were given filled up",
        wrong.gradients_filled,
        "arguments",
        "You put zeros into the dict of gradients that you were given. Make a new dict.",
    ),
    Misconception(
        "single precision",
        unfit.in_single_precision(wrong.defined),
        "dtype",
        "You were given float64 and return float32. torch.zeros(…) makes float32; torch.zeros_like(w) has the "
        "dtype of w.",
    ),
    Misconception(
        "computed in float32",
        wrong.in_float32,
        "dtype",
        "Your weights and means are float64, but less precise than that: is something on the way a float32?",
    ),
)
