"""The sentence cutter: how a translator cuts the reader's sentence into pieces, merge by merge."""

import traitlets

from course_lib.subwords import BPE
from course_lib.translator import Translator
from course_lib.widgets.base import Stepper, front_end, one_line
from course_lib.widgets.bpe_panel import cut

MOST_WORDS, LONGEST_WORD = 40, 24


class SentenceCutter(Stepper):
    """Step through the merges that a sentence needs: `SentenceCutter(load("attention"), "The dog sees the cat.")`.

    `words` holds for each word of `text`, as the translator reads it, its symbols and what merges join them; `ranks`
    are the tokenizer's merges (from 1) that join any of them, `pairs` what each of these merges, `merges` how many the
    tokenizer has. A step is one of `ranks`; it opens with all of them done.
    Raises ValueError for a translator whose tokenizer is no BPE, for no or more than 40 words, for a word of more than
    24 characters, and for a sentence that the translator refuses.
    """

    _esm, _css = front_end("sentence_cutter", root="lm-cutter")
    title = "Sentence cutter"
    height = 420

    text = traitlets.Unicode().tag(sync=True)
    words = traitlets.List().tag(sync=True)
    ranks = traitlets.List(traitlets.Int()).tag(sync=True)
    pairs = traitlets.List().tag(sync=True)
    merges = traitlets.Int().tag(sync=True)

    def __init__(self, translator: Translator, text: str):
        if not isinstance(translator.tokenizer, BPE):
            raise ValueError(f"translator must cut words by BPE, got one with {type(translator.tokenizer).__name__}")
        self.translator = translator
        super().__init__(merges=len(translator.tokenizer.merges))
        self.read(text)

    @property
    def last(self) -> int:
        """The last step: all merges are done."""
        return len(self.ranks)

    def read(self, text: str) -> None:
        """Cut another sentence. Raises ValueError and changes nothing if it is refused."""
        text = one_line(text)
        self.translator.read([text])  # which refuses what it cannot read
        words = list(self.translator.words(text))
        if len(words) > MOST_WORDS:
            raise ValueError(f"a sentence may have {MOST_WORDS} words, got {len(words)}")
        if (longest := max(map(len, words))) > LONGEST_WORD:
            raise ValueError(f"a word may have {LONGEST_WORD} characters, got {longest}")
        tokenizer = self.translator.tokenizer
        found = {word: cut(tokenizer, word) for word in words}
        ranks = sorted({rank for each in found.values() for rank, *_ in each["joins"]})
        with self.hold_sync():
            self.words, self.ranks = [found[word] for word in words], ranks
            self.pairs = [list(tokenizer.merges[rank - 1]) for rank in ranks]
            self.text, self.predictions, self.step = text, {}, len(ranks)

    def answer(self, *, read: str) -> None:
        """`read`."""
        self.read(read)
