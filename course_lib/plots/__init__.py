"""The lectures' figures, a file a lecture, and the curve of any training: functions that draw what a notebook computed.

All give a `picture.Picture`.

alignment.py (lecture 01), subwords.py (02), recurrent.py (03), encoder_decoder.py (04), transformer.py (07),
recipe.py (08), evaluation.py (09), systems.py (10)
training.py   the curve of a training; seeds.py: rows trained with several seeds; picture.py: what all share
"""
