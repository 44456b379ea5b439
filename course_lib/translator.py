"""Text in, text out: a translation model, what cuts its text into pieces, and what it did, step by step.

text → words → pieces → ids → model → ids → pieces → words → text
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import torch
from jaxtyping import Bool, Int64
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_lib.corpora.batches import collate, grouped
from course_lib.intervention import Forced, forced_weights, with_weights
from course_lib.search.beam import beam
from course_lib.search.greedy import greedy
from course_lib.search.limits import longest
from course_lib.seq2seq.protocol import Model, Step
from course_lib.subwords.vocabulary import EOS, Vocabulary
from course_lib.subwords.word_level import Words
from course_lib.translation import Translation, words_of


class Translator:
    """A model with its text: `tokenizer` cuts words into pieces (both languages), `vocabulary` numbers them.

    `words` gives the words of running text (by default what stands between whitespace), `text` running text of words.
    `limit` says after how many pieces the translation of a source of n pieces is cut off.
    Only the model's protocol is used: recurrent or not, with attention or without. It is put into `eval()`. A word that
    a vocabulary of `Words` does not have is `<unk>`; of pieces, characters that it does not have are refused.
    """

    def __init__(
        self,
        model: Model,
        tokenizer,
        vocabulary: Vocabulary,
        *,
        words: Callable[[str], Sequence[str]] = str.split,
        text: Callable[[Sequence[str]], str] = " ".join,
        limit: Callable[[int], int] = longest,
    ):
        self.limit = limit
        self.model, self.tokenizer, self.vocabulary, self.words, self.text = model, tokenizer, vocabulary, words, text
        self.characters = {c for piece in tokenizer.vocabulary for c in piece}
        self.refuses = not isinstance(tokenizer, Words)  # whole words can be unknown, pieces only by their characters
        if isinstance(model, torch.nn.Module):
            model.eval()

    def translate(self, sentences: Iterable[str], *, batch_size: int = 50) -> list[str]:
        """The greedy translation of each sentence. Sentences of similar length are searched together, `batch_size` at a
        time, which changes no translation. Raises TypeError for one string, and ValueError as `trace` does."""
        sources = self._sources(sentences)
        found = [""] * len(sources)
        for chosen in grouped([len(source) for source in sources], batch_size):
            source, mask = self._batch([sources[k] for k in chosen])
            targets = greedy(self.model, source, mask, self.limit(max(len(sources[k]) for k in chosen)))
            for k, target in zip(chosen, targets, strict=True):
                found[k] = self.written(target[: self.limit(len(sources[k]))])
        return found

    def read(
        self, sentences: Iterable[str]
    ) -> tuple[Int64[Tensor, "batch source_time"], Bool[Tensor, "batch source_time"]]:
        """The sentences as the model reads them, source and mask. Raises as `translate` does."""
        return self._batch(self._sources(sentences))

    def written(self, target: Sequence[int]) -> str:
        """The text of an output's ids, up to `</s>`."""
        words = self.tokenizer.decode(self.vocabulary.pieces(target)).split()
        return self.text(words) if words else ""

    def search(
        self,
        sentences: Iterable[str],
        search: Callable = beam,
        *,
        batch_size: int = 50,
        max_length: int | None = None,
        **options,
    ) -> list:
        """What `search` (`beam`, `sample`: one that takes many sentences) finds for each, called with the `options`.

        `written` makes text of its words. Sentences of equal length are searched together, `batch_size` at a time. No
        output is longer than `max_length`, by default `limit` of its sentence. Raises as `translate` does.
        """
        sources = self._sources(sentences)
        found: list = [None] * len(sources)
        for chosen in grouped([len(source) for source in sources], batch_size, equal=True):
            limit = self.limit(len(sources[chosen[0]])) if max_length is None else max_length
            outputs = search(self.model, *self._batch([sources[k] for k in chosen]), limit, **options)
            for k, output in zip(chosen, outputs, strict=True):
                found[k] = output
        return found

    def trace(
        self,
        sentence: str,
        *,
        force: Forced | None = None,
        prefix: Sequence[str] = (),
        best: int = 5,
        max_length: int | None = None,
    ) -> Translation:
        """The greedy translation of one sentence with all that can be seen of it.

        `prefix`: pieces with which the translation is made to begin. `force[t]` sets the attention of step t, to one
        source position (a piece's number) or to weights, one for each: an intervention; later steps see its effects.
        Raises ValueError for a sentence without words, for characters that the vocabulary does not have, for a prefix
        of other pieces, for positions outside the sentence, weights that are none, and `force` without attention.
        """
        pieces, given = self._pieces(sentence), self._ids(prefix)
        if self.vocabulary.unk_id in given:
            raise ValueError(f"prefix must hold pieces of the vocabulary, got {list(prefix)}")
        limit = self.limit(len(pieces)) if max_length is None else max_length
        return self._run(pieces, given, force or {}, best, limit)

    def align(self, sentence: str, words: Sequence[str], best: int = 1) -> Translation:
        """What the model makes of the translation that these target `words` are: nothing is searched. Raises as `trace`
        for the sentence, and TypeError for words in one string; a target piece outside the vocabulary is `<unk>`."""
        return self.align_all([(sentence, words)], best)[0]

    @torch.no_grad()
    def align_all(
        self, pairs: Sequence[tuple[str, Sequence[str]]], best: int = 1, *, batch_size: int = 50
    ) -> list[Translation]:
        """`align` of each (sentence, target words). Those of similar length are read together, `batch_size` at a time,
        which changes nothing but rounding."""
        sources = [self._pieces(sentence) for sentence, _ in pairs]
        written = [" ".join(_several("words", words)) for _, words in pairs]
        targets = [[*self._ids(self.tokenizer.encode(text)), self.model.eos_id] for text in written]
        found: list = [None] * len(pairs)
        for chosen in grouped([len(target) for target in targets], batch_size):
            source, mask = self._batch([self._ids(sources[k]) for k in chosen])
            state, steps = self.model.start(self.model.encode(source, mask)), []
            given = [torch.tensor([self.model.bos_id, *targets[k]], device=source.device) for k in chosen]
            given = pad_sequence(given, batch_first=True, padding_value=self.model.pad_id)
            for previous, following in pairwise(given.unbind(1)):
                step = self.model.step(previous, state)
                state = step.state
                steps.append(self._told(step, following, best))
            for row, k in enumerate(chosen):
                told = [[of[row] for of in step] for step in steps[: len(targets[k])]]
                log_probs, likeliest, attention = map(list, zip(*told, strict=True))
                shown = [weights and weights[: len(sources[k]) + 1] for weights in attention]
                found[k] = self._translation(sources[k], targets[k], log_probs, likeliest, shown)
        return found

    def _told(self, step: Step, words: Int64[Tensor, " row"], best: int) -> tuple[list, list, list]:
        """Of each row: log p of its word, the `best` likeliest pieces, and the attention, or None."""
        log_p = step.log_probs
        top = log_p.topk(min(best, log_p.shape[1]))
        likeliest = [
            [(self.vocabulary.id_to_piece[i], value) for i, value in zip(ids, values, strict=True)]
            for ids, values in zip(top.indices.tolist(), top.values.tolist(), strict=True)
        ]
        attention = [None] * len(words) if step.attention is None else step.attention.tolist()
        return log_p.gather(1, words[:, None])[:, 0].tolist(), likeliest, attention

    @torch.no_grad()
    def _run(self, pieces: list[str], given: Sequence[int], force: Forced, best: int, limit: int) -> Translation:
        """Step by step: first the `given` words, then the likeliest."""
        source, mask = self._batch([self._ids(pieces)])
        state = self.model.start(self.model.encode(source, mask))
        previous, target, told = self.model.bos_id, [], []
        while len(target) < limit and previous != self.model.eos_id:
            t = len(target)
            weights = forced_weights(force[t], source.shape[1]).to(source.device)[None] if t in force else None
            step = self.model.step(torch.tensor([previous], device=source.device), with_weights(state, weights))
            state = step.state
            previous = given[t] if t < len(given) else int(step.log_probs[0].argmax())
            target.append(previous)
            told.append(self._told(step, torch.tensor([previous], device=source.device), best))
        log_probs, likeliest, attention = ([step[of][0] for step in told] for of in range(3))
        return self._translation(pieces, target, log_probs, likeliest, attention)

    def _translation(self, source: list[str], target: list[int], log_probs, best, attention) -> Translation:
        """What `trace` has found, with the words that the pieces belong to."""
        ended = target[-1:] == [self.model.eos_id]
        written = [self.vocabulary.id_to_piece[i] for i in target[: len(target) - ended]]
        source_words, source_word_of = words_of(source, self.tokenizer.decode, ended=True)
        target_words, target_word_of = words_of(written, self.tokenizer.decode, ended=ended)
        return Translation(
            text=self.written(target),
            source=[*source, EOS],
            target=written + [EOS] * ended,
            log_probs=log_probs,
            best=best,
            attention=None if None in attention else attention,
            source_words=source_words,
            target_words=target_words,
            source_word_of=source_word_of,
            target_word_of=target_word_of,
        )

    def _pieces(self, sentence: str) -> list[str]:
        words = list(self.words(sentence))
        if not words:
            raise ValueError(f"sentence must hold at least one word, got {sentence!r}")
        pieces = self.tokenizer.encode(" ".join(words))
        missing = [c for piece in pieces if piece not in self.vocabulary.piece_to_id for c in piece]
        if self.refuses and (unknown := sorted(set(missing) - self.characters)):
            raise ValueError(f"sentence holds characters that the vocabulary does not have: {' '.join(unknown)}")
        return pieces

    def _sources(self, sentences: Iterable[str]) -> list[list[int]]:
        return [self._ids(self._pieces(sentence)) for sentence in _several("sentences", sentences)]

    def _ids(self, pieces: Iterable[str]) -> list[int]:
        return self.vocabulary.ids(pieces)

    def _batch(
        self, sources: Sequence[Sequence[int]]
    ) -> tuple[Int64[Tensor, "batch source_time"], Bool[Tensor, "batch source_time"]]:
        place = next(self.model.parameters()).device if isinstance(self.model, torch.nn.Module) else "cpu"
        batch = collate([(source, ()) for source in sources], self.vocabulary).to(place)
        return batch.source, batch.source_mask


def _several(name: str, strings: Iterable[str]) -> Iterable[str]:
    """The strings; one alone, which would be read letter by letter, raises TypeError."""
    if isinstance(strings, str):
        raise TypeError(f"{name} must be a list of strings, got one string: {strings!r:.40}")
    return strings
