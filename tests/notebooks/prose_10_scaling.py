"""Lecture 10: what its text says in numbers, behind the cell that it speaks of."""

from statistics import fmean

from .rows import behind


@behind("residual")
def without_residual_connections_the_bottom_layer_gets_less_than_a_fifth_of_the_top(stacks):
    """without residual connections the bottom layer gets less than a fifth of the top; with them about as much"""
    left = {name: points[0][1] / points[-1][1] for name, points in stacks.items()}
    assert left["plain"] < 1 / 5 and left["residual"] > 0.6


@behind("ticks")
def ticks_13_18_and_48(rows):
    """with none 13 ticks, with the bottom layer 18, with all 48"""
    assert [row[2] for row in rows] == [13, 18, 48]


@behind("norms")
def near_the_output_post_norm_has_several_times_the_gradient_of_pre_norm(lines):
    """near the output post-norm's gradient is several times pre-norm's; pre-norm falls to about half, post-norm not"""
    ends = {
        name: [fmean(norm for _, norms in part for norm in norms) for part in (points[:5], points[-5:])]
        for name, points in lines.items()
    }
    assert ends["post-norm"][1] > 2 * ends["pre-norm"][1]
    assert ends["post-norm"][1] > 0.9 * ends["post-norm"][0]
    assert 0.3 < ends["pre-norm"][1] / ends["pre-norm"][0] < 0.7


@behind("updates")
def the_first_update_of_deep_post_norm_is_the_largest(rows):
    """post-norm with 20 layers changes most, several times as much as with 2; pre-norm changes less at either depth"""
    mean = {(row[0], row[1]): row[3] for row in rows}
    assert mean["post-norm", 20] > 3 * mean["post-norm", 2]
    assert all(mean["pre-norm", depth] < mean["post-norm", depth] for depth in (2, 20))


@behind("exact")
def about_two_thousand_estimates_make_the_error_a_tenth(rows):
    """100 estimates are far too few for an error of a tenth, 10,000 enough; one errs by more than the gradient"""
    error = {row[0]: row[1] for row in rows}
    assert error[100] > 0.2 > 0.1 > error[10_000] and error[1] > 1


@behind("baselines")
def every_baseline_halves_the_variance_and_the_mean_of_all_is_four_fifths_as_long(rows):
    """every baseline has less than half the variance of none; the mean of all the smallest, (4/5)² of that of others"""
    variance = {row[0]: row[4] for row in rows}
    assert all(other < variance["none"] / 2 for name, other in variance.items() if name != "none")
    assert min(variance, key=variance.get) == "mean"
    assert abs({row[0]: row[1] for row in rows}["mean"] - 0.8) < 0.05
    assert abs(variance["mean"] / variance["others"] - 0.64) < 0.01


@behind("risks")
def with_alpha_1_the_most_probable_sample_has_most_of_q(Q, log_p, Δ):
    """with α = 1 the most probable sample has most of Q, with 0.005 all weigh about the same; log p differs by 10"""
    assert max(Q[1.0]) > 0.5 and max(Q[0.005]) < 1.15 * min(Q[0.005])
    assert float(log_p.max() - log_p.min()) > 10


@behind("sampled")
def without_the_correction_the_bias_is_several_times_as_large(rows):
    """without the correction the bias is several times as large; both shrink with more draws"""
    assert all(row[3] > 3 * row[2] and row[4] > row[2] for row in rows)
    assert all(a[n] > b[n] for a, b in zip(rows, rows[1:], strict=False) for n in (2, 3))


@behind("parts")
def more_than_a_hundred_parts_with_100(rows):
    """more than a hundred parts with τ = 100, of a few sentences each"""
    assert rows[1][0] == 100 and rows[1][1] > 100 and rows[1][2] < 10


@behind("reached")
def from_words_to_bpe_near_100(rows):
    """words, copied, dictionary, BPE in this order; BPE near 100, its sentences longer by more than half"""
    reached = [row[4] for row in rows]
    assert reached == sorted(reached) and reached[-1] > 98
    assert rows[3][5] > 1.5 * rows[0][5]


@behind("balance")
def the_balance_loss_spreads_the_words_more_evenly(rows):
    """without the balance loss the busiest expert has far more than the mean, with it words are spread more evenly"""
    assert rows[0][2] > 1.5 and rows[1][2] < rows[0][2] and rows[1][3] < rows[0][3]


@behind("wmt14")
def an_ensemble_costs_eight_times_as_much_and_brings_0_8_to_1_7_points(published):
    """an ensemble has about eight times the operations and 0.8 to 1.7 points; the base less than a twentieth of it"""
    systems = {one.name: one for one in published.WMT14}
    gains, times = [], []
    for name, one in systems.items():
        if f"{name} Ensemble" not in systems:
            continue
        many = systems[f"{name} Ensemble"]
        for score, cost in (("en_de", "flops_en_de"), ("en_fr", "flops_en_fr")):
            if getattr(one, score):
                gains.append(getattr(many, score) - getattr(one, score))
                times.append(getattr(many, cost) / getattr(one, cost))
    assert [round(min(gains), 1), round(max(gains), 1)] == [0.8, 1.7]
    assert all(7.5 < each < 8.5 for each in times)
    assert systems["Transformer (base)"].flops_en_de < systems["ConvS2S Ensemble"].flops_en_de / 20


@behind("who")
def some_pieces_go_to_the_same_experts(shares):
    """each piece goes to two experts, and some go to the same two nearly always, others do not"""
    assert all(abs(sum(row) - 2) < 1e-6 for row in shares.values())
    kept = sum(sum(sorted(row)[-2:]) > 1.6 for row in shares.values())
    assert len(shares) / 6 <= kept <= len(shares) * 2 / 3


@behind("ours")
def ours_lie_about_six_orders_below(costs):
    """about a millionth of the base Transformer, which counts less than a third of what the paper says"""
    assert 3.3e18 / 1e7 < costs["deep.pre_20"] < 3.3e18 / 3e5
    assert costs["Transformer (base), counted"] < 3.3e18 / 3


@behind("ours-bleu")
def a_point_for_each_row_that_has_been_run(lines, output):
    """our recorded runs by kind, each with its operations and its BLEU"""
    points = [point for line in lines.values() for point in line]
    assert points and f": {len(points)} of 17" in output
    assert all(10 < billions < 100_000 and 0 < min(bleu) <= max(bleu) <= 100 for billions, bleu in points)
