"""The weights of torch's attention and Transformer layers, copied into ours."""

import torch
from torch import nn


@torch.no_grad()
def copy_attention(ours, theirs: nn.MultiheadAttention) -> None:
    """Its projections of query, key and value lie in one matrix."""
    for part, linear in zip((0, 1, 2), (ours.W_Q, ours.W_K, ours.W_V), strict=True):
        linear.weight.copy_(theirs.in_proj_weight.chunk(3)[part])
        if linear.bias is not None:
            linear.bias.copy_(theirs.in_proj_bias.chunk(3)[part])
    ours.W_O.load_state_dict(theirs.out_proj.state_dict())
