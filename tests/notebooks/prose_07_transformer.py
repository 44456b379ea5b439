"""What the text of lecture 07 says in numbers → the cell that shows it, and an expression that is true behind it."""

PROSE = {
    "self-attention has four products in a row for any n": (
        "waiting",
        "{chains['self-attention', n] for n in (5, 10, 20, 40)} == {4}",
    ),
    "the first word's share falls from .7 to .1 in self-attention, a thousandfold in the LSTM": (
        "waiting",
        "round(reach['self-attention', 5], 1) == 0.7 and round(reach['self-attention', 40], 1) == 0.1"
        " and 500 < reach['LSTM', 5] / reach['LSTM', 40] < 2000",
    ),
    "tired: head 2 of layer 2 gives a quarter to the three pieces of animal, no other encoder head more than .14": (
        "stepper-own",
        "(lambda shares: shares[0][1] == (2, 2) and abs(shares[0][0] - 0.25) < 0.01 and shares[1][0] < 0.145)("
        "sorted(((sum(head['weights'][it][1:4]), (k, h)) for k, layer in enumerate(Out[max(Out)].attentions[:3], 1)"
        " for h, head in enumerate(layer['heads'], 1)), reverse=True))"
        " and ''.join(translator.trace(tired).source[1:4]) == 'animal</w>'",
    ),
    "e² is 7.4; with 112 and 96 Machines gets e^−16, a ten-millionth": (
        "thinking",
        "round(math.exp(2), 1) == 7.4 and 0.5e-7 < steps['(softmax of 112 and 96)'][0, 1] < 2e-7",
    ),
    "q_i · q_i is never negative": ("symmetric", "(one_matrix.diagonal() >= 0).all()"),
    "without the division the gradient goes to 0; divided by d_k all weights come near 1/10": (
        "variance",
        "rows[-1][6] < 0.1 < 0.3 < rows[-1][7] and abs(rows[-1][5] - 0.1) < 0.02",
    ),
    "with the padding mask nothing moves, without it the vectors by a fifth; the translation stays right": (
        "padding-mask",
        "rows[0][1] < 1e-5 and abs(rows[1][1] - 0.2) < 0.03 and rows[0][2] == rows[1][2] == 'Die Katze schläft.'",
    ),
    "4 · 512² learnt numbers and equally many products for any number of heads, weights h · n²": (
        "head-sizes",
        "{row[2] for row in rows} == {4 * 512**2} and len({row[3] for row in rows}) == 1"
        " and [row[4] for row in rows] == [h * n * n for h in (1, 8, 16)]",
    ),
    "1/√1000 is 0.03": ("four-wide", "round(encoding(2, 4, 1000)[1, 2].item(), 2) == 0.03"),
    "to reverse without positions: four of five digits are wrong": (
        "without-positions",
        "abs(by_positions['reverse', 'none'][1] - 0.2) < 0.05",
    ),
    "one matrix shifts every position, and products depend on the distance alone": (
        "shift",
        "error < 1e-6 and all(abs(row[1] - row[2]) < 1e-5 and abs(row[1] - row[3]) < 1e-5 for row in rows)"
        " and all(a[1] > b[1] for a, b in zip(rows, rows[1:]))",
    ),
    "without positions no probability changes": (
        "order-lost",
        "float(rows[0][1]) > 1e-3 and float(rows[1][1]) < 1e-5",
    ),
    "LayerNorm of (1, 2, 3, 6) is (−1.07, −0.53, 0, 1.60), √3.5 is 1.87": (
        "norm-by-hand",
        "[round(value, 2) for value in y.tolist()] == [-1.07, -0.53, 0.0, 1.6] and round(math.sqrt(3.5), 2) == 1.87",
    ),
    "without residual connection two words are the same after 2 (.99) to 8 layers": (
        "deep-stacks",
        "all(s[0] > 0.995 for s in stacks['no residual connection'][1:])"
        " and abs(stacks['no residual connection'][0][0] - 0.99) < 0.01",
    ),
    "with it they come together more slowly: post-norm .90 after 8 layers, 1.00 after 32; pre-norm .87 after 32": (
        "deep-stacks",
        "abs(stacks['post-norm'][1][0] - 0.9) < 0.02 and stacks['post-norm'][2][0] > 0.995"
        " and abs(stacks['pre-norm'][2][0] - 0.87) < 0.02",
    ),
    "in pre-norm the vectors grow with the depth": (
        "deep-stacks",
        "(lambda found: found[0][1] < found[1][1] < found[2][1])(stacks['pre-norm'])"
        " and all(abs(size - 1) < 0.1 for _, size in stacks['post-norm'])",
    ),
    "63 million learnt numbers, 38 million more with three matrices; the network twice the attention": (
        "parts-of-base",
        "round(sum(p.numel() for p in base.parameters()) / 1e6) == 63 and round(2 * 37_000 * 512 / 1e6) == 38"
        " and sum(p.numel() for p in parts['feed-forward network of a layer'].parameters()) > 2 * 4 * 512**2",
    ),
    "after die the decoder gives <s> .89 of the weight": (
        "diagram-decoder",
        "read[:2] == ['<s>', 'die'] and abs(values['self_weights'][1][0] - 0.89) < 0.01",
    ),
    "clear pairs: the Transformer about three quarters, the recurrent model about half": (
        "accuracy",
        "0.65 < right['clear', 'Transformer'].mean() < 0.85"
        " and 0.4 < right['clear', 'recurrent, with attention'].mean() < 0.6",
    ),
    "Winograd pairs: the Transformer near one half, the recurrent model below it; both of a pair are rarely right": (
        "accuracy",
        "abs(right['Winograd', 'Transformer'].mean() - 0.5) < 0.08"
        " and right['Winograd', 'recurrent, with attention'].mean() < 0.4"
        " and all(right['Winograd', of].reshape(-1, 2).prod(1).mean() < 0.25"
        " for of in ('recurrent, with attention', 'Transformer'))",
    ),
    "only that → its noun comes to half: no head has it on itself, its neighbours, the subject or the antecedent": (
        "measure-heads",
        "max(means[name].max() for name in means if '→' in name and 'that' not in name or 'word' in name) < 0.45"
        " and means['itself'].max() < 0.45 and (means['that → its noun'] > 0.45).sum() == 1"
        " and means['that → its noun'].max() < 0.55",
    ),
    "no head looks strongly at the word before: .29 is the largest share": (
        "measure-heads",
        "abs(means['word before'].max() - 0.29) < 0.015",
    ),
    "heads of layers 2 and 3 look from it at its antecedent, more than a third": (
        "measure-heads",
        "means['it → antecedent'][1].max() > 1 / 3 and means['it → antecedent'][2].max() > 1 / 3",
    ),
    "several heads of layers 2 and 3 keep four fifths of their weight in the clause, which has half of the words": (
        "measure-heads",
        "(abs(means['own clause'][1:] - 0.8) < 0.06).sum() >= 4 and means['own clause'][0].max() < 0.72"
        " and means['own clause'].max() < 0.87 and abs(means['(its share)'].mean() - 0.5) < 0.05",
    ),
    "that looks at its noun, the verb does not look at its subject": (
        "measure-heads",
        "means['that → its noun'].max() > 0.3 and means['verb → subject'].max() < 0.15",
    ),
    "the best heads are the decoder's on the source in the last layer; some of the encoder link it, too": (
        "find-head",
        "(ranked[0].part, ranked[0].layer) == ('cross', 2) and found[ranked[0]].antecedent > 0.5"
        " and found[ranked[0]].other < 0.15 and max(l.link for h, l in found.items() if h.part == 'encoder') > 0.2"
        " and found[ranked[1]].link > 0.8 * found[ranked[0]].link",
    ),
    "the head that links best is hardly missed; the one that is missed most is the decoder's own": (
        "mask-head",
        "without[best] > everything - 0.1 and without[missed] < everything - 0.08 and missed.part == 'decoder'"
        " and abs(without[best] - sum(control) / len(control)) < 0.06",
    ),
    "the two heads that link best belong to one attention; without both two thirds, as without two others": (
        "mask-head",
        "[(head.part, head.layer) for head in ranked[:2]] == [('cross', len(model.decoder.layers) - 1)] * 2"
        " and len(without_two) == 5 and abs(both - 2 / 3) < 0.05 and abs(both - other_two) < 0.06",
    ),
    "the head that is missed most looks at both articles equally": (
        "missed-head",
        "min(found[missed].article, found[missed].other_article) > 0.25"
        " and abs(found[missed].article - found[missed].other_article) < 0.12",
    ),
    "the partner's pronoun: Transformer from one of six with the true article to four of ten with the partner's": (
        "wrong-article",
        "abs(follows['Transformer', 'true'][1] - 1 / 6) < 0.04"
        " and abs(follows['Transformer', 'wrong'][1] - 0.4) < 0.04",
    ),
    "the recurrent model from three of ten to about four": (
        "wrong-article",
        "abs(follows['recurrent, with attention', 'true'][1] - 0.3) < 0.04"
        " and abs(follows['recurrent, with attention', 'wrong'][1] - 0.4) < 0.04",
    ),
    "with the wrong article about as many pronouns follow the noun": (
        "wrong-article",
        "all(abs(a - b) < 0.1 for (_, which), (a, b) in follows.items() if which == 'wrong')",
    ),
    "no head is right in both; the one that linked best looks at the thing in both sentences": (
        "tired-wide",
        "max(min(subject[h].link, thing[h].link) for h in linked) < 0.05"
        " and subject[best].link < -0.1 and thing[best].link > 0.1",
    ),
    "−ln 0.9 is 0.105, and the Transformer was trained with smoothing 0.1, the recurrent model without": (
        "curves-by-step",
        "round(-math.log(0.9), 3) == 0.105 and recorded['Transformer']['recipe']['smoothing'] == 0.1"
        " and 'smoothing' not in recorded['recurrent']['recipe']",
    ),
    "the recurrent model's curve is below at every step": (
        "curves-by-step",
        "all(dict(map(tuple, held_out['recurrent']))[step] < loss for step, loss in held_out['Transformer'])",
    ),
    "27.3 with 3.3 · 10^18, 24.6 with 2.3 · 10^19: a seventh": ("curves-by-time", "round(2.3e19 / 3.3e18) == 7"),
    "0.9 BLEU less on test, with two thirds of the steps; 83.7 on long against 97.4 on test, far behind": (
        "bleu",
        "round(rows[1][3] - rows[0][3], 1) == 0.9 and rows[0][2] / rows[1][2] == 2 / 3"
        " and [round(value, 1) for value in rows[0][3:]] == [97.4, 83.7] and rows[0][4] < rows[1][4] - 10",
    ),
    "joined pairs for 2,000 and 3,500 steps; a mean of five states, the last alone has 95.6 and 78.2": (
        "bleu",
        "[one['recipe']['steps'] - one['recipe']['hold'] for one in recorded.values()] == [2000, 3500]"
        " and recorded['Transformer']['recipe']['averaged'] == 5 and recorded['recurrent']['recipe']['seed'] == 2"
        " and [round(recorded['Transformer']['last'][split]['all'], 1) for split in ('test', 'long')] == [95.6, 78.2]",
    ),
    "the paper's base model is at least fifty times as large": ("bleu", "45 < 63_082_632 / rows[0][1] < 55"),
    "the clear pairs are easier for both": (
        "accuracy",
        "all(right['clear', of].mean() > right['Winograd', of].mean() + 0.1"
        " for of in ('recurrent, with attention', 'Transformer'))",
    ),
    "2 n² d = 2 n d² at n = d = 64, 4 n d² + 2 n² d = 8 n d² at n = 128": (
        "crossing",
        "costs[64][0] == costs[64][1] == 2 * 64**3 and costs[128][2] == costs[128][3] == 8 * 128 * 64**2",
    ),
    "three times the products of the simple recurrent layer at n = 64, one and a half times the LSTM's at 256": (
        "crossing",
        "costs[64][2] == 3 * costs[64][1] and costs[256][2] == 1.5 * costs[256][3]",
    ),
    "exercise 1": ("solution-by-hand", "[round(value, 2) for value in z.tolist()] == [8.04, 1.92]"),
    "exercise 2": ("solution-count", "(looks_at_target, looks_at_source, by_hand) == (55, 80, numbers)"),
    "exercise 3": ("solution-norm", "all(abs(a - b) < 1e-4 for row in rows for a, b in zip(row[1:], rows[0][1:]))"),
    "exercise 4": ("solution-mask-late", "differences[0] > 0.01 and differences[1] < 1e-6"),
    "exercise 5": ("solution-back", "share > 0.8"),
    "exercise 6": (
        "solution-width",
        "abs((dots / 8).std() - 1) < 0.1 and abs((dots / math.sqrt(512)).std() - 8**-0.5) < 0.05",
    ),
    "exercise 8: one look is not the only way": (
        "solution-cut",
        "all(abs(share - shares['nothing']) < 0.12 for share in shares.values())",
    ),
    "exercise 7": ("solution-layer", "same"),
}
