"""A judge that knows the meaning: which parts of it an output keeps, and how near the output is to the grammar.

Computed from the grammar, never a human judgement. What it cannot know: an order or a word that the language has and
the grammar does not ("Den Mann sieht die Frau" is taken for a wrong ending); and who is meant where the words allow
two. An output may be grammatical although the search does not find how, most often one that has little to do with its
source: `fluency` is a lower bound, and then more of the meaning counts as lost.

>>> from course_lib.corpora.grammar import Example
>>> from course_lib.corpora.grammar.meaning import Clause, Entity, Utterance
>>> judge = Judge(Example.of(Utterance(Clause("see", Entity("man"), Entity("dog"), negated=True))), "en", "de")
>>> judgement = judge("Der Mann sieht den Hund.")
>>> [(part.verdict, part.name) for part in judgement.wrong], judgement.fluency
([('lost', 'negation')], 1.0)

nearest.py    the grammar's sentence nearest to an output; distance.py: Levenshtein's distance; ways.py: what German
              says in two ways
proposals.py  the changes of a meaning that lead there; suggestions.py: what the words of the output suggest;
              clues.py: what a token can be; valency.py: the participants that a verb takes
parts.py      the parts of a meaning, kept, changed, lost or added; facts.py: what a meaning says, fact by fact;
              pairing.py: what answers to what; words.py: which words of the nearest sentence are in the output
"""

from dataclasses import dataclass

from course_lib.corpora.grammar import LANGUAGES, Example
from course_lib.corpora.grammar.meaning import Utterance
from course_lib.corpora.grammar.readings import readings
from course_lib.corpora.grammar.running_text import tokenise
from course_lib.corpora.grammar.words import Word
from course_lib.metrics.truth.nearest import Nearest, nearest
from course_lib.metrics.truth.parts import Part, adequacy, compare
from course_lib.metrics.truth.ways import split
from course_lib.metrics.truth.words import Matched

READINGS = 12  # of the source that an output is compared with, beside the one that it is nearest to

__all__ = ["Judge", "Judgement", "Part"]


@dataclass(frozen=True)
class Judgement:
    """What an output keeps of a meaning, and how near it is to the nearest sentence that was found.

    - `adequacy` = kept / (kept + changed + lost + added), the number of parts of each verdict. Where two sentences are
      near the output, one found from the source and one from elsewhere, the one of which more is kept counts.
    - `edits`: the least number of inserted, deleted and substituted tokens to the sentence `nearest`. The search is
      greedy, so this is an upper bound of the distance to the grammar; 0 is proven.
    - `fluency` = 1 - edits / max(tokens of the output, tokens of `nearest`): a lower bound; 1 is proven.
    """

    parts: tuple[Part, ...]
    edits: int
    fluency: float
    nearest: str

    @property
    def adequacy(self) -> float:
        """kept / (kept + changed + lost + added)."""
        return adequacy(self.parts)

    @property
    def fluent(self) -> bool:
        """Whether the output is a sentence of the grammar, of any meaning."""
        return self.edits == 0

    @property
    def wrong(self) -> list[Part]:
        """The parts that are not kept."""
        return [part for part in self.parts if part.verdict != "kept"]


class Judge:
    """Judges outputs for one example: its sentence in `source`, translated into `target`."""

    def __init__(self, example: Example, source: str, target: str):
        self.target = target
        linearise = LANGUAGES[target].linearise
        starts: dict[tuple[str, ...], tuple[Utterance, list[Word]]] = {}
        for meaning in readings(example.meaning, source):
            words = linearise(meaning)
            starts.setdefault(tuple(word for word, _ in words), (meaning, words))
        self.starts = tuple(starts.values())

    def __call__(self, output: str) -> Judgement:
        """The judgement of running text. Raises ValueError for a language whose text cannot be cut into tokens."""
        return self.tokens(tokenise(output, self.target))

    def tokens(self, output: list[str]) -> Judgement:
        """The judgement of tokens, as `Example.sentences` has them."""
        output = split(output, self.target)
        ends = nearest(output, self.starts, self.target)
        parts = max((self._parts(end, output) for end in ends), key=adequacy)
        least = min(ends, key=lambda end: end.distance)
        longest = max(len(output), len(least.words))
        said = LANGUAGES[self.target].linearise(least.meaning)
        text = LANGUAGES[self.target].detokenise([word for word, _ in said])
        return Judgement(tuple(parts), least.distance, 1 - least.distance / longest, text)

    def _parts(self, end: Nearest, output: list[str]) -> list[Part]:
        """The parts that came over, if `end` is what the output means, and the words that it has beside."""
        matched = Matched(end.words, output, self.target)
        return self._best(end, matched) + [Part("added", "word", word, None, word) for word in matched.added]

    def _best(self, found: Nearest, matched: Matched) -> list[Part]:
        """The parts by the reading of which most came over; of equally good ones by that of the nearest sentence."""
        best = compare(found.start, found.meaning, self.target, matched.heard)
        if all(part.verdict == "kept" for part in best):
            return best
        for reading, _ in self.starts[:READINGS]:
            parts = compare(reading, found.meaning, self.target, matched.heard)
            if adequacy(parts) > adequacy(best):
                best = parts
        return best
