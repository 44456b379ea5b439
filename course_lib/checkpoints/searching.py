"""What search makes of the recurrent translators: sizes of the beam, two kinds of error, ensembles; recorded once.

python -m course_lib.checkpoints search
"""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from course_lib.checkpoints import NAMES, SEARCH, load
from course_lib.checkpoints.evaluation import bleu
from course_lib.checkpoints.recorded import commit, write_record
from course_lib.corpora.grammar import Example, sample
from course_lib.search.beam import beam
from course_lib.search.best_first import best_first
from course_lib.search.ensemble import Ensemble
from course_lib.search.hypothesis import Hypothesis, Normalise, plain, power
from course_lib.training.device import device
from course_lib.translator import Translator

BEAMS = (1, 2, 5, 10, 20)
RANKINGS: dict[str, tuple[Normalise, str]] = {"plain": (plain, "bound"), "mean": (power(1), "count")}  # how, and stop
MODELS = {"attention": ("test", "long"), "fixed": ("test", "long")}
ENSEMBLES = {"fixed": ("fixed", "fixed_reversed"), "member": tuple(n for n in NAMES if n.startswith("member_"))}
SENTENCES = 150  # of each split
JUDGED = 60  # sentences whose most probable output is looked for
MOST = 1_000  # steps of best-first search for one of them
SAME = 1e-3  # log-probabilities that differ by less are of one output, added in another order
PAIR = ("en", "de")


def make(folder: Path, *, sentences: int = SENTENCES, judged: int = JUDGED, beams: Sequence[int] = BEAMS) -> dict:
    """Measure, write its record to `folder`, and return what it holds: the record."""
    record = {
        "command": f"python -m course_lib.checkpoints {SEARCH}",
        "commit": commit(),
        "device": device().type,
        "sentences": sentences,
        "models": {name: {} for name in MODELS},
    }
    for name, splits in MODELS.items():
        translator = load(name)
        for split in splits:
            examples = sample(sentences, split=split)
            record["models"][name][split] = {
                ranking: [measured(translator, examples, k, normalise=how, stop=stop) for k in beams]
                for ranking, (how, stop) in RANKINGS.items()
            }
        record["models"][name]["errors"] = errors(translator, sample(judged, split="test"), beams)
    record["ensembles"] = {
        name: ensembles([load(member) for member in members], sample(sentences, split="test"))
        for name, members in ENSEMBLES.items()
        if members
    }
    write_record(SEARCH, record, folder)
    return record


def by_beam_size(translator: Translator, examples: Sequence[Example], beams: Sequence[int] = BEAMS) -> list[dict]:
    """`measured` of every size of the beam, outputs ranked by their log-probability."""
    how, stop = RANKINGS["plain"]
    return [measured(translator, examples, k, normalise=how, stop=stop) for k in beams]


def best(translator: Translator, examples: Sequence[Example], beam_size: int, **options) -> list[Hypothesis]:
    """The best output that a beam finds for each."""
    found = translator.search([example.text(PAIR[0]) for example in examples], beam_size=beam_size, **options)
    return [outputs[0] for outputs in found]


def measured(translator: Translator, examples: Sequence[Example], beam_size: int, **options) -> dict:
    """{"beam_size", BLEU "all" and "one", "length", "log_probability"} of a beam's best outputs.

    "length": their words for each word of the true translations; "log_probability": the mean of a sentence.
    """
    found = best(translator, examples, beam_size, **options)
    texts = [translator.written(output.words) for output in found]
    words = sum(len(translator.tokenizer.decode(translator.vocabulary.pieces(y.words)).split()) for y in found)
    true = sum(len(example.sentences[PAIR[1]]) for example in examples)
    scores = {name: round(score, 2) for name, score in bleu(texts, examples, *PAIR).items()}
    mean = sum(output.log_probability for output in found) / len(found)
    return {"beam_size": beam_size, **scores, "length": round(words / true, 4), "log_probability": round(mean, 4)}


def most_probable_output(translator: Translator, sentence: str, most: int = MOST) -> Hypothesis | None:
    """argmax_y log p(y | x), proven; None if `most` steps of best-first search do not decide it."""
    source, mask = translator.read([sentence])
    limit = translator.limit(source.shape[1] - 1)
    (known,) = beam(translator.model, source, mask, limit, stop="bound")
    least = known[0].log_probability - SAME if known[0].finished else -math.inf
    found = best_first(translator.model, source, mask, limit, most=most, at_least=least)
    return found[0] if found else None


def errors(translator: Translator, examples: Sequence[Example], beams: Sequence[int], most: int = MOST) -> dict:
    """The two kinds of error on the sentences whose most probable output can be proven.

    {"sentences", "decided", "model_errors", "searches"}: how many there are, of how many it is proven, of how many of
    these it is not one of the sentence's readings; and for each size of the beam {"beam_size", "search_errors",
    "right", "right_though_missed"}: how often a more probable output was missed, how often the output found is a
    reading, and how often it is although a more probable one was missed.
    """
    optima = [most_probable_output(translator, example.text(PAIR[0]), most) for example in examples]
    decided = [(example, y) for example, y in zip(examples, optima, strict=True) if y is not None]
    chosen = [example for example, _ in decided]
    is_right = partial(right, translator)
    searches = []
    for k in beams:
        found = best(translator, chosen, k, stop="bound") if chosen else []
        missed = [h.log_probability < y.log_probability - SAME for h, (_, y) in zip(found, decided, strict=True)]
        correct = [is_right(h, example) for h, example in zip(found, chosen, strict=True)]
        lucky = sum(m and c for m, c in zip(missed, correct, strict=True))
        searches.append(
            {"beam_size": k, "search_errors": sum(missed), "right": sum(correct), "right_though_missed": lucky}
        )
    return {
        "sentences": len(examples),
        "decided": len(decided),
        "model_errors": sum(not is_right(y, example) for example, y in decided),
        "searches": searches,
    }


def right(translator: Translator, output: Hypothesis, example: Example) -> bool:
    """Whether it is one of the readings of the source, word for word."""
    return translator.written(output.words) in example.references(*PAIR)


def together(members: Sequence[Translator], mean: str = "probabilities") -> Translator:
    """The ensemble of translators that cut and number their text alike; raises ValueError where they do not."""
    first = members[0]
    if any(one.vocabulary.id_to_piece != first.vocabulary.id_to_piece for one in members):
        raise ValueError("members must have the same pieces in the same order")
    model = Ensemble([one.model for one in members], mean)
    return Translator(model, first.tokenizer, first.vocabulary, words=first.words, text=first.text)


def ensembles(members: Sequence[Translator], examples: Sequence[Example], beam_size: int = 5) -> list[dict]:
    """`measured` of every member, and of the first two, three … together, by both means."""
    rows = [{"models": 1, "mean": "", **measured(one, examples, beam_size)} for one in members]
    for n in range(2, len(members) + 1):
        for mean in ("probabilities", "logarithms"):
            rows.append({"models": n, "mean": mean, **measured(together(members[:n], mean), examples, beam_size)})
    return rows
