"""What the text of lecture 08 says in numbers → the cell that shows it, and an expression that is true behind it."""

PROSE = {
    "a tiny Transformer, one layer, 48 wide, no dropout, 2,000 pairs, about 400 pieces": (
        "tiny",
        "(tiny.layers, tiny.d_model, tiny.dropout, len(pairs)) == (1, 48, 0.0, 2000) and abs(n - 400) < 20",
    ),
    "ln n = 5.97, ours begins about half a nat above it": (
        "step",
        "round(math.log(n), 2) == 5.97 and 0.35 < losses[0] - math.log(n) < 0.75",
    ),
    "gradients are clipped to a length of 1": (
        "recipes",
        "__import__('inspect').signature(Trainer).parameters['max_norm'].default == 1",
    ),
    "step 1: 0.4, 0.32, 4, 16, 0.9; step 2: −0.04, −0.21; the minus goes to 1.1": (
        "adam-by-hand",
        "[round(x, 4) for x in rows[0][2:]] == [0.4, 0.32, 4.0, 16.0, 0.9] and round(rows[1][2], 2) == -0.04"
        " and round(rows[1][4], 2) == -0.21 and abs(rows[1][-1] - 0.9) < 0.01 and abs(slip - 1.1) < 1e-9",
    ),
    "in step 1 every weight with a gradient moves by the rate": (
        "adam-first",
        "rows[1][1:] == ['0.01', '0.01', '0.01', '0'] and rows[0][1:] == ['0.005', '1e-05', '1e-08', '0']",
    ),
    "0.71, 0.1 and 7.07 in step 1; 1.5 times as long as they should be in step 10": (
        "adam-uncorrected",
        "[round(x, 2) for x in rows[0][2:]] == [0.71, 0.1, 7.07] and round(rows[3][2], 1) == 1.5 and rows[3][0] == 10",
    ),
    "gradient descent comes furthest with 1, not as far as Adam; with 10 the loss explodes": (
        "optimisers",
        "rows[3][3] < rows[1][3] < rows[0][3] < rows[0][2] and rows[2][3] > rows[2][2]",
    ),
    "0.0007 at step 4,000; 4,000 times smaller in step 1, half at 16,000, a fifth at 100,000; √2 for twice the width": (
        "rates",
        "round(paper_rate(4000, 4000, 512), 4) == 0.0007"
        " and abs(paper_rate(4000, 4000, 512) / paper_rate(1, 4000, 512) - 4000) < 1e-6"
        " and abs(paper_rate(16000, 4000, 512) / paper_rate(4000, 4000, 512) - 0.5) < 1e-9"
        " and round(paper_rate(100_000, 4000, 512) / paper_rate(4000, 4000, 512), 2) == 0.2"
        " and abs(paper_rate(9, 4000, 512) / paper_rate(9, 4000, 1024) - math.sqrt(2)) < 1e-9",
    ),
    "twice the warm-up: a peak lower by √2, behind it the same": (
        "rates",
        "abs(paper_rate(4000, 4000, 512) / paper_rate(8000, 8000, 512) - math.sqrt(2)) < 1e-9"
        " and paper_rate(9000, 4000, 512) == paper_rate(9000, 8000, 512)",
    ),
    "our base: the largest rate 0.004, where the formula gives 0.0072 for width 64 and 300 steps": (
        "rates",
        "(OURS.d_model, OURS.warmup, OURS.learning_rate) == (64, 300, 0.004) and"
        " round(paper_rate(300, 300, 64), 4) == 0.0072",
    ),
    "a seventh of the typical size of 0.14 in step 1, a ninth of that in step 20": (
        "first-moves",
        "round(typical, 2) == 0.14 and abs(rows[0][1] - 1) < 0.01 and abs(rows[0][2] - 1 / 7) < 0.01"
        " and 1 / 10 < rows[-1][1] < 1 / 8",
    ),
    "pre-norm and warm-up, then the tenth of the rate and post-norm without warm-up, close together or this last": (
        "warm-up",
        "set(sorted(by_way, key=by_way.get)[:2]) == {'pre-norm, no warm-up', 'post-norm, warm-up'}"
        " and by_way['post-norm, no warm-up'] > by_way['post-norm, no warm-up, a tenth of the rate'] - 0.1",
    ),
    "tiny: 0.8 higher after 100 steps, 1.0 after 200; 11 BLEU less after 1,200; rates 0.004, 0.002 at the end": (
        "warm-up-record",
        "[(step, round(loss - less, 1)) for (step, loss), (_, less) in zip(*(records[name]['held_out_losses']"
        " for name in ('smallest_warmup_0', 'smallest_warmup')))] == [(100, 0.8), (200, 1.0)]"
        " and int(float(rows[2][5]) - float(rows[3][5])) == 11 and [row[1] for row in rows] == [200, 200, 1200, 1200]"
        " and [row[3] for row in rows[2:]] == ['0.002', '0.004']"
        " and all(one['recipe'] | {'warmup': 0} == other['recipe'] for one, other in"
        " [(records['smallest_warmup'], records['smallest_warmup_0']),"
        " (records['ablation_base'], records['ablation_warmup_0'])])",
    ),
    "the larger model: ahead without warm-up for 200 steps, 0.65 higher after 600, 0.25 after 1,200": (
        "warm-up-curves",
        "higher[100] < 0 and higher[200] < 0 and min(gap for step, gap in higher.items() if step > 200) > 0"
        " and (higher[600], higher[1200]) == (0.65, 0.25)",
    ),
    "Li (.88, .04, .04, .04), torch (.91, .03, .03, .03); 0.698 against 0.51": (
        "target",
        "[round(x, 2) for x in everyone.tolist()] == [0.91, 0.03, 0.03, 0.03] and round(losses['Li'], 3) == 0.698"
        " and round(-math.log(0.6), 2) == 0.51",
    ),
    "0.46 nats with 5 words, 1.09 with 2,000, 1.38 with 37,000; plain 0.105, perplexity 1.11": (
        "floor",
        "[round(row[1], 2) for row in (rows[0], *rows[2:])] == [0.46, 1.09, 1.38]"
        " and {(round(row[2], 3), round(row[3], 2)) for row in rows} == {(0.105, 1.11)}",
    ),
    "1.5, 3.5 and 0.83; NaN at padding changes nothing": (
        "padding",
        "[round(x, 2) for x in means.values()] == [1.5, 3.5, 0.83] and same and z.grad[~real].abs().max() == 0",
    ),
    "recurrent: more than four of five above 0.99; Transformer: median 0.90, hardly any": (
        "confidence",
        "rows[1][5] > 0.8 and abs(rows[0][2] - 0.9) < 0.01 and rows[0][5] < 0.005",
    ),
    "the smoothed Transformer's most probable word is right more often than its probability says": (
        "confidence",
        "rows[0][8] > rows[0][7] + 0.03",
    ),
    "97.4 and 98.3": (
        "confidence",
        "[round(checkpoints.about(name)['results']['test']['all'], 1) for name in translators] == [97.4, 98.3]",
    ),
    "the paper's perplexity and BLEU with ε": (
        "smoothing-record",
        "[(v.perplexity, v.bleu) for v in published.VARIANTS if v.group == 'smoothing'] == [(4.67, 25.3), (5.47, 25.7)]"
        " and (published.BASE.perplexity, published.BASE.bleu) == (4.92, 25.8)",
    ),
    "our perplexity 2.18, 2.23, 2.48 with ε = 0, 0.1, 0.2": (
        "smoothing-record",
        "[round(ours[name].perplexity, 2) for name in ('smoothing_0', 'base', 'smoothing_2')] == [2.18, 2.23, 2.48]",
    ),
    "our perplexity with dropout 0, 0.1, 0.3": (
        "dropout-record",
        "[round(ours[name].perplexity, 2) for name in ('dropout_0', 'base', 'dropout_3')] == [2.15, 2.23, 3.85]",
    ),
    "mean 1, variance p / (1 − p) = 0.11, 32 places": (
        "dropout",
        "all(abs(row[1] - 1) < 0.01 for row in rows) and all(abs(row[2] - 1 / 9) < 0.005 for row in rows[:2])"
        " and rows[2][2] == 0 and len(found) == 32 == 2 + 6 * 2 + 6 * 3",
    ),
    "without eval(): worse, and not the same each time": (
        "forgotten",
        "rows[0][1] == rows[0][2] > rows[1][1] > rows[2][1] + 20"
        " and rows[1][1] != rows[1][2] and rows[2][1] != rows[2][2]",
    ),
    "this model was trained without dropout": (
        "forgotten",
        "checkpoints.RECIPES['transformer'].dropout == 0 and not model.training"
        " and checkpoints.RECIPES['transformer'].sentences == 180_000",
    ),
    "the paper: no dropout costs 1.2, 0.2 costs 0.3": (
        "dropout-record",
        "[round(25.8 - v.bleu, 1) for v in published.VARIANTS if v.group == 'dropout'] == [1.2, 0.3]",
    ),
    "the plan by hand: (1, 2) (2, 3) (3, 3); (4, 6) (6, 6); (7, 5); padding 4, 2, 0": (
        "plan",
        "[[lengths[k] for k in batch] for batch in plan] == [[(1, 2), (2, 3), (3, 3)], [(4, 6), (6, 6)], [(7, 5)]]"
        " and [row[3] for row in rows] == [4, 2, 0]",
    ),
    "more than half of the places against one in twenty-five; 300 places in place of many more": (
        "padding-share",
        "found['random, 16 pairs each'][1] > 0.5 and abs(found['by length, shuffled'][1] - 1 / 25) < 0.01"
        " and found['by length, shuffled'][2] == 300 and found['random, 16 pairs each'][2] > 1200",
    ),
    "2.8 and 3.33; weighted by words it is the large batch; three or four times as long": (
        "accumulate",
        "abs(weighted - 2.8) < 1e-6 and round(means.mean().item(), 2) == 3.33 and rows[0][1] < 1e-9"
        " and rows[1][3] < 0.95 and abs(rows[2][2] / rows[1][2] - 3) < 1e-6 and min(N) == N[0]",
    ),
    "the error is about halved each time; with 4 pairs it is longer than the gradient": (
        "batch-size",
        "0.4 < noise[16] / noise[4] < 0.6 and 0.4 < noise[64] / noise[16] < 0.6 and noise[4] > 1",
    ),
    "0.43 and 1.01 seconds": ("devices", "[row[2] for row in rows] == ['0.43', '1.01']"),
    "the sum is above 65,504, the mean is not": (
        "average-record",
        "sixteen.sum().isinf() and sixteen.double().mean() == (40_960 + 49_152) / 2 < 65_504",
    ),
    "1.9 BLEU on test, 5.5 on long": (
        "average-record",
        "[round(gain[split], 1) for split in ('test', 'long')] == [1.9, 5.5]",
    ),
    "its text had two sentences in one, as that of lecture 05's attentive model": (
        "average-record",
        "record['recipe']['joined'] == 0.15 == checkpoints.RECIPES['attention'].joined"
        " and record['text'] == checkpoints.about('attention')['text']",
    ),
    "in less than half, a loss on average; no warm-up loses 6; the base from 1.03 to 0.80 in a third of the training": (
        "average-all",
        "better < len(gains) / 2 and mean_gain < 0 and round(gains['warmup_0']) == -6"
        " and 4 * 100 / checkpoints.RECIPES['ablation_base'].steps == 1 / 3"
        " and 4 * 100 / checkpoints.RECIPES['transformer'].steps < 1 / 12"
        " and [round(loss, 2) for _, loss in checkpoints.about('ablation_base')['held_out_losses'][-5::4]]"
        " == [1.03, 0.8]",
    ),
    "training falls towards 0, held-out turns after some 45 steps; with smoothing above 0.92, less rise": (
        "overfitting",
        "0.7 > lines['training, ε = 0.0'][-1][1] < lines['training, ε = 0.0'][-2][1] and round(lowest, 2) == 0.92"
        " and lines['training, ε = 0.1'][-1][1] > lowest"
        " and 30 <= min(overfitted[0.0].held_out_losses, key=lambda point: point[1])[0] <= 60"
        " and overfitted[0.0].held_out_losses[-1][1] > overfitted[0.1].held_out_losses[-1][1]"
        " > min(loss for _, loss in overfitted[0.1].held_out_losses)",
    ),
    "our small base: 2 layers, 64, 256, 4 heads, d_k 16, dropout and ε 0.1; 20 rows": (
        "ablation-paper",
        "(OURS.layers, OURS.d_model, OURS.d_ff, OURS.heads, OURS.d_model // OURS.heads, OURS.dropout, OURS.smoothing)"
        " == (2, 64, 256, 4, 16, 0.1, 0.1) and len(checkpoints.recipes.CHANGES) == 20",
    ),
    "−2.1, −1.3, −1.2 are the three that hurt most; one head 0.9; narrow keys 0.7": (
        "ablation-paper",
        "sorted((row[3], row[0]) for row in rows)[:3]"
        " == [(-2.1, 'layers 2'), (-1.3, 'd_model 256'), (-1.2, 'dropout 0.0')]"
        " and dict((row[0], row[3]) for row in rows)['heads 1'] == -0.9"
        " and dict((row[0], row[3]) for row in rows)['d_k 16'] == -0.7",
    ),
    "wider: perplexity 4.66 and 4.75, +0.2 and +0.4; 8 layers: 4.88, −0.3; 65, 28 and 213 million parameters": (
        "ablation-paper",
        "(lambda of: (of['d_model 1024'][1], of['d_ff 4096'][1], of['layers 8'][1]) == (4.66, 4.75, 4.88)"
        " and (of['d_model 1024'][3], of['d_ff 4096'][3], of['layers 8'][3]) == (0.2, 0.4, -0.3)"
        " and (of['base'][4], of['big'][4], min(row[4] for row in rows if row[4])) == (65, 213, 28))"
        "({row[0]: row for row in rows})",
    ),
    "three seeds of one recipe: almost 14 BLEU, 5 % in perplexity": (
        "seeds",
        "13 < spread['BLEU'] < 14 and round(spread['perplexity'] / min(perplexities), 2) == 0.05 and all("
        "checkpoints.RECIPES['ablation_base'].__dict__ | {'seed': k} == checkpoints.recipes.recipe_of(name).__dict__"
        " for k, name in enumerate(('ablation_base', 'ablation_base-1', 'ablation_base-2')))"
        " and abs(ours['smoothing_0'].bleu - ours['base'].bleu) < spread['BLEU']"
        " and abs(ours['smoothing_2'].bleu - ours['base'].bleu) < spread['BLEU']",
    ),
    "a smaller loss of dropout 0 may be chance": (
        "seeds",
        "abs(ours['dropout_0'].perplexity - ours['base'].perplexity) < spread['perplexity']",
    ),
    "beyond the seeds perplexity goes in the paper's direction; which rows": (
        "ablation-ours",
        "{row[5] for row in rows} == {'', 'the same', 'within seeds'} and set(beyond) >= {"
        "'d_k_4', 'layers_1', 'd_model_32', 'd_ff_64', 'smoothing_2', 'dropout_3', 'positions_none', 'warmup_0'}"
        " and all(row[5] == 'the same' for row in rows"
        " if row[0][9:] in ('d_k_4', 'heads_16', 'layers_1', 'd_model_32', 'd_model_128', 'd_ff_64', 'smoothing_2'))"
        " and ours['d_model_128'].perplexity < base.perplexity and round(ours['layers_4'].perplexity, 2) == 6.71"
        " and of_paper['layers_4'].perplexity < published.BASE.perplexity",
    ),
    "narrow keys from 2.23 to 3.05; no positions, no warm-up: no rows of the paper; the heads are within the seeds": (
        "ablation-ours",
        "[round(ours[name].perplexity, 2) for name in ('base', 'd_k_4')] == [2.23, 3.05]"
        " and not {'positions_none', 'warmup_0'} & set(of_paper)"
        " and {name for name in beyond if name.startswith('heads')} == {'heads_16'}",
    ),
    "BLEU: fewer rows; without warm-up more than 11, within the seeds": (
        "ablation-bleu",
        "len(bleu_beyond) < len(beyond) and 11 < base.bleu - ours['warmup_0'].bleu < spread['BLEU']"
        " and dict((row[0], row[5]) for row in bleu_rows)['ablation_heads_1'] == 'within seeds'",
    ),
    "a direction only where the paper's own difference is above 0.05 in perplexity, 0.2 in BLEU": (
        "ablation-bleu",
        "all(bool(row[5]) == (row[0][9:] in of_paper and abs(round(getattr(of_paper[row[0][9:]], measure)"
        " - getattr(published.BASE, measure), 2)) > least) for measure, least, found in"
        " (('perplexity', 0.05, rows), ('bleu', 0.2, bleu_rows)) for row in found)",
    ),
    "MoE is the best single model before, six times; 1.3 BLEU; the best ensemble 23 times": (
        "wmt14",
        "max((s for s in published.WMT14[:8] if 'Ensemble' not in s.name), key=lambda s: s.en_de or 0).name == 'MoE'"
        " and max(published.WMT14[:8], key=lambda s: s.en_de or 0).name == 'ConvS2S Ensemble'"
        " and round(2.0e19 / 3.3e18) == 6 and round(27.3 - 26.03, 1) == 1.3 and round(7.7e19 / 3.3e18) == 23",
    ),
    "French: the big model beats every single one; two ensembles are above it, 41.16 and 41.29": (
        "wmt14-plot",
        "max(s.en_fr or 0 for s in systems[:8] if 'Ensemble' not in s.name) < systems[9].en_fr == 41.0"
        " and [s.en_fr for s in systems if (s.en_fr or 0) > 41.0] == [41.16, 41.29]"
        " and systems[8].en_fr < 39.2",
    ),
    "after 62": ("limit", "'62' in output"),
    "exercise 1": ("solution-adam", "places[0] == 1.0 and abs(places[1] - (1 - 1 / math.sqrt(3))) < 1e-9"),
    "exercise 2": ("solution-peak", "round(steps_needed) == 2500 and abs(later - 0.000625) < 1e-9"),
    "exercise 3": ("solution-floor", "1.7 < entropy < 2.0"),
    "exercise 4": ("solution-first-step", "full / moving > 0.99"),
    "exercise 5": ("solution-gradient", "largest_error < 1e-6"),
    "exercise 6": ("solution-ensemble", "abs(of_weights - mean_of_five) < 1e-3 and of_outputs < sum(five) / 5"),
    "exercise 7": ("solution-from-scratch", "apart < 1e-4"),
    "exercise 8": ("solution-seeds", "difference > 0 and within > 0"),
}
