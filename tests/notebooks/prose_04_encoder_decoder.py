"""What the text of lecture 04 says in numbers → the cell that shows it, and an expression that is true behind it."""

PROSE = {
    "ln 2 is about 0.69": ("loss-words", "round(math.log(2), 2) == 0.69"),
    "steps and forward are one model": ("steps", "difference < 1e-5 and at_once.shape == (1, 4, 7)"),
    "the input is the target moved by one place": (
        "batch",
        "all(torch.equal(batch.target_in[k, 1:n], batch.target_out[k, : n - 1]) for k in range(3)"
        " for n in [batch.target_mask[k].sum()])",
    ),
    "padding changes only the careless mean": (
        "padding",
        "len({round(row[1], 5) for row in rows}) == 1 and len({round(row[2], 2) for row in rows}) == 3"
        " and abs(by_hand.item() - rows[0][1]) < 1e-4",
    ),
    "no held-out English sentence is taught": ("data", "not {e for e, _ in held} & {e for e, _ in taught}"),
    "first both losses are the same, then they part": (
        "conditioning",
        "(lambda own, other: abs(own[0][1] - other[0][1]) < 0.25 * (other[-1][1] - own[-1][1])"
        " and other[-1][1] > own[-1][1] + 1 and min(v for _, v in other) < other[-1][1])("
        "trainer.held_out_losses, with_other)",
    ),
    "in the beginning a handful of translations, at the end many": (
        "written",
        "different[STEPS // 10] < 0.3 * len(held) < different[STEPS]",
    ),
    "the loss in training falls below the held-out loss": (
        "written",
        "sum(trainer.losses[-20:]) / 20 < trainer.held_out_losses[-1][1] - 0.2",
    ),
    "small words are sure": (
        "greedy-table",
        "rows[-1][2].startswith('</s> 0.9') or rows[-1][2].startswith('</s> 1.0')",
    ),
    "the word after the wrong one suffers most, and the state recovers": (
        "damage",
        "all(points[0][1] == max(v for _, v in points) and abs(points[-1][1]) < 0.5 * points[0][1]"
        " and points[0][1] > 0.3 for points in damage.values())"
        " and damage['any piece'][0][1] > damage['the likeliest wrong piece'][0][1]",
    ),
    "at the first place both shares are equal, then they part": (
        "free-running",
        "forced_right[0] == free_right[0] and free_right[8:].mean() < forced_right[8:].mean() - 0.05",
    ),
    "reversal: the mean distance falls by one step, few pairs are near without it": (
        "lags",
        "abs(rows[0][1] - rows[1][1] - 1) < 1 and rows[0][3] < 0.05 < rows[1][3]",
    ),
    "both models read the same pieces": (
        "reversal-places",
        "reversed_model.vocabulary.id_to_piece == fixed.vocabulary.id_to_piece"
        " and reversed_model.model.encoder.network.reads_ahead and not fixed.model.encoder.network.reads_ahead",
    ),
    "reversed is lower in steps 200 to 1,300, forward from 2,300 to the end, and 2.6 BLEU ahead; long: 16.57, 16.02": (
        "reversal-curves",
        "all((b[1] < a[1] if 200 <= a[0] <= 1300 else a[1] < b[1])"
        " for a, b in zip(*(record['held_out_losses'] for record in records.values()))"
        " if 200 <= a[0] <= 1300 or a[0] >= 2300) and records['forward']['held_out_losses'][-1][0] == 5000"
        " and round(rows[0][2] - rows[1][2], 1) == 2.6 and [f'{row[3]:.2f}' for row in rows] == ['16.57', '16.02']",
    ),
    "the trained models take r as first state only": (
        "reversal-places",
        "not fixed.model.decoder.at_each_step and not reversed_model.model.decoder.at_each_step",
    ),
    "beyond fifteen tokens half, the shortest not the best": (
        "length",
        "(lambda b: min(b[:3]) > 1.9 * max(b[3:]) and b[0] < b[1])([one['all'] for one in by_length['forward']])",
    ),
    "at the first place the reversed model has the lower loss, from the fifth on the higher one": (
        "reversal-places",
        "by_place['reversed'][0][1] < by_place['forward'][0][1] and"
        " sum(v for _, v in by_place['reversed'][4:]) > sum(v for _, v in by_place['forward'][4:])",
    ),
    "nearer to Anna greets Peter, 3.87, than to Peter sees Anna, 4.13": (
        "names-distances",
        "[round(row[1], 2) for row in rows] == [4.13, 3.87]",
    ),
    "every first choice has 0.98 or more": (
        "greedy-table",
        "all(float(row[2].split()[1].rstrip(',')) >= 0.98 for row in rows)",
    ),
    "a short sentence is right, the long one is not": (
        "long-example",
        "fixed.translate([test_set[0].text('en')])[0] == test_set[0].text('de')"
        " and fixed.translate([longer[0].text('en')])[0] != longer[0].text('de')",
    ),
    "both have as many weights, seed and pairs": (
        "reversal",
        "len({(record['parameters'], record['text'], record['recipe']['seed']) for record in records.values()}) == 1",
    ),
    "long sentences are longer than any in training; the test set is level": (
        "length",
        "by_length['forward'][0]['from'] == 1 and by_length['forward'][-1]['to'] > 35"
        " and min(bin['sentences'] for bin in records['forward']['results']['test']['by_length']) > 20",
    ),
    "no training sentence is longer than 35 tokens, and none is two joined": (
        "length",
        "all(record['recipe']['joined'] == 0 for record in records.values())",
    ),
    "Sutskever's 384 million weights are more than two hundred times as many": (
        "reversal",
        "384e6 / records['forward']['parameters'] > 200",
    ),
    "r has 256 dimensions": ("names-map", "Out[max(Out)].dimensions == 256 == represent(names).shape[1]"),
    "the points of the same words differ": (
        "names-map",
        "(represent(names[:1]) - represent(names[1:2])).norm() > 0.1",
    ),
    "the same meaning in another order is hardly ever nearer": (
        "order-measure",
        "len(triples) == 48 and nearer.float().mean() < 0.25",
    ),
    "untrained neighbours end alike in English, trained ones begin alike in German": (
        "neighbours-measure",
        "common_to['untrained'][0] > common_to['trained'][0] + 0.15"
        " and common_to['trained'][1] > common_to['untrained'][1] + 0.1",
    ),
    "phrases of a kind are neighbours more often than by chance, and than untrained; gender more than kind": (
        "phrases-measure",
        "all(shares['trained'][k] > max(shares[name][k] for name in list(shares)[1:]) + 0.08 for k in (0, 1))"
        " and abs(shares['untrained'][0] - shares['any phrase with another noun'][0]) < 0.12"
        " and shares['trained'][1] > shares['trained'][0] and abs(list(shares.values())[2][0] - 27 / 147) < 1e-9",
    ),
    "as the first state r is forgotten, at each step it stays": (
        "variant-gradient",
        "left['first state only'][-1][1] < 0.1 * left['first state only'][0][1]"
        " and left['r at each step'][-1][1] > 0.5 * left['r at each step'][0][1]",
    ),
    "nouns beside nouns, verbs beside schläft, one conjunction beside weil": (
        "neighbours",
        "(near := dict(rows)) and all(word[0].isupper() for noun in ('Hund', 'Frau') for word in near[noun])"
        " and all(word.endswith('t') for word in near['schläft'])"
        " and near['weil'] == ['während', 'Q', 'neu', 'gar', 'Flu']",
    ),
    "only h is handed over, the memory cell starts at 0; in stacked layers the top layer's h to each": (
        "variants",
        "(states := made['four layers'].decoder.first_states(torch.ones(1, 64))) and len(states) == 2"
        " and (states[0] == 1).all() and states[0].shape == (4, 1, 64) and not states[1].any()"
        " and made['four layers'].encoder(words)[1].equal(made['four layers'].encoder(words)[0][:, -1])",
    ),
    "with 30,000 words embeddings are most of the weights": (
        "tied",
        "30_000 * 128 * 3 > 0.5 * parameters(30_000, False)",
    ),
    "exercise 2: the mean falls by one": (
        "solution-lags",
        "sum(ahead) - sum(behind) == 4 and ahead == [5] * 4 and behind == [1, 3, 5, 7]",
    ),
    "exercise 3": ("solution-count", "'49,152,000; tied 16,384,000' in output"),
    "exercise 5: greedy from its r is the translation": (
        "solution-other-r",
        "fixed.text(write_from(cat).split()) == fixed.translate(['The cat is sleeping.'])[0]",
    ),
    "exercise 6: batch and alone agree": ("solution-alone", "together == alone"),
    "exercise 7: samples differ": ("solution-greedy", "len(set(drawn_texts)) > 1"),
    "exercise 8: 0 changes nothing, at 1 all are the model's words": (
        "solution-scheduled",
        "torch.equal(mixed[0.0], ten.target_in) and changed[0][1] == 0 < changed[1][1] < changed[2][1] < 1",
    ),
}
