"""Sentences to learn from: the grammar corpus, Multi30k, your own files, and batches of them."""
