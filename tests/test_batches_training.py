"""Batches of the grammar corpus train something: a bag of source words and the last target word predict the next."""

import torch
from torch import nn

from course_lib.corpora.batches import Batches
from course_lib.corpora.grammar import sample

PAD, BOS, EOS = 0, 1, 2


class BagModel(nn.Module):
    """Scores of y_i from the mean of the source's word vectors and the vector of y_{i-1}."""

    def __init__(self, source_size, target_size, width=32):
        super().__init__()
        self.source, self.target = nn.Embedding(source_size, width), nn.Embedding(target_size, width)
        self.output = nn.Linear(2 * width, target_size)

    def forward(self, batch):
        mask = batch.source_mask[:, :, None]
        bag = (self.source(batch.source) * mask).sum(1) / mask.sum(1)  # (batch, width)
        words = self.target(batch.target_in)  # (batch, time, width)
        return self.output(torch.cat([bag[:, None].expand_as(words), words], dim=-1))


def numbers(sentences):
    ids = {}
    return [[ids.setdefault(word, len(ids) + 3) for word in sentence] for sentence in sentences], len(ids) + 3


def test_the_loss_falls():
    examples = sample(300, seed=1)
    source, source_size = numbers([example.sentences["de"] for example in examples])
    target, target_size = numbers([example.sentences["en"] for example in examples])
    batches = Batches(list(zip(source, target, strict=True)), max_tokens=400, pad=PAD, bos=BOS, eos=EOS)
    torch.manual_seed(0)
    model = BagModel(source_size, target_size)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)

    losses = []
    for epoch in range(4):
        total = tokens = 0
        for batch in batches.epoch(epoch):
            scores = model(batch)[batch.target_mask]  # (real tokens, target words)
            loss = nn.functional.cross_entropy(scores, batch.target_out[batch.target_mask])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total, tokens = total + loss.item() * len(scores), tokens + len(scores)
        assert tokens == sum(len(sentence) + 1 for sentence in target)  # each word and each eos once an epoch
        losses.append(total / tokens)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.6 * losses[0]
