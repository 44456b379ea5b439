"""Each lecture in one picture: what goes where, from left to right. It stands below the heading of its summary."""

from collections.abc import Callable

from course_lib.diagrams.diagram import Diagram, Node, layer, state, step


def _wide(make: Callable[..., Node]) -> Callable[..., Node]:
    """Nodes as wide as their words."""

    def made(id: str, text: str, column: float, row: float, **more: object) -> Node:
        letters = len(text) + (len(note) + 2 if (note := str(more.get("note", ""))) else 0)
        return make(id, text, column, row, size=(round(0.4 + 0.098 * letters, 2), 1), **more)

    return made


is_, learns = _wide(state), _wide(layer)  # what there is, and what is learned or chooses


def _picture(title: str, size: tuple[float, float], *parts: Node | str) -> Diagram:
    return Diagram(title, size, step("", title), *parts)


SUMMARIES = {
    "01": _picture(
        "Translation by counting",
        (12.6, 3.3),
        is_("pairs", "sentence pairs", 0.9, 1.65),
        learns("model", "IBM Model 1", 3.0, 1.65, note="EM"),
        is_("links", "word links", 5.0, 1.65),
        learns("table", "phrase table p(x | y)", 7.3, 1.65),
        learns("ngrams", "n-gram model p(y)", 7.3, 2.75),
        is_("text", "target text", 5.0, 2.75),
        learns("decoder", "decoder", 9.7, 1.65, note="beam"),
        is_("source", "source x", 9.7, 0.55),
        is_("output", "translation y", 11.7, 1.65),
        is_("gold", "gold links: AER", 5.0, 0.55),
        "pairs -- model -- links -- table -- decoder -- output; text -- ngrams -| decoder; source -- decoder",
        "links -- gold",
    ),
    "02": _picture(
        "From text to pieces, in three ways",
        (13.4, 3.5),
        is_("text", "training text", 0.9, 1.7),
        learns("bpe", "BPE: merge the most frequent pair", 3.9, 0.6),
        learns("wordpiece", "WordPiece: the largest gain", 3.9, 1.7),
        learns("unigram", "unigram: drop the least needed", 3.9, 2.8),
        is_("merges", "merges, in order", 7.1, 0.6),
        is_("set", "set of pieces", 7.1, 1.7),
        is_("probabilities", "pieces with p", 7.1, 2.8),
        is_("replay", "merge again", 9.4, 0.6),
        is_("longest", "longest match", 9.4, 1.7),
        is_("viterbi", "most probable cut", 9.4, 2.8),
        is_("cut", "sentence in pieces", 12.2, 1.7),
        "text |- bpe -- merges -- replay -| cut; text -- wordpiece -- set -- longest -- cut",
        "text |- unigram -- probabilities -- viterbi -| cut",
    ),
    "03": _picture(
        "One network for sequences, and its uses",
        (12.0, 4.7),
        is_("words", "words x_1 … x_T", 1.0, 2.35),
        learns("rnn", "basic unit", 4.3, 1.15, note="gradient at most (γs)ᵏ"),
        learns("lstm", "LSTM", 4.3, 2.35, note="fᵏ along the cell"),
        learns("gru", "GRU", 4.3, 3.55, note="(1 − z)ᵏ along the state"),
        is_("states", "states h_1 … h_T", 7.7, 2.35),
        is_("label", "label", 10.7, 0.55),
        is_("r", "sentence as r", 10.7, 1.75),
        is_("next", "next word", 10.7, 2.95),
        is_("written", "words from c", 10.7, 4.15),
        "words |- rnn -| states; words -- lstm -- states; words |- gru -| states",
        "states -|-@9.3 label; states -|-@9.3 r; states -|-@9.3 next; states -|-@9.3 written",
    ),
    "04": _picture(
        "The encoder–decoder",
        (12.0, 3.5),
        is_("source", "source x", 0.9, 1.65),
        learns("encoder", "encoder", 2.8, 1.65),
        is_("r", "one vector r", 4.7, 1.65),
        learns("decoder", "decoder", 6.7, 1.65),
        learns("softmax", "softmax", 8.5, 1.65),
        is_("p", "p(y_i | …, x)", 10.7, 1.65),
        is_("true", "true words: training", 4.5, 2.9),
        is_("loss", "loss −Σ log p", 10.7, 0.55),
        is_("own", "own words: writing", 8.9, 2.9),
        "source -- encoder -- r -- decoder -- softmax -- p -- loss; true -| decoder; p |- own -| decoder",
    ),
    "05": _picture(
        "Attention: the decoder looks back",
        (12.8, 3.5),
        is_("source", "source words", 0.9, 2.85),
        learns("encoder", "encoder", 2.8, 2.85),
        is_("h", "states h_1 … h_n", 4.9, 2.85),
        learns("score", "score e_{ij}", 4.9, 1.7),
        is_("s", "decoder state s_i", 4.9, 0.55),
        is_("a", "softmax: weights α_{ij}", 7.6, 1.7),
        is_("c", "context c_i = Σ_j α_{ij} h_j", 7.6, 2.85),
        learns("joined", "join with s_i", 10.0, 0.55),
        is_("p", "next word", 12.0, 0.55),
        "source -- encoder -- h -- score -- a -- c -| joined -- p; s -- score; h -- c; s -- joined",
    ),
    "06": _picture(
        "Beam search",
        (12.8, 3.5),
        is_("kept", "k hypotheses", 1.2, 1.65),
        learns("model", "model: p of the next word", 3.6, 1.65),
        is_("all", "all continuations", 6.4, 1.65),
        is_("rank", "best k", 8.4, 1.65),
        is_("ended", "finished", 10.0, 1.65),
        is_("norm", "÷ |y|^α", 11.8, 1.65),
        is_("best", "best output", 11.8, 2.9),
        is_("greedy", "k = 1: greedy search", 1.2, 0.55),
        is_("random", "drawn, not ranked: sampling", 8.4, 0.55),
        is_("live", "the k that go on", 4.8, 2.9),
        "kept -- model -- all -- rank -- ended -- norm -- best; rank |- live; live -| kept",
        "greedy -- kept; random -- rank",
    ),
    "07": _picture(
        "A layer of the Transformer",
        (13.0, 3.7),
        is_("x", "words + places X", 1.0, 1.7),
        learns("q", "Q", 3.0, 0.55, note="asks"),
        learns("k", "K", 3.0, 1.7, note="answers"),
        learns("v", "V", 3.0, 2.85, note="is passed on"),
        is_("a", "weights A = softmax(Q K^⊤ / √d_k)", 6.3, 0.55),
        is_("mean", "A V", 6.3, 2.85),
        learns("heads", "heads joined", 8.7, 2.85, note="Wᴼ"),
        learns("norm", "Add & Norm", 8.7, 1.7),
        learns("network", "network", 11.5, 1.7, note="each word"),
        learns("norm2", "Add & Norm", 11.5, 2.85),
        is_("y", "next layer, or H", 11.4, 0.55),
        "x |- q; x -- k; x |- v; q -- a -- mean; k -|-@4.1 a; v -- mean -- heads -- norm -- network -- norm2",
        "norm2 -|-@12.7 y",
    ),
    "08": _picture(
        "A training step",
        (13.0, 3.7),
        is_("pairs", "batch by length", 1.4, 0.65),
        learns("model", "Transformer", 4.5, 0.65, note="dropout"),
        learns("loss", "loss", 7.6, 0.65, note="smoothed targets"),
        is_("g", "gradient g_t", 10.4, 0.65),
        learns("adam", "Adam", 10.4, 1.9, note="m̂ / √v̂"),
        is_("rate", "rate: warm-up, then 1 / √t", 10.4, 3.1),
        is_("weights", "weights θ_t", 4.5, 1.9),
        is_("mean", "mean of the last checkpoints", 4.5, 3.1),
        "pairs -- model -- loss -- g -- adam -- weights -- model; rate -- adam; weights -- mean",
    ),
    "09": _picture(
        "Is the translation good, and how sure is that?",
        (13.0, 4.0),
        is_("output", "outputs", 0.7, 1.9),
        learns("counts", "BLEU, chrF, TER", 3.7, 0.65, note="equal words"),
        learns("states", "BERTScore", 3.7, 1.9, note="similar states"),
        learns("people", "people", 3.7, 3.15, note="adequacy, fluency"),
        is_("score", "score of the corpus", 7.0, 0.65),
        is_("together", "correlation", 7.0, 1.9),
        is_("ratings", "ratings", 7.0, 3.15),
        is_("interval", "resampled: interval, p", 10.6, 0.65),
        is_("agree", "agreement of raters: κ, α", 10.6, 3.15),
        "output |- counts -- score -- interval; output -- states -- together; output |- people -- ratings -- agree",
        "score -- together; ratings -- together",
    ),
    "10": _picture(
        "Scaling up: what grows, and what keeps it trainable",
        (13.4, 3.7),
        is_("source", "source", 0.7, 1.7),
        learns("stack", "deep stack", 3.1, 1.7, note="residual, pre-norm"),
        learns("experts", "experts", 6.3, 1.7, note="few of many"),
        learns("softmax", "softmax", 9.3, 1.7, note="sample of words"),
        is_("y", "whole sentence", 12.1, 1.7),
        is_("reward", "reward − baseline", 12.1, 2.95),
        is_("gradient", "gradient of the mean reward, for all weights", 6.3, 2.95),
        is_("devices", "one device for each layer", 3.1, 0.55),
        is_("cost", "operations, minutes, money", 9.3, 0.55),
        "source -- stack -- experts -- softmax -- y -- reward -- gradient -- experts; stack -- devices",
        "gradient -| stack; experts |- cost; softmax -- cost",
    ),
}
