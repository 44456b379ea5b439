"""The Transformer (lectures 07 and 08): positions, sublayers, encoder, decoder, and the model of them.

model = Transformer(Config(vocabulary_size=2000, d_model=128, d_ff=256, heads=4, layers=3))

config.py     what it is made of; model.py: the whole
embedding.py  words → vectors, with positions.py; sublayers.py: feed-forward, layer norm, residual
encoder.py, decoder.py    the two stacks; state.py: what is kept while it writes, in cache.py
trace.py      what every attention does with a pair that reading.py makes; head_translator.py: seen through one head
"""

from course_lib.transformer.config import Config
from course_lib.transformer.decoder import Decoder, DecoderLayer
from course_lib.transformer.encoder import Encoder, EncoderLayer
from course_lib.transformer.model import Transformer
from course_lib.transformer.positions import Learned, Sinusoidal, sinusoidal
from course_lib.transformer.sublayers import FeedForward, LayerNorm, Residual

__all__ = [
    "Config",
    "Decoder",
    "DecoderLayer",
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "LayerNorm",
    "Learned",
    "Residual",
    "Sinusoidal",
    "Transformer",
    "sinusoidal",
]
