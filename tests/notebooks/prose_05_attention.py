"""What the text of lecture 05 says in numbers → the cell that shows it, and an expression that is true behind it."""

PROSE = {
    "r has 256 numbers": ("growing", "fixed.model.encoder.network.hidden_size == 256"),
    "from one vector the three short sentences are right, the longer ones are not": (
        "growing",
        "translations[:3] == ['Die Katze schläft.', 'Der alte Mann schläft.',"
        " 'Der Hund, den der Mann gesehen hat, schläft.'] and 'Ball' not in translations[3]"
        " and 'Brief' not in translations[4]",
    ),
    "schläft looks mostly at sleeping, and a little at is": (
        "diagram",
        "(lambda at, row: row.index(max(row)) == source.index('sleeping'))(written.index('schläft'),"
        " [values[f'a{j}'][written.index('schläft')][0] for j in range(1, 7)])",
    ),
    "it is Katze that is written at the step taken apart": (
        "four-steps",
        "vocabulary.id_to_piece[p.argmax()] == 'Katze</w>'",
    ),
    "tanh 1, 2, 3 are 0.76, 0.96, 1.00": (
        "scores",
        "[round(math.tanh(x), 2) for x in (1, 2, 3)] == [0.76, 0.96, 1.0]",
    ),
    "the dot score is the cheapest, the multiplicative the same at each step": (
        "score-sizes",
        "rows[0][3] == rows[1][3] < rows[2][3] and rows[0][2] == 0",
    ),
    "only (c) is right": (
        "masks",
        "[torch.allclose(α, ways['without padding'], atol=1e-6) for α in ways.values()]"
        " == [True, False, False, False, True, True]",
    ),
    "alone and in a batch the same": ("batch-invariance", "together == alone"),
    "German sentences of four heatmaps have gold alignments": ("heatmap", "len(given) == 4"),
    "recorded: 0.107 against 0.161, 0.139 against 0.230; on long both more, Model 1 loses more": (
        "aer",
        "[[round(v, 3) for v in row[3:]] for row in recorded] == [[0.107, 0.161], [0.139, 0.23]]"
        " and [row[1] for row in recorded] == [1050, 450]",
    ),
    "the losses are close together, the alignment of seed 0 more than twice as bad as that of seed 2": (
        "aer-seeds",
        "max(row[1] for row in rows) - min(row[1] for row in rows) < 0.03 and rows[0][3] > 2 * rows[2][3]"
        " and checkpoints.about('attention')['recipe']['seed'] == 2",
    ),
    "with three of the four seeds Model 1 makes fewer errors": (
        "aer-seeds",
        "[row[3] > seeds['model1'] for row in rows].count(True) == 3 and len(rows) == 4",
    ),
    "the free translations are right before anything is forced": (
        "force",
        "rows[0][2] == 'Die Katze schläft.' and rows[2][2] == 'Die Katze sieht den Hund.'",
    ),
    "forcing changes what is written": ("force", "rows[1][2] != rows[0][2] and rows[3][2] != rows[2][2]"),
    "on few sentences attention is far ahead": (
        "live-bleu",
        "rows[0][5] > rows[1][5] + 30 and rows[0][6] > rows[1][6] + 30",
    ),
    "one encoder reads in both directions, the other one forward": (
        "level",
        "[checkpoints.about(name)['recipe']['encoder'] for name in ('attention', 'fixed')] == ['both', 'forward']",
    ),
    "more steps, more sentences and 15 % joined pairs for attention, none for one vector": (
        "live-bleu",
        "all(rows[0][k] > rows[1][k] for k in (2, 3)) and [row[4] for row in rows] == ['15%', '0%']",
    ),
    "98.3 on test and 96.1 on long, against 34.2 and 16.6": (
        "level",
        "[round(checkpoints.about(name)['results'][split]['all'], 1) for name in ('attention', 'fixed')"
        " for split in ('test', 'long')] == [98.3, 96.1, 34.2, 16.6]",
    ),
    "no training pair of one vector is longer than 35 tokens, joined ones are longer than those of long": (
        "aer",
        "max(len(one.sentences['en']) for one in learnt) <= 35"
        " and max(len(one.sentences['en']) for one in long_set) < 2 * max(len(one.sentences['en']) for one in learnt)",
    ),
    "one vector: between 66 and 75 up to fifteen tokens, then half": (
        "bottleneck",
        "all(66 < b['all'] < 75 for b in by_length['one vector'][:3])"
        " and all(b['all'] < 0.55 * 66 for b in by_length['one vector'][3:])",
    ),
    "8.93 against 7.57; 30 with attention is better than 50 without": (
        "bahdanau-table",
        "[round(gains[n], 2) for n in (50, 30)] == [8.93, 7.57]"
        " and reported['RNNsearch-30'][0] > reported['RNNencdec-50'][0]",
    ),
    "for usual lengths the network's own matrices cost more": ("cost", "costs[1][3] < 1.5 * costs[1][1]"),
    "hard weights nearly as good, the neighbour much worse, equal too": (
        "shifted",
        "abs(means['all on the largest (hard)'] - means['its own weights']) < 0.5"
        " and max(means['shifted by one piece'], means['equal']) < means['its own weights'] - 1",
    ),
    "about one in ten of those that look elsewhere look at the word before their partner": (
        "not-alignment",
        "0.05 < before / sum(disagree.values()) < 0.18",
    ),
    "most commas look somewhere, without a partner": ("not-alignment", "disagree[','] > 0.5 * total[',']"),
    "exercise 7: beyond some 2,000 pairs more text changes little": (
        "solution-model1",
        "rows[1][0] == 2_000 and all(abs(rate - rows[1][1]) < 0.01 for _, rate in rows[2:])",
    ),
    "exercise 1": ("solution-weights", "torch.allclose(c, torch.tensor([6.0, 7.0]))"),
    "exercise 8": ("solution-local", "'False' not in output"),
}
