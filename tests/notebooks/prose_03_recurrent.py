"""What the text of lecture 03 says in numbers → the cell that shows it, and an expression that is true behind it."""

PROSE = {
    "W_xh is D x H, W_hh is H x H": ("unit", "cell.W_xh.shape == (3, 4) and cell.W_hh.shape == (4, 4)"),
    "the two states of 'the' differ": (
        "unit",
        "sentence[0] == sentence[3] and not torch.allclose(network(x[None])[0][0, 0], network(x[None])[0][0, 3])",
    ),
    "what stands at the padding does not count": (
        "padding",
        "torch.allclose(last[0, 1], alone[0, 0]) and not torch.allclose(careless[0, 1], alone[0, 0])",
    ),
    "adding 5 changes nothing, a factor of 0 makes all equally likely": (
        "softmax",
        "torch.allclose(softmax(z, 0), softmax(z + 5, 0)) and torch.allclose(y, torch.tensor(0.25))",
    ),
    "a step is the same alone and by teacher forcing; the states end in r": (
        "uses",
        "torch.allclose(step.log_probs, decoder(r, tokens)[:, 0].log_softmax(1), atol=1e-6)"
        " and torch.equal(states[:, -1], r) and following.shape == (2, 6, 20)",
    ),
    "memory grows by the same for each word": (
        "cost",
        "abs((costs[3][3] - costs[2][3]) / (costs[1][3] - costs[0][3]) - 4) < 1e-6",
    ),
    "pieces store an eighth of the states, and stop the gradient": (
        "truncated",
        "same and rows[0][2] == 400 and rows[1][2] == 50"
        " and abs((rows[0][1] - 32.768) / (rows[1][1] - 32.768) - 8) < 0.1",
    ),
    "s up to 1.5 vanish, 3 explodes": (
        "norm-condition",
        "all(stretched[f's = {s}'][50] < 1e-2 * stretched[f's = {s}'][0] for s in (0.9, 1.0, 1.5))"
        " and stretched['s = 3.0'][50] > 1000 * stretched['s = 3.0'][0]",
    ),
    "it vanishes faster than s^k": (
        "norm-condition",
        "all((stretched[f's = {s}'][5:] / stretched[f's = {s}'][0]).lt(torch.tensor(bound[f's = {s}'][5:])).all()"
        " for s in (0.9, 1.0))",
    ),
    "the gradient is more than a million; clipped, w comes back to 1": (
        "clipping",
        "2 * (1.1**50 - 1) * 50 * 1.1**49 > 1e6 and abs(free[1]) > 1e4 and abs(clipped[-1] - 1) < 0.011",
    ),
    "sigmoid, tanh, GRU, LSTM": (
        "vanishing-table",
        "left['sigmoid'][50] < left['tanh'][50] < left['GRU'][50] < left['LSTM'][50]"
        " and left['GRU'][50] < 100 * left['tanh'][50] and left['LSTM'][50] > 1e3 * left['GRU'][50]",
    ),
    "at distance 5 all learn it": ("recall", "all(row['5'] > 0.9 for row in recalled.values())"),
    "a cell without gates collects": ("lstm-1", "c_long.abs().max() > 15"),
    "unit 1 kept its memory, unit 2 took the candidate": (
        "lstm-3",
        "abs(c[0, 0] - c_before[0, 0]) < 0.1 and abs(c[0, 1] - candidate[0, 1]) < 0.15",
    ),
    "0.5 leaves a thousandth after 10 steps, 0.98 four fifths": (
        "bias",
        "0.5**10 < 1 / 1000 and 0.8 < 0.98**10 < 0.83",
    ),
    "b_f = 0 forgets like the plain tanh, about 1e-10": (
        "bias",
        "1e-11 < forgetful['b_f = 0'][50] / forgetful['b_f = 0'][0] < 5e-10 and"
        " 0.1 < (forgetful['b_f = 0'][50] / forgetful['b_f = 0'][0]).item() / left['tanh'][50] < 10",
    ),
    "the cell alone keeps f a step, all paths 0.63; at b_f = 4 they make more than 1": (
        "bias-paths",
        "all(abs(row[2] - row[1]) < 0.04 and row[3] > row[2] + 0.04 for row in rows)"
        " and 0.615 < rows[0][3] < 0.645 and 0.96 < rows[3][2] < 0.98 and 1 < rows[3][3] < 1.1",
    ),
    "recall at distance 20: guessing with 0, learnt with 2": (
        "bias-recall",
        "by_bias['b_f = 0'] < 0.2 < 0.9 < by_bias['b_f = 2']",
    ),
    "reset and input cancel out in unit 2": ("gru-1", "1 + 2 * h_before[0, 1] == 0"),
    "a unit that is not updated is erased, then kept": (
        "gru-2",
        "abs((z_t * candidate)[0, 0]) < 0.06 and abs(h[0, 0] - h_before[0, 0]) < 0.05",
    ),
    "z held at 1: the candidate in one form, the old state in the other": (
        "gru-forms",
        "'before\", z held at 1: h is the candidate' in output and 'after\", z held at 1: h stays' in output"
        " and parameters['LSTM'] == 4 * parameters['RNN'] and parameters['GRU'] == 3 * parameters['RNN']",
    ),
    "no kernel of torch computes the lecture's form": (
        "gru-forms",
        "GRU(2, 2).layers[0][0].cell.kernel() is None and GRU(2, 2, reset='after').layers[0][0].cell.kernel()",
    ),
    "a negative b_z lets a fresh GRU remember; far above (1 − z)^k at 0, along it at −4": (
        "gru-bias",
        "updating['b_z = 0'][50] < updating['b_z = -2'][50] < updating['b_z = -4'][50]"
        " and (updating['b_z = 0'][50] / updating['b_z = 0'][0]).item() > 1000 * powers['b_z = 0'][50]"
        " and abs(factor(updating['b_z = -4']) - powers['b_z = -4'][1]) < 0.02",
    ),
    "with b_z = +2 the GRU learns the task": (
        "gru-recall",
        "started['GRU, b_z = +2'] > 0.9",
    ),
    "the last state of a forward layer changes, all of a bidirectional one": (
        "bidirectional",
        "output.count(\"'same'\") == 5 and output.count(\"'changed'\") == 7",
    ),
    "the final state of both directions; ←h at the last word has read one word": (
        "reversal",
        "torch.allclose(torch.cat([outputs[0, -1, :4], outputs[0, 0, 4:]]), final)"
        " and torch.allclose(outputs[0, -1, 4:], one_word[0, 0, 4:])",
    ),
    "the derivative of a residual layer is I + J; 8 layers with and without": (
        "jacobian",
        "'True' in output and float(rows[0][1]) < 1e-3 and 0.5 < float(rows[1][1]) < 3",
    ),
    "the plain stack learns no more than frequencies; residual is at least as good as one layer": (
        "residual-table",
        "final_loss['8 layers'] > unigram - 0.1 and final_new['8 layers, residual'] < final_new['8 layers'] - 0.3"
        " and final_new['8 layers, residual'] < final_new['1 layer'] + 0.05",
    ),
    "the nearest noun is right exactly half of the time": (
        "agreement-data",
        "sum(s.plural == s.nearest_plural for s in sentences) * 2 == len(sentences)"
        " and not {s.meaning for s in training} & {s.meaning for s in test}",
    ),
    "it guesses at first, and is right in about nine of ten or more at the end": (
        "agreement",
        "abs(choices['nouns differ'][0] - 0.5) < 0.2 and min(v[-1] for v in choices.values()) > 0.85",
    ),
    "the untrained model loses the number, the trained one carries it": (
        "probe",
        "probed['untrained'][-1] < 0.65 and min(probed['trained']) > 0.7 and probed['untrained'][0] > 0.65",
    ),
    "at the noun of the clause are is much less probable than at its end; the probe says plural": (
        "belief",
        "(are_is := lines['model: are, against is'])[2] < are_is[3] - 0.2 and are_is[3] > 0.7"
        " and lines['probe: the subject was plural'][2] > are_is[2] + 0.2",
    ),
    "trained where the nouns agree it takes the nearest noun": (
        "bias-experiment",
        "chose['nouns agree'][-1] > 0.9 and chose['nouns differ'][-1] < 0.45 and min(chose['nouns differ']) < 0.35"
        " and chose['nouns agree'][1] > choices['nouns agree'][1]",
    ),
    "perplexity is 2 to the bits; new text is harder than training text": (
        "lm-after",
        "all(abs(2**bits - perplexity) < 1e-6 * perplexity for _, _, bits, perplexity in rows)"
        " and nats['LSTM, training text'] < nats['LSTM, new text'] < unigram - 0.6",
    ),
    "some units follow spaces": (
        "explorer",
        "any(one['feature'] == 'spaces' and abs(one['r']) > 0.5 for one in explorer.following)",
    ),
    "the output gate shut: the same prediction everywhere": (
        "explorer-check",
        "not torch.tensor(explorer.variants['o=0']['values']['h']).any()"
        " and explorer.variants['o=0']['best'][0] == explorer.variants['o=0']['best'][-1]"
        " and explorer.variants['o=0']['bits'] < math.log2(len(characters))",
    ),
    "forget and input gate open: the cell collects": (
        "explorer-check",
        "(lambda v: torch.allclose(torch.tensor(v['c']), torch.tensor(v['candidate']).cumsum(0), atol=1e-4))("
        "trace(lm.network, lm.embedding(ids[:30]), text[:30], [Clamp('f', 1.0), Clamp('i', 1.0)]).values)",
    ),
    "exercise 6: slopes near 1 let the gradient grow": (
        "solution-explode",
        "float(rows[1][2]) > 1 > float(rows[0][2])",
    ),
    "exercise 8: without the direction of number the model guesses": (
        "solution-probe",
        "rows[0][1] > 0.8 and rows[1][1] < 0.65 and rows[2][1] > rows[0][1] - 0.1",
    ),
    "exercises 5 and 7 agree with the library": ("solution-cho", "torch.allclose(h_ours, h_cho, atol=1e-6)"),
    "exercise 7": ("solution-last-word", "difference < 1e-6"),
}
