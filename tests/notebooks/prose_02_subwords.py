"""What the text of lecture 02 says in numbers → the cell that shows it, and an expression that is true behind it."""

WIDGET = "isinstance(_, BPEStepper)"
PROSE = {
    "BPE with 500 merges is best, characters are far behind, and many merges behind fewer": (
        "size-bleu-table",
        "max(rows, key=lambda row: row[3])[0] == 'BPE, 500 merges'"
        " and (score := {row[0]: row[3] for row in rows})['characters'] < 5"
        " and max(score['BPE, 2,000 merges'], score['BPE, 4,000 merges']) < score['BPE, 200 merges']",
    ),
    "4,000 merges are ahead of 2,000, which are behind words": (
        "size-bleu-table",
        "score['BPE, 4,000 merges'] > score['words with UNK'] > score['BPE, 2,000 merges']",
    ),
    "seven BLEU better than words, with three fifths of the learnt numbers": (
        "size-bleu-table",
        "6.5 < score['BPE, 500 merges'] - score['words with UNK'] < 7.5"
        " and 0.55 < (size := {row[0]: row[2] for row in rows})['BPE, 500 merges'] / size['words with UNK'] < 0.65",
    ),
    "nearly sixteen times as many parameters": ("softmax-cost", "15.5 < rows[3][1] / rows[1][1] < 16"),
    "English has most tokens and fewest types, Turkish the reverse": (
        "heaps",
        "rows[0][1] > rows[1][1] > rows[2][1] and rows[0][2] < rows[1][2] < rows[2][2]",
    ),
    "Heaps' exponent lies between 0 and 1": ("heaps", "all(0 < row[5] < 1 for row in rows)"),
    "more than half of all types occur once; Turkish has twice the OOV rate of English": (
        "heaps",
        "min(row[3] for row in rows) > 50 and rows[2][6] > 2 * rows[0][6]",
    ),
    "most of the Turkish words of the example are gone": (
        "unk",
        "with_unk(unseen['tr'][said], 'tr').split().count(UNK) > len(unseen['tr'][said].split()) / 2",
    ),
    "a doubled list never halves the unknown words, and the full list leaves 17.9 and 40.3 %": (
        "unk-against-size",
        "all(b > a / 2 for _, y in unknown.values() for a, b in pairwise(y[:5]))"
        " and (unknown['English'][1][-1], unknown['Turkish'][1][-1]) == (17.9, 40.3)",
    ),
    "for the same list a language with more word forms loses more": (
        "unk-against-size",
        "all(a < b < c for a, b, c in list(zip(*(y for _, y in unknown.values())))[:5])",
    ),
    "RNNsearch-50 gains three times what Moses gains; the gap shrinks from 6.55 to 1.47": (
        "unk-bleu",
        "rows[1][3] > 3 * rows[2][3] and rows[0][3] > 3 * rows[2][3]"
        " and [round(rows[2][k] - rows[1][k], 2) for k in (1, 2)] == [6.55, 1.47]",
    ),
    "attention over characters costs 21 to 34 times as much": (
        "characters",
        "20.5 < min(row[2] for row in rows) ** 2 < 21.5 and 33.5 < max(row[2] for row in rows) ** 2 < 34.5",
    ),
    "w e has the count 8; 12 different pairs": ("bpe-by-hand", "counts['w', 'e'] == 8 and len(counts) == 12"),
    "13 merges until every word is one piece": (
        "bpe-dictionary-1",
        "len(rows) == 13 and trace.stopped == 'no pair left' and all(len(word) == 1 for word in step.pieces)",
    ),
    "each merge adds one piece to the vocabulary": (
        "bpe-dictionary-1",
        "[row[5] for row in rows] == [len(trace.vocabulary) + k for k in range(1, 14)]",
    ),
    "a a a: counted twice, merged once": ("overlap", "[row[1::2] for row in rows[1:3]] == [[2, 1], [3, 2]]"),
    "both tie rules have est</w> after two merges, the same dictionary, another vocabulary": (
        "ties",
        "len({tuple(map(rule.segment, low)) for rule in after_two.values()}) == 1"
        " and len({rule.segment('estate') for rule in after_two.values()}) == 2"
        " and all('est</w>' in rule.vocabulary for rule in after_two.values())",
    ),
    "five pairs tie for the first merge, four for the second; neither tie rule gives the sequence": (
        "bpe-dictionary-2",
        "[len(step.maxima) for step in trace.steps[:2]] == [5, 4] and all("
        "BPE.learn(four, 4, tie=tie, marker='separate').merges != list(sequence.values()) for tie in rules)",
    ),
    "low is avoided by allowed merges": (
        "never-low",
        "'low' not in [step.symbol for step in trace.steps] and trace.next_counts[0][1] == 1"
        " and all(step.chosen in step.maxima for step in trace.steps)",
    ),
    "an unfinished word is shown as it is": ("decoding", "[row[1] for row in rows] == ['lowest low', 'lowest lo']"),
    "four counts change, three pairs are new, eight stay": (
        "cost-one-merge",
        "sum(row[1] > 0 for row in rows) == 4 and sum(row[1] == 0 for row in rows) == 3"
        " and len(before) - sum(row[1] > 0 for row in rows) == 8",
    ),
    "46 words for the first merge, one for the last, 300 times fewer in all": (
        "cost-measured",
        "len(counts) == 1284 and (visited[0], visited[999]) == (46, 1) and 300 < rows[0][4] / rows[1][4] < 400",
    ),
    "the first 100 merges make nearly half of all visits": (
        "cost-measured",
        "0.45 < sum(visited[:100]) / sum(visited) < 0.5",
    ),
    "the definition and the update make the same merges": (
        "cost-measured",
        "learn_merges(spelled, 100)[0] == english.merges[:100]",
    ),
    "the: merge 2, -ing: 23, -lar and -ler: 31 and 32": (
        "morphemes",
        "[row[4] for row in rows if row[1][0] in ('the</w>', 'ing</w>', 'lar', 'ler')] == [2, 23, 31, 32]",
    ),
    "-te is early, -ung and -yor are late; -ung is rare, -yor is not": (
        "morphemes",
        "(late := {row[1][0]: row[3:] for row in rows}) and late['te</w>'][1] < 10"
        " and min(late['ung</w>'][1], late['yor'][1]) > 500 and late['ung</w>'][0] < 10 < 80 < late['yor'][0]",
    ),
    "ordu</w> is made first": ("not-morphemes", "output.split('ordu</w>')[0].strip() in ('', 'text/plain')"),
    "unknown pieces of new words are known characters at the end of a word": (
        "new-words",
        "unknown and all(p.endswith('</w>') and p[: -len('</w>')] in learned[code].vocabulary for code, p in unknown)",
    ),
    "the separate marker has no such pieces": (
        "new-words",
        "(apart := BPE.learn(train['en'], 1000, marker='separate'))"
        " and {p for line in unseen['en'] for p in apart.encode(line)} <= set(apart.vocabulary)",
    ),
    "between 15 and 19 % of the words are cut differently": ("order", "all(15 < row[1] < 19 for row in rows)"),
    "the merges in turn give what the library gives": ("order-steps", "pieces == bpe.segment(word) and len(rows) > 2"),
    "BPE, gain and ratio choose three different pairs": (
        "wordpiece-scores",
        "best == [('##e', '##s'), ('##s', '##t'), ('w', '##i')] and ratios['##i', '##d'] == ratios['w', '##i']",
    ),
    "##e ##w is frequent and has the smallest gain": (
        "wordpiece-scores",
        "counts['##e', '##w'] == 6 and min(gains, key=gains.get) == ('##e', '##w')",
    ),
    "79 pieces, 70 after 9 merges; the numbers of the gain by hand": (
        "gain-by-hand",
        "sum(piece_counts(start.items()).values()) == 79 and f'{f(79) - f(70):.2f} {f(9):.2f}' == '47.79 19.78'"
        " and [round(gains[pair], 2) for pair in (('##s', '##t'), ('##e', '##s'))] == [28.02, 16.26]"
        " and (rows[5][2:4], round(rows[5][6], 2)) == ([17, 8], -31.53)",
    ),
    "the gain of a rare pair is close to c (log(N ratio) - 1)": (
        "gain-by-hand",
        "(spread := {('x', 'y'): 9} | {(a, str(k)): 9 for a in 'xy' for k in range(300)})"
        " and abs(gain(spread, ('x', 'y')) / (9 * (log(sum(piece_counts(spread.items()).values())"
        " * ratio(spread, ('x', 'y'))) - 1)) - 1) < 0.05",
    ),
    "the gain finds th, the, and, as BPE does": ("wordpiece-learn", "{'th', 'the', 'and'} <= set(joined['gain'])"),
    "the ratio collects what is rare": ("wordpiece-rare", "max(found['ratio']) < 4 < 40 < min(found['gain'])"),
    "worm is unknown": ("longest-match-cell", "longest_match('worm', pieces) == (UNK,) and '##r' in pieces"),
    "now here has 0.0003, no where 0.0008, and the table finds it": (
        "viterbi",
        "table.pieces == ('no', 'where') and round(best[-1], 9) == 0.0008 and round(p['now'] * p['here'], 9) == 0.0003",
    ),
    "the lattice is drawn, with the way that the table finds": (
        "viterbi-lattice",
        "'[picture]' in output and 'no + where' in repr(_)",
    ),
    "a saved model gives the same pieces and the sentence": (
        "sentencepiece-save",
        "again.encode(sentence) == pieces and again.processor.decode(ids) == sentence",
    ),
    "the best six are in order, the first is what encode and our table give": (
        "nbest",
        "totals == sorted(totals, reverse=True) and ways[0] == unigram.encode('whispering')"
        " and viterbi('▁whispering', log_p).pieces == tuple(ways[0])",
    ),
    "without his the word loses 0.69": (
        "nbest",
        "'his' in ways[0] and 'his' not in ways[1] and [round(t, 2) for t in totals[:2]] == [-24.47, -25.16]"
        " and round(totals[0] - totals[1], 2) == 0.69",
    ),
    "a small alpha gives many cuts, a large one nearly always the best": (
        "sampling",
        "rows[0][1] > rows[1][1] > rows[2][1] and rows[0][2] < 20 and rows[2][2] > 60",
    ),
    "BPE is shortest, the unigram model longest, all with the same size": (
        "compare",
        "min(tokenizers, key=means.get) == 'BPE' and max(tokenizers, key=means.get) == 'SentencePiece unigram'"
        " and len(BPE.learn(sample, size - len(BPE.learn(sample, 0).vocabulary)).vocabulary) == size",
    ),
    "no two methods cut half of the new words alike": (
        "compare-agree",
        "all(0 < value < 50 or value == 100 for row in rows for value in row[1:])",
    ),
    "in pieces the languages differ by less than 15 %, in words Turkish is by far the shortest": (
        "size-length-check",
        "all(max(n) < 1.15 * min(n) for n in zip(*(pieces for _, pieces in length.values())))"
        " and rows[2][4] < 0.8 * rows[0][4] and rows[0][5] < rows[1][5] < rows[2][5] and rows[0][5] > 1",
    ),
    "the curves cross": (
        "size-length",
        "len({tuple(sorted(length, key=lambda name: length[name][1][k])) for k in (0, 5)}) == 2",
    ),
    "nearly all of a large vocabulary is rare": (
        "size-length",
        "all(seldom[-1] > 90 and seldom[0] > min(seldom) for _, seldom in rare.values())",
    ),
    "a joint vocabulary makes the sentences a little shorter": ("joint-cost", "all(row[4] < row[3] for row in rows)"),
    "the largest word list is 16 times the smallest; subwords are about as many as the smallest": (
        "units",
        "(lists := [row[1] for row in rows[:4]]) and 16 < max(lists) / min(lists) < 17"
        " and all(1 <= row[1] / min(lists) < 2.2 for row in rows[4:])",
    ),
    "für: one piece in NFC, four in NFD, one of them unknown; İ becomes two code points": (
        "wrong-unicode",
        "[len(row[2]) for row in rows] == [1, 4] and vocabulary.ids(rows[1][2]).count(vocabulary.unk_id) == 1"
        " and 'I'.lower() == 'i' and len('İ'.lower()) == 2 and '\\u0308' not in ''.join(train['de'])",
    ),
    "BPE loses the three letters that training lacks, WordPiece the word, SentencePiece joins neighbours": (
        "wrong-unseen",
        "by_bpe == [UNK, UNK, 'd', UNK] and by_wordpiece == (UNK,) and by_unigram.count(UNK) == 2"
        " and '⁇' in processor.decode(ids) and [c for c in city if c in ''.join(train['en'])] == ['d']",
    ),
    "water has two pieces, the Hindi word twelve for four characters": (
        "bytes-words",
        "[row[2:5:2] for row in rows if row[0] in ('English', 'Hindi')] == [[5, 2], [4, 12]]",
    ),
    "a Greek or Russian letter has two bytes, a Hindi or Chinese character three": (
        "bytes-words",
        "all(len(water[name].encode()) == n * len(water[name])"
        " for name, n in (('Greek', 2), ('Russian', 2), ('Hindi', 3), ('Chinese', 3)))",
    ),
    "GPT-2 has 50,257 entries": ("bytes-words", "len(BYTES) + 50_000 + 1 == 50_257"),
    "byte-level BPE knows no unknown text": (
        "bytes-words",
        "(numbers := Vocabulary(byte_level.vocabulary)) and numbers.unk_id not in"
        " numbers.ids(p for word in [*water.values(), city, '☂'] for p in byte_level.segment(to_bytes(word)))",
    ),
    "English unchanged; Turkish has 10 % more bytes, one piece more after 100 merges, hardly any after 1,000": (
        "bytes-length",
        "rows[0][1:] == [0.0, rows[0][2], rows[0][2], rows[0][4], rows[0][4]] and 9.5 < rows[2][1] < 10.5"
        " and 0.8 < rows[2][3] - rows[2][2] < 1.3 and 0 < rows[2][5] - rows[2][4] < 0.2",
    ),
    "early merges join the two bytes of Turkish letters": (
        "bytes-length",
        "all(letter in (early := [from_bytes(''.join(pair).replace('</w>', '')) for pair in"
        " learn_bytes(train['tr'], 100).merges]) for letter in 'ışğ')",
    ),
    "half a character shows as a replacement": ("bytes-broken", "rows[0][2] == 'kuş' and rows[1][2] == 'ku\\ufffd'"),
    "BPE returns a space between any two words and signs, SentencePiece the sentence": (
        "wrong-whitespace",
        """'She said : " Look ! "' in output and output.count('She said: "Look!"') == 1""",
    ),
    "exercise 1: te, tea</w>, tea": (
        "solution-merges",
        "[step.symbol for step in trace.steps] == ['te', 'tea</w>', 'tea']",
    ),
    "exercise 2: l ow</w> and lo w</w>": (
        "solution-order",
        "[row[1] for row in rows] == [('l', 'ow</w>'), ('lo', 'w</w>')]",
    ),
    "exercise 4: by hand as by the library": (
        "solution-gain",
        "all(abs(by_hand - library) < 1e-9 for _, by_hand, library in rows)",
    ),
    "exercise 5: the cut changes at 0.03": (
        "solution-viterbi",
        "[row[2] for row in rows] == [('car', 'pet')] * 2 + [('carp', 'et')]",
    ),
    "exercise 6: BPE makes 16 merges, WordPiece none": (
        "solution-stop",
        "abs(by_hand - library) < 1e-9 and library < 0 and (bpe_merges, wordpiece_merges) == (16, 0)",
    ),
    "exercise 7: the sum over the table is the sum over all segmentations": (
        "solution-sum",
        "abs(total[-1] - everything) < 1e-15 and 70 < percent(0.0008, total[-1]) < 75",
    ),
    "exercise 8: many cuts, only known pieces": ("solution-dropout", "len(draws) > 50 and known_only"),
    "the stepper asks to predict the merges of dictionary 1": ("stepper-dictionary-1", WIDGET),
    "the stepper offers the ties of dictionary 2": ("stepper-dictionary-2", WIDGET),
    "the stepper takes the reader's own text": ("stepper-own-text", WIDGET),
    "the stepper shows two languages": ("stepper-languages", WIDGET),
}
