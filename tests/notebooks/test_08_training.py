"""Lecture 08: what it takes from the seeds, in the order of its sections, and what its text says in numbers."""

from .prose_08_training import PROSE

__all__ = ["PROSE", "SEEDS"]

SEEDS = {
    "Li: training loss: cross-entropy with teacher forcing; one training step": (
        "step",
        "same and abs(losses[0] - math.log(n)) < 1",
    ),
    "Li: vocabulary 37K BPE, 32k word-piece; dropout 0.1 to 0.3; label smoothing 0.1; 8 GPUs, 100k and 300k steps": (
        "recipes",
        "'37,000' in output and '32,000' in output and '100,000 (base), 300,000 (big)' in output"
        " and '8 GPUs; 12 hours, 3.5 days' in output"
        " and (OURS.dropout, OURS.smoothing, OURS.averaged) == (0.1, 0.1, 5)",
    ),
    "Li: ADAM, the five equations; the slip of sign in m": (
        "adam-by-hand",
        "all(abs(value - θ) < 1e-6 for value in checked.values()) and slip > 1.0 > rows[0][-1]",
    ),
    "Li: increase the learning rate during warm-up, then decrease": (
        "schedule",
        "Out[max(Out)].predict and Out[max(Out)].kind == 'paper'"
        " and Out[max(Out)].rate(1) < Out[max(Out)].rate(4000) > Out[max(Out)].rate(20_000)",
    ),
    "Li: η = 1/√d min(1/√t, t/√t₀³)": (
        "rates",
        "all(abs(paper_rate(t, 4000, 512) - min(t**-0.5, t / 4000**1.5) / 512**0.5) < 1e-12 for t in (1, 4000, 16000))"
        " and all(row[1] == row[3] for row in rows)",
    ),
    "Vaswani et al. 2017, 5.3: warm-up: with and without": (
        "warm-up",
        "by_way['post-norm, warm-up'] < by_way['post-norm, no warm-up'] > by_way['pre-norm, no warm-up']",
    ),
    "Li: label smoothing, 1 − ε for the class and ε/(n − 1) otherwise": (
        "target",
        "[round(v, 4) for v in others.tolist()] == [0.88, 0.04, 0.04, 0.04] and abs(as_li - losses['Li']) < 1e-6"
        " and abs(torchs - losses['torch']) < 1e-6 and abs(library - torchs) < 1e-6",
    ),
    "Li: approximating 0/1 values with softmax is hard; ε = 0.1": (
        "smoothing",
        "Out[max(Out)].epsilon == 0.1 and Out[max(Out)].share == 'others' and Out[max(Out)].predict",
    ),
    "Li: label smoothing in the table of choices: 0.0, 0.1, 0.2": (
        "smoothing-record",
        "all(x in output for x in ('4.67', '25.3', '5.47', '25.7', '4.92', '25.8'))",
    ),
    "Li: dropout, applied before the residual and to embedding and positions": (
        "dropout",
        "len(found) == 32 and places['source_embedding', 'source_embedding'] == 1 and sum("
        "count for (part, _), count in places.items() if part == 'encoder') == 12",
    ),
    "Li: dropout in the table of choices: 0.0, 0.1, 0.2": (
        "dropout-record",
        "all(x in output for x in ('5.77', '24.6', '4.95', '25.5'))",
    ),
    "Li: batches: group by approximate sentence length, still need shuffling": (
        "padding-share",
        "found['by length, shuffled'][1] < 0.15 < 0.4 < found['random, 16 pairs each'][1]"
        " and [max(len(pairs[k][1]) for k in batch) for batch in batches.plan(0)]"
        " != sorted(max(len(pairs[k][1]) for k in batch) for batch in batches.plan(0))",
    ),
    "Li: one machine with 8 GPUs: base model 100k steps (12 hours), large model 300k steps (3.5 days)": (
        "devices",
        "[row[3] for row in rows] == ['3.3e+18', '2.3e+19']",
    ),
    "Li: model average: a single model from the last 5 checkpoints": (
        "average",
        "mean_of_five < min(min(five) + 0.02, sum(five) / 5 - 0.05) and two_runs > max(five[-1], other_seed) + 0.3",
    ),
    "Li: model average, recorded": (
        "average-record",
        "record['recipe']['averaged'] == 5 and gain['test'] > 1 and gain['long'] > 1",
    ),
    "Li: effectiveness of choices: the ablation table": (
        "ablation-paper",
        "len(rows) == 20 and [row[2] for row in rows if row[0].startswith('heads')] == [24.9, 25.5, 25.8, 25.4]"
        " and dict((row[0], row[1:3]) for row in rows)['layers 2'] == [6.11, 23.7]",
    ),
    "Li: effectiveness of choices: parameters": (
        "ablation-paper",
        "[row[4] for row in rows if row[4]] == [65, 58, 60, 36, 50, 80, 28, 168, 53, 90, 213]",
    ),
    "Li: effectiveness of choices: re-run small": (
        "ablation-ours",
        "[row[0] for row in rows] == [f'ablation_{name}' for name in checkpoints.recipes.CHANGES if name != 'base']",
    ),
    **{
        f"Li: effectiveness of choices: as a plot of {score}, ours beside it": (
            cell,
            "'[picture]' in output and sum(map(len, tables['the paper'].values())) == 18"
            " and sum(map(len, tables['ours, small'].values())) == len(ours) - 1",
        )
        for score, cell in (("BLEU", "ablation-plot"), ("perplexity", "ablation-perplexity"))
    },
    "Li: results on WMT14: models, BLEU, training cost in FLOPs": (
        "wmt14",
        "len(rows) == 10"
        " and all(x in output for x in ('23.75', '39.92', '40.46', '41.16', '41.29', '38.1', '8.0e+20'))",
    ),
    "Li: results on WMT14, as a plot": (
        "wmt14-plot",
        "'[picture]' in output and len(german) == 7 and len(french) == 9",
    ),
    "Li: decoding length: within source length + 50": ("limit", "source_plus_50(12) == 62"),
}
