"""A translator in a few lines whose attention is known: word t looks at source word t, unless it is forced."""

import math
from dataclasses import dataclass

from course_lib.subwords.vocabulary import EOS

WORDS = {
    "die": "the",
    "Katze": "cat",
    "sieht": "sees",
    "den": "a",
    "Hund": "dog",
    EOS: EOS,
    "חתול": "cat",
    "רואה": "sees",
}
OTHERS = ["", "cow</w>", "ho", "pig</w>", "sheep</w>"]  # pieces that might have been written
FOCUS = 0.75  # of a word's weight; what is left is shared by the others


@dataclass(frozen=True)
class ToyTrace:
    source: list
    target: list
    log_probs: list
    best: list | None
    attention: list | None
    source_words: list
    target_words: list
    source_word_of: list
    target_word_of: list
    word_attention: list | None
    links: set


def cut(words):
    """Pieces of words: all but the last letter, then the last; and the word of each piece."""
    pieces = [[word] if word == EOS else [part for part in (word[:-1], f"{word[-1]}</w>") if part] for word in words]
    return [piece for parts in pieces for piece in parts], [n for n, parts in enumerate(pieces) for _ in parts]


class ToyTranslator:
    """Writes the translation of the source word that it looks at most; the words of `align` whatever it looks at."""

    def __init__(self, focus=FOCUS, attentive=True, runners_up=5):
        self.focus, self.attentive, self.runners_up = focus, attentive, runners_up

    def align(self, sentence, words, best=1):
        return self.trace(sentence, given=[*" ".join(words).split(), EOS])

    def trace(self, sentence, *, force=None, given=()):
        if unknown := [word for word in sentence.split() if word not in WORDS]:
            raise ValueError(f"sentence holds unknown words: {' '.join(unknown)}")
        if not sentence.split():
            raise ValueError("sentence must hold at least one word, got ''")
        if force and not self.attentive:
            raise ValueError("force needs attention")
        source_words = [*sentence.split(), EOS]
        source, source_of = cut(source_words)
        target_words, rows = [], []
        while target_words[-1:] != [EOS]:
            t, steps = len(rows), len(cut(target_words)[0])
            row = [
                self.focus if j == min(t, len(source_words) - 1) else (1 - self.focus) / (len(source_words) - 1)
                for j in range(len(source_words))
            ]
            if steps in (force or {}):
                row = [
                    sum(w for w, of in zip(force[steps], source_of, strict=True) if of == j)
                    for j in range(len(source_words))
                ]
            best = row.index(max(row))
            target_words.append(given[t] if given else WORDS[source_words[best]])
            rows.append(row)
        target, target_of = cut(target_words)
        spread = [[row[of] / source_of.count(of) for of in source_of] for row in rows]
        return ToyTrace(
            source=source,
            target=target,
            log_probs=[-0.5 if n in (force or {}) else 0.0 for n in range(len(target))],
            best=[
                [(piece, 0.0), *((OTHERS[n], math.log(0.2 / n)) for n in range(1, self.runners_up))] for piece in target
            ]
            if self.runners_up
            else None,
            attention=[spread[of] for of in target_of] if self.attentive else None,
            source_words=source_words,
            target_words=target_words,
            source_word_of=source_of,
            target_word_of=target_of,
            word_attention=rows if self.attentive else None,
            links={
                (row.index(max(row)), t)
                for t, row in enumerate(rows)
                if target_words[t] != EOS and row.index(max(row)) < len(source_words) - 1
            },
        )
