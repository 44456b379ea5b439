"""A small Transformer as a translator of characters; its random weights are large, so that its choices differ."""

import torch

from course_lib.subwords import Characters, Vocabulary
from course_lib.transformer import Config, Transformer
from course_lib.translator import Translator


def toy_transformer(heads=2, layers=2, **options):
    torch.manual_seed(0)
    tokenizer = Characters.learn(["ab ba cab"])
    vocabulary = Vocabulary(tokenizer.vocabulary)
    sizes = {"d_model": 8, "d_ff": 12, "heads": heads, "layers": layers}
    model = Transformer(Config(len(vocabulary), **sizes, **options))
    with torch.no_grad():
        for weights in model.parameters():
            weights.add_(0.2 * torch.randn(weights.shape)).mul_(1.5)
    return Translator(model, tokenizer, vocabulary)
