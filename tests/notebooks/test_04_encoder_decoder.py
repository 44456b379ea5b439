"""Lecture 04: what it takes from the seeds, in the order of its sections, and what its text says in numbers."""

from .lecture import sources
from .prose_04_encoder_decoder import PROSE

__all__ = ["PROSE", "SEEDS"]

SEEDS = {
    "Zhao: language models: P(y) = ∏ p(y_t | y_<t); conditional language models; Li: P(Y | X) = ∏ P(y_t | y_<t, x)": (
        "conditional",
        "[row[2] for row in rows].index(min(row[2] for row in rows)) == 0",
    ),
    "Zhao: from language modelling to sequence generation: the decoder starts from a thought vector": (
        "conditional",
        "len({row[1] for row in rows}) == 3",
    ),
    "Zhao: encoder–decoder with RNNs; Thadani: sequence-to-sequence learning; Straka, Li: Sutskever's figure 1": (
        "diagram",
        "Out[max(Out)].name == 'An encoder–decoder' and torch.allclose(torch.tensor(values['s4']), s[0, 3])",
    ),
    "Thadani: RNN decoder, initialise with context; encode, take the final state, decode until the end": (
        "diagram",
        "torch.equal(r, h[:, -1]) and torch.equal(first[0][0], r)",
    ),
    "Zhao: quick note on RNN representations: the last state represents the entire sentence": (
        "steps",
        "r.shape == (1, 8) and h.shape == (1, 4, 8)",
    ),
    "Straka: training by teacher forcing, the figure; Li: teacher forcing, the prefix is the true one": (
        "forcing-picture",
        "Out[max(Out)].steps[-1]['spoken'][-1].startswith('loss')"
        " and Out[max(Out)].name == 'An encoder–decoder in training'",
    ),
    "Zhao: training with cross-entropy: loss = −log p(correct); Li: the sum over words": (
        "loss-words",
        "rows[-1][2] == sum(row[2] for row in rows[:-1]) and all(row[2] == -math.log(row[1]) or"
        " abs(row[2] + math.log(row[1])) < 1e-6 for row in rows[:-1])",
    ),
    "Zhao: backpropagation operates end to end": (
        "end-to-end",
        "(norms > 0).all() and len(norms) == one.source.shape[1]",
    ),
    "Straka: autoregressive decoding; Zhao: sequence generation, decoder: generating tokens": (
        "greedy-table",
        "all(row[3] == plain(best[0][0]) for row, best in zip(rows, said.best)) and rows[-1][3] == '</s>'",
    ),
    "Zhao: decoder: generating tokens, the probabilities of each step": (
        "greedy-steps",
        "'[widget]' in output and all(max(p) == p[one.index(1.0)] for p, one in zip(values['p'], values['written']))",
    ),
    "Zhao: greedy decoding, the problem: not the best sequence; Li: not necessarily the best": (
        "search-errors",
        "more > 0 and ((true_log_p > greedy_log_p + 1e-3).sum() == more).item()",
    ),
    "Li: two types of error: the model's and the search's": (
        "search-errors",
        "more < len(found) - same",
    ),
    "Thadani: need to reverse the input, 26.17 and 30.59 against 33.30": (
        "lags",
        "rows[1][2] < 3 < rows[0][2] and abs(rows[0][1] - rows[1][1]) < 1.5",
    ),
    "Thadani: reversed and forward LSTM, measured": (
        "reversal",
        "[row[0] for row in rows] == ['forward', 'reversed'] and all(row[2] > 5 for row in rows)",
    ),
    "Zhao: the problem: quality drops with the length; Thadani: performance degrades for longer sentences": (
        "length",
        "'[picture]' in output and all(min(b['all'] for b in bins[1:3]) > 1.4 * max(b['all'] for b in bins[5:9])"
        " for bins in by_length.values())",
    ),
    "Thadani: sentence embeddings: 2-D PCA, who does what to whom (Sutskever et al.)": (
        "names-map",
        "set(Out[max(Out)].texts) == set(names) and list(Out[max(Out)].maps) == ['PCA']",
    ),
    "Thadani: sentence embeddings: 2-D PCA, one meaning in several orders (Sutskever et al.)": (
        "order-map",
        "len(Out[max(Out)].texts) == 9 and set(Out[max(Out)].groups) == set(kinds)",
    ),
    "Thadani: encoders produce meaningful sentence embeddings, measured": (
        "neighbours-measure",
        "rows[0][2] > rows[1][2] + 0.1 and rows[0][3] > rows[1][3]",
    ),
    "Thadani: phrase embeddings: 2-D Barnes-Hut (Cho et al.)": (
        "phrases",
        "list(phrase_map.maps) == ['t-SNE', 'PCA'] and len(phrase_map.texts) == 150",
    ),
    "Straka: figure 1 of Cho et al.: the context at each step; Zhao: alternatives 1 and 2": (
        "variant-picture",
        "'r at each step' in Out[max(Out)].name and 'r' in Out[max(Out)].steps[2]['spoken'][2]",
    ),
    "Zhao: in practice the units are GRU or LSTM or bidirectional; Li: stacked LSTM": (
        "variants",
        "len(made['four layers'].encoder.network.layers) == len(made['four layers'].decoder.network.layers) == 4"
        " and [row[2] for row in rows] == [64, 64, 64, 64, 128, 64] and {row[3] for row in rows} == {'(2, 6, 50)'}",
    ),
    "Straka: tie the two matrices of the target words; Li: shared (tied) input and output embedding": (
        "tied",
        "all(saved == 128 * words for words, _, _, saved, _ in rows)"
        " and fixed.model.decoder.readout.U is fixed.model.decoder.embedding.weight",
    ),
}


def test_each_row_names_a_cell_and_most_come_in_the_order_of_the_sections():
    places = [list(sources("04_encoder_decoder")).index(cell) for cell, _ in SEEDS.values()]
    assert sum(a > b for a, b in zip(places, places[1:], strict=False)) <= 1
