"""Lecture 06: what it takes from the seeds, in the order of its sections, and what its text says in numbers."""

from .lecture import sources
from .prose_06_search import PROSE

__all__ = ["PROSE", "SEEDS"]

SEEDS = {
    "Zhao: y' = argmax_y p(y | x) = argmax_y Π_t p(y_t | y_<t, x); Li: inference": (
        "greedy-fails",
        "all(abs(math.prod(math.exp(toy.model.rows[y.words[:t]][w]) for t, w in enumerate(y.words))"
        " - math.exp(y.log_probability)) < 1e-6 for y in outputs)",
    ),
    "Zhao: a first attempt: greedy decoding; Li: autoregressive generation, greedy decoding": (
        "greedy-fails",
        "toy.translate(['x']) == ['der Hund']",
    ),
    "Zhao: the best token at the current step does not necessarily lead to the best sequence; Li: not best": (
        "greedy-fails",
        "rows[0][0] == 'ein Hund' and abs(rows[0][2] - 0.36) < 1e-6"
        " and abs(dict((name, p) for name, _, p in rows)['der Hund'] - 0.2) < 1e-6",
    ),
    "Zhao: how do we search through this large list; Li: exhaustive search, too expensive": (
        "space",
        "V > 1000 and rows[-2][1] == f'10^{math.log10(V - 1) * 19:.0f}' and int(rows[-1][1][3:]) > 80",
    ),
    "Li: naive solution: exhaustive search": (
        "growth",
        "all(row[1] == row[2] for row in rows) and rows[-1][1] == 1365",
    ),
    "Zhao: beam search, core idea: hypotheses, score(y_1 … y_t) = Σ log p, never positive": (
        "walk-table",
        "all(abs(node.log_probability - score_of[pie.written(walk.words(node.number))]) < 1e-4"
        " for step in walk.steps[:6] for node in step"
        " if pie.written(walk.words(node.number)) in score_of and node.word != 3)",
    ),
    "Zhao: beam search example, k = 2: of k hypotheses the top k next words, of the k² keep k": (
        "walk-table",
        "[sorted(pie.written(walk.words(n.number)) for n in step if n.fate == 'kept') for step in walk.steps[:6]] == ["
        "['I', 'he'], ['I was', 'he hit'], ['he hit a', 'he hit me'], ['he hit a pie', 'he hit me with'],"
        " ['he hit me with a', 'he hit me with one'], ['he hit me with a pie', 'he hit me with a tart']]"
        " and all(len(step) == 4 for step in walk.steps[1:6])",
    ),
    "Zhao: the top-scoring hypothesis is found: he hit me with a pie": (
        "walk-tree",
        "(lambda tree: tree.outputs[0]['text'] == 'he hit me with a pie'"
        " and abs(tree.outputs[0]['log_p'] + 4.3) < 1e-3 and tree.k == 2 and tree.predict)(Out[max(Out)])",
    ),
    "Zhao: beam search is not guaranteed to find the optimal solution": (
        "enough-k",
        "[row[1] for row in rows] == ['der Hund', 'ein Hund', 'ein Hund']",
    ),
    "Li: beam search: keep k best partial sequences, expand, collect, keep the top k; Thadani: beam search decoding": (
        "by-hand",
        "[row[0] for row in rows[:3]] == ['aside'] * 3"
        " and all(row[4] == 'yes' and abs(row[2] - row[3]) < 1e-3 for row in rows[:3])",
    ),
    "Zhao: stopping criteria: completed hypotheses are placed aside; timestep T, or n completed": (
        "count-too-early",
        "[row[:3] for row in rows[:2]] == [['count', 2, ''], ['bound', 3, 'danke schön']]"
        " and rows[2][2] == 'danke schön'",
    ),
    "Li: pseudocode: a candidate that ended stays in the beam, only EOS follows, with 0": (
        "by-hand",
        "[row[0] for row in rows[3:]] == ['in_beam'] * 3"
        " and all(row[4] == 'yes' and abs(row[2] - row[3]) < 1e-3 for row in rows[3:])",
    ),
    "Zhao: beam search on a sentence, the whole tree": (
        "tree",
        "Out[max(Out)].k == 3 and Out[max(Out)].translator is attentive and Out[max(Out)].outputs",
    ),
    "Li: decoding length: within source length + 50": (
        "policies",
        "rows[2][2] == limit == hard.shape[1] + 50",
    ),
    "Li: two types of error: the most probable translation is bad; search does not find the most probable": (
        "errors-record",
        "shown[2][4] <= shown[0][4] and shown[2][2] >= shown[2][4] and all(row[4] + row[6] >= row[2] for row in shown)",
    ),
    "Li: the most probable translation is not necessarily the one with the highest BLEU": (
        "curse",
        "all(against_k('fixed', split, 'log_probability')[-1][1] > against_k('fixed', split, 'log_probability')[0][1]"
        " and against_k('fixed', split, 'all')[-1][1]"
        " < max(score for _, score in against_k('fixed', split, 'all')) - 1 for split in ('test', 'long'))",
    ),
    "Li: performance with model ensemble (Luong et al.)": (
        "ensemble-record",
        "(lambda pair, small: min(e['all'] for e in pair[2:]) > max(m['all'] for m in pair[:2])"
        " and min(e['all'] for e in small[5:]) > max(m['all'] for m in small[:3])"
        " and small[3]['all'] < max(m['all'] for m in small[:2]) < small[4]['all']"
        " and [e['models'] for e in (*pair, *small)] == [1, 1, 2, 2, 1, 1, 1, 2, 2, 3, 3])"
        "(*(record['ensembles'][name] for name in ('fixed', 'member')))",
    ),
    "Li: results on WMT14, single models and ensembles": (
        "wmt",
        "all(number in output for number in ('24.60', '26.30', '39.92', '41.16', '25.16', '26.36', '40.46', '41.29',"
        " '39.20', '40.40'))"
        " and [round(f(row[4] for row in rows), 1) for f in (min, max)] == [0.8, 1.7]",
    ),
    "Li: beam search is approximate dynamic programming: k hypotheses in place of all": (
        "cost",
        "all(abs(row[2] / row[0] - 1) < 0.05 for row in rows)",
    ),
}


def test_no_table_shows_the_tree_before_it_is_predicted():
    cells = list(sources("06_search").items())
    shown = next(place for place, (_, source) in enumerate(cells) if "beam_tree(pie" in source)
    assert shown > [name for name, _ in cells].index("walk-tree")
