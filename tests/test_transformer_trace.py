"""The trace of a Transformer's attentions: Marian's own weights, and the model stays as it was."""

import torch

from course_lib.transformer.trace import trace
from tests.marian import WORDS
from tests.test_transformer import from_marian, marian_of_two_and_three_layers


def test_all_weights_of_all_heads_are_marians():
    theirs = marian_of_two_and_three_layers(scale_embedding=True)
    ours = from_marian(theirs, decoder_layers=3, dropout=0.5).train()
    source, mask = theirs.sources(4, seed=0)
    target_in = torch.cat([torch.full((4, 1), theirs.bos_id), torch.randint(4, WORDS, (4, 5))], dim=1)
    theirs.marian.set_attn_implementation("eager")
    expected = theirs.marian(source, mask.long(), target_in, output_attentions=True, use_cache=False)
    found = trace(ours, source, mask, target_in)
    for part, peers in [
        (found.encoder, expected.encoder_attentions),
        (found.decoder, expected.decoder_attentions),
        (found.cross, expected.cross_attentions),
    ]:
        assert len(part) == len(peers)
        for heads, weights in zip(part, peers, strict=True):
            torch.testing.assert_close(heads.weights, weights, rtol=1e-4, atol=1e-5)
    scores = found.cross[1].queries @ found.cross[1].keys.mT / 4**0.5  # d_k is 4
    scores = scores.masked_fill(~mask[:, None, None], -torch.inf)
    torch.testing.assert_close(scores.softmax(-1), found.cross[1].weights)
    torch.testing.assert_close(found.cross[1].contexts, found.cross[1].weights @ found.cross[1].values)
    later = ~torch.ones(6, 6, dtype=torch.bool).tril()
    assert torch.equal(found.decoder[0].mask, ~later) and not found.decoder[0].weights[..., later].any()
    attentions = [module for module in ours.modules() if hasattr(module, "fused")]
    assert ours.training and all(module.fused for module in attentions)
    assert not any(module._forward_hooks for module in attentions)
