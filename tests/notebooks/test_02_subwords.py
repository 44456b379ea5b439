"""Lecture 02: what it takes from the seeds, and where its merge stepper stands."""

SEEDS = {
    "Liu and Malykh: softmax over a large vocabulary is slow": (
        "softmax-cost",
        "rows[-1][0] == 500_000 and rows[-1][2] > rows[0][2]",
    ),
    "Liu and Malykh: vocabularies are open, larger where morphology is rich": (
        "heaps",
        "types[0] < types[1] < types[2]",
    ),
    "Liu and Malykh: figure, vocabulary size against BLEU (Koehn 2005)": (
        "growth",
        "'[picture]' in output and set(curves) == set(NAMES.values())",
    ),
    "Liu and Malykh: UNK in the source hides which word it was": (
        "unk-same",
        "max(row[2].count('/') + 1 for row in rows) == 5",
    ),
    "Liu and Malykh: UNK in the target cannot be read": ("unk-share", "rows[2][1] > 50 > rows[1][1] > rows[0][1]"),
    "Thadani: table, BLEU of all sentences and without UNK": (
        "unk-bleu",
        "'26.75' in output and '34.16' in output and '17.82' in output and '35.63' in output",
    ),
    "Liu and Malykh: character-level models": ("characters", "all(row[1] < 100 and 4 < row[2] < 7 for row in rows)"),
    "Liu and Malykh: dictionary 1 and its counts": ("bpe-by-hand", "counts['e', 's'] == counts['s', 't</w>'] == 9"),
    "Liu and Malykh: dictionary 1, the first vocabulary": (
        "bpe-dictionary-1",
        "' '.join(trace.vocabulary) == 'l o w</w> w e r</w> n s t</w> i d'",
    ),
    "Liu and Malykh: dictionary 1, its three merges": (
        "bpe-dictionary-1",
        "[step.symbol for step in trace.steps[:3]] == ['es', 'est</w>', 'lo']",
    ),
    "Straka: dictionary 2, a possible sequence of merges": (
        "bpe-dictionary-2",
        "list(sequence.values()) == [('r', '·'), ('l', 'o'), ('lo', 'w'), ('e', 'r·')]"
        " and all(step.chosen in step.maxima for step in trace.steps)",
    ),
    "Liu and Malykh: t and t</w> differ; Straka: a separate marker": (
        "marker",
        "[bpe.segment('estate')[0] for bpe in markers.values()] == ['es', 'est']",
    ),
    "Straka: merges in training order; Liu and Malykh: longest piece": (
        "order",
        "all(row[2] != row[3] for row in rows) and len(rows) == 9",
    ),
    "Straka: WordPiece joins the pair with the largest gain in likelihood": (
        "wordpiece-scores",
        "max(gains, key=gains.get) == ('##s', '##t') != max(counts, key=counts.get)",
    ),
    "Straka: WordPiece is cut by longest match": (
        "longest-match-cell",
        "longest_match('wider', pieces) == ('wid', '##er')",
    ),
    "Straka: BPE and WordPiece give similar results": ("compare-agree", "'same cut' in output and len(rows) == 4"),
    "Thadani: Jet makers feud over seat width": (
        "gnmt",
        "'Jet makers feud over seat width with big orders at stake' in output",
    ),
    "Liu and Malykh: SentencePiece reads raw text": (
        "sentencepiece-train",
        "unigram.decode(unigram.encode(sentence)) == sentence",
    ),
    "Liu and Malykh: text length against vocabulary size": (
        "size-length",
        "'[picture]' in output and all(pieces[0] > pieces[-1] for _, pieces in length.values())",
    ),
    "Straka: joint BPE": (
        "joint",
        "separate['en'].segment('Kaplan') != separate['de'].segment('Kaplan') and len(joint.vocabulary) == size",
    ),
    "Straka: 32k to 64k subwords": ("units", "'32,000' in output and '64,000' in output"),
    "Li: the Transformer's vocabularies, 37k BPE and 32k word-piece": ("units", "'37,000' in output"),
    "Liu and Malykh: word-level systems have about 500k words": ("units", "'500,000' in output"),
}

STEPPER = "'[widget]' in output"
PROSE = {
    "the stepper asks to predict the merges of dictionary 1": ("stepper-dictionary-1", STEPPER),
    "the stepper offers the ties of dictionary 2": ("stepper-dictionary-2", STEPPER),
    "the stepper takes the reader's own text": ("stepper-own-text", STEPPER),
    "the stepper shows two languages": ("stepper-languages", STEPPER),
}
