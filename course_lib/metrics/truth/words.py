"""Which words of a sentence are in an output that is not quite this sentence."""

from course_lib.corpora.grammar.words import Word
from course_lib.metrics.truth.clues import content, known, lemmas
from course_lib.metrics.truth.distance import aligned
from course_lib.metrics.truth.facts import Fact

LINKS = frozenset(("who", "whom", "to whom", "than", "place", "owner", "adjective"))  # what only a word's place tells
NAMING = frozenset(("noun", "name", "verb", "adjective"))  # what another word would say otherwise


class Matched:
    """The words of a sentence matched with an output: in their places, in another form, elsewhere, or missing.

    A word elsewhere is heard, but what only its place tells (who does it to whom, whose it is) is not. A word that no
    language has, in the place of one that is missing, says what its place tells, and not what it names.
    """

    def __init__(self, words: list[Word], output: list[str], language: str):
        self.words = words
        pairs = aligned([word for word, _ in words], output)
        self.here: set[int] = set()
        self.elsewhere: set[int] = set()
        instead: dict[int, int] = {}
        for i, j in pairs:
            if i is None or j is None:
                continue
            if words[i][0] == output[j] or lemmas(words[i][0], language) & lemmas(output[j], language):
                self.here.add(i)
            else:
                instead[j] = i
        taken = {j for i, j in pairs if i in self.here}
        free = [j for j in range(len(output)) if j not in taken]
        for same in (lambda a, b: a == b, lambda a, b: lemmas(a, language) & lemmas(b, language)):
            for i, (word, _) in enumerate(words):
                if i in self.here or i in self.elsewhere or not content(word, language):
                    continue
                if (found := next((j for j in free if same(word, output[j])), None)) is not None:
                    free.remove(found)
                    self.elsewhere.add(i)
        missing = {i for i in range(len(words)) if i not in self.here and i not in self.elsewhere}
        strange = [j for j in free if content(output[j], language) and not known(output[j], language)]
        self.replaced = {
            instead[j] for j in strange if instead.get(j) in missing and content(words[instead[j]][0], language)
        }
        self.added = [output[j] for j in free if content(output[j], language) and instead.get(j) not in self.replaced]

    def heard(self, fact: Fact) -> bool:
        """Whether the words that say a fact are in the output."""
        wanted = set(fact.sources)
        saying = [i for i, (_, sources) in enumerate(self.words) if not wanted.isdisjoint(sources)]
        there = self.here if fact.name in LINKS else self.here | self.elsewhere
        there = there if fact.name in NAMING else there | self.replaced
        if fact.name in LINKS:
            return there.issuperset(saying)
        return not saying or not there.isdisjoint(saying)
