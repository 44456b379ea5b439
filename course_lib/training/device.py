"""Where tensors live: chosen in this one place."""

import torch

from course_lib.training.processes import together


def device() -> torch.device:
    """The best device here: CUDA, else MPS, else CPU. Of processes launched together each has a device of its own."""
    if together() is not None:
        return together().device
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")
