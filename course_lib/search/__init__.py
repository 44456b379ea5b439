"""Search: from a model's probabilities to a sentence. It knows the protocol of models and nothing else of them."""
