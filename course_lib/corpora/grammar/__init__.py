"""The grammar corpus: sentences in English, German and French drawn from one meaning, by seed, in any number.

>>> example = sample(1, seed=3)[0]
>>> sorted(example.sentences)
['de', 'en', 'fr']

Each example carries its meaning (`meaning.py`), its tokens, gold word alignments (sure and possible), gold coreference,
all its translations (`references`) and, if it can be drawn, its `scene`. The tokens keep the case that a word has
inside a sentence; `text` gives running text. README.md shows the corpus in figures, which report.py prints.

meaning.py      who does what to whom, in no language; features.py: what a sentence shows of it
sampling.py     draws sentences of clauses.py and participants.py; rates.py: how often what is drawn
lexicon.py      the concepts; selection.py, together.py, voice.py: what goes with what; names.py: names to copy
languages.py    what a language has to offer: en.py, de.py, fr.py;  en_forms.py, de_forms.py, fr_forms.py: forms;
                de_verbs.py, fr_verbs.py: verbs and where they stand
words.py        words that know where they come from: gold links; running_text.py: text → tokens
readings.py     other meanings of a sentence; readable.py: what is hard to read
variants.py     paraphrases, and foils of the same words; contrasts.py: minimal pairs, one named part changed
scenes.py       what can be drawn; splits.py: train, dev, test and others, apart from each other
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from course_lib.corpora.grammar.features import features
from course_lib.corpora.grammar.languages import LANGUAGES
from course_lib.corpora.grammar.meaning import (
    Both,
    Clause,
    Entity,
    Named,
    Participant,
    Pronoun,
    Utterance,
    nodes,
    topic,
)
from course_lib.corpora.grammar.rates import RATES, Rates
from course_lib.corpora.grammar.readings import readings
from course_lib.corpora.grammar.sampling import Sampler
from course_lib.corpora.grammar.scenes import Placing, SceneSampler, scene
from course_lib.corpora.grammar.splits import LONGEST, SPLITS, Strata, admits_meaning, admits_sentence
from course_lib.corpora.grammar.words import Links, Word, positions, possible_links, sure_links

LEVEL = ("test", "long")  # the splits with as many sentences of every length
DEPTHS = (-1, -1, 0, 0, 1, 1, 1, 1, 2, 2, 4, 5, 5, 5, 6, 6)  # of the other splits' sentences

__all__ = ["LANGUAGES", "LONGEST", "SPLITS", "Example", "examples", "reference_streams", "sample"]


@dataclass(frozen=True, slots=True)
class Example:
    """One meaning and its sentence, as tokens, in every language."""

    meaning: Utterance
    sentences: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, meaning: Utterance) -> "Example":
        """The example of a meaning, drawn or built by hand."""
        return cls(
            meaning, {code: tuple(word for word, _ in module.linearise(meaning)) for code, module in LANGUAGES.items()}
        )

    @property
    def features(self) -> frozenset[str]:
        """Tags of what the sentence shows: "relative", "because", "names", … (`features.py`)."""
        return features(self.meaning)

    def words(self, language: str) -> list[Word]:
        """The tokens, each with the parts of the meaning that it comes from."""
        return _module(language).linearise(self.meaning)

    def text(self, language: str) -> str:
        """The sentence as running text."""
        return _module(language).detokenise(list(self.sentences[language]))

    def alignment(self, source: str, target: str) -> Links:
        """The sure gold links (i, j): source token i and target token j say the same part of the meaning."""
        return sure_links(self.words(source), self.words(target))

    def possible(self, source: str, target: str) -> Links:
        """The sure links, and those of tokens that help to say the same part: articles of compounds, auxiliaries."""
        return possible_links(self.words(source), self.words(target))

    @property
    def scene(self) -> tuple[Placing, ...]:
        """What can be drawn of it: what is where (`scenes.py`); () if the sentence says anything else."""
        return scene(self.meaning)

    def references(self, source: str, target: str) -> list[str]:
        """The translations, as running text, of all readings of the sentence (`readings.py`), this one's first."""
        module = _module(target)
        _module(source)
        texts = (_text(module, meaning) for meaning in readings(self.meaning, source))
        return list(dict.fromkeys(texts))

    def coreference(self, language: str) -> list[tuple[int, int]]:
        """(pronoun, antecedent) token positions: he, she, it, they, possessives; two pairs for two heads."""
        words = self.words(language)
        pairs = []
        for node in nodes(self.meaning):
            if isinstance(node, Pronoun):
                heads = [
                    position for head in _heads(node.antecedent) for position in positions(words, head, "noun")[:1]
                ]
                pairs += [(i, j) for i in positions(words, node, "pronoun") for j in heads]
        return pairs

    def agreement(self, language: str) -> list[tuple[int, int, bool]]:
        """(subject, finite verb, plural) token positions of the clauses whose subject is a noun, near or far."""
        words = self.words(language)
        found = []
        for node in nodes(self.meaning):
            if isinstance(node, Clause) and isinstance(topic(node), Entity) and node.verb != "exist":
                subject = positions(words, topic(node), "noun")[0]
                verb = positions(words, node, "tense", "tense:verb")[0]
                found.append((subject, verb, topic(node).plural))
        return found


def examples(seed: int = 0, split: str = "train", rates: Rates = RATES) -> Iterator[Example]:
    """Examples of a split without end, no two alike; the same for the same seed in every process.

    `rates` say how often it draws what a sentence may have or not (`rates.py`).

    Raises ValueError for a split that is not in SPLITS.
    """
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}, got {split!r}")
    return _draw(seed, split, rates)


def _draw(seed: int, split: str, rates: Rates) -> Iterator[Example]:
    rng = random.Random(f"{split} {seed}")
    seen: set[tuple[tuple[str, ...], ...]] = set()
    strata = Strata(split) if split in LEVEL else None
    sampler = SceneSampler(rng) if split == "scenes" else Sampler(rng, held=split == "names", rates=rates)
    while True:
        sampler.depth = strata.wanted() - 1 if strata else DEPTHS[int(rng.random() * len(DEPTHS))]
        meaning = sampler.utterance()
        if not admits_meaning(split, meaning):
            continue
        sentences = {}
        for code, module in LANGUAGES.items():
            sentences[code] = tuple([word for word, _ in module.linearise(meaning)])
            if not admits_sentence(split, code, sentences[code]):
                break
        else:
            if (reading := tuple(sentences.values())) not in seen and (strata is None or strata.admits(sentences)):
                seen.add(reading)
                yield Example(meaning, sentences)


def sample(n: int, seed: int = 0, split: str = "train", rates: Rates = RATES) -> list[Example]:
    """The first `n` examples of a split: a larger sample begins with the smaller one of the same seed.

    Raises ValueError for a negative `n` or an unknown split.
    """
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    return list(islice(examples(seed, split, rates), n))


def reference_streams(examples: Sequence[Example], source: str, target: str) -> list[list[str | None]]:
    """The references of all examples as sacreBLEU takes them: a list for each first, second, … reference.

    An example with fewer references than another has None in the rest.
    """
    references = [example.references(source, target) for example in examples]
    most = max(map(len, references), default=0)
    return [[texts[k] if k < len(texts) else None for texts in references] for k in range(most)]


def _heads(np: Participant) -> list[Entity | Named]:
    return [np.first, np.second] if isinstance(np, Both) else [np]


def _text(module, meaning: Utterance) -> str:
    return module.detokenise([word for word, _ in module.linearise(meaning)])


def _module(language: str):
    if language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    return LANGUAGES[language]
