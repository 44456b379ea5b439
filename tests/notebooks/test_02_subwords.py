"""Lecture 02: what it takes from the seeds and what its text says in numbers."""

from .prose_02_subwords import PROSE

__all__ = ["PROSE", "SEEDS"]

SEEDS = {
    "Liu and Malykh: softmax over a large vocabulary is slow": (
        "softmax-cost",
        "rows[-1][0] == 500_000 and rows[-1][2] > rows[0][2]",
    ),
    "Liu and Malykh: word-level systems have about 500k words": ("units", "'500,000' in output"),
    "Liu and Malykh: vocabularies are open, larger where morphology is rich": (
        "heaps",
        "rows[0][2] < rows[1][2] < rows[2][2] and 'Turkish' in output",
    ),
    "Liu and Malykh: figure of Koehn (2005), BLEU against vocabulary size": (
        "size-bleu",
        "set(points) == {'BPE', 'characters', 'words with UNK'} and len(points['BPE']) == 5",
    ),
    "Liu and Malykh: figure of Koehn (2005), UNK against vocabulary size": (
        "unk-against-size",
        "set(unknown) == set(NAMES.values()) and all(len(x) == len(y) == 6 for x, y in unknown.values())",
    ),
    "Liu and Malykh: UNK in the source hides which word it was": (
        "unk-same",
        "max(row[2].count('/') + 1 for row in rows) == 5",
    ),
    "Liu and Malykh: UNK in the target cannot be read": ("unk-share", "rows[2][1] > 50 > rows[1][1] > rows[0][1]"),
    "Thadani: table, BLEU of all sentences and without UNK": (
        "unk-bleu",
        "all(number in output for number in '17.82 26.71 26.75 34.16 33.30 35.63'.split())",
    ),
    "Liu and Malykh: character-level models": ("characters", "all(row[1] < 100 and 4 < row[2] < 6 for row in rows)"),
    "Liu and Malykh: a most frequent byte pair becomes a new byte": (
        "bytes-words",
        "len(BYTES) == 256 and all(set(to_bytes(word)) <= set(byte_level.vocabulary) for word in water.values())",
    ),
    "Liu and Malykh: dictionary 1 and its counts": ("bpe-by-hand", "counts['e', 's'] == counts['s', 't</w>'] == 9"),
    "Liu and Malykh: dictionary 1, the first vocabulary": (
        "bpe-dictionary-1",
        "'l o w</w> w e r</w> n s t</w> i d' in output",
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
        "all(row[3] != row[4] for row in rows) and len(rows) == 9",
    ),
    "Straka: the likelihood of a text under a unigram model of its pieces": (
        "gain-by-hand",
        "all(abs(gains[pair] - sum(line[-1] for line in lines(pair, whole))) < 1e-9"
        " for pair, whole in ((('##s', '##t'), '##st'), (('##e', '##s'), '##es'), (('l', '##o'), 'lo')))",
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
        "all(unigram.decode(unigram.encode(line)) == line for line in raw_unseen['en'])",
    ),
    "Liu and Malykh: text length against vocabulary size": (
        "size-length",
        "all(pieces == sorted(pieces, reverse=True) for _, pieces in length.values())",
    ),
    "Straka: joint BPE": (
        "joint",
        "separate['en'].segment('Kaplan') != separate['de'].segment('Kaplan') and len(joint.vocabulary) == size",
    ),
    "Straka: 32k to 64k subwords": ("units", "'32,000' in output and '64,000' in output"),
    "Li: the Transformer's vocabularies, 37k BPE and 32k word-piece": ("units", "'37,000' in output"),
}
