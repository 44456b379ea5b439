"""Where tensors live: chosen in this one place."""

import torch


def device() -> torch.device:
    """The best device here: CUDA, else MPS, else CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")
