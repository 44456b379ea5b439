"""The keys and values of the words so far, with room for words to come."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int64
from torch import Tensor

KeysValues = tuple[Float[Tensor, "_ heads _ d_k"], Float[Tensor, "_ heads _ d_v"]]  # (row, heads, time, width)


@dataclass
class Buffer:
    """Keys and values: those of the first `written` words stand, the places behind them are free."""

    both: KeysValues
    written: int


@dataclass(frozen=True)
class Cache:
    """The keys and values of the first `time` words in a buffer, which other caches may share: they never change.

    In inference mode a cache that goes on writes the next word behind its own, where that place is free; else into a
    copy with more room. With `torch.cat` all words would be copied at each step.
    """

    buffer: Buffer
    time: int

    @classmethod
    def of(cls, both: KeysValues) -> "Cache":
        """All of these words, and no room."""
        return cls(Buffer(both, both[0].shape[2]), both[0].shape[2])

    @property
    def keys_values(self) -> KeysValues:
        """Those of the words so far."""
        K, V = self.buffer.both
        return K[:, :, : self.time], V[:, :, : self.time]

    def after(self, new: KeysValues) -> "Cache":
        """The words so far, then new ones."""
        if not torch.is_inference_mode_enabled():  # a graph may need what would be written over
            return Cache.of(tuple(torch.cat(pair, dim=2) for pair in zip(self.keys_values, new, strict=True)))
        end, buffer = self.time + new[0].shape[2], self.buffer
        if buffer.written > self.time or buffer.both[0].shape[2] < end:
            buffer = Buffer(tuple(_longer(each, end + max(8, end // 8)) for each in self.keys_values), self.time)
        for kept, words in zip(buffer.both, new, strict=True):
            kept[:, :, self.time : end] = words
        buffer.written = end
        return Cache(buffer, end)

    def select(self, rows: Int64[Tensor, " chosen"]) -> "Cache":
        """These rows, in this order, in a buffer of their own."""
        K, V = self.buffer.both
        return Cache(Buffer((K.index_select(0, rows), V.index_select(0, rows)), self.time), self.time)


def _longer(words: Float[Tensor, "row heads time width"], room: int) -> Float[Tensor, "row heads {room} width"]:
    longer = words.new_empty(*words.shape[:2], room, words.shape[3])
    longer[:, :, : words.shape[2]] = words
    return longer
