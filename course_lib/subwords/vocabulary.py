"""Pieces as numbers: what a translation model reads and writes."""

from collections.abc import Iterable

from course_lib.subwords.words import UNK

PAD, BOS, EOS = "<pad>", "<s>", "</s>"


class Vocabulary:
    """Numbers the pieces of any tokenizer: `Vocabulary(tokenizer.vocabulary)`.

    The first four are `<pad>` (0), `<unk>` (1), `<s>` (2) and `</s>` (3); then the pieces in their order.
    Raises ValueError if a piece comes twice or is written like one of the four.
    """

    pad_id, unk_id, bos_id, eos_id = range(4)

    def __init__(self, pieces: Iterable[str]):
        self.id_to_piece = [PAD, UNK, BOS, EOS]
        self.piece_to_id = {piece: i for i, piece in enumerate(self.id_to_piece)}
        for piece in pieces:
            if piece in self.piece_to_id:
                raise ValueError(f"the piece {piece!r} is in the vocabulary already: expected each piece once")
            self.piece_to_id[piece] = len(self.id_to_piece)
            self.id_to_piece.append(piece)

    def __len__(self) -> int:
        return len(self.id_to_piece)

    def ids(self, pieces: Iterable[str], *, bos: bool = False, eos: bool = False) -> list[int]:
        """The number of each piece (`unk_id` for one that is not here), between `<s>` and `</s>` where asked for.

        Text that is written like `<pad>`, `<s>` or `</s>` gets `unk_id` too: no text can end a sentence early.
        """
        control = {self.pad_id, self.bos_id, self.eos_id}
        numbers = (self.piece_to_id.get(piece, self.unk_id) for piece in pieces)
        body = [self.unk_id if number in control else number for number in numbers]
        return [self.bos_id] * bos + body + [self.eos_id] * eos

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """The pieces up to the first `</s>`, without `<pad>` and `<s>`: what a decoder has produced.

        Raises ValueError for a number outside 0 … len - 1.
        """
        pieces = []
        for i in ids:
            if not 0 <= i < len(self):
                raise ValueError(f"id {i} is outside the vocabulary: expected 0 to {len(self) - 1}")
            if i == self.eos_id:
                break
            if i not in (self.pad_id, self.bos_id):
                pieces.append(self.id_to_piece[i])
        return pieces
