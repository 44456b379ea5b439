"""What the text of lecture 06 says in numbers → the cell that shows it, and an expression that is true behind it."""

PROSE = {
    "greedy misses some of the long sentences, not most": (
        "greedy-trained",
        "0 < len(better) < len(texts) / 2 and beam_found[n].log_probability > greedy_found[n].log_probability",
    ),
    "the universe has more atoms than there are outputs of 20 pieces, fewer than of 30": (
        "space",
        "int(rows[-2][1][3:]) < 80 < int(rows[-1][1][3:])",
    ),
    "he hit is −1.7 and I was is −1.6; he hit me with a pie −4.3": (
        "pie",
        "[round(score_of[y], 1) for y in ('he hit', 'I was', 'he hit me with a pie')] == [-1.7, -1.6, -4.3]",
    ),
    "with −3.7 and −4.3 the probabilities of a and one would sum to 1.04": (
        "pie",
        "score_of['he hit me with'] == -3.3 and round(math.exp(-3.7 + 3.3) + math.exp(-4.3 + 3.3), 2) == 1.04",
    ),
    "greedy search finds the pie too": (
        "pie",
        "pie.translate(['x']) == ['he hit me with a pie']",
    ),
    "every row of the pie's table is a distribution": (
        "pie",
        "all(abs(row.exp().sum() - 1) < 1e-4 for row in pie.model.rows.values())",
    ),
    "ja is finished with 0.26, danke schön goes on with 0.40": (
        "count-too-early",
        "abs(rows[0][3] - 0.32) < 1e-6 and abs(rows[1][3] - 0.399) < 1e-6 and thanks['']['ja'] == 0.26",
    ),
    "set aside or in the beam, by hand as in the library, also where the two differ": (
        "count-too-early",
        "[(polite.written(y.words), polite.written(beam_search(polite.model, *nothing, 10, 2, way == 'in_beam')[0][0]"
        "[:-1])) for way in ('aside', 'in_beam')"
        " for y in beam(polite.model, *nothing, 10, 2, finished=way)[0]] == [('', ''), ('danke schön', 'danke schön')]",
    ),
    "bound gives the same best output as length": (
        "policies",
        "len(rows) == 6 and rows[1][4] == rows[2][4] and rows[4][4] == rows[5][4]",
    ),
    "length takes the most steps where hypotheses are set aside": (
        "policies",
        "rows[2][2] > rows[1][2] and rows[2][2] > rows[0][2]",
    ),
    "the sum prefers A, the normalised scores prefer B": (
        "short-wins",
        "rows[0][3] > rows[1][3] and rows[0][4] < rows[1][4] and rows[0][5] < rows[1][5]",
    ),
    "the best output never becomes shorter when α grows": (
        "alpha",
        "all(a[2] <= b[2] for group in (rows[:4], rows[4:]) for a, b in zip(group, group[1:], strict=False))"
        " and rows[3][2] > rows[0][2] and rows[7][2] <= rows[3][2] and rows[0][4] == rows[4][4]",
    ),
    "the weak model's outputs get shorter, from 1.01 to 0.87 with the sum, to 0.97 with the mean": (
        "lengths",
        "[round(lines[name][i][1], 2) for name in ('one vector, sum', 'one vector, mean') for i in (0, -1)]"
        " == [1.01, 0.87, 1.01, 0.97]"
        " and (lambda ys: ys == sorted(ys, reverse=True))([y for _, y in lines['one vector, sum']])",
    ),
    "the recorded run stops by bound with the sum, by count with the mean": (
        "lengths",
        "{name: stop for name, (_, stop) in searching.RANKINGS.items()} == {'plain': 'bound', 'mean': 'count'}",
    ),
    "the length of the model with attention hardly changes": (
        "lengths",
        "all(abs(y - lines[name][0][1]) < 0.05 for name in ('attention, sum', 'attention, mean')"
        " for _, y in lines[name])",
    ),
    "with attention 60 of 60 are decided, k = 5 misses none, 7 outputs are wrong, all by model errors": (
        "errors-record",
        "shown[2] == ['attention', '60 of 60', 7, 5, 0, 53, 7]",
    ),
    "the weak model: 27 of 60 decided, 33 not, 12 model errors, k = 5 misses 4": (
        "errors-record",
        "shown[7] == ['one vector', '27 of 60', 12, 5, 4, 15, 12]",
    ),
    "after 1,000 steps the search for the most probable output gives up": ("errors-record", "searching.MOST == 1_000"),
    "the weak model makes more model errors, and more search errors": (
        "errors-record",
        "(lambda strong, weak: weak['model_errors'] / weak['decided'] > strong['model_errors'] / strong['decided']"
        " and weak['searches'][0]['search_errors'] / weak['decided']"
        " > strong['searches'][0]['search_errors'] / strong['decided'])"
        "(models['attention']['errors'], models['fixed']['errors'])",
    ),
    "on both sets the log-probability rises with k": (
        "beam-size",
        "all(b >= a for name in models for split in ('test', 'long') for (_, a), (_, b) in"
        " zip(against_k(name, split, 'log_probability'), against_k(name, split, 'log_probability')[1:], strict=False))",
    ),
    "among the outputs of a wide beam are many that are too short; the mean mends much of it": (
        "curse",
        "all(against_k('fixed', split, 'length')[-1][1] < against_k('fixed', split, 'length')[0][1] - 0.05"
        " and lines[f'{split}, mean'][-1][1] > lines[f'{split}, sum'][-1][1] for split in ('test', 'long'))",
    ),
    "the strong model has little to gain and little to lose": (
        "beam-size",
        "(lambda scores: max(scores) - min(scores) < 3)([y for _, y in against_k('attention', 'test', 'all')])",
    ),
    "the ensemble of the two directions, by the mean of logarithms, is better than each": (
        "ensemble",
        "rows[3][1] > max(rows[0][1], rows[1][1]) and rows[2][1] > (rows[0][1] + rows[1][1]) / 2",
    ),
    "the recorded ensembles in figures": (
        "ensemble-record",
        "[f'{row[2]:.1f}' for row in rows] == ['32.7', '30.9', '34.1', '36.1', '54.7', '66.1', '63.3', '65.6', '66.9',"
        " '68.9', '70.5']",
    ),
    "the mean of logarithms is better each time": (
        "ensemble-record",
        "all(b['all'] > a['all'] for found in record['ensembles'].values() for a, b in zip(found, found[1:])"
        " if (a['mean'], b['mean']) == ('probabilities', 'logarithms'))",
    ),
    "τ = 0.5 squares, top-2 divides by 0.8": (
        "temperature",
        "torch.allclose(torch.tensor(rows[1][1:]), p[0] ** 2 / (p[0] ** 2).sum())"
        " and torch.allclose(torch.tensor(rows[3][1:]), torch.tensor([0.625, 0.375, 0.0, 0.0]))",
    ),
    "variety rises and BLEU falls with τ; at τ = 1.5 it falls less with top-5": (
        "variety",
        "rows[0][1] == 1 and rows[1][1] <= rows[2][1] < rows[3][1] and rows[1][2] > rows[3][2] < rows[4][2]",
    ),
    "ten times as many products for k = 10": ("cost", "rows[3][0] == 10 and abs(rows[3][2] - 10) < 0.5"),
    "exercise 1": ("solution-by-hand", "[row[1] for row in rows] == ['a c', 'b c'] and round(rows[1][2], 2) == 0.36"),
    "exercise 2: the sum prefers A, both others B": (
        "solution-two-outputs",
        "[row[3] for row in rows] == ['A', 'B', 'B']",
    ),
    "exercise 3": ("solution-counting", "'192,000 candidates' in output"),
    "exercise 4: k = 2 finds most of what greedy misses": (
        "solution-random",
        "found[1] <= found[2] <= found[3] and found[2] - found[1] > (tables - found[1]) / 2",
    ),
    "exercise 5: danke schön is not lost": (
        "solution-in-beam",
        "[row[2] for row in rows] == ['', 'danke schön', 'danke schön']",
    ),
    "exercise 6": (
        "solution-means",
        "[[round(x, 2) for x in row[1:]] for row in rows] == [[0.45, 0.25, 0.3], [0, 1, 0]]",
    ),
    "exercise 7: without the end ja looks better, with it ja bitte is": (
        "solution-no-eos",
        "rows == [['ja', 0.1, 1.0], ['ja bitte', 0.9, 0.9]]",
    ),
    "exercise 8: longer outputs, and next to no gain": (
        "solution-longer",
        "rows[1][1] > rows[0][1] and rows[1][2] < rows[0][2] + 1",
    ),
    "exercise 9": (
        "solution-nucleus",
        "[[round(x, 3) for x in row[1:]] for row in rows] == [[0.375, 0.375, 0.25, 0], [1, 0, 0, 0]]",
    ),
}
