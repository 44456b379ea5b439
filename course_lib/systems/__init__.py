"""Published systems (lecture 10), assembled from the other rooms: a file adds what its paper adds.

rewards.py       how good an output is, as a number; reinforce.py, minimum_risk.py: training for it
refinement.py    a trainer that does both; table_model.py: a model small enough for the exact gradient
sampled_softmax.py, pos_unk.py    large vocabularies: a sample in place of the whole, and what an unknown word was
"""
