"""Running text and back: `tokenise` undoes what `detokenise` does."""

import pytest

from course_lib.corpora.grammar import SPLITS, sample
from course_lib.corpora.grammar.running_text import TOKENS, tokenise


@pytest.mark.parametrize("language", TOKENS)
@pytest.mark.parametrize("split", SPLITS)
def test_the_tokens_of_running_text_come_back(split, language):
    for example in sample(60, seed=8, split=split):
        assert tokenise(example.text(language), language) == list(example.sentences[language])


def test_own_text_is_cut_as_the_grammar_writes_it():
    assert tokenise("Is the boys' dog old, or can't I say? ", "en") == [
        *["is", "the", "boys", "'", "dog", "old", ",", "or", "can"],
        *["'", "t", "I", "say", "?"],
    ]
    assert tokenise("I cannot see Anna's U-Boot.", "en") == ["I", "can", "not", "see", "Anna", "'s", "U-Boot", "."]
    assert tokenise("", "en") == []
    assert tokenise("L'homme voit-il le jusqu'à ? Aujourd'hui", "fr") == [
        *["l'", "homme", "voit-il", "le", "jusqu'", "à", "?", "Aujourd'hui"]
    ]
    with pytest.raises(ValueError, match="language must be one of en, de, fr, got 'it'"):
        tokenise("l'uomo", "it")
