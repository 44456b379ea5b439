"""Which units of a network follow something that a reader can see in the text: found by correlation."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

QUOTE, EACH, LEAST = '"', 2, 0.4  # units named for each feature; the smallest correlation that is shown


def text_features(tokens: Sequence[str]) -> dict[str, list[bool]]:
    """At each token: is it a space (or an end of line), does a word begin here, does it stand between quotes?"""
    space = [not token.strip() for token in tokens]
    start = [not here and (t == 0 or space[t - 1]) for t, here in enumerate(space)]
    quoted, inside = [], False
    for token in tokens:
        inside = inside != (token == QUOTE)  # an opening quote belongs to what it opens, a closing one does not
        quoted.append(inside)
    return {"spaces": space, "word starts": start, "quotes": quoted}


def correlations(values: Float[Tensor, "token unit"], feature: Sequence[bool]) -> Float[Tensor, " unit"]:
    """Pearson's r of each unit with a feature, cov(v, f) / (σ_v σ_f); 0 where one of the two never changes."""
    f = torch.tensor(feature, dtype=values.dtype)
    v, f = values - values.mean(0), f - f.mean()
    return (v.T @ f / (v.norm(dim=0) * f.norm())).nan_to_num(0.0, 0.0, 0.0)


def following_units(values: Float[Tensor, "token unit"], tokens: Sequence[str]) -> list[dict]:
    """The units that follow a feature most closely, up to two for each, as {unit, feature, r}; no unit twice."""
    found: list[dict] = []
    for name, feature in text_features(tokens).items():
        r = correlations(values, feature)
        free = [
            unit for unit in r.abs().argsort(descending=True).tolist() if unit not in {one["unit"] for one in found}
        ]
        found += [
            {"unit": unit, "feature": name, "r": round(r[unit].item(), 2)}
            for unit in free[:EACH]
            if abs(r[unit].item()) >= LEAST
        ]
    return found
