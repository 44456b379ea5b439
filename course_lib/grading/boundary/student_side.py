"""The student's side of the boundary: what a student defined, asked for by data and answered by data.

The same code answers in one process and inside the sandbox. It trusts the requests; the asker trusts no answer.
"""

import contextlib
import io
from collections.abc import Mapping
from typing import Any

from course_lib.grading.boundary.codec import NotData, decode, encode
from course_lib.grading.boundary.forbid import forbid


class Objects:
    """Names and objects of a student's; an object that is no plain data is held here and crosses as its number."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names
        self.held: list[Any] = []
        self.forbidden: tuple[str, ...] = ()

    def hold(self, value: Any) -> int:
        """The number under which `value` can be asked for from now on."""
        self.held.append(value)
        return len(self.held) - 1

    def answer(self, request: dict) -> dict:
        """{"value": data} or {"error": [type, first line]}; prints and warnings on the way go nowhere."""
        try:
            with contextlib.redirect_stdout(Nowhere()), contextlib.redirect_stderr(Nowhere()):
                action = {name: getattr(self, name) for name in ("name", "call", "attribute", "load", "pull", "forbid")}
                fields = {key: decode(data, self.held.__getitem__) for key, data in request["fields"].items()}
                with forbid(self.forbidden):
                    value = action[request["do"]](**fields)
                return {"value": encode(value, self.hold)}
        except (Exception, SystemExit) as error:
            return {"error": [type(error).__name__, (str(error).splitlines() or [""])[0][:300]]}

    def name(self, name: str) -> Any:
        """What the student calls `name`; raises NameError."""
        if name not in self.names:
            raise NameError(f"{name} is not defined")
        return self.names[name]

    def call(self, target: Any, arguments: tuple, keywords: dict) -> Any:
        if not callable(target):
            raise NotData(f"a {type(target).__name__}, not a function")
        return target(*arguments, **keywords)

    def forbid(self, names: tuple) -> None:
        """From now on these names (dotted) raise Delegated while anything of the student's runs."""
        self.forbidden = tuple(names)

    def attribute(self, target: Any, name: str) -> Any:
        return getattr(target, name)

    def load(self, target: Any, parameters: dict) -> None:
        """Set the parameters of a module, all of them and no others."""
        target.load_state_dict(parameters, strict=True)

    def pull(self, target: Any, arguments: tuple, cotangents: Any) -> list:
        """The vector-Jacobian product: gradients of Σ output·cotangent for floating arguments, None for others."""
        import torch

        with torch.enable_grad():
            inputs = [
                a.requires_grad_() if isinstance(a, torch.Tensor) and a.is_floating_point() else a for a in arguments
            ]
            outputs = target(*inputs)
            outputs, cotangents = (
                ([outputs], [cotangents]) if isinstance(outputs, torch.Tensor) else (outputs, cotangents)
            )
            wanted = [a for a in inputs if isinstance(a, torch.Tensor) and a.requires_grad]
            gradients = iter(torch.autograd.grad(list(outputs), wanted, list(cotangents), allow_unused=True))
        return [next(gradients) if isinstance(a, torch.Tensor) and a.requires_grad else None for a in inputs]


class Nowhere(io.TextIOBase):
    """A stream that keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)
