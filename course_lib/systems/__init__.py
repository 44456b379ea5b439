"""Published systems (lecture 10), assembled from the other rooms: a module adds what its paper adds.

gnmt.py             Google's system: deep recurrent stacks with residual connections, one attention
pipeline.py         its layers on devices of their own: which works when, and which waits
coverage.py         the score of its search: length, and attention that every source word should get
dlcl.py             a deep encoder whose layers read a learnt combination of all layers below
deep_supervision.py a loss at every layer of the decoder
stability.py        how large gradients and first updates are before training
mixture.py          a feed-forward network of many experts, of which each word asks a few; balance.py: its trainer
flops.py            what reading, writing and training cost, in operations
rewards.py          how good an output is, as a number; reinforce.py, minimum_risk.py: training for it
refinement.py       a trainer that does both; table_model.py: a model small enough for the exact gradient
sampled_softmax.py  a large vocabulary by a sample of it; pos_unk.py: what an unknown word was
"""
