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


def copy_encoder_layer(ours, theirs: nn.TransformerEncoderLayer) -> None:
    """Self-attention, feed-forward network, their norms."""
    copy_attention(ours.self_attention, theirs.self_attn)
    copy_feed_forward(ours, theirs)
    copy_norm(ours.around_self.norm, theirs.norm1)
    copy_norm(ours.around_feed_forward.norm, theirs.norm2)


def copy_decoder_layer(ours, theirs: nn.TransformerDecoderLayer) -> None:
    """Both attentions, feed-forward network, their norms."""
    copy_attention(ours.self_attention, theirs.self_attn)
    copy_attention(ours.cross_attention, theirs.multihead_attn)
    copy_feed_forward(ours, theirs)
    for residual, norm in zip(
        (ours.around_self, ours.around_cross, ours.around_feed_forward),
        (theirs.norm1, theirs.norm2, theirs.norm3),
        strict=True,
    ):
        copy_norm(residual.norm, norm)


def copy_feed_forward(ours, theirs) -> None:
    ours.feed_forward.W_1.load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward.W_2.load_state_dict(theirs.linear2.state_dict())


@torch.no_grad()
def copy_norm(ours, theirs: nn.LayerNorm) -> None:
    ours.gamma.copy_(theirs.weight)
    ours.beta.copy_(theirs.bias)


@torch.no_grad()
def drawn_anew(module: nn.Module) -> nn.Module:
    """The same module with every parameter drawn at random: no bias is 0 and no scale is 1."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, mean=1.0 if parameter.ndim == 1 else 0.0, std=0.5)
    return module
