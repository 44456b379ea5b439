"""Metrics against the truth: BLEU, chrF, TER and length beside computed adequacy and fluency; recorded once.

python -m course_lib.checkpoints judging

The outputs are those of the translators that come with the course, greedy and by beam, and true translations with one
change made on purpose. `metrics/truth` judges them by the grammar: adequacy and fluency are computed, not human.
"""

import json
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from sacrebleu import sentence_bleu, sentence_chrf, sentence_ter
from scipy.stats import kendalltau, pearsonr

from course_lib.checkpoints import NAMES, load
from course_lib.checkpoints.recorded import JUDGING, commit, write_record
from course_lib.corpora.grammar import Example, sample
from course_lib.corpora.grammar.contrasts import contrasts
from course_lib.corpora.grammar.variants import paraphrases
from course_lib.files import write_atomically
from course_lib.metrics.truth import Judge

SENTENCES = {"test": 300, "long": 100}  # of each split
PAIR = ("en", "de")
BEAM = 5
SEED = 0  # of the changes made on purpose
METRICS = ("bleu", "chrf", "ter", "length")
TRUTH = ("adequacy", "fluency")
ARTICLES = {"der": "die", "die": "der", "das": "die", "den": "die", "dem": "den", "ein": "eine", "eine": "ein"}
MEANING = {  # the kind of output → the kinds of contrasts it is drawn from
    "negation": ("negation added", "negation lost"),
    "roles swapped": ("roles",),
    "noun": ("noun",),
    "verb": ("verb",),
    "adjective": ("adjective",),
    "tense": ("tense",),
    "number": ("number",),
}
FORM = {"another order": ("time", "place", "order"), "another voice": ("voice",)}  # … of paraphrases
CHANGES = ("reference", *FORM, *MEANING, "article", "first half", "words shuffled")


def changed(example: Example, seed: int = SEED) -> dict[str, str]:
    """True translations with one change each, by the name of the change; without those the sentence does not admit."""
    found = {"reference": example.text(PAIR[1])}
    for kind, other in contrasts(example, seed, [kind for kinds in MEANING.values() for kind in kinds]):
        found.setdefault(next(name for name, kinds in MEANING.items() if kind in kinds), other.text(PAIR[1]))
    for kind, other in paraphrases(example):
        for name in (name for name, kinds in FORM.items() if kind in kinds):
            found.setdefault(name, other.text(PAIR[1]))
    words = example.text(PAIR[1]).split()
    place = next((i for i, word in enumerate(words) if word in ARTICLES), None)
    if place is not None:
        found["article"] = " ".join([*words[:place], ARTICLES[words[place]], *words[place + 1 :]])
    found["first half"] = " ".join(words[: math.ceil(len(words) / 2)])
    found["words shuffled"] = " ".join(random.Random(f"{seed} {words}").sample(words, len(words)))
    return found


def scores(output: str, references: Sequence[str], judge: Judge) -> dict[str, float]:
    """METRICS and TRUTH of one output: sacreBLEU's sentence scores (BLEU smoothed by "exp"), words over the words of
    the first reference, and what the judge computes."""
    judgement = judge(output)
    values = {
        "bleu": sentence_bleu(output, references, smooth_method="exp").score,
        "chrf": sentence_chrf(output, references).score,
        "ter": sentence_ter(output, references).score,
        "length": len(output.split()) / len(references[0].split()),
        "adequacy": judgement.adequacy,
        "fluency": judgement.fluency,
    }
    return {name: round(value, 4) for name, value in values.items()}


def make(folder: Path, *, sentences: dict[str, int] = SENTENCES, names: Sequence[str] = NAMES) -> dict:
    """Measure, write the record to `folder`, and return it. Interrupted, it goes on where it was with as many
    `sentences` of each split; those of which there are other numbers now are measured again.

    "systems": the means of each system on each split; "correlations": Pearson's r and Kendall's tau-b of each metric
    with each truth, over the outputs ("segments") and over the systems' means ("systems"), of the translators'
    outputs ("models") and of the changes made on purpose ("changes").
    """
    resume = folder / f"{JUDGING}.resume"
    done = json.loads(resume.read_text(encoding="utf-8")) if resume.exists() else {}
    done = {key: rows for key, rows in done.items() if len(rows) == sentences.get(key.split(" ", 1)[0])}
    code = commit()
    for split, n in sentences.items():
        examples = sample(n, split=split)
        judges = [Judge(example, *PAIR) for example in examples]
        references = [example.references(*PAIR) for example in examples]
        for name, outputs in _outputs(examples, names, done, split):
            done[f"{split} {name}"] = [
                None if output is None else scores(output, refs, judge)
                for output, refs, judge in zip(outputs, references, judges, strict=True)
            ]
            with write_atomically(resume) as file:
                json.dump(done, file)
    asked = "" if sentences == SENTENCES else " --sentences " + " ".join(map(str, sentences.values()))
    record = {
        "command": f"python -m course_lib.checkpoints {JUDGING}{asked}",
        "commit": code,
        "seed": SEED,
        "sentences": sentences,
        "beam_size": BEAM,
        "truth": "computed from the grammar, not human",
        "systems": {key: _means(rows) for key, rows in done.items()},
        "correlations": {
            group: _correlations([rows for key, rows in done.items() if (key.split(" ", 1)[1] in CHANGES) == changes])
            for group, changes in (("models", False), ("changes", True))
        },
    }
    write_record(JUDGING, record, folder)
    resume.unlink()
    return record


def _outputs(examples: Sequence[Example], names: Sequence[str], done: dict, split: str) -> Iterator[tuple[str, list]]:
    """Each system that is not done yet, with its outputs: None where the sentence does not admit the change."""
    sources = [example.text(PAIR[0]) for example in examples]
    if any(f"{split} {name}" not in done for name in CHANGES):
        made = [changed(example) for example in examples]
        for name in CHANGES:
            yield name, [texts.get(name) for texts in made]
    for name in names:
        if f"{split} {name}, greedy" not in done:
            yield f"{name}, greedy", load(name).translate(sources)
        if f"{split} {name}, beam" not in done:
            translator = load(name)
            found = translator.search(sources, beam_size=BEAM)
            yield f"{name}, beam", [translator.written(outputs[0].words) for outputs in found]


def _means(rows: Sequence[dict | None]) -> dict[str, float]:
    there = [row for row in rows if row]
    means = {name: round(fmean(row[name] for row in there), 4) for name in (*METRICS, *TRUTH)} if there else {}
    return {"outputs": len(there), **means}


def _correlations(systems: Sequence[Sequence[dict | None]]) -> dict:
    segments = [row for rows in systems for row in rows if row]
    means = [mean for rows in systems if (mean := _means(rows))["outputs"]]
    return {
        level: {metric: {truth: _correlation(rows, metric, truth) for truth in TRUTH} for metric in METRICS}
        for level, rows in (("segments", segments), ("systems", means))
    }


def _correlation(rows: Sequence[dict], x: str, y: str) -> dict[str, float | None]:
    """{"pearson", "kendall"}; None where one of the two is the same everywhere."""
    xs, ys = [row[x] for row in rows], [row[y] for row in rows]
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return {"pearson": None, "kendall": None}
    return {
        "pearson": round(float(pearsonr(xs, ys).statistic), 4),
        "kendall": round(float(kendalltau(xs, ys).statistic), 4),
    }
