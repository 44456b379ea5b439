"""Lecture 05: what it takes from the seeds, in the order of its sections, and what its text says in numbers."""

from .prose_05_attention import PROSE

__all__ = ["PROSE", "SEEDS"]

SEEDS = {
    "Zhao: the problem: more information packed into the same vector": (
        "growing",
        "len(translations) == 5 and fixed.model.encoder.network.hidden_size == 256",
    ),
    "Zhao: the problem: quality drops with the length; Thadani: the fixed context is a bottleneck": (
        "bottleneck",
        "'[picture]' in output and min(b['all'] for b in by_length['one vector'][1:3])"
        " > 1.4 * max(b['all'] for b in by_length['one vector'][5:9])",
    ),
    "Zhao: sequence-to-sequence with attention, growing; Thadani: attention-based translation": (
        "diagram",
        "len(Out[max(Out)].steps) == 4 and Out[max(Out)].tokens == written and Out[max(Out)].predict",
    ),
    "Zhao: (1) attention scores: for each encoder state its relevance": (
        "four-steps",
        "torch.allclose(e, torch.stack([s @ h[j] for j in range(6)]), atol=1e-4)",
    ),
    "Zhao: (2) attention weights: softmax to a probability distribution; Thadani, Straka: α_i": (
        "four-steps",
        "torch.allclose(α, e.exp() / e.exp().sum(), atol=1e-5) and abs(α.sum() - 1) < 1e-5",
    ),
    "Zhao: (3) attention output: weighted sum of the encoder states; Thadani, Straka: c_i = Σ_j α_ij h_j": (
        "four-steps",
        "torch.allclose(c, sum(α[j] * h[j] for j in range(6)), atol=1e-5)",
    ),
    "Zhao: (4) concatenate the attention output with the decoder state, then compute ŷ": (
        "four-steps",
        "(p.log() - step.log_probs[0]).abs().max() < 1e-3",
    ),
    "Zhao: computation pipeline: input, scores, weights, output, with their shapes": (
        "four-steps",
        "'(6, 256)' in output and '(6,)' in output and '(256,)' in output",
    ),
    "Zhao: attention score functions: dot product, multiplicative, additive": (
        "scores",
        "[[round(v, 2) for v in row[1:4]] for row in rows] == [[1, 2, 0], [2, 1, 3], [1.93, 1.76, 1.76]]",
    ),
    "Zhao: score functions: d_1 and d_2, what is learnt": (
        "score-sizes",
        "[row[1] for row in rows] == [0, 256**2, 2 * 256 * 128 + 128]",
    ),
    "Straka: e_ij = v^⊤ tanh(V h_j + W s_{i−1} + b), with a bias": (
        "scores",
        "sum(p.numel() for p in Additive(2, 2, 2, bias=True).parameters())"
        " == sum(p.numel() for p in additive.parameters()) + 2",
    ),
    "Straka: s_i = f(s_{i−1}, y_{i−1}, c_i); Bahdanau et al. figure 1; Thadani: e_ij = a(s_{i−1}, h_j)": (
        "bahdanau-picture",
        "Out[max(Out)].name.endswith('(Bahdanau et al.)')",
    ),
    "Thadani: the context changes at each step and depends on the state of the decoder": (
        "joins",
        "[row[1] for row in rows] == ['yes', 'no', 'yes']",
    ),
    "Straka: trained attention visualisation, figure 3; Zhao: some interpretability": (
        "heatmap",
        "len(Out[max(Out)].views) == 4 and all(v['models'][0]['reference']['rate'] for v in Out[max(Out)].views)",
    ),
    "Thadani: induced alignments: attention weights reveal alignments": (
        "aer",
        "all(row[3] < row[2] and row[3] < 0.3 for row in rows)",
    ),
    "Thadani: weights can be visualised to diagnose errors": (
        "not-alignment",
        "sum(disagree.values()) > 0 and 0 < share < 0.5",
    ),
    "Thadani: consistent performance as sentence length increases": (
        "level",
        "'[picture]' in output and min(b['all'] for b in by_length['attention'] if b['to'] <= 35) > 80"
        " and all(a['all'] > f['all'] + (20 if a['to'] <= 15 else 60)"
        " for a, f in zip(by_length['attention'], by_length['one vector'], strict=True))",
    ),
    "Thadani: the table of Bahdanau et al., RNNencdec, RNNsearch, Moses": (
        "bahdanau-table",
        "all(number in output for number in ('13.93', '24.19', '21.50', '31.44', '17.82', '26.71', '26.75', '34.16',"
        " '28.45', '36.15', '33.30', '35.63'))",
    ),
    "Thadani: gradients flow directly to the relevant encoder states": (
        "gradients",
        "flow['one vector'][-1][1] < 1e-3 * flow['one vector'][0][1]"
        " and flow['attention'][-1][1] > 1e-2 * flow['attention'][0][1]",
    ),
    "Thadani: O(mn) instead of O(m + n)": (
        "cost",
        "all(abs(b[1] / a[1] - 2) < 0.05 for a, b in zip(costs, costs[1:], strict=False))"
        " and costs[-1][3] / costs[-2][3] > costs[1][3] / costs[0][3] > 2",
    ),
}
