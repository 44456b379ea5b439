"""Models as safetensors files: every weight once, in half the bytes, and refused by name where it no longer fits.

The format holds numbers and a few strings, and loading one runs no code (unlike a pickle).
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from course_lib.files import write_atomically


def tensors_of(model: nn.Module) -> dict[str, Tensor]:
    """Every tensor of the model's state under its first name: tied weights come once."""
    saved = model.state_dict().keys()  # not among them: buffers that are computed again
    named = [*model.named_parameters(), *model.named_buffers()]
    return {name: tensor.detach() for name, tensor in named if name in saved}


def write(path: str | os.PathLike, tensors: Mapping[str, Tensor], about: Mapping[str, object]) -> None:
    """Tensors, and what is said about them (anything that JSON holds), in one file, completely or not at all."""
    content = save({name: t.cpu().contiguous() for name, t in tensors.items()}, {"about": json.dumps(about)})
    with write_atomically(path, "wb") as file:
        file.write(content)


def read(path: str | os.PathLike) -> tuple[dict[str, Tensor], dict]:
    """What `write` wrote. Raises ValueError for a file that holds something else, OSError where there is none."""
    with _open(path) as file:
        return {name: file.get_tensor(name) for name in file.keys()}, _about(file)  # noqa: SIM118 (it is no dict)


def said_of(path: str | os.PathLike) -> dict:
    """What is said about the tensors that `write` wrote, without reading them. Raises as `read` does."""
    with _open(path) as file:
        return _about(file)


@contextmanager
def _open(path: str | os.PathLike) -> Iterator[safe_open]:
    try:
        with safe_open(path, "pt") as file:
            yield file
    except (SafetensorError, ValueError) as error:
        raise ValueError(f"{path} is no checkpoint of this course: {error}") from error


def _about(file: safe_open) -> dict:
    return json.loads((file.metadata() or {}).get("about", ""))


def check_fit(path: str | os.PathLike, model: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Raises ValueError naming what in tensors, read from `path`, does not fit the model."""
    own = tensors_of(model)
    wrong = [f"{name} is missing" for name in sorted(own.keys() - tensors.keys())]
    wrong += [f"{name} is not in the model" for name in sorted(tensors.keys() - own.keys())]
    for name in sorted(own.keys() & tensors.keys()):
        if own[name].shape != tensors[name].shape:
            wrong.append(f"{name} is {tuple(tensors[name].shape)}, in the model {tuple(own[name].shape)}")
    if wrong:
        raise ValueError(f"{path} does not fit {type(model).__name__}: {'; '.join(wrong)}")


def put(path: str | os.PathLike, model: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Copy tensors, read from `path`, into the model, all or none. Raises ValueError as `check_fit` does."""
    check_fit(path, model, tensors)
    for name, tensor in tensors_of(model).items():
        tensor.copy_(tensors[name])


def save_weights(path: str | os.PathLike, model: nn.Module, about: Mapping[str, object] | None = None) -> None:
    """The model's weights as float16 (what is no float as it is), with `about`: how they were made, what they reach.

    Raises ValueError where a weight is no finite number in float16.
    """
    tensors = {name: t.half() if t.is_floating_point() else t for name, t in tensors_of(model).items()}
    for name, tensor in tensors.items():
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{name} must be finite in float16 to be saved, got a value that is not")
    write(path, tensors, about or {})


def load_weights(path: str | os.PathLike, model: nn.Module) -> dict:
    """Put saved weights into the model, in its own dtype and on its device; returns what was said about them.

    Raises ValueError naming each weight that is missing, unknown or of another shape, and leaves the model as it was.
    """
    tensors, about = read(path)
    put(path, model, tensors)
    return about
