"""What the text of lecture 05 says in numbers → the cell that shows it, and an expression that is true behind it."""

PROSE = {
    "r has 256 numbers": ("growing", "fixed.model.encoder.network.hidden_size == 256"),
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
    "attention has the lower error rate": ("aer", "test_row[3] < test_row[4] and long_row[3] < long_row[4]"),
    "the free translations are right before anything is forced": (
        "force",
        "rows[0][2] == 'Die Katze schläft.' and rows[2][2] == 'Die Katze sieht den Hund.'",
    ),
    "forcing changes what is written": ("force", "rows[1][2] != rows[0][2] and rows[3][2] != rows[2][2]"),
    "on few sentences attention is far ahead": (
        "live-bleu",
        "rows[0][3] > rows[1][3] + 30 and rows[0][4] > rows[1][4] + 30",
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
        " and max(means['shifted by one word'], means['equal']) < means['its own weights'] - 1",
    ),
    "most commas look somewhere, without a partner": ("not-alignment", "disagree[','] > 0.5 * total[',']"),
    "exercise 7: more pairs help Model 1, attention stays ahead": (
        "solution-model1",
        "rows[0][1] > rows[-1][1] > test_row[3]",
    ),
    "exercise 1": ("solution-weights", "torch.allclose(c, torch.tensor([6.0, 7.0]))"),
    "exercise 8": ("solution-local", "'False' not in output"),
}
