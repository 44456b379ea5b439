"""Lecture 07: what it takes from the seeds, in the order of its sections, and what its text says in numbers."""

from .prose_07_transformer import PROSE

__all__ = ["PROSE", "SEEDS"]

SEEDS = {
    "Zhao: motivation: RNNs need O(n) steps; Thadani: sequential computation, long-range dependencies; Straka": (
        "waiting",
        "all(chains['LSTM', n] == n + 1 and chains['self-attention', n] == 4 for n in (5, 10, 20, 40))"
        " and reach['LSTM', 40] < 0.01 * reach['LSTM', 5] and reach['self-attention', 40] > 0.01",
    ),
    "Zhao: the table: processing within encoder, within decoder, decoder-encoder interaction": (
        "three-models",
        "[row[1:] for row in rows] == [['RNN', 'RNN', 'attention'], ['RNN', 'RNN', 'attention'],"
        " ['one vector of fixed size', 'attention', 'attention']]",
    ),
    "Zhao; Liu and Malykh, steps 2 to 6: Thinking Machines, 112 and 96, divided by 8, .88 and .12, weighted sum": (
        "thinking",
        "scores.tolist() == [[112.0, 96.0]] and divided.tolist() == [[14.0, 12.0]]"
        " and [round(w, 2) for w in weights[0].tolist()] == [0.88, 0.12]"
        " and torch.allclose(z_1[0], weights[0, 0] * v[0] + weights[0, 1] * v[1])",
    ),
    "Zhao; Liu and Malykh, step 1: query, key and value of each word, step by step": (
        "stepper-seed",
        "Out[max(Out)].attentions[0]['heads'][0]['products'][0] == [112, 96]"
        " and [round(w, 2) for w in Out[max(Out)].attentions[0]['heads'][0]['weights'][0]] == [0.88, 0.12]",
    ),
    "Liu and Malykh: self-attention, visualised: The animal didn't cross the street because it was too tired": (
        "stepper-own",
        "Out[max(Out)].translator is translator and Out[max(Out)].attentions[0]['asking'][Out[max(Out)].word] == 'it'",
    ),
    "Zhao: attention against self-attention; Thadani: q, k and v are projected separately": (
        "symmetric",
        "rows[0][1] == rows[0][2] and rows[1][1] != rows[1][2]",
    ),
    "Straka, Liu and Malykh, Li: matrix form, X 2 × 4, Q K V 2 × 3, softmax(Q K^⊤ / √d_k) V = Z": (
        "matrices",
        "'False' not in output and [str(tuple(t.shape)) for t in shapes.values()]"
        " == ['(2, 4)', '(4, 3)', '(2, 3)', '(3, 2)', '(2, 2)', '(2, 3)', '(2, 3)']",
    ),
    "Straka: Transformer – self-attention, vectors and output; Thadani: deep encoder with self-attention": (
        "diagram-self",
        "len(Out[max(Out)].steps) == 5 and Out[max(Out)].predict",
    ),
    "Zhao: √d_k makes sure that q k^⊤ does not become too large; Li: √d": (
        "variance",
        "all(abs(row[1] / row[0] - 1) < 0.15 and abs(row[2] - 1) < 0.15 for row in rows)"
        " and rows[-1][3] > 0.9 and max(row[4] for row in rows) < 0.4",
    ),
    "Li: self-attention for the decoder: mask out the right side; Thadani: unseen tokens masked out; Zhao": (
        "mask-picture",
        "int(causal(5).sum()) == 15 and int(both[1].sum()) == 12",
    ),
    "Li: mask before the softmax (−∞); Zhao: masked self-attention during training: what happens without": (
        "no-causal-mask",
        "results['with the causal mask'][1] > 0.8 and results['without'][1] < 0.5"
        " and all(losses[-1] < 0.3 for losses, _ in results.values())",
    ),
    "Zhao, Li, Thadani: multi-head attention; Liu and Malykh: overall picture of multi-head self-attention": (
        "diagram-heads",
        "'Multi-head' in Out[max(Out)].name and Out[max(Out)].predict",
    ),
    "Liu and Malykh: 8 heads, 8 different Z, concatenated, times W^O": (
        "heads-by-hand",
        "'False' not in output and len(added) == 4",
    ),
    "Li: positional embedding, to tell words in different places apart; Thadani: positions must be injected": (
        "permuted",
        "'True' in output",
    ),
    "Liu and Malykh: positional encoding of width 4, and the formula with 10000; Li: the formula with 1000": (
        "four-wide",
        "'True' in output and rows[1][5:] != rows[1][1:5] and [round(x, 2) for x in rows[1][1:5]]"
        " == [0.84, 0.54, 0.01, 1.0]",
    ),
    "Liu and Malykh: a real example of positional encoding, 20 words, 512 columns": (
        "positions-picture",
        "'[picture]' in output",
    ),
    "Thadani: positional embeddings are necessary to account for the order of the input": (
        "without-positions",
        "by_positions['sort', 'none'][1] > 0.8 and by_positions['reverse', 'sinusoidal'][1] > 0.8"
        " and by_positions['reverse', 'none'][1] < 0.5",
    ),
    "Thadani: information about positions must be injected: recorded runs with and without": (
        "positions-record",
        "records['none']['results']['test']['all'] < records['sines and cosines']['results']['test']['all'] - 10"
        " and {key for key, value in records['none']['recipe'].items()"
        " if records['sines and cosines']['recipe'][key] != value} == {'positions'}",
    ),
    "Liu and Malykh: residuals and layer normalisation; Li: post-norm; Thadani: Add & Norm": (
        "diagram-layer",
        "'post-norm' in Out[max(Out)].name and Out[max(Out)].predict",
    ),
    "Li: zero mean and unit variance within the layer": (
        "norm-by-hand",
        "abs(y.mean()) < 1e-6 and abs(y.var(unbiased=False) - 1) < 1e-5 and 'True' in output",
    ),
    "Li: pre-norm": ("diagram-pre", "'pre-norm' in Out[max(Out)].name"),
    "Liu and Malykh, Li: FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, inner width 2048; embeddings of 512, tied": (
        "parts-of-base",
        "parts['feed-forward network of a layer'].W_1.out_features == 2048 and base.config.d_model == 512"
        " and base.readout.U is base.source_embedding.words.weight",
    ),
    "Straka: figure 1; Liu and Malykh: a high-level look: six encoders, six decoders; Li": (
        "diagram-whole",
        "Out[max(Out)].name == 'The Transformer' and len(base.encoder.layers) == len(base.decoder.layers) == 6",
    ),
    "Liu and Malykh: residuals and norm in the decoder, attention to the encoder; Straka: decoder": (
        "diagram-decoder",
        "'decoder layer' in Out[max(Out)].name and len(Out[max(Out)].steps) == 6",
    ),
    "Liu and Malykh: decoding, time steps 1 to 6": (
        "cache",
        "rows[0][4] == rows[1][4] and rows[1][2] == m and rows[0][2] == m * (m + 1) // 2"
        " and rows[1][3] < rows[0][3] / 3",
    ),
    "Liu and Malykh: visualisation with 2 and with 8 heads; Zhao: multi-head attention on a sentence": (
        "head-view",
        "Out[max(Out)].view == 'head' and len(Out[max(Out)].found['encoder'].attn[0]) == 4",
    ),
    "Thadani: long-range dependencies, anaphora resolution, clause structure: heads of the same layer": (
        "measure-heads",
        "len(rows) == 12 and set(means) >= {'verb → subject', 'it → antecedent', 'own clause'}"
        " and means['own clause'].max() > means['(its share)'].max() + 0.1",
    ),
    "Liu and Malykh: it was too tired: a head that looks at the animal; two heads: the animal and tired": (
        "find-head",
        "len(found) == 36 and found[ranked[0]].link > 0.2",
    ),
    "Zhao: complexity of a layer; Thadani: O(n²) comparisons in each layer": (
        "crossing",
        "costs[64][0] == costs[64][1] and costs[32][0] < costs[32][1] and costs[128][0] > costs[128][1]"
        " and costs[128][2] == costs[128][3]",
    ),
    "Thadani: improved runtime and performance; Zhao: more efficient than RNN-based models": (
        "curves-by-time",
        "'[picture]' in output and all(points for points in minutes.values())",
    ),
}
