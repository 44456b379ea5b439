"""A fourth language is one more module: a toy one, added in a process of its own, goes through the whole corpus."""

import subprocess
import sys

TOY = """
import importlib
from types import SimpleNamespace

from course_lib.corpora import grammar
from course_lib.corpora.grammar import en, languages, lexicon, splits

def foreign(word):
    return word[::-1].capitalize() if word.isalpha() else word

def linearise(u):
    return [(foreign(word), sources) for word, sources in en.linearise(u)]

def inventory():
    for concept, slot, forms in en.inventory():
        yield concept, slot, [foreign(form) for form in forms]

def compound(head, modifier):
    return [tuple(map(foreign, words)) for words in en.compound(head, modifier)]

languages.LANGUAGES["toy"] = SimpleNamespace(
    linearise=linearise, detokenise=" ".join, inventory=inventory, compound=compound, regular=en.regular
)
words = lexicon.function_words("en")
own = lexicon.function_words
lexicon.function_words = lambda code: frozenset(map(foreign, words)) if code == "toy" else own(code)
importlib.reload(splits)  # as if languages.py had the line
grammar = importlib.reload(grammar)
SPLITS, sample = grammar.SPLITS, grammar.sample

assert {"en-toy", "de-toy", "fr-toy", "toy"} <= set(SPLITS), SPLITS
for split in SPLITS:
    for example in sample(12, seed=1, split=split):
        assert example.sentences["toy"] == tuple(map(foreign, example.sentences["en"]))
        said = {(i, i) for i, (_, sources) in enumerate(example.words("en")) if sources}
        assert said <= example.alignment("en", "toy")
        assert example.references("de", "toy")[0] == example.text("toy")
print("ok")
"""


def test_a_toy_language_goes_through_the_whole_corpus():
    run = subprocess.run([sys.executable, "-c", TOY], capture_output=True, text=True, check=False)
    assert run.stdout == "ok\n", run.stderr
