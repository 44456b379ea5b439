"""The recurrent encoder–decoder (lecture 04; Thadani, "Sequence-to-sequence learning"; Zhao; Cho et al. 2014)."""

from collections.abc import Sequence

from course_lib.diagrams.diagram import Diagram, Node, Step, dot, layer, state, step, word
from course_lib.diagrams.sentence import Columns

WORDS, SUMMARY = 7.05, 3.7  # rows of the words that are read, and of the way of r to each step


def encoder_decoder(
    source: Sequence[str],
    target: Sequence[str],
    *,
    teacher_forcing: bool = False,
    at_each_step: bool = False,
    start: str = "<s>",
) -> Diagram:
    """Source words to one vector r to target words, which the decoder reads back as it writes them.

    With `teacher_forcing` it reads the true words, and the last step is the loss; `at_each_step` adds r to every input
    (Cho et al. 2014). Raises ValueError for fewer than two words on a side.
    """
    at = Columns(target, before=len(source) + 1, pitch=Columns(source).pitch)
    n, times = len(source), range(1, len(source) + 1)
    place = {j: at.column(j - n - 1) for j in times}
    read = [start, *target]
    title = "An encoder–decoder" + " in training" * teacher_forcing + ", r at each step" * at_each_step
    into = "[E y_{i−1}; r]" if at_each_step else "E y_{i−1}"
    begins = "starts from r and reads it again at every step" if at_each_step else f"starts from r and reads {start}"
    return Diagram(
        title,
        (at.width, 7.6),
        step("h_j = f(h_{j−1}, E x_j)", "The encoder, an LSTM or a GRU, reads the source to its end."),
        *(word(f"x{j}", source[j - 1], place[j], WORDS) for j in times),
        *(layer(f"e{j}", f"E x_{j}", place[j], 5.9, f"embedding of {source[j - 1]}", shape="input") for j in times),
        *(layer(f"h{j}", f"h_{j}", place[j], 4.4, f"encoder state {j}", shape="hidden") for j in times),
        "; ".join(f"x{j} -- e{j} -- h{j}" for j in times),
        " -- ".join(f"h{j}" for j in times),
        step("r = h_n", "The last state has read the whole sentence: one vector stands for it."),
        state("r", "r", at.column(0), 4.4, "representation of the source", shape="hidden"),
        f"h{n} -- r",
        step(
            f"s_0 = r,  s_i = f(s_{{i−1}}, {into})",
            f"The decoder is a language model that {begins}.",
            ("s_0 = 0,  s_i = f(s_{i−1}, E y_{i−1})", "Then the decoder would know nothing of the source."),
            ("s_0 = r,  s_i = f(s_{i−1}, E y_i)", "Then it would read the word that it is to predict."),
        ),
        *(
            layer(f"d{i}", f"E y_{i - 1}", at.column(i), 5.9, f"embedding of {read[i - 1]}", shape="input")
            for i in at.times
        ),
        *(layer(f"s{i}", f"s_{i}", at.column(i), 4.4, f"decoder state {i}", shape="hidden") for i in at.times),
        *(at.wires("d# -- s#"), "r -- s1", at.chain("s")),
        *(_summary(at) if at_each_step else ()),
        *(_true_words(at, read) if teacher_forcing else (word("y0", start, at.column(1), WORDS), "y0 -- d1")),
        step("z_i = U s_i + b", "A score for every word of the target vocabulary."),
        *(layer(f"z{i}", f"z_{i}", at.column(i), 3.0, f"scores {i}", shape="vocabulary") for i in at.times),
        at.wires("s# -- z#"),
        step(
            "p(y_i | y_1 … y_{i−1}, x) = softmax(z_i)", "The probability of each word, given the words before it and x."
        ),
        *(state(f"p{i}", f"p_{i}", at.column(i), 1.85, f"probabilities {i}", shape="vocabulary") for i in at.times),
        at.wires("z# -- p#"),
        *(_loss(at, target) if teacher_forcing else _writing(at, target)),
    )


def decoder_step(candidates: Sequence[str]) -> Diagram:
    """One step of greedy decoding, with the probabilities of some `candidates` for the next word."""
    wide = max(1.4, 0.1 + 0.75 * len(candidates))
    right = round(3.2 + wide / 2, 2)
    return Diagram(
        "One step of the decoder",
        (round(right + wide / 2 + 0.1, 2), 4.6),
        step("s_i = f(s_{i−1}, E y_{i−1})", "From the state and the word that was written last comes the next state."),
        state("before", "s_{i−1}", 0.7, 2.2, "state before", shape="hidden"),
        layer("read", "E y_{i−1}", 2.1, 3.8, "embedding of the word before", shape="input"),
        layer("now", "s_i", 2.1, 2.2, "state", shape="hidden"),
        "before -- now; read -- now",
        step("p_i = softmax(U s_i + b)", "The probability of every word; some of them are shown."),
        layer("p", "p_i", right, 2.2, "probabilities", size=(wide, 1), units=tuple(candidates), signed=False),
        "now -- p",
        step(
            "y_i = argmax_y p_i(y)",
            "Greedy decoding takes the likeliest word; it is the next input.",
            ("y_i ∼ p_i", "That is sampling: it may write another sentence each time."),
        ),
        state(
            "written", "y_i", right, 0.6, "word that is written", size=(wide, 1), units=tuple(candidates), signed=False
        ),
        "p -- written",
    )


def _true_words(at: Columns, read: Sequence[str]) -> list[Node | str]:
    """Under each decoder state the true word before."""
    words = [word(f"y{i - 1}", read[i - 1], at.column(i), WORDS, f"true word {read[i - 1]}") for i in at.times]
    return [*words, *(f"y{i - 1} -- d{i}" for i in at.times)]


def _summary(at: Columns) -> list[Node | str]:
    """r on its way to every state."""
    dots = [dot(f"c{i}", at.column(i) - 0.3 * (i > 0), SUMMARY) for i in (0, *at.times)]
    return [*dots, "r -- c0", " -- ".join(one.id for one in dots), at.wires("c# -- s#")]


def _writing(at: Columns, target: Sequence[str]) -> list[Step | Node | str]:
    fed = (f"o{i} -|-@{at.column(i) + at.pitch / 2:.2f} d{i + 1}" for i in at.times[:-1])
    return [
        step(
            "y_i = argmax_y p(y | y_1 … y_{i−1}, x)",
            "The likeliest word is written and read as the next input, until the end is written.",
        ),
        *(word(f"o{i}", target[i - 1], at.column(i), 0.6) for i in at.times),
        *(at.wires("p# -- o#"), *fed),
    ]


def _loss(at: Columns, target: Sequence[str]) -> list[Step | Node | str]:
    return [
        step(
            "loss = −Σ_i log p(y_i | y_1 … y_{i−1}, x)",
            "Training makes each true word probable, given the true words before it.",
            (
                "loss = −Σ_i log p(y_i | ŷ_1 … ŷ_{i−1}, x)",
                "That would be free running: the model’s own words as input.",
            ),
        ),
        *(word(f"o{i}", target[i - 1], at.column(i), 0.6, f"true next word {target[i - 1]}") for i in at.times),
        at.wires("p# -- o#"),
    ]
