"""The fast way: all time steps of a unit in one call of torch's kernel, cuDNN's on CUDA."""

import warnings
from functools import cache

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.recurrent.cell import Cell, State


def run_kernel(
    cell: Cell,
    x: Float[Tensor, "batch time input"],
    mask: Bool[Tensor, "batch time"] | None,
    state: State,
    reverse: bool,
) -> tuple[Float[Tensor, "batch time hidden"], State]:
    """What `Layer` computes, with the same parameters, by the kernel; padded sentences are packed.

    Raises ValueError where no kernel computes the cell, and for a mask that does not pad at the end, or leaves a
    sentence empty.
    """
    if cell.kernel() is None:
        raise ValueError(f"fused: no kernel computes {type(cell).__name__} in this form, only its equations do")
    if mask is None:
        x = x.flip(1) if reverse else x
        outputs, state = _call(cell, state, x)
        return outputs.flip(1) if reverse else outputs, state
    lengths = lengths_of(mask)
    x = reverse_sentences(x, lengths) if reverse else x
    packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)  # longest first
    data, state = _call(cell, tuple(s[packed.sorted_indices] for s in state), packed.data, packed.batch_sizes)
    outputs, _ = pad_packed_sequence(packed._replace(data=data), batch_first=True, total_length=x.shape[1])
    outputs = reverse_sentences(outputs, lengths) if reverse else outputs
    return outputs, tuple(s[packed.unsorted_indices] for s in state)


def _call(cell: Cell, state: State, x: Tensor, batch_sizes: Tensor | None = None) -> tuple[Tensor, State]:
    """The kernel; where this processor has none for autocast's dtype, the one for the weights' own."""
    try:
        return _kernel(cell, state, x, batch_sizes)
    except RuntimeError as error:
        if "primitive descriptor" not in str(error):  # oneDNN's words: on CPUs without AVX-512 it has no bfloat16 LSTM
            raise
    _warn_once(type(cell).__name__)
    dtype = cell.W_x.dtype
    with torch.autocast(x.device.type, enabled=False):
        return _kernel(cell, tuple(s.to(dtype) for s in state), x.to(dtype), batch_sizes)


@cache
def _warn_once(cell: str) -> None:
    said = (
        f"fused: this processor has no kernel of {cell} for autocast's dtype: it computes in the dtype of the weights"
    )
    warnings.warn(said, stacklevel=2)


def _kernel(cell: Cell, state: State, x: Tensor, batch_sizes: Tensor | None) -> tuple[Tensor, State]:
    initial = tuple(s.unsqueeze(0).contiguous() for s in state)  # (layers = 1, batch, hidden)
    hx = initial if cell.states == 2 else initial[0]
    layers, dropout, bidirectional, batch_first = 1, 0.0, False, True
    options = (cell.b is not None, layers, dropout, cell.training, bidirectional)
    with warnings.catch_warnings():  # cuDNN copies the weights into one piece at each call: cheap at these sizes
        warnings.filterwarnings("ignore", "RNN module weights are not part of single contiguous chunk")
        if batch_sizes is None:
            outputs, *last = cell.kernel()(x, hx, cell.kernel_weights(), *options, batch_first)
        else:
            outputs, *last = cell.kernel()(x, batch_sizes, hx, cell.kernel_weights(), *options)
    return outputs, tuple(s.squeeze(0) for s in last)


def lengths_of(mask: Bool[Tensor, "batch time"]) -> Int[Tensor, " batch"]:
    """The sentences' lengths. Raises ValueError unless each has at least one token and all its padding at its end."""
    lengths = mask.sum(1)
    if lengths.min() == 0 or not torch.equal(mask, mask_from_lengths(lengths, mask.shape[1])):
        raise ValueError("mask must hold at least one token in each sentence and padding only at its end, to run fused")
    return lengths


def mask_from_lengths(lengths: Int[Tensor, " batch"], time: int) -> Bool[Tensor, "batch time"]:
    """True for the first `lengths[b]` of `time` positions. [2, 3], 3 -> [[True, True, False], [True, True, True]]

    Raises ValueError for a length below 0 or above `time`.
    """
    if len(lengths) and not 0 <= int(lengths.min()) <= int(lengths.max()) <= time:
        raise ValueError(f"lengths must lie in 0..{time} (time), got {lengths.tolist()}")
    return torch.arange(time, device=lengths.device) < lengths.unsqueeze(1)


def reverse_sentences(
    x: Float[Tensor, "batch time size"], lengths: Int[Tensor, " batch"]
) -> Float[Tensor, "batch time size"]:
    """Each sentence back to front, its padding left where it is."""
    time = torch.arange(x.shape[1], device=x.device)
    last = lengths.unsqueeze(1) - 1
    order = torch.where(time <= last, last - time, time)  # (batch, time)
    return x.gather(1, order.unsqueeze(2).expand_as(x))
