"""Three uses of a recurrent network: shapes by type, padding, what each starts from, and that each can learn."""

import pytest
import torch
from torch.nn.functional import cross_entropy

from course_lib.recurrent import (
    GRU,
    LSTM,
    RNN,
    RNNClassifier,
    RNNEncoder,
    RNNLanguageModel,
    mask_from_lengths,
)

NETWORKS = [
    lambda **options: RNN(5, 6, 2, **options),
    lambda **options: LSTM(5, 6, 2, **options),
    lambda **options: GRU(5, 6, 2, **options),
]
every_network = pytest.mark.parametrize("network", NETWORKS, ids=["rnn", "lstm", "gru"])


@every_network
@pytest.mark.parametrize("bidirectional", [False, True])
def test_encoder_and_classifier_read_a_sentence_the_same_alone_and_in_a_batch(network, bidirectional):
    torch.manual_seed(0)
    classifier = RNNClassifier(10, 3, network(bidirectional=bidirectional)).double()
    lengths = torch.tensor([2, 5, 1])
    tokens, mask = torch.randint(10, (3, 5)), mask_from_lengths(lengths, 5)
    states, r = classifier.encoder(tokens, mask)
    logits = classifier(tokens, mask)
    for row, length in enumerate(lengths):
        alone = tokens[row : row + 1, :length]
        states_alone, r_alone = classifier.encoder(alone)
        torch.testing.assert_close(states[row : row + 1, :length], states_alone)
        torch.testing.assert_close(r[row : row + 1], r_alone)
        torch.testing.assert_close(logits[row : row + 1], classifier(alone))


def test_the_encoders_representation_is_its_last_hidden_state():
    encoder = RNNEncoder(10, LSTM(5, 6, 2))
    states, r = encoder(torch.randint(10, (3, 4)))
    torch.testing.assert_close(r, states[:, -1])


@every_network
def test_a_language_model_cannot_see_what_follows_and_goes_on_from_its_state(network):
    torch.manual_seed(0)
    model, tokens = RNNLanguageModel(10, network()), torch.randint(10, (2, 7))
    logits, _ = model(tokens)
    head, state = model(tokens[:, :3])
    tail, _ = model(tokens[:, 3:], state)
    torch.testing.assert_close(torch.cat([head, tail], 1), logits)
    for ahead in ("bidirectional", "reverse"):
        with pytest.raises(ValueError, match="network must not be bidirectional or reversed"):
            RNNLanguageModel(10, network(**{ahead: True}))


def train(parameters, loss, steps: int) -> float:
    optimizer = torch.optim.Adam(parameters, lr=0.05)
    for _ in range(steps):
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
    return value.item()


@every_network
def test_a_language_model_learns_a_rhyme_and_says_it(network):
    torch.manual_seed(0)
    model, rhyme = RNNLanguageModel(4, network()), torch.tensor([[0, 1, 0, 2, 0, 3] * 2])  # what follows 0 is memory

    def loss():
        return cross_entropy(model(rhyme[:, :-1])[0].flatten(0, 1), rhyme[0, 1:])

    assert train(model.parameters(), loss, 100) < 0.4  # without memory: log(3) / 2 = 0.55
    assert model.generate(rhyme[:, :6], 8, temperature=0.0).tolist() == [[0, 1, 0, 2, 0, 3, 0, 1]]
    with pytest.raises(ValueError, match="temperature must be at least 0, got -1"):
        model.generate(rhyme, 1, temperature=-1.0)


def test_generated_words_follow_the_models_distribution_and_the_generators_seed():
    torch.manual_seed(0)
    model = RNNLanguageModel(3, RNN(5, 6))
    prefix = torch.tensor([[0, 2]]).expand(20_000, -1)
    drawn = model.generate(prefix, 1, 0.5, torch.Generator().manual_seed(1))
    p = (model(prefix[:1])[0][0, -1] / 0.5).softmax(0)
    torch.testing.assert_close(drawn.flatten().bincount(minlength=3) / 20_000, p, rtol=0, atol=0.015)
    again = model.generate(prefix, 1, 0.5, torch.Generator().manual_seed(1))
    assert torch.equal(drawn, again)
    assert model.generate(prefix[:2], 0).shape == (2, 0)
