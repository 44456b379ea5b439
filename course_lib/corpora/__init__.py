"""Sentences to learn from: the grammar corpus, Multi30k, your own files, and batches of them.

grammar/       sentences in three languages, drawn from one meaning; stories.py: short stories, written
multi30k.py    captions of pictures; download.py: how they are had
everyday.py    a few sentences about everyday scenes; text_files.py: your own text
id_pairs.py    sentence pairs → ids; batches.py: ids → padded batches
agreement.py, anaphora.py    sentences that test one thing: agreement of the verb, what "it" stands for
"""
